package notes_test

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/game/gametest"
)

// A row written by a newer version keeps the fields unknown to this one when it is written
// back. Known fields that are left out are gone, and a write outside a transaction replaces
// the whole row.
func TestUnknownFieldsSurvive(t *testing.T) {
	type row struct {
		V    int    `json:"v"`
		Name string `json:"name,omitempty"`
		By   string `json:"by,omitempty"`
		At   struct {
			N int `json:"n"`
		} `json:"at"`
	}
	const was = `{"v":2,"name":"old","by":"ann","at":{"n":1,"newer":true},"newer":[1,2]}`
	n := memory.New().Notes("test")
	put := func(fn func(ctx context.Context, v row) error) string {
		t.Helper()
		ctx := t.Context()
		gametest.Must(t, n.Put(ctx, "rows", "a", []byte(was)))
		v := row{V: 1, Name: "new"}
		v.At.N = 2
		gametest.Must(t, fn(ctx, v))
		b, err := n.Get(ctx, "rows", "a")
		gametest.Must(t, err)
		return string(b)
	}
	for name, c := range map[string]struct {
		fn   func(ctx context.Context, v row) error
		want string
	}{
		"Put": {func(ctx context.Context, v row) error {
			return n.Change(ctx, func(rows bot.Rows) error { return notes.Put(rows, "rows", "a", v) })
		}, `{"v":1,"name":"new","at":{"n":2,"newer":true},"newer":[1,2]}`},
		"Put of a pointer": {func(ctx context.Context, v row) error {
			return n.Change(ctx, func(rows bot.Rows) error { return notes.Put(rows, "rows", "a", &v) })
		}, `{"v":1,"name":"new","at":{"n":2,"newer":true},"newer":[1,2]}`},
		"Write": {func(ctx context.Context, v row) error { return notes.Write(ctx, n, "rows", "a", v) },
			`{"v":1,"name":"new","at":{"n":2}}`},
	} {
		var is, want any
		got := put(c.fn)
		if json.Unmarshal([]byte(got), &is) != nil || json.Unmarshal([]byte(c.want), &want) != nil || !reflect.DeepEqual(is, want) {
			t.Errorf("%s leaves %s, want %s", name, got, c.want)
		}
	}
}
