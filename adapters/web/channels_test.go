package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// Newcomers can't make channels before they have played: one address once made 199 of them.
func TestNewcomersMakeNoChannels(t *testing.T) {
	s := open(t)
	s.enter("Keeper of keys") // the first to enter is the keeper
	eve := s.enter("Eve")
	why := eve.refused("channels", obj{"name": "spam"}, http.StatusUnprocessableEntity)
	if !strings.Contains(why, "once you've played") {
		t.Errorf("Eve is told %q", why)
	}
	call[obj](eve, "channels", obj{"name": "general"}) // it exists
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

// The people of one network can't make more channels a day than one person. Otherwise
// newcomers who had all made a move could use up the room's 200.
func TestNetworkSharesChannelLimit(t *testing.T) {
	s := open(t)
	s.enter("Keeper of keys")
	var all []*visitor
	for i := range 30 {
		v := s.enterFrom(40*i, fmt.Sprint("Eve ", i+20))
		v.say("general", "hello")
		all = append(all, v)
	}
	s.clock.pass(8 * 24 * time.Hour) // they are no longer newcomers
	make := func(from func(i int) string) (made int) {
		for i, v := range all {
			name := fmt.Sprint("spam-", s.clock.now().Unix(), "-", strings.NewReplacer(":", "", ".", "", "[", "", "]", "").Replace(from(i)), "-", i)
			if w := v.from(from(i), "POST", "/api/channels", obj{"name": name}); w.Code == http.StatusOK {
				made++
			}
		}
		return made
	}
	for what, c := range map[string]struct {
		from func(i int) string
		want int
	}{
		"an address":       {func(int) string { return "198.51.100.7" }, 20},
		"a /64":            {func(i int) string { return fmt.Sprintf("[2001:db8:1:1::%x]", i+1) }, 20},
		"a /48":            {func(i int) string { return fmt.Sprintf("[2001:db8:2:%x::1]", i) }, 20},
		"everybody's here": {func(int) string { return "10.0.0.1" }, 30},
	} {
		if made := make(c.from); made != c.want {
			t.Errorf("%s made %d channels, want %d", what, made, c.want)
		}
	}
	s.clock.pass(24 * time.Hour)
	if made := make(func(int) string { return "198.51.100.7" }); made != 20 {
		t.Errorf("the next day an address made %d channels, want 20", made)
	}
}

// Only keepers can rename, archive, restore and remove channels.
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
	ann.refused("channels", obj{"name": "night-owls"}, 422) // taken

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
	change(ann, "remove", "") // while archived
	if keys, err := s.notes.Keys(t.Context(), "channels"); err != nil || len(keys) != 1 {
		t.Errorf("the channels are %v, %v", keys, err)
	}
	if lines, err := s.notes.Scan(t.Context(), "said/late-night", "", "", 10); err != nil || len(lines) > 0 {
		t.Errorf("what was said there: %v, %v", lines, err)
	}
	if s.host.gone != "web:late-night" {
		t.Errorf("the host is told that %q is gone", s.host.gone)
	}
}
