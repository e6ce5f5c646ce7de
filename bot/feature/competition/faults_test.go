package competition_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestTournamentsAtEachFault lets each operation fail once while a tournament is opened,
// entered, paired and shown.
func TestTournamentsAtEachFault(t *testing.T) {
	opened := func(w *featuretest.World) {
		w.Must("ann", "/tournament new name:Spring rounds:3")
		for _, name := range []string{"bob", "cat", "dan"} {
			w.Must(name, "/tournament join")
		}
	}
	closed := func(w *featuretest.World) {
		opened(w)
		w.Must("ann", "/tournament close")
	}
	paired := func(w *featuretest.World) {
		closed(w)
		w.Must("ann", "/tournament pair")
	}
	ask := func(prepare func(*featuretest.World), who string, lines ...string) {
		t.Helper()
		featuretest.LinesAtEachFault(t, prepare, bottest.People[who], lines, featuretest.Asides())
	}
	started := func(w *featuretest.World) {
		paired(w)
		w.Must("ann", "/tournament start")
	}
	ask(func(*featuretest.World) {}, "ann", "/tournament", "/tournament new name:Spring rounds:3")
	ask(opened, "eve", "/tournament", "/tournament join", "/tournament close")
	ask(opened, "bob", "/tournament leave")
	teams := func(w *featuretest.World) {
		w.Must("ann", "/tournament new name:Spring boards:2")
		for _, line := range []string{"bob: /tournament join team:Lions", "cat: /tournament join team:Lions", "dan: /tournament join team:Owls"} {
			name, line, _ := strings.Cut(line, ": ")
			w.Must(name, line)
		}
	}
	ask(teams, "bob", "/tournament leave")
	ask(teams, "dan", "/tournament leave")
	ask(teams, "eve", "/tournament join team:Owls")
	ask(teams, "ann", "/tournament withdraw who:bob", "/tournament enter who:eve team:Owls")
	ask(opened, "ann", "/tournament close", "/tournament off", "/tournament seed who:cat,bob", "/tournament enter who:eve")
	ask(closed, "ann", "/tournament pair", "/tournament reopen", "/tournament withdraw who:bob")
	ask(paired, "ann", "/tournament", "/tournament start", "/tournament swap who:bob,dan", "/tournament undo", "/tournament off", "/tournament export", "/tournament log")
	ask(started, "ann", "/tournament", "/tournament nudge", "/tournament forfeit who:bob", "/tournament result who:bob score:400-300", "/tournament end", "/tournament undo")
	ask(started, "bob", "/tournament", "/tournament leave", "/tournament result score:400-300")
	for name, asks := range map[string]func(w *featuretest.World) (any, error){
		"games": func(w *featuretest.World) (any, error) { return w.Host.Games(t.Context(), "test:bob") },
		"gone": func(w *featuretest.World) (any, error) {
			return "gone", w.Host.ChannelGone(t.Context(), featuretest.Parlour)
		},
		"bob left": func(w *featuretest.World) (any, error) {
			return "left", w.Host.MemberLeft(t.Context(), "test:house", "test:bob")
		},
		"bob is forgotten": func(w *featuretest.World) (any, error) {
			return "forgotten", w.Host.Forget(t.Context(), bot.User{ID: "test:bob", Name: "Bob"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			featuretest.AtEachFault(t, paired, func(w *featuretest.World) (string, error) {
				v, err := asks(w)
				b, wrong := json.Marshal(v)
				return string(b), errors.Join(err, wrong)
			}, featuretest.Asides())
		})
	}
}

// wallKey returns the key of the tournament's page, taken from its link.
func wallKey(t *testing.T, w *featuretest.World) string {
	t.Helper()
	for _, b := range w.Does(bottest.People["ann"], "/tournament").Buttons {
		if _, key, ok := strings.Cut(b.Link, "/e/"); ok {
			return key
		}
	}
	t.Fatal("no button leads to the tournament's page")
	return ""
}

// TestTournamentPage checks that the page shows the entrants, the rounds that have
// begun, their results, and the boards of the latest round, but no pairings of a round that
// hasn't begun.
func TestTournamentPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t, featuretest.Asides(), featuretest.Pictures(t), func(c *host.Config) { c.URL = "https://play.example.org" })
		w.Run()
		playing(t, w, "/tournament new name:Spring rounds:3", "bob", "cat", "dan")
		shows := func(when string, wants ...string) {
			t.Helper()
			time.Sleep(time.Minute)
			synctest.Wait()
			page, err := w.PageText("/e/{key}", bot.Visit{Key: wallKey(t, w)})
			gametest.Must(t, err)
			for _, want := range wants {
				if without, is := strings.CutPrefix(want, "-"); strings.Contains(page, without) == is {
					t.Errorf("%s the page has %q wrongly:\n%s", when, want, page)
				}
			}
		}
		shows("while people enter", "Spring\nRegistration is open: 3 have entered.", "## Who plays\n- Bob", "-Pairings")
		ann := bottest.People["ann"]
		for _, line := range []string{"/tournament close", "/tournament pair"} {
			w.Does(ann, line)
		}
		shows("before the round begins", "The first round begins soon.", "-Pairings", "-Games being played")
		w.Does(ann, "/tournament start")
		shows("while the round is on", "Round 1 of 3", "## Pairings of round 1\n1 | Bob | Dan | ", "stands in small type under the message", "-The secret\n", "-Games being played")
		key := wallKey(t, w)
		for _, n := range []string{"0", "1"} { // a game that hasn't begun, and one that doesn't exist
			if f, err := w.File("/e/{key}", "board/"+n+".png", bot.Visit{Key: key}); !errors.Is(err, bot.ErrNoPicture) {
				t.Errorf("board %s has the picture %v, %v", n, f, err)
			}
		}
		if _, err := w.PageText("/e/{key}", bot.Visit{Key: "none"}); !errors.Is(err, bot.ErrNoTable) {
			t.Errorf("no tournament has a page: %v", err)
		}
		time.Sleep(time.Hour) // nobody sits down
		w.Must("ann", "/tournament forfeit table:1")
		w.Does(ann, "/tournament end")
		shows("when it is over", "The tournament is over.", "## The winners", "The secret\n")
	})
}
