package bot

import (
	"github.com/rackmate/rackmate/bot/text"
	"strings"
)

// A Menu lets a person choose one thing or several. A platform without menus leaves it out:
// everything can be typed too.
type Menu struct {
	ID      string    // like a Button's, for Request.Choose
	Label   text.Text // what to choose, at most 100 characters
	Choices []Choice
	Most    int // how many can be chosen at once
}

// Choose returns the request for values chosen from a menu, based on r, which has its ID, channel
// and user. ok is false if the menu isn't ours.
func (r Request) Choose(menuID string, values []string) (req Request, ok bool) {
	if req, ok = r.Press(menuID); !ok {
		return req, false
	}
	for name, value := range req.Args {
		if value == "" {
			req.Args[name] = strings.Join(values, " ")
			return req, true
		}
	}
	return Request{}, false
}
