package sentences

// This file keeps words that are written from right to left in their places among
// others.

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Mark is a sign without width that is read from the left. Behind each letter of a
// board that is read from the right it keeps the columns in their places: letters
// would change places with those beside them.
const Mark = "\u200e"

// Isolated returns a name as it is written, between the signs that keep its direction
// from that of the sentence where its letters are written from right to left:
// it would take the numbers and signs after it along.
func Isolated(name, written string) string {
	if !strings.ContainsFunc(name, fromRight) {
		return written
	}
	return isolate + written + endIsolate
}

// The signs around what is isolated: what stands between them has a direction of its
// own, and none of what is beside it.
const isolate, endIsolate = "\u2068", "\u2069"

// Isolate returns a text in which each name or word whose letters are written from right
// to left stands between the signs that Isolated puts around a name. It is for what
// is about to be shown: in what is kept, names are looked for as they are. What a
// [Mark] stands behind keeps its place already, and columns have no room for more.
func Isolate(text string) string {
	if !strings.ContainsFunc(text, fromRight) {
		return text
	}
	var b strings.Builder
	from, to := -1, 0 // the run under way, up to its last letter from the right
	for i, r := range text {
		switch {
		case fromRight(r), from >= 0 && unicode.IsMark(r):
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

// fromRight reports whether a letter is written from right to left.
func fromRight(r rune) bool {
	return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Adlam, unicode.Samaritan, unicode.Mandaic)
}
