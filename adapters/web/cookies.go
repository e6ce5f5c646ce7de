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

// A person's cookie is "<id>.<epoch>.<day>.<signature>" and identifies their browser. It
// contains nothing secret and can't be forged. The day is when it was made: the room
// replaces it after a month, and rejects it after cookieAge. Ending a person's other
// sessions increments their epoch, which invalidates all earlier cookies; so does leaving
// the room. A cookie of the room's first version is "<id>.<signature>", of epoch 0.
const (
	cookieName = "rackmate"
	// secureCookie is the name over TLS. Browsers let no page without TLS and no other host
	// set it.
	secureCookie = "__Host-" + cookieName
	cookieAge    = 400 // days; the longest that browsers allow
	freshFor     = 30  // days
)

// A session is the content of a cookie with a valid signature.
type session struct {
	id    string
	epoch int
	day   int // days since 1970; 0 in a cookie of the first version
}

// cookies signs and verifies cookies.
type cookies struct {
	now    func() time.Time
	random io.Reader
	key    []byte
}

// openCookies reads the room's key, or creates it on the first start.
func openCookies(ctx context.Context, rows bot.Notes, random io.Reader, now func() time.Time) (*cookies, error) {
	made := make([]byte, 32)
	if _, err := io.ReadFull(random, made); err != nil {
		return nil, err
	}
	key := made
	err := rows.Change(ctx, func(rows bot.Rows) error {
		there, err := rows.Get("secret", "cookie")
		if key = there; err != nil || there != nil {
			return err
		}
		key = made
		return rows.Put("secret", "cookie", made)
	})
	return &cookies{now, random, key}, err
}

// newID returns an unguessable id: 80 bits as 16 letters and digits.
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

// mac returns a message authentication code of a text.
func (cs *cookies) mac(text string) []byte {
	mac := hmac.New(sha256.New, cs.key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

func (cs *cookies) today() int { return int(cs.now().Unix() / (24 * 60 * 60)) }

// overTLS reports whether a browser reached the room by TLS. It trusts the proxy's header,
// which affects only that browser's cookie.
func overTLS(req *http.Request) bool {
	return req.TLS != nil || req.Header.Get("X-Forwarded-Proto") == "https"
}

// giveCookie sets a person's cookie.
func (cs *cookies) giveCookie(w http.ResponseWriter, req *http.Request, id string, epoch int) {
	what := fmt.Sprintf("%s.%d.%d", id, epoch, cs.today())
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

// sessions returns the sessions in a request's signed cookies, without checking whether
// they are still valid. There can be several, because another room on another port of this
// computer may have set a cookie with the same name.
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

// seal encodes and signs a value for a cookie or bearer.
func (cs *cookies) seal(kind string, v any) (string, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	body := base64.RawURLEncoding.EncodeToString(b)
	return body + "." + base64.RawURLEncoding.EncodeToString(cs.mac(kind+" "+body)), nil
}

// unseal decodes a sealed value. It returns false if the signature is wrong.
func (cs *cookies) unseal(kind, sealed string, v any) bool {
	body, mac, _ := strings.Cut(sealed, ".")
	m, err1 := base64.RawURLEncoding.DecodeString(mac)
	b, err2 := base64.RawURLEncoding.DecodeString(body)
	return errors.Join(err1, err2) == nil && hmac.Equal(m, cs.mac(kind+" "+body)) && json.Unmarshal(b, v) == nil
}
