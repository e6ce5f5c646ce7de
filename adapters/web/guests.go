package web

import (
	"errors"
	"net/http"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// A guest is somebody who looks at the page of a game, under the platform's name
// for them that the game is on. The zero guest only watches.
type guest struct {
	user bot.User
	// counted is whom to count what they ask for.
	counted string
	home    string // as in bot.Request
	locale  string
	here    []bot.PlayerID // who else looks at the board, where that is known
	channel bot.ChannelID  // where they are, in an activity
	apart   bool           // they look at a table of another channel than the one where they are
}

// guests tells who looks at pages, and what they may see.
type guests struct {
	door     Door
	clients  *clients
	cookies  *cookies
	visitors *visitors
}

// guest returns who looks at a page: somebody who came by a pass, or somebody of the room. A
// pass for one page serves while its game runs, and comes first there.
func (gs *guests) guest(req *http.Request, page bot.Subject, pass *bot.Pass) (guest, error) {
	everywhere := pass != nil && pass.Everywhere
	if pass != nil && !everywhere && !page.Over {
		if who, ok := gs.passed(req, page, pass); ok {
			return who, nil
		}
	}
	p, err := gs.visitors.visitor(req)
	if errors.Is(err, errNoName) {
		if everywhere {
			if who, ok := gs.passed(req, page, pass); ok {
				return who, nil
			}
		}
		return guest{counted: gs.clients.address(req), channel: stream(general).channelID()}, nil
	}
	return guest{user: p.user(), counted: p.ID, channel: stream(direct + p.ID).channelID()}, err
}

// passed returns who a browser belongs to by a pass that it took.
func (gs *guests) passed(req *http.Request, page bot.Subject, pass *bot.Pass) (guest, bool) {
	for _, c := range req.CookiesNamed(passCookie + pass.Cookie) {
		var s pageSession
		if gs.cookies.unseal(pass.Cookie, c.Value, &s) && s.Table == page.Table && gs.cookies.today()-s.Day <= pass.Days {
			return guest{user: bot.User{ID: s.Player, Name: s.Name}, counted: string(s.Player), channel: s.Channel}, true
		}
	}
	return guest{}, false
}

// mayWatch reports whether somebody may see a game while it runs.
func (gs *guests) mayWatch(page bot.Subject, who guest) bool {
	s, ours := streamOf(page.Channel)
	id, _ := strings.CutPrefix(string(who.user.ID), Platform+":")
	return !ours || s.mayRead(id) && (gs.door == DoorOpen || id != "")
}

// mayLook refuses those who may not see what goes on in the room.
func (gs *guests) mayLook(req *http.Request) (guest, error) {
	who, err := gs.guest(req, bot.Subject{Over: true}, nil)
	if err == nil && gs.door != DoorOpen && who.user.ID == "" {
		err = &refusal{http.StatusForbidden, text.Say("This page is for members. Come in first.")}
	}
	return who, err
}
