package store

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// An Erasure finds a person's id in stored rows, and replaces it.
type Erasure struct {
	who, as game.PlayerID
	local   string // who's id on its platform, or "" if that is too short to be unique
}

// shortestLocal is the length from which a platform's own id is unique among all stored words.
const shortestLocal = 10

// NewErasure returns an erasure that replaces the id of a person, who, with another, as.
func NewErasure(who, as game.PlayerID) Erasure {
	e := Erasure{who: who, as: as}
	if _, local, _ := strings.Cut(string(who), ":"); len(local) >= shortestLocal {
		e.local = local
	}
	return e
}

// Part returns the text to search for, which is in everything that names the person.
func (e Erasure) Part() []byte {
	if e.local != "" {
		return []byte(e.local) // which is in the whole id too
	}
	return []byte(e.who)
}

// Names reports whether a text names the person.
func (e Erasure) Names(text string) bool { return e.Without(text) != text }

// Without returns a text with the person's id replaced.
func (e Erasure) Without(text string) string {
	text = replaceWord(text, string(e.who), string(e.as))
	if e.local != "" {
		text = replaceWord(text, e.local, string(e.as))
	}
	return text
}

// Post reports whether a post is for the person, or goes to a conversation of theirs.
func (e Erasure) Post(p bot.Post) bool { return p.For == e.who || e.Names(string(p.Channel)) }

// Note returns the value that a row of the notes has after the erasure. If the row's place names the
// person, keep is false.
func (e Erasure) Note(shelf, key string, value []byte) (now []byte, keep bool) {
	return []byte(e.Without(string(value))), !e.Names(shelf) && !e.Names(key)
}

// replaceWord replaces a word where no letter or digit precedes or follows it.
func replaceWord(text, word, other string) string {
	var b strings.Builder
	done := 0 // length of the text that is copied
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return b.String() + text[done:]
		}
		begin := at + i
		at = begin + len(word)
		before, _ := utf8.DecodeLastRuneInString(text[:begin])
		after, _ := utf8.DecodeRuneInString(text[at:])
		if !isInWord(before) && !isInWord(after) {
			b.WriteString(text[done:begin] + other)
			done = at
		}
	}
}

func isInWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
