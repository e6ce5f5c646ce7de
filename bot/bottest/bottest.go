// Package bottest helps to test hosts and adapters: it provides a log and a source of randomness
// for concurrent use, word lists, a renderer, a detector of untranslated English, a visitor to a
// game's page, and notes of a process that dies.
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

// Tests make and drop hosts by the hundred and keep little, so collect garbage less often. It
// would take an eighth of the time.
func init() { debug.SetGCPercent(400) }

// A Log records what is written to it.
type Log struct {
	Told func() // called after each write, if set

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

// String returns everything written so far.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// A Reader is a reader that goroutines can share.
type Reader struct {
	R io.Reader

	mu sync.Mutex
}

// Read reads from R, one goroutine at a time.
func (r *Reader) Read(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.R.Read(b)
}

var small = sync.OnceValues(func() (*lexicon.Lexicon, error) {
	var t testing.T // never fails: the equipment is in the repository
	words := strings.Join(strings.Fields(gametest.SmallList), "\n")
	return lexicon.Build("small", gametest.Equipment(&t).Tiles.Alphabet(), strings.NewReader(words))
})

// Small returns the list "small" with the words of [gametest.SmallList].
func Small(tb testing.TB) *lexicon.Lexicon {
	tb.Helper()
	list, err := small()
	gametest.Must(tb, err)
	return list
}

// Renderer returns a renderer for a theme with the shipped fonts.
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
