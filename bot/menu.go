package bot

import (
	"github.com/rackmate/rackmate/bot/text"
	"strings"
)

// A Menu is a choice of one thing or several. A platform that has none leaves
// it out: whatever it asks can be typed too.
type Menu struct {
	ID      string    // like a Button's, for Request.Choose
	Label   text.Text // what to choose, at most 100 characters
	Choices []Choice
	Most    int // how many can be chosen at once
}

// Choose makes the request that choosing values from a menu stands for, out of
// one that has its ID, channel and user. ok is false for what is no menu of
// ours.
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
