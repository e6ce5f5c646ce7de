package web

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/bot"
)

// visitors identifies people by their cookies.
type visitors struct {
	host    bot.Host
	answers *pages.Answers
	bans    *bans
	cookies *pages.Cookies
	members *members
	open    bool // whether anyone may enter
	push    bool // whether the host sends notifications
}

// visitor returns the person who sent a request, or [pages.ErrNoName] if they are unknown.
func (vs *visitors) visitor(req *http.Request) (person, error) {
	p, _, err := vs.visit(req)
	return p, err
}

// member returns the member who sent a request and the channel of the host's messages to
// them, or [pages.ErrNoName].
func (vs *visitors) member(req *http.Request) (bot.User, bot.ChannelID, error) {
	p, err := vs.visitor(req)
	return p.user(), hostStream(p).channelID(), err
}

// visit returns the person who sent a request, and their session.
func (vs *visitors) visit(req *http.Request) (person, pages.Session, error) {
	for _, s := range vs.cookies.Sessions(req) {
		p, found, err := vs.members.person(req.Context(), s.ID)
		if err != nil {
			return person{}, s, err
		}
		if !found || p.epoch != s.Epoch {
			continue
		}
		if vs.bans.isBanned(p) {
			return person{}, s, errBanned(p.out)
		}
		return p, s, nil
	}
	return person{}, pages.Session{}, pages.ErrNoName
}

// serveMe responds with the browser's person and the command that starts games, whose options the
// home page offers.
func (vs *visitors) serveMe(w http.ResponseWriter, req *http.Request) {
	var out struct {
		Me       *person       `json:"me"`
		Commands []commandInfo `json:"commands"`
		Open     bool          `json:"open"` // whether anyone may enter
		Push     bool          `json:"push"` // whether the host sends notifications
	}
	out.Open, out.Push = vs.open, vs.push
	to := vs.answers.Locale(req)
	switch p, s, err := vs.visit(req); {
	case err == nil:
		out.Me = &p
		to = vs.host.LocaleFor(req.Context(), bot.Request{User: p.user(), Locale: req.Header.Get("Accept-Language")})
		if vs.cookies.Today()-s.Day > pages.FreshFor {
			vs.cookies.GiveCookie(w, req, p.ID, p.epoch)
		}
	case err != pages.ErrNoName:
		vs.answers.Fail(w, req, err)
		return
	}
	all := vs.host.Commands()
	out.Commands = commandInfos(slices.DeleteFunc(slices.Clone(all), func(c bot.Command) bool { return c.Name != "new" }), to)
	vs.answers.AnswerLong(w, req, out)
}

// serveCommands responds with the host's commands, in the reader's language.
func (vs *visitors) serveCommands(w http.ResponseWriter, req *http.Request) {
	vs.answers.AnswerLong(w, req, commandInfos(vs.host.Commands(), vs.answers.Locale(req)))
}

// member makes a handler for requests of a person with a name: In is decoded from the
// request's JSON, and the result is written as JSON.
func member[In any](vs *visitors, rate *pages.Buckets, do func(context.Context, person, In) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		var in In
		body, unread := pages.ReadBody(req)
		req = vs.withReadTogether(req, body)
		who, err := vs.visitor(req)
		if err != nil {
			vs.answers.Fail(w, req, err)
			return
		}
		who.locale = req.Header.Get("Accept-Language")
		if err := pages.TakeToken(rate, who.ID); err != nil {
			vs.answers.Fail(w, req, err)
			return
		}
		if unread == nil {
			unread = pages.ParseJSON(body, &in)
		}
		if unread != nil {
			vs.answers.Fail(w, req, unread)
			return
		}
		out, err := do(req.Context(), who, in)
		if err != nil {
			vs.answers.Fail(w, req, err)
			return
		}
		vs.answers.Answer(w, http.StatusOK, out)
	}
}

// withReadTogether returns a request whose context lets the store read in one batch the rows of its
// sender, stream, other participant and message.
func (vs *visitors) withReadTogether(req *http.Request, body []byte) *http.Request {
	var about struct {
		Stream stream
		ID     string // a message's id
	}
	_ = json.Unmarshal(body, &about) // an unreadable body is refused later
	var id, other string
	if all := vs.cookies.Sessions(req); len(all) > 0 {
		id = all[0].ID
		other = about.Stream.other(id)
	}
	return req.WithContext(bot.ReadTogether(req.Context(), "web "+req.Pattern, id, string(about.Stream), other, about.ID))
}
