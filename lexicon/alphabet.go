package lexicon

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A Letter is a letter of an [Alphabet]: its place there, counted from 1. The zero Letter is no
// letter.
type Letter uint8

// A Word is a sequence of letters, one byte each. It is immutable and comparable; its bytes are
// places in an alphabet, not text.
type Word string

// MaxLetters limits the letters an alphabet can have.
const MaxLetters = 63

// maxText limits the bytes a letter's text can take.
const maxText = 16

// An Alphabet defines the order and text of letters. A letter may print as several characters
// (Spanish LL, Catalan L·L, Welsh NG). It is immutable and safe for concurrent use.
type Alphabet struct {
	texts   []string          // texts[l-1] is the text of letter l, in upper case
	byText  map[string]Letter // upper-case text to letter
	longest int               // runes in the longest text
	chars   map[rune]bool     // characters in the texts
	turkish bool              // I has no dot in lower case, and i has one in upper case
	folding Folding

	// Letters by ASCII character, in either case, where a character is a letter by itself; 0 for
	// others.
	simple [utf8.RuneSelf]Letter
}

// NewAlphabet returns an alphabet from the letters' texts in sorting order.
func NewAlphabet(texts []string) (*Alphabet, error) {
	if len(texts) == 0 || len(texts) > MaxLetters {
		return nil, fmt.Errorf("an alphabet has 1 to %d letters, not %d", MaxLetters, len(texts))
	}
	a := &Alphabet{byText: make(map[string]Letter, len(texts)), chars: map[rune]bool{}}
	a.turkish = slices.Contains(texts, "İ")
	for i, t := range texts {
		up := a.upper(t)
		if up == "" || len(up) > maxText || !utf8.ValidString(t) || !norm.NFC.IsNormalString(t) || strings.ContainsAny(up, "[]().,?-+#>*/|") || strings.ContainsFunc(up, isUnfit) {
			return nil, fmt.Errorf("letter %d: %q can't name a letter", i+1, t)
		}
		if _, ok := a.byText[up]; ok {
			return nil, fmt.Errorf("letter %d: duplicate %q", i+1, t)
		}
		a.byText[up] = Letter(i + 1)
		a.texts = append(a.texts, up)
		a.longest = max(a.longest, utf8.RuneCountInString(up))
		for _, r := range up {
			a.chars[r] = true
		}
	}
	if a.longest == 1 && !a.turkish && a.chars['A'] {
		for c := 'A'; c <= 'Z'; c++ {
			l := a.byText[string(c)]
			a.simple[c], a.simple[unicode.ToLower(c)] = l, l
		}
	}
	return a, nil
}

func isUnfit(r rune) bool { return unicode.IsSpace(r) || unicode.IsDigit(r) || unicode.IsControl(r) }

// Len returns the number of letters.
func (a *Alphabet) Len() int { return len(a.texts) }

// Equal reports whether two alphabets have the same letters in the same order, so that their words
// are interchangeable.
func (a *Alphabet) Equal(b *Alphabet) bool { return a == b || slices.Equal(a.texts, b.texts) }

// Text returns a letter's text in upper case, or "" for an invalid letter.
func (a *Alphabet) Text(l Letter) string {
	if l == 0 || int(l) > len(a.texts) {
		return ""
	}
	return a.texts[l-1]
}

// String returns a word as people write it: the letters' texts in sequence.
func (a *Alphabet) String(w Word) string {
	var b strings.Builder
	for i := range len(w) {
		b.WriteString(a.Text(Letter(w[i])))
	}
	return b.String()
}

// Spell returns a word in a form that Parse reads as the same word: with brackets around letters
// that would be read as part of a longer one (Spanish [L][L] for two).
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

// Next returns the letter at the start of s, in either case, and its size in bytes; the longest
// match wins (Spanish LL before L). Square brackets force one letter: [L·L], or [L][L] for two
// single ones. blank is true if the text was in lower case, which GCG and CGP use for blanks, or
// [?א] in a script without lower case. The size is 0 if there is no letter. Pass text through
// [Alphabet.Compose] or [Alphabet.Fold] first.
func (a *Alphabet) Next(s string) (l Letter, blank bool, size int) {
	if strings.HasPrefix(s, "[") {
		inner, _, ok := strings.Cut(s[1:], "]")
		text, marked := strings.CutPrefix(inner, "?")
		if l, found := a.byText[a.upper(text)]; ok && found {
			return l, marked || a.isLower(text), len(inner) + 2
		}
		return 0, false, 0
	}
	// Texts differ in length by only a few characters, so the prefixes of s are tried longest
	// first.
	ends := make([]int, 0, 8)
	for n := 0; n < len(s) && len(ends) < a.longest; {
		_, size := utf8.DecodeRuneInString(s[n:])
		n += size
		ends = append(ends, n)
	}
	for i := len(ends) - 1; i >= 0; i-- {
		t := s[:ends[i]]
		if l, ok := a.byText[a.upper(t)]; ok {
			return l, a.isLower(t), len(t)
		}
	}
	return 0, false, 0
}

// mostParted limits the letters of a text that [Alphabet.OtherReadings] splits.
const mostParted = 4

// OtherReadings returns the other readings of a text, with single letters instead of its multi-character
// ones. Each is the text with "|" inserted: DAN|GOS for DANGOS, where NG is a letter. Text in
// square brackets stays as it is.
func (a *Alphabet) OtherReadings(s string) []string {
	all, parted := []string{""}, 0
	for rest := a.Fold(s); rest != ""; {
		l, _, n := a.Next(rest)
		if n == 0 {
			_, n = utf8.DecodeRuneInString(rest)
		}
		text := rest[:n]
		rest = rest[n:]
		var apart []string
		if w, ok := a.splitLetters(a.Text(l)); ok && len(w) > 1 && text[0] != '[' && parted < mostParted {
			parted++
			broken := strings.Join(strings.Split(text, ""), "|")
			for _, head := range all {
				apart = append(apart, head+broken)
			}
		}
		for i := range all {
			all[i] += text
		}
		all = append(all, apart...)
	}
	return all[1:]
}

// Upper returns a text in the language's upper case: the Turkish i becomes İ.
func (a *Alphabet) Upper(s string) string { return a.upper(s) }

func (a *Alphabet) upper(s string) string {
	if a.turkish {
		return strings.ToUpperSpecial(unicode.TurkishCase, s)
	}
	return strings.ToUpper(s)
}

// Lower returns a letter's text in lower case, or the same as [Alphabet.Text] if the script has no
// lower case.
func (a *Alphabet) Lower(l Letter) string { return a.lower(a.Text(l)) }

func (a *Alphabet) lower(s string) string {
	if a.turkish {
		return strings.ToLowerSpecial(unicode.TurkishCase, s)
	}
	return strings.ToLower(s)
}

func (a *Alphabet) isLower(s string) bool { return s != a.upper(s) }

// Parse parses a word as people write it, in either case; see [Alphabet.Fold]. A "|" separates
// letters that would be read as one: Welsh DAN|GOS. The error is a *[LetterError] about the first
// character that isn't a letter.
func (a *Alphabet) Parse(s string) (Word, error) {
	if w, ok := a.parseSimple(s); ok {
		return w, nil
	}
	var b []byte
	for rest := a.Fold(s); rest != ""; {
		if rest[0] == '|' {
			rest = rest[1:]
			continue
		}
		l, _, n := a.Next(rest)
		if n == 0 {
			return "", a.letterError(rest)
		}
		b = append(b, byte(l))
		rest = rest[n:]
	}
	return Word(b), nil
}

// parseSimple parses text with one character for each letter, as all words of most languages are.
func (a *Alphabet) parseSimple(s string) (w Word, ok bool) {
	if len(a.folding.Typed) > 0 {
		return "", false
	}
	b := make([]byte, len(s))
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || a.simple[s[i]] == 0 {
			return "", false
		}
		b[i] = byte(a.simple[s[i]])
	}
	return Word(b), true
}
