package web_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/game/gametest"
)

// Fields that a newer program added to rows and lines survive changes by this one, unless
// they name a forgotten person.
func TestUnknownFieldsSurvive(t *testing.T) {
	s := open(t)
	ann, bob := s.enter("Ann"), s.enter("Bob")
	call[obj](ann, "channels", obj{"name": "late-night"})
	said := map[string]uint64{
		"edited":  ann.say("late-night", "hello"),
		"about":   ann.say("late-night", "where is @Bob today?"),
		"naming":  ann.say("late-night", "has @Bob gone?"),
		"his own": bob.say("late-night", "here I am"),
	}
	newer := func(b []byte, more string) []byte {
		return append(bytes.TrimSuffix(b, []byte("}")), `,"newer":`+more+"}"...)
	}
	for what, n := range said {
		more := `{"shown":1}`
		if what == "naming" {
			more = `{"shown":"` + bob.ID + `"}`
		}
		line, err := s.notes.Get(t.Context(), "said/late-night", notes.EntryKey(n))
		gametest.Must(t, err)
		gametest.Must(t, s.notes.Put(t.Context(), "said/late-night", notes.EntryKey(n), newer(line, more)))
	}
	for shelf, key := range map[string]string{"channels": "late-night", "people": ann.ID} {
		b, err := s.notes.Get(t.Context(), shelf, key)
		gametest.Must(t, err)
		gametest.Must(t, s.notes.Put(t.Context(), shelf, key, newer(b, `{"shown":1}`)))
	}

	call[obj](ann, "change-channel", obj{"stream": "late-night", "do": "rename", "name": "owls"})
	call[obj](ann, "rename", obj{"name": "Anna"})
	p := s.current().Platform()
	gametest.Must(t, p.Steward.Unsay(t.Context(), "web:late-night", said["edited"]))
	gametest.Must(t, p.Keeper.Forget(t.Context(), *bob.user(), bot.User{ID: "former:1", Name: "former player"}))

	has := func(b []byte) bool {
		var fields map[string]json.RawMessage
		gametest.Must(t, json.Unmarshal(b, &fields))
		return fields["newer"] != nil
	}
	for what, n := range said {
		line, err := s.notes.Get(t.Context(), "said/late-night", notes.EntryKey(n))
		gametest.Must(t, err)
		if kept := what == "edited" || what == "about"; has(line) != kept {
			t.Errorf("the line %s is %s", what, line)
		}
		if bytes.Contains(line, []byte(bob.ID)) {
			t.Errorf("the line %s names Bob: %s", what, line)
		}
	}
	for shelf, key := range map[string]string{"channels": "late-night", "people": ann.ID} {
		if b, err := s.notes.Get(t.Context(), shelf, key); err != nil || !has(b) || !bytes.Contains(b, []byte(map[string]string{"channels": "owls", "people": "Anna"}[shelf])) {
			t.Errorf("the row of %s is %s, %v", shelf, b, err)
		}
	}
}
