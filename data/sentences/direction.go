package sentences

// This file keeps right-to-left words in their place within other text.

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Mark is an invisible left-to-right character. After each letter of a board read from right to
// left it keeps the columns in place; otherwise letters would swap with their neighbours.
const Mark = "\u200e"

// Isolated returns a name in its written form. If the name has right-to-left letters, the form is
// enclosed in characters that isolate its direction; otherwise it would affect the numbers and
// signs after it.
func Isolated(name, written string) string {
	if !strings.ContainsFunc(name, isRightToLeft) {
		return written
	}
	return isolate + written + endIsolate
}

// The characters around isolated text: the text between them has its own direction, independent of
// its surroundings.
const isolate, endIsolate = "\u2068", "\u2069"

// Isolate returns a text with each right-to-left name or word enclosed in the characters that
// Isolated uses. Use it only for display: stored text is searched for plain names. Letters followed
// by a [Mark] already keep their place, and columns have no room for more.
func Isolate(text string) string {
	if !strings.ContainsFunc(text, isRightToLeft) {
		return text
	}
	var b strings.Builder
	from, to := -1, 0 // current run, up to its last right-to-left letter
	for i, r := range text {
		switch {
		case isRightToLeft(r), from >= 0 && unicode.IsMark(r):
			if from < 0 {
				from = i
				b.WriteString(text[to:from])
			}
			to = i + utf8.RuneLen(r)
		case from >= 0 && strings.HasPrefix(text[i:], Mark):
			b.WriteString(text[from:to])
			from = -1
		case from >= 0 && (r == '\n' || !unicode.IsSpace(r)):
			b.WriteString(isolate + text[from:to] + endIsolate)
			from = -1
		}
	}
	if from >= 0 {
		b.WriteString(isolate + text[from:to] + endIsolate)
	}
	return b.String() + text[to:]
}

// isRightToLeft reports whether a letter is written from right to left.
func isRightToLeft(r rune) bool {
	return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Adlam, unicode.Samaritan, unicode.Mandaic)
}
