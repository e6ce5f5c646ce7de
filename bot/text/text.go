// Package text represents the host's texts before translation: whole English sentences with
// their values ([Say]), names, styled words. Text.In translates them into the reader's
// language just before they leave the host.
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

// A Text is a text of the host: a sequence of spans. Adapters write the spans in their
// platform's markup and escape what people wrote; nothing in a span's text is markup.
//
// Spans can be untranslated sentences: see [Say]. Texts that the host hands to a platform
// are in the reader's language.
type Text []Span

// A Span is a piece of text in one style.
type Span struct {
	Text string
	// Person is the person whose name this is, if any. Notify asks the platform to notify
	// them.
	Person game.PlayerID
	Notify bool
	Strong bool
	// Small marks a line in small type, for what only a few people read, such as a digest.
	Small bool `json:",omitempty"`
	// Code marks text that can be typed or must stand in columns. It may have several
	// lines.
	Code bool
	// Time is set for a time. Platforms that can show it in the reader's time zone do; Text
	// has it in UTC.
	Time time.Time
	// Link is the URL that the text links to, on platforms with links.
	Link string
	// Table shows in cells what this span and its neighbours with the same table say.
	Table *Table `json:"-"`

	// says is the untranslated content that [Text.In] turns into Text.
	says *phrase
}

// Glue joins strings, Spans, Texts and numbers. It is for parts that have no words of their
// own, such as finished sentences; words belong in [Say].
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

// Name returns a person's name without notifying them.
func Name(u game.Person) Span { return person(u, false) }

// Mention returns a person's name and notifies them.
func Mention(u game.Person) Span { return person(u, true) }

// PlainName returns a person's name without a reference for the platform, as in a caption.
// Robots, whose stored names are English, are named in the reader's language.
func PlainName(u game.Person) Span {
	if level, n, _ := strings.Cut(strings.TrimPrefix(string(u.ID), game.RobotPrefix), ":"); u.ID.IsRobot() && level != "" {
		return Say("{level}{n, select, 1 {} other { {n}}} (robot)", LevelName(level), cmp.Or(n, "1"))[0]
	}
	return Span{Text: u.Name}
}

// LevelName returns the name of a robot's level, such as "expert".
func LevelName(level string) Text {
	return Say("{level, select, Beginner {Beginner} Easy {Easy} Casual {Casual} Medium {Medium} Strong {Strong} Advanced {Advanced} Expert {Expert} Tutor {Tutor} other {{level}}}", strings.ToUpper(level[:1])+level[1:])
}

// PlainNameIn returns a person's name in a language.
func PlainNameIn(to *Locale, u game.Person) string { return Text{PlainName(u)}.In(to).String() }

// person returns a person's name as a span. Robots are unknown to platforms.
func person(u game.Person, notify bool) Span {
	if u.ID.IsRobot() {
		return PlainName(u)
	}
	return Span{Text: u.Name, Person: u.ID, Notify: notify}
}

// String returns the plain text, with untranslated parts in English.
func (t Text) String() string {
	var b strings.Builder
	for _, s := range t.In(nil) {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Lines returns the lines of a text; empty ones too.
func (t Text) Lines() (all []Text) {
	var line Text
	for _, span := range t {
		for i, piece := range strings.Split(span.Text, "\n") {
			if i > 0 {
				all, line = append(all, line), nil
			}
			if piece != "" {
				span.Text = piece
				line = append(line, span)
			}
		}
	}
	return append(all, line)
}

// SmallLines returns the lines of the text that are in small type.
func (t Text) SmallLines() Text {
	var small []Text
	for _, line := range t.In(nil).Lines() {
		if len(line) > 0 && line[0].Small {
			small = append(small, line)
		}
	}
	return Lines(small...)
}

// WithoutSmall returns the text without its lines in small type.
func (t Text) WithoutSmall() Text {
	all := t.In(nil).Lines()
	return Lines(slices.DeleteFunc(all, func(line Text) bool { return len(line) > 0 && line[0].Small })...)
}

// Len returns the text's length in characters.
func (t Text) Len() int { return utf8.RuneCountInString(t.String()) }

// Size returns the length in characters of a message with the text, in which links are written out:
// "[label](URL)".
func (t Text) Size() int {
	n := t.Len()
	for _, s := range t.In(nil) {
		if s.Link != "" {
			n += len(s.Link) + len("[]()")
		}
	}
	return n
}

// Shorten cuts what people wrote to at most n characters.
func Shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// Shorten returns the text, or its first n characters without style if it is longer.
func (t Text) Shorten(n int) Text {
	if t.Len() <= n {
		return t
	}
	return Plain(Shorten(t.String(), n))
}

// Without returns the text with a former player in place of a person, for stored texts when
// the person is erased.
func (t Text) Without(who, former game.Person) Text {
	out := slices.Clone(t.In(nil))
	for i, s := range out {
		switch s.Person {
		case who.ID: // whatever their name was at the time
			out[i].Person, out[i].Notify, out[i].Text = former.ID, false, former.Name
		case "":
			out[i].Text = WithoutName(s.Text, who.Name, former.Name)
		}
	}
	return out
}

// WithoutName replaces a name with another where it stands as a whole word.
func WithoutName(text, name, other string) string {
	if name == "" {
		return text
	}
	inWord := func(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
	var b strings.Builder
	done := 0 // length of the text that has been copied
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
