// Package bottest is for the tests of hosts and adapters: a log and a source of
// randomness that many goroutines may use, word lists, a renderer, an ear for what is
// left in English, and a visitor to a game's page.
package bottest

import (
	"bytes"
	"io"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/imaging"
	"github.com/rackmate/rackmate/lexicon"
)

// Hosts are made and dropped by the hundred: little is kept, and an eighth of the time was
// the garbage collector's.
func init() { debug.SetGCPercent(400) }

// A Log keeps what is written to it.
type Log struct {
	Told func() // where set, called after each write

	mu sync.Mutex
	b  bytes.Buffer
}

// Write adds to the log.
func (l *Log) Write(b []byte) (int, error) {
	if l.Told != nil {
		defer l.Told()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

// String is all that was written.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// A Reader is a reader that goroutines share.
type Reader struct {
	R io.Reader

	mu sync.Mutex
}

// Read reads on, one goroutine at a time.
func (r *Reader) Read(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.R.Read(b)
}

var small = sync.OnceValues(func() (*lexicon.Lexicon, error) {
	var t testing.T // the equipment is in the repository
	words := strings.Join(strings.Fields(gametest.SmallList), "\n")
	return lexicon.Build("small", gametest.Equipment(&t).Tiles.Alphabet(), strings.NewReader(words))
})

// Small is the list "small", of [gametest.SmallList].
func Small(tb testing.TB) *lexicon.Lexicon {
	tb.Helper()
	list, err := small()
	gametest.Must(tb, err)
	return list
}

// Renderer draws a theme with the fonts that ship.
func Renderer(tb testing.TB, theme imaging.Theme) *imaging.Renderer {
	tb.Helper()
	font := func(name string) []byte {
		b, err := data.Font(name)
		gametest.Must(tb, err)
		return b
	}
	r, err := imaging.NewRenderer(theme, imaging.Fonts{Tile: font("AtkinsonHyperlegibleNext-Bold"), Text: font("Inter-SemiBold"), Bold: font("Inter-Bold")})
	gametest.Must(tb, err)
	return r
}
