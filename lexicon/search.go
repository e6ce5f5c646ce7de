package lexicon

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// Anagrams yields the words that use each of the letters once, plus one more letter for each blank,
// in alphabetical order.
func (x *Lexicon) Anagrams(letters Word, blanks int) iter.Seq[Word] {
	return x.spell(letters, blanks, len(letters)+max(blanks, 0))
}

// Subanagrams yields the words spelled by some or all of the letters and blanks, in alphabetical
// order.
func (x *Lexicon) Subanagrams(letters Word, blanks int) iter.Seq[Word] {
	return x.spell(letters, blanks, 0)
}

// spell yields the words of at least a length that the letters and blanks spell.
func (x *Lexicon) spell(letters Word, blanks, least int) iter.Seq[Word] {
	return func(yield func(Word) bool) {
		s := speller{x: x, blanks: blanks, least: least, yield: yield}
		for i := range len(letters) {
			s.left[letters[i]]++
		}
		s.from(x.Forward())
	}
}

type speller struct {
	x      *Lexicon
	left   [256]int // letters not used yet; invalid ones are never used
	blanks int
	least  int
	word   []byte
	yield  func(Word) bool
}

// from continues at a node. It returns false if the caller has stopped.
func (s *speller) from(n Node) bool {
	for l := range (n.Ends | n.Next).All() {
		from := &s.left[l]
		if *from == 0 {
			from = &s.blanks
		}
		if *from <= 0 {
			continue
		}
		*from--
		s.word = append(s.word, byte(l))
		more := true
		if n.Ends.Has(l) && len(s.word) >= s.least {
			more = s.yield(Word(s.word))
		}
		if more && n.Next.Has(l) {
			more = s.from(s.x.Child(n, l))
		}
		s.word = s.word[:len(s.word)-1]
		*from++
		if !more {
			return false
		}
	}
	return true
}

// Hooks returns the letters that form another word before and after w, which need not be a word
// itself.
func (x *Lexicon) Hooks(w Word) (front, back []Letter) {
	if strings.IndexByte(string(w), byte(Turn)) >= 0 {
		return nil, nil
	}
	backwards := []byte(w)
	slices.Reverse(backwards)
	for l := range x.Walk(x.Gaddag(), Word(backwards)).Ends.All() {
		front = append(front, l)
	}
	for l := range x.Walk(x.Forward(), w).Ends.All() {
		back = append(back, l)
	}
	return front, back
}

// A Pattern is the shape of a word: places with a given letter, any letter, or any run of letters.
// The zero Pattern matches nothing.
type Pattern struct {
	letters []Set // letters that fit each place
	// runs has a bit for each place, and for the end, that any run of letters may precede.
	runs uint64
}

// ErrPattern reports a text that isn't a pattern.
var ErrPattern = errors.New("not a pattern: write letters, ? for any letter, * for any run of letters")

// ParsePattern parses a pattern: a letter in either case matches itself, "?" or "." any one letter,
// "*" any run of letters, including none. The error wraps [ErrPattern].
func ParsePattern(a *Alphabet, text string) (Pattern, error) {
	var p Pattern
	for rest := a.Fold(text); rest != ""; {
		if rest[0] == '*' {
			p.runs |= 1 << len(p.letters)
			rest = rest[1:]
			continue
		}
		if len(p.letters) == MaxWord {
			return Pattern{}, fmt.Errorf("%w; no word has more than %d letters", ErrPattern, MaxWord)
		}
		if strings.IndexByte("?.", rest[0]) >= 0 {
			p.letters = append(p.letters, ^SetOf(Turn))
			rest = rest[1:]
			continue
		}
		l, _, n := a.Next(rest)
		if n == 0 {
			r, _ := utf8.DecodeRuneInString(rest)
			return Pattern{}, fmt.Errorf("%q %w", r, ErrPattern)
		}
		p.letters = append(p.letters, SetOf(l))
		rest = rest[n:]
	}
	return p, nil
}

// Match yields the words that match a pattern, in alphabetical order.
func (x *Lexicon) Match(p Pattern) iter.Seq[Word] {
	return func(yield func(Word) bool) {
		m := matcher{x: x, p: p, yield: yield}
		m.from(x.Forward(), 1)
	}
}

// A matcher follows all ways to match a pattern at once: reached has a bit for each place that can
// come next, so no word comes twice.
type matcher struct {
	x     *Lexicon
	p     Pattern
	word  []byte
	yield func(Word) bool
}

func (m *matcher) from(n Node, reached uint64) bool {
	for l := range (n.Ends | n.Next).All() {
		next := reached & m.p.runs
		for i, fits := range m.p.letters {
			if reached>>i&1 != 0 && fits.Has(l) {
				next |= 1 << (i + 1)
			}
		}
		if next == 0 {
			continue
		}
		m.word = append(m.word, byte(l))
		more := true
		if n.Ends.Has(l) && next>>len(m.p.letters)&1 != 0 {
			more = m.yield(Word(m.word))
		}
		if more && n.Next.Has(l) && len(m.word) < MaxWord {
			more = m.from(m.x.Child(n, l), next)
		}
		m.word = m.word[:len(m.word)-1]
		if !more {
			return false
		}
	}
	return true
}
