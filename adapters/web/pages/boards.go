package pages

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file serves the boards of pages outside the room. The players at the page's table
// play there; others watch.

// boards serves the boards of pages.
type boards struct {
	host bot.Host
	room Room
}

// onPage makes a handler for a page's requests: open finds the page and the sender, In is
// decoded from the request's JSON, and the result is written as JSON.
func onPage[In any](as *Answers, open opener, rate *Buckets, do func(context.Context, bot.Subject, guest, In) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		page, who, err := open(req)
		who.locale = req.Header.Get("Accept-Language")
		if err == nil {
			err = TakeToken(rate, who.counted)
		}
		var in In
		if err == nil {
			err = ReadJSON(req, &in)
		}
		var out any
		if err == nil {
			out, err = do(req.Context(), page, who, in)
		}
		if err != nil {
			as.Fail(w, req, err)
			return
		}
		as.Answer(w, http.StatusOK, out)
	}
}

// A Screen holds a browser's data about its display and time zone.
type Screen struct {
	Dark bool   `json:"dark"`
	Zone string `json:"zone"` // of the IANA database
}

// A Drafted is a play that hasn't been made: a word and its first square, or the squares
// from which tiles are taken.
type Drafted struct {
	Word    string `json:"word"`
	At      string `json:"at"`
	Squares string `json:"squares"`
}

// Tried turns a request into one for the play's score.
func (d Drafted) Tried(req bot.Request) bot.Request {
	req.Command, req.Args = "try", map[string]string{"word": d.Word, "at": d.At, "squares": d.Squares}
	return req
}

// clientID matches a request id chosen by a browser; see [IsClientID].
var clientID = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// IsClientID reports whether a request id is well formed and has 8 to 40 characters. The
// length is checked outside the pattern, whose compilation at the start would be costly
// otherwise.
func IsClientID(id string) bool { return len(id) >= 8 && len(id) <= 40 && clientID.MatchString(id) }

// An opener finds the page of a request and its sender.
type opener func(*http.Request) (bot.Subject, guest, error)

// pageRequest returns a request to the host about a page's table.
func pageRequest(page bot.Subject, who guest, id string, at Screen) bot.Request {
	sum := sha256.Sum256([]byte(string(who.user.ID) + ":" + id))
	return bot.Request{
		ID: Platform + ":" + hex.EncodeToString(sum[:16]), Channel: page.Channel, Home: who.home, Table: page.Table, User: who.user, Dark: at.Dark, Zone: at.Zone, Locale: who.locale,
	}
}

// sightOf returns a page's table as its guest sees it. During the game a player gets the
// buttons of the table; after the end, the page itself has the buttons.
func (bd *boards) sightOf(ctx context.Context, page bot.Subject, who guest) (bot.Sight, error) {
	sight, err := bd.host.Sight(ctx, pageRequest(page, who, "", Screen{}))
	if errors.Is(err, bot.ErrNoTable) {
		return sight, errNoPage
	}
	sight.Buttons = slices.DeleteFunc(sight.Buttons, func(b bot.SightButton) bool {
		req, ok := (bot.Request{}).Press(b.ID)
		return !ok || sight.Own == nil || !slices.Contains(pageCommands, req.Command)
	})
	return sight, err
}

func (bd *boards) table(ctx context.Context, page bot.Subject, who guest, _ struct{}) (any, error) {
	sight, err := bd.sightOf(ctx, page, who)
	if err == nil {
		err = bd.room.NameNow(ctx, &sight)
	}
	return map[string]bot.Sight{"sight": sight}, err
}

func (bd *boards) draft(ctx context.Context, page bot.Subject, who guest, in Drafted) (any, error) {
	return bd.host.Draft(ctx, in.Tried(pageRequest(page, who, "", Screen{})))
}

// pageCommands lists the commands that players can give on the page of their game.
var pageCommands = []string{
	"play", "try", "submit", "cover", "remove", "draw", "exchange", "pass", "challenge", "rack", "hint", "vote", "end", "claim", "wait", "unseen", "start",
}

var errNoPlayer = &Refusal{http.StatusForbidden, text.Say("Only the players at this table can do that. You're watching.")}

func (bd *boards) act(ctx context.Context, page bot.Subject, who guest, in struct {
	ID      string            `json:"id"`
	Command string            `json:"command"`
	Args    map[string]string `json:"args"`
	Number  int               `json:"number"`
	Screen
}) (any, error) {
	req := pageRequest(page, who, in.ID, in.Screen)
	req.Command, req.Args, req.Number = in.Command, in.Args, in.Number
	return bd.command(ctx, page, who, in.ID, req)
}

func (bd *boards) press(ctx context.Context, page bot.Subject, who guest, in struct {
	ID     string `json:"id"`
	Button string `json:"button"`
	Screen
}) (any, error) {
	req, ok := pageRequest(page, who, in.ID, in.Screen).Press(in.Button)
	if !ok || req.Table != page.Table {
		return nil, Refuse("That button doesn't work any more. Please reload the page.")
	}
	return bd.command(ctx, page, who, in.ID, req)
}

func (bd *boards) command(ctx context.Context, page bot.Subject, who guest, id string, req bot.Request) (any, error) {
	sight, err := bd.sightOf(ctx, page, who)
	switch {
	case err != nil:
		return nil, err
	case sight.Own == nil:
		return nil, errNoPlayer
	case !IsClientID(id) || req.Number < 0:
		return nil, ErrUnread
	case !slices.Contains(pageCommands, req.Command) || !bd.host.Commands().Knows(req):
		return nil, Refuse("That can't be done on this page.")
	}
	req.User.Name = nameAt(sight, req.User)
	return bd.room.Private(bd.host.Handle(ctx, req)), nil
}

// nameAt returns a player's name at a table, which may be newer than the one that they came with.
func nameAt(s bot.Sight, who bot.User) string {
	for _, p := range s.Players {
		if p.ID == who.ID {
			return p.Name
		}
	}
	return who.Name
}

// ask returns the answer to a question of the page's script. If the answer is a request, it
// is carried out.
func (bd *boards) ask(req *http.Request, v bot.Visit, page bot.Subject, who guest, answer bot.Ask) (out any, err error) {
	in, err := ReadBody(req)
	if err == nil {
		out, err = answer(req.Context(), v, in)
	}
	if err != nil {
		return nil, err
	}
	switch r := out.(type) {
	case bot.Request:
		return bd.request(req.Context(), page, who, r)
	case bot.Reply:
		return bd.room.Private(r), nil
	}
	return out, nil
}

// stateOf returns the state of a table, which pages name when they connect. It is "" if the
// table can't be read.
func stateOf(s bot.Sight, err error) string {
	switch {
	case errors.Is(err, bot.ErrNoTable) || errors.Is(err, errNoPage):
		return "none"
	case err != nil:
		return ""
	}
	return fmt.Sprintf("%d.%d", s.Table, s.Number)
}

// request carries out a request of the page's script.
func (bd *boards) request(ctx context.Context, page bot.Subject, who guest, req bot.Request) (any, error) {
	_, id, _ := strings.Cut(req.ID, ":")
	switch {
	case who.user.ID == "":
		return nil, &Refusal{http.StatusForbidden, text.Say("Come into the room first, then try.")}
	case !IsClientID(id):
		return nil, ErrUnread
	}
	req.ID = pageRequest(page, who, req.ID, Screen{}).ID
	reply := bd.host.Handle(ctx, req)
	reply.Picture, reply.Buttons = nil, nil // the page has both
	return bd.room.Private(reply), nil
}
