package web

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/adapters/web/signin"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// Signing in goes to the service and back. What has to be known again then stands
// in a cookie of the browser's, signed, for a few minutes: whoever comes back in
// another browser is nobody. A sign-in counts once.

const (
	signInCookie = "rackmate-in"
	signInFor    = 10 * time.Minute

	// invitedBy is the parameter by which the door hands on an invitation's code.
	invitedBy = "invitation"
)

// A signInUnderWay is what that cookie holds.
type signInUnderWay struct {
	signin.Start
	With   string    `json:"w"`
	Until  time.Time `json:"u"`
	Invite string    `json:"i,omitempty"` // the code of the invitation that they came by
}

// statesShelf has the sign-ins that were used, by a hash: until when they would
// have been good.
const statesShelf = "states"

// subjectsShelf has who somebody is here, by a hash of whom a service says that
// they are.
const subjectsShelf = "subjects"

func subjectKey(subject string) string {
	sum := sha256.Sum256([]byte("rackmate subject " + subject))
	return hex.EncodeToString(sum[:])
}

func (d *door) provider(req *http.Request) (*signin.Provider, error) {
	i := slices.IndexFunc(d.SignIn, func(p *signin.Provider) bool { return p.Name == req.PathValue("with") })
	if i < 0 || d.Door != DoorSignIn {
		return nil, refuse("You can't sign in that way here.")
	}
	return d.SignIn[i], nil
}

func (d *door) backFrom(p *signin.Provider) string { return d.URL + doorPath + "/back/" + p.Name }

// serveSignIn sends somebody to a service.
func (d *door) serveSignIn(w http.ResponseWriter, req *http.Request) {
	p, err := d.provider(req)
	if wait := d.known.Take(d.clients.address(req)); err == nil && wait > 0 {
		err = tooFast(wait)
	}
	var to string
	s := signInUnderWay{signin.Start{State: rand.Text(), Nonce: rand.Text(), Verifier: rand.Text() + rand.Text()}, req.PathValue("with"), d.Now().Add(signInFor), req.FormValue(invitedBy)}
	if len(s.Invite) > mostCode {
		s.Invite = ""
	}
	if err == nil {
		if to, err = p.Begin(req.Context(), s.Start, d.backFrom(p)); err != nil {
			d.Log.Error("sign in", "with", p.Name, "err", err)
			err = &refusal{http.StatusBadGateway, text.Say("I can't reach {site} right now. Please try again in a moment.", p.Title)}
		}
	}
	if err != nil {
		d.refuseAtDoor(w, req, err, doorView{})
		return
	}
	b, err := json.Marshal(s)
	if err != nil {
		d.answers.fail(w, req, err)
		return
	}
	value := base64.RawURLEncoding.EncodeToString(b)
	d.setSignIn(w, req, value+"."+base64.RawURLEncoding.EncodeToString(d.cookies.mac("sign in "+value)), int(signInFor.Seconds()))
	http.Redirect(w, req, to, http.StatusSeeOther)
}

func (d *door) setSignIn(w http.ResponseWriter, req *http.Request, value string, age int) {
	http.SetCookie(w, &http.Cookie{
		Name: signInCookie, Value: value, Path: doorPath + "/back/", MaxAge: age,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: overTLS(req),
	})
}

var errSignIn = refuse("That sign-in has expired or was started in another browser. Please start again.")

// underWay is the sign-in that a browser has begun and that a service answers.
func (d *door) underWay(req *http.Request, p *signin.Provider) (s signInUnderWay, err error) {
	c, err := req.Cookie(signInCookie)
	if err != nil {
		return s, errSignIn
	}
	value, mac, _ := strings.Cut(c.Value, ".")
	if !hmac.Equal([]byte(mac), []byte(base64.RawURLEncoding.EncodeToString(d.cookies.mac("sign in "+value)))) {
		return s, errSignIn
	}
	b, err := base64.RawURLEncoding.DecodeString(value)
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	if err != nil || s.With != p.Name || d.Now().After(s.Until) || !hmac.Equal([]byte(s.State), []byte(req.FormValue("state"))) {
		return s, errSignIn
	}
	return s, d.useState(req.Context(), s)
}

// useState lets a sign-in count once.
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

// serveSignedIn takes somebody who comes back from a service.
func (d *door) serveSignedIn(w http.ResponseWriter, req *http.Request) {
	who, invite, err := d.signedIn(req)
	d.setSignIn(w, req, "", -1)
	if err != nil {
		d.refuseAtDoor(w, req, err, doorView{})
		return
	}
	d.cookies.giveCookie(w, req, who)
	d.Log.Info("web enter", "player", who.player(), "door", d.Door)
	http.Redirect(w, req, d.follow(req, who, invite), http.StatusSeeOther)
}

// signedIn is who comes back, and the code of the invitation that they came by, "" for
// none.
func (d *door) signedIn(req *http.Request) (p person, invite string, err error) {
	with, err := d.provider(req)
	if err != nil {
		return p, "", err
	}
	if wait := d.entries.Take(d.clients.address(req)); wait > 0 {
		return p, "", tooFast(wait)
	}
	s, err := d.underWay(req, with)
	if err != nil {
		return p, "", err
	}
	if req.FormValue("code") == "" {
		return p, "", refuse("{site} didn't sign you in. Please try again.", with.Title)
	}
	who, err := with.Finish(req.Context(), s.Start, d.backFrom(with), req.FormValue("code"))
	if errors.Is(err, signin.ErrNotAdmitted) {
		return p, "", refuse("{site} knows you, but your account there can't enter this room. Ask whoever told you about the room.", with.Title)
	}
	if err != nil {
		d.Log.Error("sign in", "with", with.Name, "err", err)
		return p, "", refuse("{site} didn't say who you are. Please try again.", with.Title)
	}
	p, err = d.enterAs(req, who)
	return p, s.Invite, err
}

// enterAs makes a browser the person whom a service names, a new one the first
// time.
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
	p, err := d.enterNamed(ctx, nameFrom(who.Name), d.answers.inTheirs(req, nameless), pass{subject: subjectKey(who.Subject)})
	if err != nil {
		return person{}, err
	}
	if who.Player != "" {
		if err := d.Host.Same(ctx, p.player(), who.Player); err != nil {
			d.Log.Error("can't link who signed in", "err", err)
		}
	}
	return p, d.bans.keepAddress(req, p)
}

// nameless is what somebody is called who has no name that can be had here.
var nameless = text.Item("Player")

// enterNamed lets somebody in under a name, or under one like it, where that is somebody
// else's; who has none is called something instead.
func (d *door) enterNamed(ctx context.Context, name, instead string, let pass) (p person, err error) {
	name = cmp.Or(name, instead)
	short := []rune(name)
	short = short[:min(len(short), maxName-5)]
	for _, try := range []string{name, string(short) + " 2", string(short) + " 3", instead + " " + rand.Text()[:6]} {
		var no *refusal
		if p, err = d.comings.enter(ctx, try, let); err == nil || !errors.As(err, &no) {
			return p, err
		}
	}
	return p, err
}

// nameFrom makes a name that can be had here of what a service calls somebody; "" where
// none can be made.
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
