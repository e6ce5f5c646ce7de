package pages

import (
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
	FreshFor     = 30  // days
)

// A Session is the content of a cookie with a valid signature.
type Session struct {
	ID    string
	Epoch int
	Day   int // days since 1970; 0 in a cookie of the first version
}

// Cookies signs and verifies cookies.
type Cookies struct {
	now    func() time.Time
	random io.Reader
	key    []byte
}

// NewCookies returns cookies signed with a key.
func NewCookies(key []byte, random io.Reader, now func() time.Time) *Cookies {
	return &Cookies{now, random, key}
}

// NewID returns an unguessable id: 80 bits as 16 letters and digits.
func (cs *Cookies) NewID() (string, error) {
	b := make([]byte, 10)
	if _, err := io.ReadFull(cs.random, b); err != nil {
		return "", err
	}
	return strings.ToLower(base32.StdEncoding.EncodeToString(b)), nil
}

func (cs *Cookies) sign(what string) string {
	return base64.RawURLEncoding.EncodeToString(cs.MAC("person " + what))
}

// MAC returns a message authentication code of a text.
func (cs *Cookies) MAC(text string) []byte {
	mac := hmac.New(sha256.New, cs.key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// Today returns the number of days since 1970.
func (cs *Cookies) Today() int { return int(cs.now().Unix() / (24 * 60 * 60)) }

// OverTLS reports whether a browser reached the room by TLS. It trusts the proxy's header,
// which affects only that browser's cookie.
func OverTLS(req *http.Request) bool {
	return req.TLS != nil || req.Header.Get("X-Forwarded-Proto") == "https"
}

// GiveCookie sets a person's cookie.
func (cs *Cookies) GiveCookie(w http.ResponseWriter, req *http.Request, id string, epoch int) {
	what := fmt.Sprintf("%s.%d.%d", id, epoch, cs.Today())
	cs.SetCookie(w, req, what+"."+cs.sign(what), cookieAge*24*60*60)
}

// SetCookie sets the cookie for age seconds; a negative age deletes it.
func (cs *Cookies) SetCookie(w http.ResponseWriter, req *http.Request, value string, age int) {
	secure := OverTLS(req)
	name := cookieName
	if secure {
		name = secureCookie
	}
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: age,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: secure,
	})
}

// Sessions returns the sessions in a request's signed cookies, without checking whether
// they are still valid. There can be several, because another room on another port of this
// computer may have set a cookie with the same name.
func (cs *Cookies) Sessions(req *http.Request) (all []Session) {
	for _, c := range slices.Concat(req.CookiesNamed(secureCookie), req.CookiesNamed(cookieName)) {
		if s, ok := cs.parseCookie(c.Value); ok {
			all = append(all, s)
		}
	}
	return all
}

func (cs *Cookies) parseCookie(value string) (s Session, ok bool) {
	i := strings.LastIndexByte(value, '.')
	if i < 0 || !hmac.Equal([]byte(value[i+1:]), []byte(cs.sign(value[:i]))) {
		return s, false
	}
	switch fields := strings.Split(value[:i], "."); len(fields) {
	case 1:
		return Session{ID: fields[0]}, true
	case 3:
		var errs [2]error
		s.ID = fields[0]
		s.Epoch, errs[0] = strconv.Atoi(fields[1])
		s.Day, errs[1] = strconv.Atoi(fields[2])
		return s, errors.Join(errs[:]...) == nil && cs.Today()-s.Day <= cookieAge
	}
	return s, false
}

// Seal encodes and signs a value for a cookie or bearer.
func (cs *Cookies) Seal(kind string, v any) (string, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	body := base64.RawURLEncoding.EncodeToString(b)
	return body + "." + base64.RawURLEncoding.EncodeToString(cs.MAC(kind+" "+body)), nil
}

// Unseal decodes a sealed value. It returns false if the signature is wrong.
func (cs *Cookies) Unseal(kind, sealed string, v any) bool {
	body, mac, _ := strings.Cut(sealed, ".")
	m, err1 := base64.RawURLEncoding.DecodeString(mac)
	b, err2 := base64.RawURLEncoding.DecodeString(body)
	return errors.Join(err1, err2) == nil && hmac.Equal(m, cs.MAC(kind+" "+body)) && json.Unmarshal(b, v) == nil
}
