// Package webtest provides stand-ins for clients of the web room: a visitor of a game's
// page, and connections without a socket.
package webtest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
)

// A Visitor is a browser on a game's page.
type Visitor struct {
	Room http.Handler
	Page string // the page's path

	cookie string
}

// Post sends JSON to a path below the page's, and keeps the cookie it receives.
func (v *Visitor) Post(tb testing.TB, path string, in any) *httptest.ResponseRecorder {
	tb.Helper()
	b, err := json.Marshal(in)
	gametest.Must(tb, err)
	req := httptest.NewRequestWithContext(tb.Context(), http.MethodPost, v.Page+path, bytes.NewReader(b))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Cookie", v.cookie)
	r := httptest.NewRecorder()
	v.Room.ServeHTTP(r, req)
	for _, c := range r.Result().Cookies() {
		v.cookie = c.Name + "=" + c.Value
	}
	return r
}
