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

// A Folding describes how a language's written text becomes letters of its alphabet. The zero
// Folding suits languages whose accented letters are either in the alphabet or equal to the plain
// ones: É is E, and Ñ is Ñ if the alphabet has it.
type Folding struct {
	// Own makes every accented character a letter of its own, so that accents aren't dropped: É is
	// invalid if the alphabet lacks it.
	Own bool
	// Map maps characters to others, in lower case: "ß" to "ss". One mapped to itself isn't a
	// letter and isn't folded.
	Map map[string]string
	// Typed maps other ways to type a letter, in lower case: "cx" to "ĉ". They don't apply to
	// recorded games.
	Typed map[string]string
	// Both lists letters of several characters that may also be laid as single ones: Hungarian CS,
	// or C and S.
	Both []string
}

// IsZero reports whether the folding is empty.
func (f Folding) IsZero() bool {
	return !f.Own && len(f.Map) == 0 && len(f.Typed) == 0 && len(f.Both) == 0
}

// WithFolding returns the same alphabet with a folding.
func (a *Alphabet) WithFolding(f Folding) *Alphabet {
	b := *a
	b.folding = f
	return &b
}

// Folding returns the alphabet's folding.
func (a *Alphabet) Folding() Folding { return a.folding }

// Compose converts text from other programs to the alphabet's characters: it composes accents,
// splits ligatures (ǆ, ŀ), applies Folding.Map and removes direction marks. It is used for recorded
// games, and changes nothing else: É is invalid if the alphabet lacks it.
func (a *Alphabet) Compose(s string) string {
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	for _, r := range norm.NFKC.String(s) {
		if to, ok := a.mapRune(r); ok {
			b.WriteString(to)
		} else if !unicode.Is(unicode.Cf, r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// mapRune returns what a character stands for in this language, in its case.
func (a *Alphabet) mapRune(r rune) (to string, ok bool) {
	if a.chars[a.upperRune(r)] {
		return "", false
	}
	low := a.lower(string(r))
	if to, ok = a.folding.Map[low]; ok && low != string(r) {
		to = a.upper(to)
	}
	return to, ok
}

// Fold converts text written by people and phones: it applies Compose, drops accents that form no
// letter, unifies apostrophes and middle dots, replaces letters of another script that look like
// the alphabet's in a word that has letters of the alphabet, and applies other ways to type a
// letter. It keeps case and invalid characters. It isn't used for recorded games, in which the same
// text may be several tiles.
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
			n, letter = len(typed), stands // the longest match wins
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

// foldRune writes the folded form of a character. ours is set if the word has letters of the
// alphabet.
func (a *Alphabet) foldRune(b *strings.Builder, r rune, ours bool) {
	like := a.lookalike(r)
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
		b.WriteString(stripMarks(r))
	}
}

// points and apostrophes are typed instead of the alphabets' U+00B7 and U+0027.
const (
	points      = "•‧⋅∙・"
	apostrophes = "’ʼ‘ʹ`´"
)

// ligatures maps letters to the ones used if an alphabet lacks them.
var ligatures = map[rune]string{'ß': "ss", 'ẞ': "SS", 'æ': "ae", 'Æ': "AE", 'œ': "oe", 'Œ': "OE", 'ı': "i"}

// stripMarks returns a character without its marks.
func stripMarks(r rune) string {
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

// lookalikes groups letters of different scripts that look the same.
var lookalikes = []string{
	"AАΑ", "BВΒ", "CС", "EЕΕ", "HНΗ", "IІΙ", "JЈ", "KКΚ", "MМΜ", "NΝ", "OОΟ", "PРΡ", "SЅ", "TТΤ", "XХΧ", "YУΥ", "ZΖ", "ÏЇ", "ЁË",
	"aа", "cс", "eе", "iі", "jј", "kкκ", "oоο", "pрρ", "sѕ", "vν", "xх", "yу", "ïї", "ёë",
}

// lookalike returns the alphabet's character that looks like one it lacks, or 0.
func (a *Alphabet) lookalike(r rune) rune {
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

// readings returns the ways to lay a word with letters of Both: with each of them, or with single
// ones instead. A single one may then combine with what follows: Hungarian RÉZSZÖG, parsed with ZS
// and Z, can also be laid with Z and SZ.
func (a *Alphabet) readings(w Word) []Word {
	if len(a.folding.Both) == 0 {
		return []Word{w}
	}
	var all []Word
	a.eachReading("", w, false, func(way Word) { all = append(all, way) })
	return all
}

// eachReading calls found with head followed by each of the ways to lay w. loose is set if the first
// letter of w is the second part of a split one.
func (a *Alphabet) eachReading(head, w Word, loose bool, found func(Word)) {
	if w == "" {
		found(head)
		return
	}
	text := a.Text(Letter(w[0]))
	a.eachReading(head+w[:1], w[1:], false, found)
	if parts, ok := a.splitLetters(text); ok && slices.Contains(a.folding.Both, text) {
		a.eachReading(head+parts[:1], parts[1:]+w[1:], true, found)
	}
	if !loose || len(w) == 1 {
		return
	}
	next, ok := a.splitLetters(a.Text(Letter(w[1])))
	if !ok {
		return
	}
	if both := text + a.Text(Letter(next[0])); slices.Contains(a.folding.Both, both) {
		a.eachReading(head+Word([]byte{byte(a.byText[both])}), next[1:]+w[2:], len(next) > 1, found)
	}
}

// splitLetters returns the letters of a text, one for each character; ok is false if the alphabet lacks
// one.
func (a *Alphabet) splitLetters(text string) (w Word, ok bool) {
	for _, r := range text {
		l, ok := a.byText[string(r)]
		if !ok {
			return "", false
		}
		w += Word([]byte{byte(l)})
	}
	return w, true
}

// ErrNoLetter reports a text with a character outside the alphabet.
var ErrNoLetter = errors.New("not in the alphabet")

// A LetterError reports a character of a text that isn't a letter. It matches [ErrNoLetter].
type LetterError struct {
	Char rune
	// Like is a letter of the alphabet in another script that looks the same, or 0.
	Like rune
}

func (e *LetterError) Error() string {
	if e.Like == 0 {
		return fmt.Sprintf("%q %v", e.Char, ErrNoLetter)
	}
	return fmt.Sprintf("%q is a %s letter, and only looks like the %s %c: type it with another keyboard", e.Char, script(e.Char), script(e.Like), e.Like)
}

// Is reports whether target is [ErrNoLetter].
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

// letterError returns the error about the start of a text.
func (a *Alphabet) letterError(s string) error {
	r, _ := utf8.DecodeRuneInString(s)
	return &LetterError{r, a.lookalike(r)}
}
