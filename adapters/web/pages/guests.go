package pages

import (
	"errors"
	"net/http"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// A guest is a person who looks at a game's page, under their id on the game's platform.
// The zero guest only watches.
type guest struct {
	user bot.User
	// counted is the key by which their requests are limited.
	counted string
	home    string // as in bot.Request
	locale  string
	here    []bot.PlayerID // others who look at the board, if known
	channel bot.ChannelID  // where they are, in an activity
	apart   bool           // whether the table is in another channel than they are
}

// guests identifies the people who look at pages, and decides what they may see.
type guests struct {
	clients *Clients
	cookies *Cookies
	room    Room
}

// A pageSession is the content of a pass's cookie: the person whom the browser belongs to.
// At a table it ends with the game.
type pageSession struct {
	Player  bot.PlayerID  `json:"p"`
	Name    string        `json:"n,omitempty"`
	Table   bot.TableID   `json:"t,omitempty"`
	Channel bot.ChannelID `json:"c,omitempty"` // where they requested the pass
	Day     int           `json:"d"`           // days since 1970
}

// passCookie is the prefix of these cookies' names.
const passCookie = "rackmate-"

// guest returns the person who looks at a page, identified by a pass or as a member of the
// room. A pass for one page is valid while its game runs, and takes precedence there.
func (gs *guests) guest(req *http.Request, page bot.Subject, pass *bot.Pass) (guest, error) {
	everywhere := pass != nil && pass.Everywhere
	if pass != nil && !everywhere && !page.Over {
		if who, ok := gs.guestOf(req, page, pass); ok {
			return who, nil
		}
	}
	user, channel, err := gs.room.Member(req)
	if errors.Is(err, ErrNoName) {
		if everywhere {
			if who, ok := gs.guestOf(req, page, pass); ok {
				return who, nil
			}
		}
		return guest{counted: gs.clients.Address(req), channel: gs.room.Channel}, nil
	}
	return guest{user: user, counted: string(user.ID), channel: channel}, err
}

// admit sets the cookie of a redeemed pass.
func (gs *guests) admit(w http.ResponseWriter, req *http.Request, p bot.Pages, s pageSession) error {
	s.Day = gs.cookies.Today()
	value, err := gs.cookies.Seal(p.Pass.Cookie, s)
	if err != nil {
		return err
	}
	at := strings.TrimSuffix(req.URL.Path, "/enter")
	if p.Pass.Everywhere {
		at = strings.TrimSuffix(p.Path, "/{key}")
	}
	http.SetCookie(w, &http.Cookie{
		Name: passCookie + p.Pass.Cookie, Value: value, Path: at, MaxAge: p.Pass.Days * 24 * 60 * 60,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: OverTLS(req),
	})
	return nil
}

// guestOf returns the guest that a pass's cookie names.
func (gs *guests) guestOf(req *http.Request, page bot.Subject, pass *bot.Pass) (guest, bool) {
	for _, c := range req.CookiesNamed(passCookie + pass.Cookie) {
		var s pageSession
		if gs.cookies.Unseal(pass.Cookie, c.Value, &s) && s.Table == page.Table && gs.cookies.Today()-s.Day <= pass.Days {
			return guest{user: bot.User{ID: s.Player, Name: s.Name}, counted: string(s.Player), channel: s.Channel}, true
		}
	}
	return guest{}, false
}

// mayWatch reports whether a guest may see a running game.
func (gs *guests) mayWatch(page bot.Subject, who guest) bool {
	return !isRooms(page.Channel) || gs.room.MayRead(page.Channel, who.user.ID) && (gs.room.Open || who.user.ID != "")
}

// isOpen reports whether a channel is one of the room's that everyone can read.
func (gs *guests) isOpen(ch bot.ChannelID) bool { return isRooms(ch) && gs.room.MayRead(ch, "") }

// memberOrOpen returns the sender of a request for a page of the room itself. Unless the
// door is open, it returns an error for strangers.
func (gs *guests) memberOrOpen(req *http.Request) (guest, error) {
	who, err := gs.guest(req, bot.Subject{Over: true}, nil)
	if err == nil && !gs.room.Open && who.user.ID == "" {
		err = &Refusal{http.StatusForbidden, text.Say("This page is for members. Come in first.")}
	}
	return who, err
}
