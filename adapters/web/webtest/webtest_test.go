package webtest_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/rackmate/rackmate/adapters/web/webtest"
	"github.com/rackmate/rackmate/game/gametest"
)

// A visitor starts without a cookie, and then sends the one that the page has set.
func TestVisitorKeepsTheirCookie(t *testing.T) {
	var came []string
	page := http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		var said map[string]string
		if err := json.NewDecoder(req.Body).Decode(&said); err != nil || req.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s says %v, %v", req.Method, req.Header, err)
		}
		came = append(came, req.URL.Path+" "+said["play"]+" "+req.Header.Get("Cookie"))
		if len(came) == 1 {
			http.SetCookie(w, &http.Cookie{Name: "seat", Value: "ann", HttpOnly: true})
		}
	})
	v := webtest.Visitor{Room: page, Page: "/g/1"}
	for _, play := range []string{"HORN", "FARM", "PASTE"} {
		v.Post(t, "/move", map[string]string{"play": play})
	}
	want := []string{"/g/1/move HORN ", "/g/1/move FARM seat=ann", "/g/1/move PASTE seat=ann"}
	for i, line := range want {
		if came[i] != line {
			t.Errorf("the page sees %q, want %q", came[i], line)
		}
	}
}

// A dialled connection is accepted, and both ends hear each other. After Close, dialling
// fails.
func TestDialledConnection(t *testing.T) {
	w := webtest.NewWires()
	go func() {
		there, err := w.Accept()
		if err == nil {
			_, err = io.WriteString(there, "hello")
		}
		if err = errors.Join(err, there.Close()); err != nil {
			t.Error(err)
		}
	}()
	here, err := w.Dial(t.Context(), "tcp", "anywhere:1")
	gametest.Must(t, err)
	if heard, err := io.ReadAll(here); err != nil || string(heard) != "hello" {
		t.Errorf("there is heard %q, %v", heard, err)
	}
	hung, hangUp := context.WithCancel(t.Context())
	hangUp()
	if _, err := w.Dial(hung, "tcp", "anywhere:1"); !errors.Is(err, context.Canceled) {
		t.Errorf("who has hung up is answered %v", err)
	}
	gametest.Must(t, w.Close())
	gametest.Must(t, w.Close())
	if _, err := w.Dial(t.Context(), "tcp", "anywhere:1"); !errors.Is(err, net.ErrClosed) {
		t.Errorf("after the end dialling gives %v", err)
	}
	if _, err := w.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("after the end accepting gives %v", err)
	}
	if at := w.Addr(); at.Network() != "tcp" || at.String() != "127.0.0.1:1" {
		t.Errorf("the wires say they are at %v", at)
	}
}
