package shelf_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// A row written by a newer version keeps the fields unknown to this one, however it is
// changed. Fields that this version removes are gone.
func TestUnknownFieldsSurvive(t *testing.T) {
	type part struct {
		N int `json:"n,omitempty"`
	}
	type row struct {
		V    int             `json:"v"`
		Text string          `json:"text,omitempty"`
		Part part            `json:"part"`
		Each map[string]part `json:"each,omitempty"`
	}
	const was = `{"v":9,"text":"old","part":{"n":1,"newer":[1]},"each":{"a":{"n":1,"newer":2},"b":{"n":2,"newer":3}},"newer":{"x":"y"}}`
	change := func(v *row) { v.Text, v.Part.N = "", 2; delete(v.Each, "b") }
	const want = `{"v":9,"part":{"n":2,"newer":[1]},"each":{"a":{"n":1,"newer":2}},"newer":{"x":"y"}}`
	r, notes := room()
	own := r.Owner("a")
	s := shelf.Open(own, "s", shelf.Spec[shelf.Person, row]{
		Why:    "for the test",
		Rename: func(v *row, _ game.PlayerID, _ bot.User) bool { change(v); return true },
	})
	for name, do := range map[string]func() error{
		"Change": func() error {
			return s.Change(t.Context(), "web:ann", func(v *row) (bool, error) { change(v); return true, nil })
		},
		"Put in a change": func() error {
			return own.Change(t.Context(), func(tx shelf.Tx) error {
				v, _, err := s.In(tx).Get("web:ann")
				if err != nil {
					return err
				}
				change(&v)
				return s.In(tx).Put("web:ann", v)
			})
		},
		"Put of each": func() error {
			return own.Change(t.Context(), func(tx shelf.Tx) error {
				return s.In(tx).Each(func(k shelf.Person, v row) error { change(&v); return s.In(tx).Put(k, v) })
			})
		},
		"Forget": func() error { return r.Forget(t.Context(), "web:bob", nil, bot.User{ID: "former:1"}, nil) },
	} {
		gametest.Must(t, notes.Put(t.Context(), "s", "web:ann", []byte(was)))
		if err := do(); err != nil {
			t.Fatal(name, err)
		}
		b, err := notes.Get(t.Context(), "s", "web:ann")
		gametest.Must(t, err)
		var is, should any
		if json.Unmarshal(b, &is) != nil || json.Unmarshal([]byte(want), &should) != nil || !reflect.DeepEqual(is, should) {
			t.Errorf("%s leaves %s, want %s", name, b, want)
		}
	}
}
