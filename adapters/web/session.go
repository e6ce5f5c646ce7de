package web

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// A person's cookie is "<id>.<epoch>.<day>.<signature>": the browser it is in is
// that person. It says nothing that isn't public and can't be made up. The day
// is when it was made: the room gives a fresh one once it is a month old, and
// takes none that is older than cookieAge. Ending the person's other sessions
// moves them to the next epoch, which makes all cookies of before worthless; so
// does leaving the room. A cookie of the room's first version is
// "<id>.<signature>", of epoch 0.
const (
	cookieName = "rackmate"
	// secureCookie is its name over TLS: browsers then let no page without TLS,
	// and no other host, set it.
	secureCookie = "__Host-" + cookieName
	cookieAge    = 400 // days; browsers keep none longer
	freshFor     = 30  // days
)

// A session is what a cookie says, once its signature was found good.
type session struct {
	id    string
	epoch int
	day   int // since 1970; 0 in a cookie of the first version
}

// cookies sign what browsers keep for the room.
type cookies struct {
	now    func() time.Time
	random io.Reader
	key    []byte
}

// openCookies opens the room's key, which is made on the first start.
func openCookies(ctx context.Context, c Config) (*cookies, error) {
	made := make([]byte, 32)
	if _, err := io.ReadFull(c.Random, made); err != nil {
		return nil, err
	}
	key := made
	err := c.Notes.Change(ctx, func(rows bot.Rows) error {
		there, err := rows.Get("secret", "cookie")
		if key = there; err != nil || there != nil {
			return err
		}
		key = made
		return rows.Put("secret", "cookie", made)
	})
	return &cookies{c.Now, c.Random, key}, err
}

// newID makes an id that nobody can guess: 80 bits as 16 letters and digits.
func (cs *cookies) newID() (string, error) {
	b := make([]byte, 10)
	if _, err := io.ReadFull(cs.random, b); err != nil {
		return "", err
	}
	return strings.ToLower(base32.StdEncoding.EncodeToString(b)), nil
}

func (cs *cookies) sign(what string) string {
	return base64.RawURLEncoding.EncodeToString(cs.mac("person " + what))
}

// mac is something that nobody else can make of a text.
func (cs *cookies) mac(text string) []byte {
	mac := hmac.New(sha256.New, cs.key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

func (cs *cookies) today() int { return int(cs.now().Unix() / (24 * 60 * 60)) }

// overTLS reports whether a browser reached the room by TLS, as far as a proxy
// says so. It matters to that browser's cookie alone.
func overTLS(req *http.Request) bool {
	return req.TLS != nil || req.Header.Get("X-Forwarded-Proto") == "https"
}

// giveCookie makes a browser a person's.
func (cs *cookies) giveCookie(w http.ResponseWriter, req *http.Request, p person) {
	what := fmt.Sprintf("%s.%d.%d", p.ID, p.epoch, cs.today())
	cs.setCookie(w, req, what+"."+cs.sign(what), cookieAge*24*60*60)
}

func (cs *cookies) setCookie(w http.ResponseWriter, req *http.Request, value string, age int) {
	secure := overTLS(req)
	name := cookieName
	if secure {
		name = secureCookie
	}
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: age,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: secure,
	})
}

// sessions are what a request's cookies say that the room has signed; whether
// they still count they don't say. There can be several: another room on another
// port of this computer may have set a cookie of the same name.
func (cs *cookies) sessions(req *http.Request) (all []session) {
	for _, c := range slices.Concat(req.CookiesNamed(secureCookie), req.CookiesNamed(cookieName)) {
		if s, ok := cs.parseCookie(c.Value); ok {
			all = append(all, s)
		}
	}
	return all
}

func (cs *cookies) parseCookie(value string) (s session, ok bool) {
	i := strings.LastIndexByte(value, '.')
	if i < 0 || !hmac.Equal([]byte(value[i+1:]), []byte(cs.sign(value[:i]))) {
		return s, false
	}
	switch fields := strings.Split(value[:i], "."); len(fields) {
	case 1:
		return session{id: fields[0]}, true
	case 3:
		var errs [2]error
		s.id = fields[0]
		s.epoch, errs[0] = strconv.Atoi(fields[1])
		s.day, errs[1] = strconv.Atoi(fields[2])
		return s, errors.Join(errs[:]...) == nil && cs.today()-s.day <= cookieAge
	}
	return s, false
}

// visitors are told by their cookies.
type visitors struct {
	host    bot.Host
	answers *answers
	bans    *bans
	cookies *cookies
	members *members
	door    Door
}

// visitor is who sent a request. The error is errNoName when the room doesn't
// know them.
func (vs *visitors) visitor(req *http.Request) (person, error) {
	p, _, err := vs.visit(req)
	return p, err
}

// visit is visitor, with the session that told.
func (vs *visitors) visit(req *http.Request) (person, session, error) {
	for _, s := range vs.cookies.sessions(req) {
		p, found, err := vs.members.person(req.Context(), s.id)
		if err != nil {
			return person{}, s, err
		}
		if !found || p.epoch != s.epoch {
			continue
		}
		if vs.bans.isBanned(p) {
			return person{}, s, errBanned(p.out)
		}
		return p, s, nil
	}
	return person{}, session{}, errNoName
}

// serveMe tells a browser who it is, and what can be asked of the host.
func (vs *visitors) serveMe(w http.ResponseWriter, req *http.Request) {
	var out struct {
		Me       *person       `json:"me"`
		Commands []commandInfo `json:"commands"`
		Open     bool          `json:"open"` // anybody may come in
	}
	out.Open = vs.door == DoorOpen
	to := vs.answers.tongue(req)
	switch p, s, err := vs.visit(req); {
	case err == nil:
		out.Me = &p
		to = vs.host.TongueFor(req.Context(), bot.Request{User: p.user(), Locale: req.Header.Get("Accept-Language")})
		if vs.cookies.today()-s.day > freshFor {
			vs.cookies.giveCookie(w, req, p)
		}
	case err != errNoName:
		vs.answers.fail(w, req, err)
		return
	}
	out.Commands = commandInfos(vs.host.Commands(), to)
	vs.answers.answerLong(w, req, out)
}

// serveEnter takes a name, and what the door asks for, and gives the cookie.
func (d *door) serveEnter(w http.ResponseWriter, req *http.Request) {
	var in struct {
		Name string `json:"name"`
		admission
	}
	if err := readJSON(req, &in); err != nil {
		d.answers.fail(w, req, err)
		return
	}
	// Whoever is in already, perhaps by a second press of the button, keeps
	// their seat.
	if p, err := d.visitors.visitor(req); err == nil {
		d.answers.answer(w, http.StatusOK, p)
		return
	}
	p, _, err := d.admit(req, in.Name, in.admission)
	if err != nil {
		d.answers.fail(w, req, err)
		return
	}
	d.cookies.giveCookie(w, req, p)
	d.Log.Info("web enter", "player", p.player())
	d.answers.answer(w, http.StatusOK, p)
}

// serveEndOthers ends a person's sessions in all browsers but this one.
func (co *comings) serveEndOthers(w http.ResponseWriter, req *http.Request) {
	p, err := co.visitors.visitor(req)
	if err == nil {
		p, err = co.endSessions(req.Context(), p)
	}
	if err != nil {
		co.answers.fail(w, req, err)
		return
	}
	co.cookies.giveCookie(w, req, p)
	co.answers.answer(w, http.StatusOK, struct{}{})
}

// serveLeave forgets who the browser is and frees the name.
func (co *comings) serveLeave(w http.ResponseWriter, req *http.Request) {
	p, err := co.visitors.visitor(req)
	if err == nil {
		err = co.leave(req.Context(), p)
	}
	if err != nil && err != errNoName {
		co.answers.fail(w, req, err)
		return
	}
	co.cookies.setCookie(w, req, "", -1)
	co.answers.answer(w, http.StatusOK, struct{}{})
}

// seal writes what a browser keeps for us, so that nobody can make it up.
func (cs *cookies) seal(kind string, v any) (string, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	body := base64.RawURLEncoding.EncodeToString(b)
	return body + "." + base64.RawURLEncoding.EncodeToString(cs.mac(kind+" "+body)), nil
}

// unseal reads what seal wrote.
func (cs *cookies) unseal(kind, sealed string, v any) bool {
	body, mac, _ := strings.Cut(sealed, ".")
	m, err1 := base64.RawURLEncoding.DecodeString(mac)
	b, err2 := base64.RawURLEncoding.DecodeString(body)
	return errors.Join(err1, err2) == nil && hmac.Equal(m, cs.mac(kind+" "+body)) && json.Unmarshal(b, v) == nil
}
