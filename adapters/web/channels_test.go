package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// Newcomers make no channels before they have played: one address made 199 of them.
func TestNewcomersMakeNoChannels(t *testing.T) {
	s := open(t)
	s.enter("Keeper of keys") // the first keeps the room
	eve := s.enter("Eve")
	why := eve.refused("channels", obj{"name": "spam"}, http.StatusUnprocessableEntity)
	if !strings.Contains(why, "once you've played") {
		t.Errorf("Eve is told %q", why)
	}
	call[obj](eve, "channels", obj{"name": "general"}) // it is there
	s.host.handle = func(bot.Request) bot.Reply { return bot.Reply{Text: text.Plain("HORN scores 14."), Rack: true} }
	eve.command("general", "/check horn")
	eve.refused("channels", obj{"name": "spam"}, http.StatusUnprocessableEntity)
	eve.command("general", "/play horn 8h")
	call[obj](eve, "channels", obj{"name": "late-night"})

	fay := s.enter("Fay")
	fay.say("general", "hello")
	s.clock.pass(8 * 24 * time.Hour)
	call[obj](fay, "channels", obj{"name": "readers"})
}

// Keepers rename channels, put them away, bring them back and remove them; nobody
// else does.
func TestKeepersTidyChannels(t *testing.T) {
	s := open(t)
	ann, bob := s.enter("Ann"), s.enter("Bob")
	call[obj](ann, "channels", obj{"name": "late-night"})
	bob.say("late-night", "hello")
	change := func(v *visitor, do, name string) {
		call[obj](v, "change-channel", obj{"stream": "late-night", "do": do, "name": name})
	}
	bob.refused("change-channel", obj{"stream": "late-night", "do": "remove"}, 422)
	bob.refused("all-channels", obj{}, 422)
	ann.refused("change-channel", obj{"stream": "general", "do": "remove"}, 422)
	ann.refused("change-channel", obj{"stream": "nowhere", "do": "remove"}, 404)
	ann.refused("change-channel", obj{"stream": "late-night", "do": "rename", "name": "general"}, 422)
	ann.refused("change-channel", obj{"stream": "late-night", "do": "rename", "name": "!"}, 422)

	change(ann, "rename", "Night owls")
	if got := call[struct{ Name string }](bob, "channels", obj{"name": "late-night"}).Name; got != "night-owls" {
		t.Errorf("Bob sees it as %q", got)
	}
	ann.refused("channels", obj{"name": "night-owls"}, 422) // it is taken

	change(ann, "archive", "")
	bob.refused("say", obj{"stream": "late-night", "id": newID(), "text": "anybody here?"}, 404)
	change(ann, "restore", "")
	if all := bob.messages("late-night", 0); len(all) != 1 {
		t.Errorf("back from the archive it has %d messages", len(all))
	}

	s.host.playing = true
	if why := ann.refused("change-channel", obj{"stream": "late-night", "do": "remove"}, 422); !strings.Contains(why, "game") {
		t.Errorf("while a game is on: %q", why)
	}
	s.host.playing = false
	change(ann, "archive", "")
	change(ann, "remove", "") // though it was put away
	if keys, err := s.notes.Keys(t.Context(), "channels"); err != nil || len(keys) != 1 {
		t.Errorf("the channels are %v, %v", keys, err)
	}
	if lines, err := s.notes.Read(t.Context(), "said/late-night", 0, 10); err != nil || len(lines) > 0 {
		t.Errorf("what was said there: %v, %v", lines, err)
	}
	if s.host.gone != "web:late-night" {
		t.Errorf("the host is told that %q is gone", s.host.gone)
	}
}
