package terminal_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/terminal"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

const cleared = "~~~~ cleared ~~~~\n"

// play types a script, and returns everything shown and the saved files.
func play(t *testing.T, people []string, open, script string) (shown string, saved map[string]string) {
	t.Helper()
	eq := gametest.Equipment(t)
	list, err := lexicon.Build("small", eq.Tiles.Alphabet(), strings.NewReader("HORN\nHORNS\nOATEN\n"))
	gametest.Must(t, err)
	kept := memory.New()
	var adapter *terminal.Adapter
	seed := rand.NewChaCha8([32]byte{7})
	h := host.New(host.Config{
		Features: features.All, Order: features.Order(),
		Store: kept, Notes: kept.Notes("host"), Equipment: eq, Layouts: gametest.Layouts(t),
		Lexicons: []*lexicon.Lexicon{list}, DefaultLexicon: "small",
		Platforms: func() []bot.Platform { return []bot.Platform{adapter.Platform()} },
		Now:       time.Now, Random: seed, Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
	})
	var out bytes.Buffer
	saved = map[string]string{}
	adapter = terminal.New(terminal.Config{
		Host: h, People: people, Open: open, In: strings.NewReader(script), Out: &out, Clear: cleared, Random: rand.NewChaCha8([32]byte{8}),
		Save: func(name string, data []byte) error { saved[name] = string(data); return nil },
	})
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { h.Deliver(ctx, terminal.Name, adapter) })
	if err := adapter.Run(ctx); err != nil {
		t.Errorf("the table ends with %v", err)
	}
	stop()
	running.Wait()
	adapter.Wait()
	return out.String(), saved
}

var rackLine = regexp.MustCompile(`(?m)^Your rack: (.*)$`)

// TestTwoPeopleSeeOnlyTheirRacks checks that two people who share a terminal each see only their own rack,
// and that the screen is cleared between their turns.
func TestTwoPeopleSeeOnlyTheirRacks(t *testing.T) {
	shown, _ := play(t, []string{"Ann", "Bob"}, "/new seats:2", strings.Repeat("\npass sure:yes\n", 3)+"quit\n")
	if n := strings.Count(shown, cleared); n < 2 {
		t.Fatalf("the screen is cleared %d times:\n%s", n, shown)
	}
	turn := regexp.MustCompile(`It's (\w+)'s turn`)
	racks := map[string]string{"Ann": "", "Bob": ""}
	who := "Ann"
	for i, screen := range strings.Split(shown, cleared) {
		if i > 0 {
			who = turn.FindStringSubmatch(screen)[1]
		}
		for _, m := range rackLine.FindAllStringSubmatch(screen, -1) {
			if racks[who] == "" {
				racks[who] = m[1]
			}
			if m[1] != racks[who] {
				t.Errorf("%s's screen shows the rack %q, theirs is %q", who, m[1], racks[who])
			}
		}
	}
	if racks["Ann"] == "" || racks["Bob"] == "" || racks["Ann"] == racks["Bob"] {
		t.Errorf("racks: %q", racks)
	}
	if !strings.Contains(shown, "Ann: passes") || !strings.Contains(shown, "Bob: passes") {
		t.Errorf("moves are missing:\n%s", shown)
	}
}

func TestGameAlone(t *testing.T) {
	shown, saved := play(t, []string{"Ann"}, "/new variant:solitaire", "rack\n1\n99\nbogus\n\nend\nexport\nquit\n")
	for _, want := range []string{
		" 8 = . . ' . . . * . . . ' . . =", // the board
		"Your rack: ",
		"Ann> ",
		"[1] Shuffle",
		"There's no choice with that number.",
		"bogus",               // unknown input is named in the answer
		"The game is over.",   // after end
		"Saved as rackmate-1", // by export
		"Look back at it with history, review or export. rematch",
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q isn't shown in\n%s", want, shown)
		}
	}
	if len(saved) == 0 {
		t.Error("nothing was saved")
	}
}

// TestBothPlayersAgreeToEnd lets both players agree to end the game, one of them out of
// turn.
func TestBothPlayersAgreeToEnd(t *testing.T) {
	shown, _ := play(t, []string{"Ann", "Bob"}, "/new seats:2 rules:family", "\nann: end\nBOB: /end\nquit\n")
	if !strings.Contains(shown, "The game is over.") {
		t.Errorf("the game goes on:\n%s", shown)
	}
}

// TestRunEndsWithInput checks that Run ends with the input.
func TestRunEndsWithInput(t *testing.T) {
	for _, script := range []string{"", "pass", "\n"} {
		play(t, []string{"Ann", "Bob"}, "/new seats:2", script)
	}
}

func TestWrongOpening(t *testing.T) {
	a := terminal.New(terminal.Config{Host: refuser{}, People: []string{"Ann"}, Open: "/new rules:none", In: strings.NewReader(""), Out: io.Discard, Random: rand.NewChaCha8([32]byte{})})
	if err := a.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "no such rules") {
		t.Errorf("the table ends with %v", err)
	}
}

// A refuser refuses everything.
type refuser struct{ bot.Host }

func (refuser) Commands() bot.Commands { return features.Commands() }

// LocaleFor returns English.
func (refuser) LocaleFor(context.Context, bot.Request) *text.Locale { return nil }
func (refuser) Sight(context.Context, bot.Request) (bot.Sight, error) {
	return bot.Sight{}, bot.ErrNoTable
}
func (refuser) Handle(context.Context, bot.Request) bot.Reply {
	return bot.Reply{Refused: true, Text: text.Glue("There are no such rules.")}
}

// A glimpse is a host that shows a table, or an error.
type glimpse struct {
	refuser
	phase string
	err   error
}

func (g glimpse) Sight(context.Context, bot.Request) (bot.Sight, error) {
	return bot.Sight{Scene: bot.Scene{Phase: g.phase}}, g.err
}

// TestRestartResumesTable checks that a restarted terminal continues at a waiting table
// instead of opening another, and that it returns the error if the table can't be read.
func TestRestartResumesTable(t *testing.T) {
	for _, c := range []struct {
		host       glimpse
		shows, err string
	}{
		{glimpse{phase: "lobby"}, "The game goes on.", ""},
		{glimpse{err: errors.New("the disk is full")}, "", "look at the table: the disk is full"},
	} {
		var out bytes.Buffer
		a := terminal.New(terminal.Config{Host: c.host, People: []string{"Ann"}, Open: "/new", In: strings.NewReader(""), Out: &out, Random: rand.NewChaCha8([32]byte{})})
		err := a.Run(t.Context())
		if !strings.Contains(out.String(), c.shows) || err == nil && c.err != "" || err != nil && err.Error() != c.err {
			t.Errorf("%+v: %v, %s", c.host, err, out.String())
		}
	}
}
