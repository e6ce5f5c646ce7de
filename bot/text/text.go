// Package text is what the host says, in no language yet: whole English sentences
// with what goes into them ([Say]), names, words that stand out. Text.In puts them
// into the reader's language, just before they leave the host.
package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rackmate/rackmate/game"
)

// A Text is what the host says: spans one after another. Adapters write the
// spans in their platform's markup and escape what people wrote; nothing in a
// span's text is markup.
//
// Some of the spans may be sentences that are in no language yet: see [Say].
// Those that the host hands to a platform are in the reader's.
type Text []Span

// A Span is a piece of text in one manner.
type Span struct {
	Text string
	// Person is set for a person's name. Notify asks the platform to tell them
	// that they were named.
	Person game.PlayerID
	Notify bool
	Strong bool
	// Code is for what can be typed, or must stand in columns. It may have
	// several lines.
	Code bool
	// Time is set for a time: platforms that can show it in the reader's own
	// time zone do; Text has it in UTC.
	Time time.Time
	// Link is a URL that the text leads to, where the platform has links.
	Link string
	// Table says in cells what this span says with those beside it that have the same.
	Table *Table `json:"-"`

	// says is what Text will be when [Text.In] has put it into a language.
	says *phrase
}

// Glue makes a text of strings, Spans, Texts and numbers, one after another. It
// is for what has no words of its own, such as sentences after one another; those
// are for [Say].
func Glue(parts ...any) Text {
	var t Text
	for _, p := range parts {
		switch p := p.(type) {
		case Text:
			t = append(t, p...)
		case Span:
			t = append(t, p)
		case Tenths:
			t = append(t, Span{says: &phrase{values: []any{p}}})
		default:
			s := fmt.Sprint(p)
			if n := len(t); n > 0 && t[n-1] == (Span{Text: t[n-1].Text}) {
				t[n-1].Text += s
			} else if s != "" {
				t = append(t, Span{Text: s})
			}
		}
	}
	return t
}

// Name is somebody's name, of which they are not told.
func Name(u game.Person) Span { return person(u, false) }

// Mention is somebody's name, by which they are called.
func Mention(u game.Person) Span { return person(u, true) }

// Called is what somebody is called where nobody is named to the platform, as in a
// caption: a robot in the reader's language, for its name as it is stored is English.
func Called(u game.Person) Span {
	if level, n, _ := strings.Cut(strings.TrimPrefix(string(u.ID), game.RobotPrefix), ":"); u.ID.IsRobot() && level != "" {
		return Say("{level}{n, select, 1 {} other { {n}}} (robot)", LevelCalled(level), cmp.Or(n, "1"))[0]
	}
	return Span{Text: u.Name}
}

// LevelCalled is what a robot of a level is called, such as "expert".
func LevelCalled(level string) Text {
	return Say("{level, select, Beginner {Beginner} Easy {Easy} Casual {Casual} Medium {Medium} Strong {Strong} Advanced {Advanced} Expert {Expert} Tutor {Tutor} other {{level}}}", strings.ToUpper(level[:1])+level[1:])
}

// CalledIn is what somebody is called in a tongue.
func CalledIn(to *Tongue, u game.Person) string { return Text{Called(u)}.In(to).String() }

// person names somebody; robots are nobody to a platform.
func person(u game.Person, notify bool) Span {
	if u.ID.IsRobot() {
		return Called(u)
	}
	return Span{Text: u.Name, Person: u.ID, Notify: notify}
}

// String is the text alone, in English where it is in no language yet.
func (t Text) String() string {
	var b strings.Builder
	for _, s := range t.In(nil) {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Len is the text's length in characters.
func (t Text) Len() int { return utf8.RuneCountInString(t.String()) }

// Shorten cuts what people wrote to at most n characters.
func Shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// Shorten is the text itself, or where it has more than n characters, n of them
// in one manner.
func (t Text) Shorten(n int) Text {
	if t.Len() <= n {
		return t
	}
	return Plain(Shorten(t.String(), n))
}

// Without is the text with a former player in somebody's place: for what is
// kept of what was said, when they ask to be forgotten.
func (t Text) Without(who, former game.Person) Text {
	out := slices.Clone(t.In(nil))
	for i, s := range out {
		switch s.Person {
		case who.ID: // whatever they were called then
			out[i].Person, out[i].Notify, out[i].Text = former.ID, false, former.Name
		case "":
			out[i].Text = WithoutName(s.Text, who.Name, former.Name)
		}
	}
	return out
}

// WithoutName replaces a name by another, wherever it is a word of its own.
func WithoutName(text, name, other string) string {
	if name == "" {
		return text
	}
	inWord := func(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
	var b strings.Builder
	done := 0 // of the text
	for {
		i := strings.Index(text[done:], name)
		if i < 0 {
			return b.String() + text[done:]
		}
		b.WriteString(text[done : done+i])
		begin := done + i
		done = begin + len(name)
		before, _ := utf8.DecodeLastRuneInString(text[:begin])
		after, _ := utf8.DecodeRuneInString(text[done:])
		if inWord(before) || inWord(after) {
			b.WriteString(name)
		} else {
			b.WriteString(other)
		}
	}
}
