package lexicon

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A Folding says how a language's written text becomes the letters of its
// alphabet. The zero Folding is for languages whose accents make no letters of
// their own but those in the alphabet: É is E, and Ñ is Ñ where there is one.
type Folding struct {
	// Own says that every accent makes another letter, so that none is dropped:
	// É is no letter where the alphabet lacks it.
	Own bool
	// Map has characters that stand for others, in lower case: "ß" for "ss". One
	// that stands for itself is no letter, and is not folded.
	Map map[string]string
	// Typed has other ways to type a letter, in lower case: "cx" for "ĉ". In
	// written games they mean nothing.
	Typed map[string]string
	// Both are letters of several characters that a word may be laid without,
	// with single ones: Hungarian CS, or C and S.
	Both []string
}

// IsZero reports whether the folding has nothing to say.
func (f Folding) IsZero() bool {
	return !f.Own && len(f.Map) == 0 && len(f.Typed) == 0 && len(f.Both) == 0
}

// Folded returns the same alphabet with a folding.
func (a *Alphabet) Folded(f Folding) *Alphabet {
	b := *a
	b.folding = f
	return &b
}

// Folding returns how text becomes letters.
func (a *Alphabet) Folding() Folding { return a.folding }

// Compose makes text of an alphabet's characters out of text that other programs
// write: accents composed, ligatures opened (ǆ, ŀ), the characters of Folding.Map put
// right, marks of direction taken away. It is what written games are read through.
// Nothing else changes: É is no letter where the alphabet lacks it.
func (a *Alphabet) Compose(s string) string {
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	for _, r := range norm.NFKC.String(s) {
		if to, ok := a.mapped(r); ok {
			b.WriteString(to)
		} else if !unicode.Is(unicode.Cf, r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// mapped returns what a character stands for in this language, in its case.
func (a *Alphabet) mapped(r rune) (to string, ok bool) {
	if a.chars[a.upperRune(r)] {
		return "", false
	}
	low := a.lower(string(r))
	if to, ok = a.folding.Map[low]; ok && low != string(r) {
		to = a.upper(to)
	}
	return to, ok
}

// Fold returns what people and phones write, through Compose, and besides: accents
// dropped where they make no letter; the apostrophes and the points between
// letters made one; letters of another script that look like the alphabet's put
// right, in a word that has letters of the alphabet; and other ways to type a
// letter read. Case stays, and what is no letter stays too. Written games aren't
// read so: there the same text may be several tiles.
func (a *Alphabet) Fold(s string) string {
	if !isASCII(s) || !a.chars['A'] {
		s = a.Compose(s)
		ours := strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) && a.chars[a.upperRune(r)] })
		var b strings.Builder
		for _, r := range s {
			a.foldRune(&b, r, ours)
		}
		s = norm.NFC.String(b.String())
	}
	if len(a.folding.Typed) == 0 {
		return s
	}
	var b strings.Builder
	for s != "" {
		_, n := utf8.DecodeRuneInString(s)
		letter := s[:n]
		for typed, stands := range a.folding.Typed {
			if len(typed) < n || len(s) < len(typed) || a.lower(s[:len(typed)]) != typed {
				continue
			}
			n, letter = len(typed), stands // the longest, in the end
			if !a.isLower(s[:n]) {
				letter = a.upper(stands)
			}
		}
		b.WriteString(letter)
		s = s[n:]
	}
	return b.String()
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

func (a *Alphabet) upperRune(r rune) rune {
	if a.turkish {
		return unicode.TurkishCase.ToUpper(r)
	}
	return unicode.ToUpper(r)
}

// foldRune writes what a character becomes. ours says that the word has letters
// of the alphabet.
func (a *Alphabet) foldRune(b *strings.Builder, r rune, ours bool) {
	like := a.like(r)
	_, kept := a.folding.Map[a.lower(string(r))] // Compose has handled the others
	switch {
	case a.chars[a.upperRune(r)] || kept:
		b.WriteRune(r)
	case strings.ContainsRune(points, r) && a.chars['·']:
		b.WriteRune('·')
	case strings.ContainsRune(apostrophes, r) && a.chars['\'']:
		b.WriteRune('\'')
	case ours && like != 0:
		b.WriteRune(like)
	case a.folding.Own:
		b.WriteRune(r)
	default:
		b.WriteString(bare(r))
	}
}

// points and apostrophes are typed instead of those in alphabets, U+00B7 and
// U+0027.
const (
	points      = "•‧⋅∙・"
	apostrophes = "’ʼ‘ʹ`´"
)

// ligatures are letters that are others where an alphabet doesn't have them.
var ligatures = map[rune]string{'ß': "ss", 'ẞ': "SS", 'æ': "ae", 'Æ': "AE", 'œ': "oe", 'Œ': "OE", 'ı': "i"}

// bare returns a character without its marks.
func bare(r rune) string {
	if to, ok := ligatures[r]; ok {
		return to
	}
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(string(r)))
}

// lookalikes are letters that look the same and are of different scripts.
var lookalikes = []string{
	"AАΑ", "BВΒ", "CС", "EЕΕ", "HНΗ", "IІΙ", "JЈ", "KКΚ", "MМΜ", "NΝ", "OОΟ", "PРΡ", "SЅ", "TТΤ", "XХΧ", "YУΥ", "ZΖ", "ÏЇ", "ЁË",
	"aа", "cс", "eе", "iі", "jј", "kкκ", "oоο", "pрρ", "sѕ", "vν", "xх", "yу", "ïї", "ёë",
}

// like returns the alphabet's character that looks like one it doesn't have, or 0.
func (a *Alphabet) like(r rune) rune {
	for _, group := range lookalikes {
		if !strings.ContainsRune(group, r) {
			continue
		}
		for _, other := range group {
			if other != r && a.chars[a.upperRune(other)] {
				return other
			}
		}
	}
	return 0
}

// Readings returns the ways to lay a word that has letters of Both: with each of
// them, or with single ones in its stead. A single one may be part of another such
// letter then, with what follows: Hungarian RÉZSZÖG, read with ZS and Z, is laid with
// Z and SZ too.
func (a *Alphabet) Readings(w Word) []Word {
	if len(a.folding.Both) == 0 {
		return []Word{w}
	}
	var all []Word
	a.readings("", w, false, func(way Word) { all = append(all, way) })
	return all
}

// readings calls found with head before each of the ways to lay w. loose says that
// the first letter of w is the second part of one that was parted.
func (a *Alphabet) readings(head, w Word, loose bool, found func(Word)) {
	if w == "" {
		found(head)
		return
	}
	text := a.Text(Letter(w[0]))
	a.readings(head+w[:1], w[1:], false, found)
	if parts, ok := a.parts(text); ok && slices.Contains(a.folding.Both, text) {
		a.readings(head+parts[:1], parts[1:]+w[1:], true, found)
	}
	if !loose || len(w) == 1 {
		return
	}
	next, ok := a.parts(a.Text(Letter(w[1])))
	if !ok {
		return
	}
	if both := text + a.Text(Letter(next[0])); slices.Contains(a.folding.Both, both) {
		a.readings(head+Word([]byte{byte(a.byText[both])}), next[1:]+w[2:], len(next) > 1, found)
	}
}

// parts returns the letters of a text, one for each of its characters; ok is false
// where the alphabet lacks one.
func (a *Alphabet) parts(text string) (w Word, ok bool) {
	for _, r := range text {
		l, ok := a.byText[string(r)]
		if !ok {
			return "", false
		}
		w += Word([]byte{byte(l)})
	}
	return w, true
}

// ErrNoLetter says that a text has a character outside the alphabet.
var ErrNoLetter = errors.New("not in the alphabet")

// A LetterError says which character of a text is no letter. It is an
// [ErrNoLetter].
type LetterError struct {
	Char rune
	// Like is a letter of the alphabet that looks the same, and is of another
	// script; 0 where there is none.
	Like rune
}

func (e *LetterError) Error() string {
	if e.Like == 0 {
		return fmt.Sprintf("%q %v", e.Char, ErrNoLetter)
	}
	return fmt.Sprintf("%q is a %s letter, and only looks like the %s %c: type it with another keyboard", e.Char, script(e.Char), script(e.Like), e.Like)
}

// Is makes every LetterError an [ErrNoLetter].
func (e *LetterError) Is(target error) bool { return target == ErrNoLetter }

// script names the script of a look-alike.
func script(r rune) string {
	switch {
	case unicode.Is(unicode.Cyrillic, r):
		return "Cyrillic"
	case unicode.Is(unicode.Greek, r):
		return "Greek"
	}
	return "Latin"
}

// noLetter returns the error about the head of a text that is no letter.
func (a *Alphabet) noLetter(s string) error {
	r, _ := utf8.DecodeRuneInString(s)
	return &LetterError{r, a.like(r)}
}
