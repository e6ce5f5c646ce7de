package web

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/adapters/web/signin"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// A sign-in goes to the service and back. A signed cookie keeps its state for a few
// minutes, so it can't be finished in another browser. Each sign-in counts once.

const (
	signInCookie = "rackmate-in"
	signInFor    = 10 * time.Minute
)

// A signInUnderWay is the content of that cookie.
type signInUnderWay struct {
	signin.Start
	With   string    `json:"w"`
	Until  time.Time `json:"u"`
	Invite string    `json:"i,omitempty"` // code of the invitation they came by
}

// statesShelf stores the expiry of used sign-ins, by a hash.
const statesShelf = "states"

func subjectKey(subject string) string {
	sum := sha256.Sum256([]byte("rackmate subject " + subject))
	return hex.EncodeToString(sum[:])
}

func (d *door) provider(req *http.Request) (*signin.Provider, error) {
	i := slices.IndexFunc(d.SignIn, func(p *signin.Provider) bool { return p.Name == req.PathValue("with") })
	if i < 0 || d.Door != DoorSignIn {
		return nil, pages.Refuse("You can't sign in that way here.")
	}
	return d.SignIn[i], nil
}

func (d *door) returnURL(p *signin.Provider) string { return d.URL + doorPath + "/back/" + p.Name }

// serveSignIn redirects a stranger to a service.
func (d *door) serveSignIn(w http.ResponseWriter, req *http.Request) {
	p, err := d.provider(req)
	if busy := pages.TakeToken(d.known, d.clients.Address(req)); err == nil {
		err = busy
	}
	var to string
	s := signInUnderWay{signin.Start{State: rand.Text(), Nonce: rand.Text(), Verifier: rand.Text() + rand.Text()}, req.PathValue("with"), d.Now().Add(signInFor), req.FormValue(invitationParam)}
	if len(s.Invite) > mostCode {
		s.Invite = ""
	}
	if err == nil {
		if to, err = p.Begin(req.Context(), s.Start, d.returnURL(p)); err != nil {
			d.Log.Error("sign in", "with", p.Name, "err", err)
			err = &pages.Refusal{Status: http.StatusBadGateway, Text: text.Say("I can't reach {site} right now. Please try again in a moment.", p.Title)}
		}
	}
	if err != nil {
		d.refuseAtDoor(w, req, err, doorView{})
		return
	}
	value, err := d.cookies.Seal("sign in", s)
	if err != nil {
		d.answers.Fail(w, req, err)
		return
	}
	d.setSignIn(w, req, value, int(signInFor.Seconds()))
	http.Redirect(w, req, to, http.StatusSeeOther)
}

func (d *door) setSignIn(w http.ResponseWriter, req *http.Request, value string, age int) {
	http.SetCookie(w, &http.Cookie{
		Name: signInCookie, Value: value, Path: doorPath + "/back/", MaxAge: age,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: pages.OverTLS(req),
	})
}

var errSignIn = pages.Refuse("That sign-in has expired or was started in another browser. Please start again.")

// signInOf returns the sign-in that the browser began, if the service's answer belongs to
// it, and marks it as used.
func (d *door) signInOf(req *http.Request, p *signin.Provider) (s signInUnderWay, err error) {
	c, err := req.Cookie(signInCookie)
	if err != nil || !d.cookies.Unseal("sign in", c.Value, &s) || s.With != p.Name || d.Now().After(s.Until) || !hmac.Equal([]byte(s.State), []byte(req.FormValue("state"))) {
		return s, errSignIn
	}
	return s, d.useState(req.Context(), s)
}

// useState marks a sign-in as used, or returns an error if it was used before.
func (d *door) useState(ctx context.Context, s signInUnderWay) error {
	return d.Notes.Change(ctx, func(rows bot.Rows) error {
		page, err := rows.Scan(statesShelf, "", "", 100)
		if err != nil {
			return err
		}
		for _, row := range page {
			if until, err := time.Parse(time.RFC3339, string(row.Value)); err != nil || d.Now().After(until) {
				if err := rows.Put(statesShelf, row.Key, nil); err != nil {
					return err
				}
			}
		}
		key := subjectKey("state " + s.State)
		used, err := rows.Get(statesShelf, key)
		if err != nil {
			return err
		}
		if used != nil {
			return errSignIn
		}
		return rows.Put(statesShelf, key, []byte(s.Until.UTC().Add(time.Minute).Format(time.RFC3339)))
	})
}

// serveSignedIn admits a person who returns from a service.
func (d *door) serveSignedIn(w http.ResponseWriter, req *http.Request) {
	who, invite, err := d.signedInPerson(req)
	d.setSignIn(w, req, "", -1)
	if err != nil {
		d.refuseAtDoor(w, req, err, doorView{})
		return
	}
	d.cookies.GiveCookie(w, req, who.ID, who.epoch)
	d.Log.Info("web enter", "player", who.player(), "door", d.Door)
	http.Redirect(w, req, d.acceptInvitation(req, who, invite), http.StatusSeeOther)
}

// signedInPerson returns the person who comes back from a service, and the code of their
// invitation, or "".
func (d *door) signedInPerson(req *http.Request) (p person, invite string, err error) {
	with, err := d.provider(req)
	if err != nil {
		return p, "", err
	}
	if err := pages.TakeToken(d.entries, d.clients.Address(req)); err != nil {
		return p, "", err
	}
	s, err := d.signInOf(req, with)
	if err != nil {
		return p, "", err
	}
	if req.FormValue("code") == "" {
		return p, "", pages.Refuse("{site} didn't sign you in. Please try again.", with.Title)
	}
	who, err := with.Finish(req.Context(), s.Start, d.returnURL(with), req.FormValue("code"))
	if errors.Is(err, signin.ErrNotAdmitted) {
		return p, "", pages.Refuse("{site} knows you, but your account there can't enter this room. Ask whoever told you about the room.", with.Title)
	}
	if err != nil {
		d.Log.Error("sign in", "with", with.Name, "err", err)
		return p, "", pages.Refuse("{site} didn't say who you are. Please try again.", with.Title)
	}
	p, err = d.enterAs(req, who)
	return p, s.Invite, err
}

// enterAs returns the person whose account a service names, or creates them the first time.
func (d *door) enterAs(req *http.Request, who signin.Identity) (person, error) {
	ctx := req.Context()
	id, err := d.Notes.Get(ctx, subjectsShelf, subjectKey(who.Subject))
	if err != nil {
		return person{}, err
	}
	if p, found, err := d.members.person(ctx, string(id)); err != nil {
		return person{}, err
	} else if found && id != nil {
		if d.bans.isBanned(p) {
			return person{}, errBanned(p.out)
		}
		return p, nil
	}
	if err := d.bans.checkNewcomer(req); err != nil {
		return person{}, err
	}
	p, err := d.enterNamed(ctx, nameFrom(who.Name), d.answers.Translate(req, nameless), pass{subject: subjectKey(who.Subject)})
	if err != nil {
		return person{}, err
	}
	if who.Player != "" {
		if err := d.Host.Same(ctx, p.player(), who.Player); err != nil {
			d.Log.Error("can't link a person who signed in", "err", err)
		}
	}
	return p, d.bans.keepAddress(req, p)
}

// nameless is the name of people whose name at the service can't be used here.
var nameless = text.Item("Player")

// enterNamed admits a person under a name, or a similar one if it is taken. If the name
// is empty, it uses instead.
func (d *door) enterNamed(ctx context.Context, name, instead string, let pass) (p person, err error) {
	name = cmp.Or(name, instead)
	short := []rune(name)
	short = short[:min(len(short), maxName-5)]
	for _, try := range []string{name, string(short) + " 2", string(short) + " 3", instead + " " + rand.Text()[:6]} {
		var no *pages.Refusal
		if p, err = d.arrivals.enter(ctx, try, let); err == nil || !errors.As(err, &no) {
			return p, err
		}
	}
	return p, err
}

// nameFrom turns a service's name for a person into a valid one, or "" if that is
// impossible.
func nameFrom(name string) string {
	var b strings.Builder
	for _, c := range strings.ToValidUTF8(name, "") {
		if _, bad := notInName(b.String() + string(c)); bad {
			c = ' '
		}
		b.WriteRune(c)
	}
	name = strings.Join(strings.Fields(b.String()), " ")
	if r := []rune(name); len(r) > maxName {
		name = strings.TrimSpace(string(r[:maxName]))
	}
	if _, err := cleanName(name); err != nil {
		return ""
	}
	return name
}

// forgetAccount forgets with which account a person who left signed in.
func (d *door) forgetAccount(ctx context.Context, who person) error {
	if who.subject == "" {
		return nil
	}
	return d.Notes.Put(ctx, subjectsShelf, who.subject, nil)
}
