package terminal_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/rackmate/rackmate/adapters/terminal"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/language"
	"github.com/rackmate/rackmate/lexicon"
)

// A drawn is a simulated screen for tests.
type drawn struct {
	t *testing.T
	tcell.SimulationScreen
	mu sync.Mutex // held while drawing and reading
}

// Show draws changes.
func (d *drawn) Show() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.SimulationScreen.Show()
}

// lines returns the contents of the screen.
func (d *drawn) lines() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	cells, width, height := d.GetContents()
	all := make([]string, height)
	for y := range all {
		var line strings.Builder
		for x := range width {
			if c := cells[y*width+x]; len(c.Runes) > 0 {
				line.WriteString(string(c.Runes))
			} else {
				line.WriteByte(' ')
			}
		}
		all[y] = line.String()
	}
	return all
}

// shows waits until a text is on the screen, and returns its position.
func (d *drawn) shows(what string) (x, y int) {
	d.t.Helper()
	for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(5 * time.Millisecond) {
		for y, line := range d.lines() {
			if before, _, ok := strings.Cut(line, what); ok {
				return len([]rune(before)), y
			}
		}
	}
	d.t.Fatalf("the screen never shows %q:\n%s", what, strings.Join(d.lines(), "\n"))
	return 0, 0
}

// first returns the player who moves first, once they look at the screen.
func (d *drawn) first() string {
	first := "Ann"
	for began := time.Now(); !strings.Contains(strings.Join(d.lines(), "\n"), first+"> "); time.Sleep(5 * time.Millisecond) {
		if all := strings.Join(d.lines(), "\n"); strings.Contains(all, "It's Bob's turn") {
			first = "Bob"
			d.InjectKey(tcell.KeyEnter, 0, 0)
		} else if time.Since(began) > time.Minute {
			d.t.Fatal(all)
		}
	}
	return first
}

// resizes changes the size of the screen. It moves the mouse, so that the screen notices
// the change without waiting for its clock.
func (d *drawn) resizes(width, height int) {
	d.SetSize(width, height)
	d.InjectMouse(0, 0, tcell.ButtonNone, 0)
}

func (d *drawn) click(x, y int) {
	d.InjectMouse(x, y, tcell.Button1, 0)
	d.InjectMouse(x, y, tcell.ButtonNone, 0)
}

func (d *drawn) types(line string) {
	for _, c := range line {
		d.InjectKey(tcell.KeyRune, c, 0)
	}
	d.InjectKey(tcell.KeyEnter, 0, 0)
}

// draws returns the screen of a game between Ann and Bob with a list of some words, and a
// channel for its result.
func draws(t *testing.T, eq game.Equipment, words string) (*drawn, <-chan error) {
	t.Helper()
	list, err := lexicon.Build("small", eq.Tiles.Alphabet(), strings.NewReader(words+"\n"))
	gametest.Must(t, err)
	kept := memory.New()
	var adapter *terminal.Adapter
	h := host.New(host.Config{
		Features: features.All, Order: features.Order(),
		Store: kept, Notes: kept.Notes("host"), Equipment: eq, Layouts: gametest.Layouts(t),
		Lexicons: []*lexicon.Lexicon{list}, DefaultLexicon: "small",
		Platforms: func() []bot.Platform { return []bot.Platform{adapter.Platform()} },
		Now:       time.Now, Random: rand.NewChaCha8([32]byte{7}), Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
	})
	s := &drawn{t: t, SimulationScreen: tcell.NewSimulationScreen("UTF-8")}
	gametest.Must(t, s.Init())
	s.SetSize(100, 30)
	adapter = terminal.New(terminal.Config{
		Host: h, People: []string{"Ann", "Bob"}, Open: "/new seats:2 challenge:double", Screen: s, Random: rand.NewChaCha8([32]byte{8}),
		Save: func(string, []byte) error { return nil },
	})
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { h.Deliver(ctx, terminal.Name, adapter) })
	t.Cleanup(func() { stop(); running.Wait(); adapter.Wait() })
	ended := make(chan error, 1)
	go func() { ended <- adapter.Run(ctx) }()
	return s, ended
}

// TestTwoPeopleShareScreen lets two people share a screen: tiles are laid with the mouse and scored at
// once, the rack is hidden when the other's turn comes, typed commands work as they do line
// by line, and the screen is redrawn in place.
func TestTwoPeopleShareScreen(t *testing.T) {
	eq := gametest.Equipment(t)
	s, ended := draws(t, eq, "HORN")

	other := map[string]string{"Ann": "Bob", "Bob": "Ann"}
	first := s.first()
	if x, y := s.shows("★"); y != 8 || x < 3+3*7 || x > 3+3*7+2 {
		t.Errorf("the middle of the board is at %d, %d:\n%s", x, y, strings.Join(s.lines(), "\n"))
	}
	// The first two tiles that aren't blanks, on 8H and 8I. The rack is below the board.
	rack := s.lines()[16]
	n := 0
	for x := 3; n < 2; x += 4 {
		if tile := strings.TrimSpace(string([]rune(rack)[x : x+3])); tile != "?" {
			s.click(x+1, 16)
			s.click(3+3*(7+n)+1, 8)
			n++
		}
	}
	x, y := s.shows("Play ")
	s.InjectKey(tcell.KeyEscape, 0, 0) // takes them back
	for strings.Contains(s.lines()[y], "Play ") {
		time.Sleep(5 * time.Millisecond)
	}
	for x, n := 3, 0; n < 2; x += 4 {
		if tile := strings.TrimSpace(string([]rune(rack)[x : x+3])); tile != "?" {
			s.click(x+1, 16)
			s.click(3+3*(7+n)+1, 8)
			n++
		}
	}
	s.shows("Play ")
	s.click(x+1, y)
	s.shows("It's " + other[first] + "'s turn")
	if all := strings.Join(s.lines(), "\n"); strings.Contains(all, rack[:20]) {
		t.Errorf("%s sees %s's rack:\n%s", other[first], first, all)
	}
	s.InjectKey(tcell.KeyEnter, 0, 0)
	s.shows(other[first] + "> ")
	s.shows(first + " ")
	s.types("pass sure:yes")
	s.shows("It's " + first + "'s turn")
	s.InjectKey(tcell.KeyEnter, 0, 0)
	s.shows("passes")
	s.resizes(40, 10)
	s.shows("too small")
	s.resizes(70, 30)
	s.shows(first + "> ")
	s.types("quit")
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestScreenRightToLeft checks that the board and the rack start at the right in a
// right-to-left language.
func TestScreenRightToLeft(t *testing.T) {
	file, err := os.ReadFile(filepath.Join("..", "..", "data", "languages", "he.json"))
	gametest.Must(t, err)
	hebrew, err := language.Parse(file)
	gametest.Must(t, err)
	eq := gametest.Equipment(t)
	eq.Tiles = hebrew.Tiles
	s, ended := draws(t, eq, "שלום")
	s.first()
	if heads := s.lines()[0]; strings.Index(heads, "A") < strings.Index(heads, "O") || !strings.Contains(heads, "O") {
		t.Errorf("the columns begin on the left: %q", heads)
	}
	s.InjectKey(tcell.KeyCtrlD, 0, 0)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestScreenUndoesMistakes checks that mistakes can be undone: tiles that lie apart aren't
// played, a click takes one back, a button all of them, and a wrong letter can be deleted.
func TestScreenUndoesMistakes(t *testing.T) {
	s, ended := draws(t, gametest.Equipment(t), "HORN")
	first := s.first()
	var places []int // of tiles that aren't blanks
	for x := 3; len(places) < 2; x += 4 {
		if tile := strings.TrimSpace(string([]rune(s.lines()[16])[x : x+3])); tile != "?" {
			places = append(places, x+1)
		}
	}
	at := func(row, column int) (x, y int) { return 3 + 3*column + 1, 1 + row }
	s.click(places[0], 16)
	s.click(at(7, 7))
	s.click(places[1], 16)
	s.click(at(10, 10))
	s.shows("Recall")
	s.InjectKey(tcell.KeyEnter, 0, 0)
	s.shows("The tiles must be next to each other in one line.")
	s.click(at(10, 10)) // takes it back, which leaves the other alone
	s.click(places[1], 16)
	s.click(at(7, 8))
	for scored := regexp.MustCompile(`Play \d`); !scored.MatchString(strings.Join(s.lines(), "\n")); {
		time.Sleep(5 * time.Millisecond) // until the buttons stop moving
	}
	x, y := s.shows("Recall")
	s.click(x+2, y)
	for strings.Contains(strings.Join(s.lines(), "\n"), "Recall") {
		time.Sleep(5 * time.Millisecond)
	}
	s.click(at(7, 7)) // without a picked tile
	s.InjectKey(tcell.KeyCtrlL, 0, 0)
	s.shows(first + "> ")
	for _, c := range "quix" {
		s.InjectKey(tcell.KeyRune, c, 0)
	}
	s.InjectKey(tcell.KeyBackspace2, 0, 0)
	s.types("t")
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestScreenEndsWithErrorOrContext checks that a screen which can't read its table returns the error, and
// that it ends without one when its context is done.
func TestScreenEndsWithErrorOrContext(t *testing.T) {
	on := func() tcell.Screen {
		s := tcell.NewSimulationScreen("UTF-8")
		gametest.Must(t, s.Init())
		return s
	}
	lost := terminal.New(terminal.Config{Host: glimpse{err: errors.New("the disk is full")}, People: []string{"Ann"}, Screen: on(), Random: rand.NewChaCha8([32]byte{})})
	if err := lost.Run(t.Context()); err == nil || err.Error() != "look at the table: the disk is full" {
		t.Errorf("it ends with %v", err)
	}
	over, end := context.WithCancel(t.Context())
	end()
	for what, c := range map[string]terminal.Config{"screen": {Screen: on()}, "terminal": {In: strings.NewReader(""), Out: io.Discard}} {
		c.Host, c.People, c.Random = glimpse{phase: "playing"}, []string{"Ann"}, rand.NewChaCha8([32]byte{})
		if err := terminal.New(c).Run(over); err != nil { // while a robot thinks
			t.Errorf("a %s whose time is over ends with %v", what, err)
		}
	}
}
