// Package lexicon provides alphabets, letters and words, and the word lists that games are played with:
// building them from text, saving, opening and searching.
//
// Letters are numbers, places in an [Alphabet], and a [Word] has a byte for each letter, so a letter
// may print as several characters. A [Lexicon] is one word graph that reads words in both directions;
// the move generator (game/movegen) walks it through [Node].
package lexicon

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"math/bits"
	"strings"
	"sync"
	"sync/atomic"
)

// A Lexicon is a named list of words. It is immutable and safe for concurrent use.
type Lexicon struct {
	name     string
	alphabet *Alphabet
	words    int
	hash     [sha256.Size]byte
	graph
	packed   atomic.Pointer[packing] // set until the words are unpacked; see ensureWords
	forwards atomic.Pointer[packing] // set until the GADDAG is made; see ensureGaddag

	once    sync.Once // for jumbles, which are in the file or made by Jumbles
	jumbles *Jumbles
}

// Name returns the lexicon's name.
func (x *Lexicon) Name() string { return x.name }

// Alphabet returns the alphabet of the words.
func (x *Lexicon) Alphabet() *Alphabet { return x.alphabet }

// Len returns the number of words.
func (x *Lexicon) Len() int { return x.words }

// Hash returns the SHA-256, in hexadecimal, of the words in alphabetical order, one a line. With
// the name it identifies the lexicon: the same words give the same hash, whatever file they came
// from.
func (x *Lexicon) Hash() string { return hex.EncodeToString(x.hash[:]) }

// Has reports whether a word is in the list.
func (x *Lexicon) Has(w Word) bool {
	if w == "" {
		return false
	}
	x.ensureWords()
	last := len(w) - 1
	if x.wide {
		return x.Walk(x.Forward(), w[:last]).Ends.Has(Letter(w[last]))
	}
	// The same as Walk without the steps that a narrow node doesn't need, because this runs for
	// every word of every play, try and search.
	c, at := x.cells, x.forward
	for i := range last {
		head, bit := c[at], uint32(1)<<w[i]
		switch {
		case head&oneFlag != 0:
			if head>>placeBits&31 != uint32(w[i]) {
				return false
			}
			at = head & placeMask
		case head&narrowMask&bit != 0:
			at = c[at+1+head>>31+uint32(bits.OnesCount32(head&narrowMask&(bit-1)))] & placeMask
		default:
			return false
		}
	}
	return c[at]&endsFlag != 0 && c[at+1]>>w[last]&1 != 0
}

// Words yields the list in alphabetical order.
func (x *Lexicon) Words() iter.Seq[Word] {
	return func(yield func(Word) bool) {
		for letters := range x.Spellings() {
			if !yield(Word(letters)) {
				return
			}
		}
	}
}

// Spellings yields every word's letters without allocating; they are only valid until the next word.
func (x *Lexicon) Spellings() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		w := walk{x: x, yield: yield}
		w.from(x.Forward(), 0)
	}
}

// A walk visits all words of a list.
type walk struct {
	x     *Lexicon
	word  [MaxWord]byte
	yield func([]byte) bool
}

// from continues at a node after n letters. It returns false if the caller has stopped.
func (w *walk) from(at Node, n int) bool {
	cell := at.first
	for m := at.Ends | at.Next; m != 0; m &= m - 1 {
		l := m.First()
		w.word[n] = byte(l)
		if at.Ends.Has(l) && !w.yield(w.word[:n+1]) {
			return false
		}
		if !at.Next.Has(l) {
			continue
		}
		if n+1 < MaxWord && !w.from(w.x.node(w.x.cells[cell]&placeMask), n+1) {
			return false
		}
		cell++
	}
	return true
}

// checkName returns an error unless a name can be typed in a command and used as a file name.
func checkName(name string) error {
	ok := strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789-_.") == "" && strings.Trim(name, "-_.") == name
	if !ok || name == "" || len(name) > 32 {
		return fmt.Errorf("%q can't name a lexicon: use 1 to 32 letters, digits and hyphens", name)
	}
	return nil
}
