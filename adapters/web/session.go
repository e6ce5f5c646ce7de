package web

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"io"
	"net/http"
	"strings"
)

// A person's cookie is "<id>.<signature>": the browser it is in is that
// person. It says nothing that isn't public and can't be made up; leaving the
// room makes it worthless.
const (
	cookieName = "rackmate"
	cookieAge  = 400 * 24 * 60 * 60 // seconds; browsers keep none longer
)

// cookieKey is the key that cookies are signed with, made on the first start.
func (r *Room) cookieKey(ctx context.Context) ([]byte, error) {
	key, err := r.Notes.Get(ctx, "secret", "cookie")
	if err != nil || key != nil {
		return key, err
	}
	key = make([]byte, 32)
	if _, err := io.ReadFull(r.Random, key); err != nil {
		return nil, err
	}
	return key, r.Notes.Put(ctx, "secret", "cookie", key)
}

// newID makes an id that nobody can guess: 80 bits as 16 letters and digits.
func (r *Room) newID() (string, error) {
	b := make([]byte, 10)
	if _, err := io.ReadFull(r.Random, b); err != nil {
		return "", err
	}
	return strings.ToLower(base32.StdEncoding.EncodeToString(b)), nil
}

func (r *Room) sign(id string) string {
	mac := hmac.New(sha256.New, r.key)
	mac.Write([]byte("person " + id))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func (r *Room) setCookie(w http.ResponseWriter, req *http.Request, value string, age int) {
	http.SetCookie(w, &http.Cookie{
		Name: cookieName, Value: value, Path: "/", MaxAge: age,
		HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: req.TLS != nil || req.Header.Get("X-Forwarded-Proto") == "https",
	})
}

// visitor is who sent a request. The error is errNoName when the room doesn't
// know them.
func (r *Room) visitor(req *http.Request) (person, error) {
	// Another room on another port of this computer may have set a cookie of
	// the same name: the one that is ours counts.
	for _, c := range req.CookiesNamed(cookieName) {
		id, signature, ok := strings.Cut(c.Value, ".")
		if ok && hmac.Equal([]byte(signature), []byte(r.sign(id))) {
			p, found, err := r.person(req.Context(), id)
			if err != nil {
				return person{}, err
			}
			if found {
				return p, nil
			}
		}
	}
	return person{}, errNoName
}

// serveMe tells a browser who it is, and what can be asked of the host.
func (r *Room) serveMe(w http.ResponseWriter, req *http.Request) {
	var out struct {
		Me       *person       `json:"me"`
		Commands []commandInfo `json:"commands"`
	}
	out.Commands = commandInfos(r.Host.Commands())
	switch p, err := r.visitor(req); {
	case err == nil:
		out.Me = &p
	case err != errNoName:
		r.fail(w, req, err)
		return
	}
	r.answer(w, http.StatusOK, out)
}

// serveEnter takes a name and gives the cookie for it.
func (r *Room) serveEnter(w http.ResponseWriter, req *http.Request) {
	var in struct {
		Name string `json:"name"`
	}
	if err := readJSON(req, &in); err != nil {
		r.fail(w, req, err)
		return
	}
	// Whoever is in already, perhaps by a second press of the button, keeps
	// their seat.
	if p, err := r.visitor(req); err == nil {
		r.answer(w, http.StatusOK, p)
		return
	}
	if wait := r.entries.take(address(req)); wait > 0 {
		r.fail(w, req, tooFast(wait))
		return
	}
	p, err := r.enter(req.Context(), in.Name)
	if err != nil {
		r.fail(w, req, err)
		return
	}
	r.setCookie(w, req, p.ID+"."+r.sign(p.ID), cookieAge)
	r.Log.Info("web enter", "player", p.player())
	r.answer(w, http.StatusOK, p)
}

// serveLeave forgets who the browser is and frees the name.
func (r *Room) serveLeave(w http.ResponseWriter, req *http.Request) {
	p, err := r.visitor(req)
	if err == nil {
		err = r.leave(req.Context(), p)
	}
	if err != nil && err != errNoName {
		r.fail(w, req, err)
		return
	}
	r.setCookie(w, req, "", -1)
	r.answer(w, http.StatusOK, struct{}{})
}
