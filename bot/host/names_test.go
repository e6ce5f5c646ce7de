package host_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game/gametest"
)

const house = "test:house"

// anna is Ann under a new name.
var anna = bot.User{ID: bottest.People["ann"].ID, Name: "Anna"}

// named prepares games of Ann: two with Bob in a house, one in another, and one that is over.
func named(w *featuretest.World) {
	ann, bob := bottest.People["ann"], bottest.People["bob"]
	for ch, home := range map[bot.ChannelID]string{"test:one": house, "test:two": house, "test:far": "test:other", "test:old": house} {
		w.InHouse(ch, home, ann, "/new seats:2")
		w.InHouse(ch, home, bob, "/join")
	}
	asked := w.InHouse("test:old", house, bottest.People["mod"], "/end")
	req, _ := bot.Request{ID: "yes", Channel: "test:old", Home: house, User: bottest.People["mod"], Manager: true}.Press(asked.Buttons[0].ID)
	w.Host.Handle(w.T.Context(), req)
}

func tellsNames(c *host.Config) {
	c.Platforms = func() []bot.Platform { return []bot.Platform{{Name: "test", CurrentNames: true}} }
}

// nameOf returns the name that Ann has in a channel's game.
func nameOf(w *featuretest.World, ch bot.ChannelID) string {
	s, _ := w.Replayed(ch)
	seat, _ := s.SeatOf(anna.ID)
	return s.Seats[seat].Person.Name
}

// A player who has a new name has it in all their running games of that home from their next command
// on, and in the events too, which replay to the same. A game that is over keeps the old name.
func TestRunningGamesTakeANewName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, tellsNames)
		w.Run()
		named(w.World)
		synctest.Wait()
		before, log := w.Replayed("test:one")
		w.Posts.Take()
		w.InHouse("test:one", house, anna, "/rack")
		for ch, want := range map[bot.ChannelID]string{"test:one": "Anna", "test:two": "Anna", "test:far": "Ann", "test:old": "Ann"} {
			if got := nameOf(w.World, ch); got != want {
				t.Errorf("in %s she is called %q, want %q", ch, got, want)
			}
		}
		after, now := w.Replayed("test:one")
		seat, _ := after.SeatOf(anna.ID)
		after.Seats[seat].Person.Name, after.Host.Name = "Ann", "Ann"
		if len(now) != len(log) || !reflect.DeepEqual(after, before) {
			t.Errorf("the game of %d events is now one of %d: %+v", len(log), len(now), after)
		}
		if text := fmt.Sprintf("%+v", now); strings.Contains(text, "Name:Ann}") {
			t.Errorf("the events still have the old name: %s", text)
		}
		if all := w.Posts.Take(); len(all) > 0 {
			t.Errorf("the new name alone is posted: %q", featuretest.Shown(all[0].Text))
		}

		// Another process over the same store, and the next move.
		games, err := host.New(w.Config).Games(t.Context(), bottest.People["bob"].ID)
		gametest.Must(t, err)
		texts := ""
		for _, g := range games {
			texts += g.Text.String() + "\n"
		}
		if strings.Count(texts, "Anna 0") != 2 || strings.Count(texts, "Ann 0") != 1 {
			t.Errorf("Bob's games:\n%s", texts)
		}
		s, _ := w.Replayed("test:two")
		w.InHouse("test:two", house, s.Seats[s.Turn].Person, "/pass")
		said := w.Posts.Take()
		if !slices.ContainsFunc(said, func(m bot.Message) bool { return strings.Contains(m.Text.String(), "Anna") }) {
			t.Errorf("the next messages don't have the new name: %+v", said)
		}
	})
}

// Where requests may have names of before, a game takes a new one over when the adapter learns it.
func TestMemberRenamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		named(w.World)
		w.InHouse("test:one", house, anna, "/board")
		if got := nameOf(w.World, "test:one"); got != "Ann" {
			t.Errorf("a request renames her to %q", got)
		}
		for range 2 {
			gametest.Must(t, w.Host.MemberRenamed(t.Context(), house, anna))
		}
		gametest.Must(t, w.Host.MemberRenamed(t.Context(), house, bot.User{ID: anna.ID}))
		if one, two, far := nameOf(w.World, "test:one"), nameOf(w.World, "test:two"), nameOf(w.World, "test:far"); one != "Anna" || two != "Anna" || far != "Ann" {
			t.Errorf("she is called %q, %q and, elsewhere, %q", one, two, far)
		}
	})
}

// A button pressed in a direct message, where names differ, changes neither the name nor the home of
// its game.
func TestPressInDirectMessageKeepsNameAndHome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, tellsNames, func(c *host.Config) { c.Locales = allLocales(t) })
		named(w.World)
		id, _, err := w.Config.Store.Table(t.Context(), "test:one")
		gametest.Must(t, err)
		req, _ := bot.Request{ID: "press", Channel: "test:dm", User: anna}.Press(bot.ButtonID(id, 0, "rack", nil))
		if r := w.Host.Handle(t.Context(), req); r.Refused {
			t.Fatal(r.Text)
		}
		if got := nameOf(w.World, "test:one"); got != "Ann" {
			t.Errorf("she is called %q", got)
		}
		w.InHouse("test:two", house, anna, "/board")
		if got := nameOf(w.World, "test:one"); got != "Anna" {
			t.Errorf("the game's home isn't known any more: she is called %q", got)
		}
	})
}

// Whatever read or write fails, or is the last one of a process, the next command completes the
// renaming, and no command fails for it.
func TestRenamingIsCompletedAfterFaults(t *testing.T) {
	for n := 1; ; n++ {
		f := &featuretest.Fault{}
		hit := ""
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, tellsNames, f.Befalls)
			named(w.World)
			f.Arm(n)
			w.InHouse("test:two", house, anna, "/board")
			hit = f.Hit()
			f.Arm(0)
			w.InHouse("test:two", house, anna, "/board")
			for _, ch := range []bot.ChannelID{"test:one", "test:two"} {
				if got := nameOf(w.World, ch); got != "Anna" {
					t.Errorf("after call %d has failed (%s), she is called %q in %s", n, hit, got, ch)
				}
			}
		})
		if hit == "" {
			if n < 5 {
				t.Errorf("only %d calls were made", n)
			}
			return
		}
	}
}
