package lexicon

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Letter is a letter of an [Alphabet]: its place there, counted from 1.
// The zero Letter is no letter.
type Letter uint8

// A Word is a run of letters, a byte each. It is immutable and comparable;
// its bytes are places in an alphabet, not text.
type Word string

// MaxLetters is the most letters an alphabet can have.
const MaxLetters = 63

// maxText is the most bytes a letter's text can take.
const maxText = 16

// An Alphabet gives letters their order and their text. A letter may print as
// several characters (Spanish LL, Catalan L·L, Welsh NG). It is immutable and
// safe for concurrent use.
type Alphabet struct {
	texts   []string          // texts[l-1] is how letter l prints, upper case
	byText  map[string]Letter // upper-case text to letter
	longest int               // runes in the longest text
}

// NewAlphabet makes an alphabet of the letters' texts, in sorting order.
func NewAlphabet(texts []string) (*Alphabet, error) {
	if len(texts) == 0 || len(texts) > MaxLetters {
		return nil, fmt.Errorf("an alphabet has 1 to %d letters, not %d", MaxLetters, len(texts))
	}
	a := &Alphabet{byText: make(map[string]Letter, len(texts))}
	for i, t := range texts {
		up := strings.ToUpper(t)
		if up == "" || len(up) > maxText || !utf8.ValidString(t) || strings.ContainsAny(up, "[]().,?-+#>*/") || strings.ContainsFunc(up, unfit) {
			return nil, fmt.Errorf("letter %d: %q can't name a letter", i+1, t)
		}
		if _, ok := a.byText[up]; ok {
			return nil, fmt.Errorf("letter %d: %q is there twice", i+1, t)
		}
		a.byText[up] = Letter(i + 1)
		a.texts = append(a.texts, up)
		a.longest = max(a.longest, utf8.RuneCountInString(up))
	}
	return a, nil
}

func unfit(r rune) bool { return unicode.IsSpace(r) || unicode.IsDigit(r) || unicode.IsControl(r) }

// Len is the number of letters.
func (a *Alphabet) Len() int { return len(a.texts) }

// Equal reports whether two alphabets have the same letters in the same order,
// so that a word of one is the same word in the other.
func (a *Alphabet) Equal(b *Alphabet) bool { return a == b || slices.Equal(a.texts, b.texts) }

// Text is how a letter prints, in upper case; "" for what is no letter here.
func (a *Alphabet) Text(l Letter) string {
	if l == 0 || int(l) > len(a.texts) {
		return ""
	}
	return a.texts[l-1]
}

// String prints a word as people write it: letters one after another.
func (a *Alphabet) String(w Word) string {
	var b strings.Builder
	for i := range len(w) {
		b.WriteString(a.Text(Letter(w[i])))
	}
	return b.String()
}

// Spell prints a word so that Parse reads the same one: with brackets round
// letters that would be read as part of a longer one (Spanish [L][L] for two).
func (a *Alphabet) Spell(w Word) string {
	out := ""
	for i := len(w) - 1; i >= 0; i-- {
		t := a.Text(Letter(w[i]))
		if _, _, n := a.Next(t + out); n != len(t) {
			t = "[" + t + "]"
		}
		out = t + out
	}
	return out
}

// ErrNoLetter says that a text has a character outside the alphabet.
var ErrNoLetter = errors.New("not in the alphabet")

// Next reads the letter at the head of s, in either case, taking the longest
// that fits (Spanish LL before L), and says how many bytes it took. Square
// brackets force one letter: [L·L], or [L][L] for two single ones. lower is
// true when the text read was lower case, which GCG and CGP use for blanks.
// The size is 0 when no letter is there.
func (a *Alphabet) Next(s string) (l Letter, lower bool, size int) {
	if strings.HasPrefix(s, "[") {
		inner, _, ok := strings.Cut(s[1:], "]")
		if l, found := a.byText[strings.ToUpper(inner)]; ok && found {
			return l, isLower(inner), len(inner) + 2
		}
		return 0, false, 0
	}
	// Texts differ in length by a few characters at the most, so the prefixes
	// of s are tried from the longest down.
	ends := make([]int, 0, 8)
	for n := 0; n < len(s) && len(ends) < a.longest; {
		_, size := utf8.DecodeRuneInString(s[n:])
		n += size
		ends = append(ends, n)
	}
	for i := len(ends) - 1; i >= 0; i-- {
		t := s[:ends[i]]
		if l, ok := a.byText[strings.ToUpper(t)]; ok {
			return l, isLower(t), len(t)
		}
	}
	return 0, false, 0
}

func isLower(s string) bool { return s != strings.ToUpper(s) }

// Parse reads a word in either case. The error wraps [ErrNoLetter] and names
// the first character that is no letter.
func (a *Alphabet) Parse(s string) (Word, error) {
	var b []byte
	for rest := s; rest != ""; {
		l, _, n := a.Next(rest)
		if n == 0 {
			r, _ := utf8.DecodeRuneInString(rest)
			return "", fmt.Errorf("%q %w", r, ErrNoLetter)
		}
		b = append(b, byte(l))
		rest = rest[n:]
	}
	return Word(b), nil
}
