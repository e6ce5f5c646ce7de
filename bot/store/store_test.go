package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// What is added to a room continues its table or begins one, and belongs to a table.
func TestCheckRoom(t *testing.T) {
	log := gametest.Log(t, 4)
	const broken = "\xff"
	for name, tt := range map[string]struct {
		room   bot.Room
		begins bool
		says   string
	}{
		"nothing":                     {room: bot.Room{Channel: "den"}},
		"a table's next events":       {room: bot.Room{Channel: "den", Table: 7, Events: log[:2], Append: log[2:]}},
		"a new table":                 {room: bot.Room{Channel: "den", Append: log}, begins: true},
		"a new table after another":   {room: bot.Room{Channel: "den", Table: 7, Events: log[:2], Append: log}, begins: true},
		"a gap":                       {room: bot.Room{Channel: "den", Table: 7, Events: log[:2], Append: log[3:]}, says: "append to table 7 of den: event 3 is out of place, the next is 2"},
		"an event twice":              {room: bot.Room{Channel: "den", Table: 7, Events: log[:2], Append: append(log[2:3:3], log[2])}, says: "event 2 is out of place, the next is 3"},
		"an event without a fact":     {room: bot.Room{Channel: "den", Append: []game.Event{{}}}, says: "event 0 has no fact"},
		"no table to continue":        {room: bot.Room{Channel: "den", Events: log[:2], Append: log[2:]}, says: "it has no table"},
		"a timer of no table":         {room: bot.Room{Channel: "den", Timers: []bot.Timer{{}}}, says: "it has no table"},
		"a post of no table":          {room: bot.Room{Channel: "den", Posts: []bot.Post{{}}}, says: "it has no table"},
		"those that need no table":    {room: bot.Room{Channel: "den", Posts: []bot.Post{{Kind: "news"}}, Timers: []bot.Timer{{Kind: "digest"}}}},
		"a channel's name in Latin 1": {room: bot.Room{Channel: broken}, says: "the channel's name is not UTF-8"},
		"a reader's name in Latin 1":  {room: bot.Room{Channel: "den", Table: 7, Posts: []bot.Post{{For: broken}}}, says: "the name of player"},
		"a player's name in Latin 1":  {room: bot.Room{Channel: "den", Table: 7, Seated: []game.PlayerID{broken}}, says: "the name of player"},
	} {
		begins, err := store.Check(&tt.room)
		switch {
		case tt.says == "" && (err != nil || begins != tt.begins):
			t.Errorf("%s: begins is %t, %v", name, begins, err)
		case tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says)):
			t.Errorf("%s: %v, want %q", name, err, tt.says)
		}
	}
}

// Only a receipt by itself can mean that a request was refused, and only adding nothing that the
// room is unchanged.
func TestReceiptMeansRefusal(t *testing.T) {
	for name, tt := range map[string]struct {
		room             bot.Room
		changes, refuses bool
	}{
		"nothing":                           {},
		"refused, and nothing filed":        {room: bot.Room{Refused: true}},
		"a receipt":                         {room: bot.Room{File: &bot.Receipt{}}, changes: true},
		"a receipt of what was refused":     {room: bot.Room{File: &bot.Receipt{}, Refused: true}, changes: true, refuses: true},
		"an event":                          {room: bot.Room{Append: gametest.Log(t, 1)}, changes: true},
		"a post":                            {room: bot.Room{Posts: []bot.Post{{}}}, changes: true},
		"a timer":                           {room: bot.Room{Timers: []bot.Timer{{}}}, changes: true},
		"a post with a receipt, as refused": {room: bot.Room{File: &bot.Receipt{}, Posts: []bot.Post{{}}, Refused: true}, changes: true},
	} {
		if changes, refuses := store.Changes(&tt.room), store.Refuses(&tt.room); changes != tt.changes || refuses != tt.refuses {
			t.Errorf("%s: changes is %t, refuses is %t", name, changes, refuses)
		}
	}
}

// A trouble is listed once however often it is found, and the list is bounded.
func TestTroubleIsListedOnce(t *testing.T) {
	var all store.Troubles
	for range 3 {
		for i := range 30 {
			all.Note(fmt.Errorf("table %d is damaged", i))
		}
	}
	list := all.Trouble()
	if len(list) != 20 || list[0].Error() != "table 0 is damaged" || list[19].Error() != "table 19 is damaged" {
		t.Errorf("%d troubles: %v", len(list), list)
	}
	list[0] = errors.New("another")
	if all.Trouble()[0].Error() != "table 0 is damaged" {
		t.Error("whoever reads the list has changed it")
	}
}

// A row of a newer version keeps the fields that this one doesn't know; known fields are updated,
// removed ones too.
func TestUnknownFieldsSurvive(t *testing.T) {
	type inner struct {
		Seat int `json:"seat,omitempty"`
	}
	type row struct {
		inner
		V    int    `json:"v"`
		Name string `json:"name,omitempty"`
		Own  bool
	}
	for old, want := range map[string]string{
		`{"v":1,"name":"old","seat":4}`:                      `{"v":2,"seat":3,"Own":true}`,
		`{"v":3,"name":"old","newer":{"a":[1]},"Own":false}`: `{"v":2,"seat":3,"Own":true,"newer":{"a":[1]}}`,
		`{}`: `{"v":2,"seat":3,"Own":true}`,
	} {
		is := row{V: 2, Own: true}
		is.Seat = 3
		for _, value := range []any{is, &is} {
			b, err := store.KeepUnknown([]byte(old), value)
			var got, wanted map[string]json.RawMessage
			gametest.Must(t, errors.Join(err, json.Unmarshal(b, &got), json.Unmarshal([]byte(want), &wanted)))
			if !maps.EqualFunc(got, wanted, func(a, b json.RawMessage) bool { return string(a) == string(b) }) {
				t.Errorf("in the place of %s: %s, want %s", old, b, want)
			}
		}
	}
	if _, err := store.KeepUnknown([]byte("["), row{}); err == nil {
		t.Error("a damaged row is replaced")
	}
	if _, err := store.KeepUnknown([]byte("{}"), struct{ F func() }{}); err == nil {
		t.Error("a row that can't be written is")
	}
}

// A watching is a context that runs begins when the caller starts to wait, and then ends.
type watching struct {
	context.Context
	begins func()
}

func (w watching) Done() <-chan struct{} {
	w.begins()
	over := make(chan struct{})
	close(over)
	return over
}

// All watchers get each hint, and one that has stopped gets none.
func TestWatchersGetHints(t *testing.T) {
	var all store.Watchers[string]
	var heard []string
	hear := func(who string) func(string) { return func(h string) { heard = append(heard, who+" "+h) } }
	all.Hint("before")
	second := watching{t.Context(), func() { all.Hint("both") }}
	first := watching{t.Context(), func() {
		all.Hint("one")
		if err := all.Watch(second, hear("owl")); err != nil {
			t.Error(err)
		}
		all.Hint("one again")
	}}
	if err := all.Watch(first, hear("fox")); err != nil {
		t.Error(err)
	}
	all.Hint("after")
	counts := map[string]int{}
	for _, h := range heard {
		counts[h]++
	}
	if want := map[string]int{"fox one": 1, "fox both": 1, "owl both": 1, "fox one again": 1}; !maps.Equal(counts, want) {
		t.Errorf("heard are %q", heard)
	}
}
