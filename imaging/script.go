package imaging

import (
	"slices"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"
)

// People enter names in any script, with anything that a keyboard can produce. This file converts
// them to what the fonts can show.

// longest limits the runes of a text that are used; no line has room for more.
const longest = 200

// blank lists letters without ink, which some people use as names.
const blank = "\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0"

// readable returns the runes of a text that can be shown, in reading order. A rune that no font has
// is replaced by its base form (𝓐 by A) or left out, like emoji. Accents that don't combine with a
// letter in the fonts, and vowel points, are left out too.
func (f family) readable(s string) []rune {
	var out []rune
	keep := func(r rune) bool {
		switch i, _ := f.find(nil, r); {
		case unicode.In(r, unicode.Mn, unicode.Me) && unicode.In(r, unicode.Inherited, unicode.Hebrew, unicode.Arabic):
			return true
		case !unicode.IsGraphic(r):
			return true
		case i >= 0:
			out = append(out, r)
			return true
		}
		return false
	}
	n := 0
	for _, r := range norm.NFC.String(s[:cut(s, longest)]) {
		if n++; n > longest {
			break
		}
		if unicode.IsSpace(r) || slices.Contains([]rune(blank), r) {
			if len(out) > 0 && out[len(out)-1] != ' ' {
				out = append(out, ' ')
			}
			continue
		}
		if !keep(r) {
			for _, plain := range norm.NFKC.String(string(r)) {
				keep(plain)
			}
		}
	}
	if n := len(out); n > 0 && out[n-1] == ' ' {
		out = out[:n-1]
	}
	return joinArabic(out)
}

// cut returns the end of the n-th rune of s, or of s.
func cut(s string, n int) int {
	for i := range s {
		if n--; n < 0 {
			return i
		}
	}
	return len(s)
}

// isReadableName reports whether runes contain something to identify a person by.
func isReadableName(rs []rune) bool {
	return slices.ContainsFunc(rs, func(r rune) bool { return unicode.In(r, unicode.L, unicode.N) })
}

func rightToLeft(r rune) bool {
	p, _ := bidi.LookupRune(r)
	return p.Class() == bidi.R || p.Class() == bidi.AL
}

// startsRightToLeft reports whether the first letter is written from right to left.
func startsRightToLeft(rs []rune) bool {
	i := slices.IndexFunc(rs, unicode.IsLetter)
	return i >= 0 && rightToLeft(rs[i])
}

// visualOrder converts runes from reading order to visual order, left to right. It implements the Unicode
// bidirectional algorithm (UAX 9) for one line without embeddings: what lies between two letters of
// one direction follows them, everything else follows the line, and numbers are always left to
// right. [bidi.Paragraph] can't be used, because it gives directions but no levels: a number within
// Hebrew on an English line then looks like the English around it.
func visualOrder(rs []rune, lineRightToLeft bool) []rune {
	if !slices.ContainsFunc(rs, rightToLeft) {
		return rs
	}
	line := 0
	if lineRightToLeft {
		line = 1
	}
	// Even levels run left to right, odd ones right to left.
	levels := make([]int, len(rs))
	for i, last := 0, line; i < len(rs); {
		if unicode.IsLetter(rs[i]) {
			levels[i] = levelOf(rs[i], line)
			last, i = levels[i], i+1
			continue
		}
		end, next := i, line
		for end < len(rs) && !unicode.IsLetter(rs[end]) {
			end++
		}
		if end < len(rs) {
			next = levelOf(rs[end], line)
		}
		if next != last {
			next = line
		}
		for ; i < end; i++ {
			levels[i] = next
			if next == 1 && unicode.IsDigit(rs[i]) {
				levels[i] = 2
			}
		}
	}
	out := slices.Clone(rs)
	for i, l := range levels {
		if l == 1 {
			out[i] = mirrored(out[i])
		}
	}
	for level := 2; level > 0; level-- {
		for i := 0; i < len(out); i++ {
			start := i
			for i < len(out) && levels[i] >= level {
				i++
			}
			slices.Reverse(out[start:i])
			slices.Reverse(levels[start:i])
		}
	}
	return out
}

// levelOf returns the level of a letter on a line.
func levelOf(r rune, line int) int {
	if rightToLeft(r) {
		return 1
	}
	return line * 2
}

func mirrored(r rune) rune {
	const pairs = "()[]{}<>«»‹›"
	all := []rune(pairs)
	if i := slices.Index(all, r); i >= 0 {
		return all[i^1]
	}
	return r
}

// arabic holds the presentation forms (Unicode 16, blocks FB50 and FE70) of each Arabic letter and,
// after a lam, of each alef: isolated, final, and for letters that join to the next one initial and
// medial.
type arabic struct{ letters, lamAlefs map[rune][]rune }

const lam = '\u0644'

var arabicForms = sync.OnceValue(func() arabic {
	a := arabic{map[rune][]rune{}, map[rune][]rune{}}
	for _, block := range [][2]rune{{0xFB50, 0xFBB1}, {0xFBD3, 0xFBE7}, {0xFBFC, 0xFBFF}, {0xFE80, 0xFEFC}} {
		for form := block[0]; form <= block[1]; form++ {
			// Each form decomposes to its letter.
			switch of := []rune(norm.NFKC.String(string(form))); {
			case len(of) == 1 && of[0] != form:
				a.letters[of[0]] = append(a.letters[of[0]], form)
			case len(of) == 2 && of[0] == lam:
				a.lamAlefs[of[1]] = append(a.lamAlefs[of[1]], form)
			}
		}
	}
	return a
})

// joinArabic replaces Arabic letters, in reading order, with the forms required by their
// neighbours.
func joinArabic(rs []rune) []rune {
	if !slices.ContainsFunc(rs, func(r rune) bool { return unicode.Is(unicode.Arabic, r) }) {
		return rs
	}
	const alone, atEnd, atStart, between = 0, 1, 2, 3
	forms := arabicForms()
	var out []rune
	joined := false // the previous letter joins to this one
	for i := 0; i < len(rs); i++ {
		letter := forms.letters[rs[i]]
		next := rune(0)
		if i+1 < len(rs) {
			next = rs[i+1]
		}
		switch {
		case rs[i] == lam && len(forms.lamAlefs[next]) == 2:
			letter = forms.lamAlefs[next]
			i++
			fallthrough
		case len(letter) == 2:
			if joined {
				out = append(out, letter[atEnd])
			} else {
				out = append(out, letter[alone])
			}
			joined = false
		case len(letter) == 4:
			joins := len(forms.letters[next]) >= 2
			form := alone
			switch {
			case joined && joins:
				form = between
			case joined:
				form = atEnd
			case joins:
				form = atStart
			}
			out = append(out, letter[form])
			joined = joins
		default:
			out = append(out, rs[i])
			joined = false
		}
	}
	return out
}
