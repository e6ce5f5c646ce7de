package text

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game"
)

// A Tongue is a language that people are spoken to in; nil is English. Tongues
// are those that a host speaks. Tenths is a number in a sentence.
type (
	Tongue  = sentences.Tongue
	Tongues = sentences.Tongues
	Tenths  = sentences.Tenths
)

// A phrase is a sentence in no language yet: its English template, and what goes
// into it.
type phrase struct {
	template string // "" says the first value alone
	values   []any
}

// Say makes a text of a whole English sentence, or a few that belong together,
// with names in braces for what goes into it:
//
//	Say("{who} plays {word} for {score, plural, one {# point} other {# points}}.", Name(p), Strong(word), score)
//
// The values come in the order in which the template names them first. They are
// Texts, Spans, strings, numbers, and what fmt prints. The template is a
// constant: it is what translators translate, and the sentence's key in their
// catalogues. How it is written package sentences tells; .github/CONTRIBUTING.md has
// examples.
func Say(template string, values ...any) Text {
	if template == "" {
		return nil
	}
	return Text{{says: &phrase{template, values}}}
}

// Item is what Say is, for what is no sentence: a thing in a list of settings, the
// head of a column, a caption's few words. It may begin with a small letter.
func Item(template string, values ...any) Text { return Say(template, values...) }

// Known makes a text of a sentence that stands elsewhere than where it is said,
// such as the help of a command. A test knows of it; see TestSentences.
func Known(sentence string) Text { return Say(sentence) }

// Plain is text that is the same in every language: a word of the game, a name.
func Plain(s string) Text {
	if s == "" {
		return nil
	}
	return Text{{Text: s}}
}

// Strong is a span that stands out.
func Strong(v any) Span { return manner(v, Span{Strong: true}) }

// Code is a span that can be typed, or stands in columns.
func Code(v any) Span { return manner(v, Span{Code: true}) }

// Link is a span that leads to a URL.
func Link(v any, url string) Span { return manner(v, Span{Link: url}) }

// manner is a span that says a value in a manner.
func manner(v any, s Span) Span {
	switch v.(type) {
	case Text, Span, int, Tenths:
		s.says = &phrase{values: []any{v}}
	default:
		s.Text = fmt.Sprint(v)
	}
	return s
}

// List is a list in a sentence: "a, b and c".
func List[T any](items []T) Text {
	return listed(items, func(all, last any) Text { return Say("{before} and {last}", all, last) })
}

// Either is a choice in a sentence: "a, b or c".
func Either[T any](items []T) Text {
	return listed(items, func(all, last any) Text { return Say("{before} or {last}", all, last) })
}

func listed[T any](items []T, end func(all, last any) Text) Text {
	var all Text
	for i, item := range items {
		switch {
		case i == 0:
			all = Glue(item)
		case i == len(items)-1:
			all = end(all, item)
		default:
			all = Say("{before}, {next}", all, item)
		}
	}
	return all
}

// Joined puts texts after one another, with sep between them: a sign that is in
// no language, such as " · ".
func Joined[T any](texts []T, sep string) Text {
	var all Text
	for i, t := range texts {
		if i > 0 {
			all = Glue(all, sep)
		}
		all = Glue(all, t)
	}
	return all
}

// Lines puts texts on lines of their own. Those that say nothing have none.
func Lines(texts ...Text) Text {
	return Joined(slices.DeleteFunc(slices.Clone(texts), func(t Text) bool { return len(t) == 0 }), "\n")
}

// Sentences puts whole sentences after one another on one line. Those that say
// nothing are left out.
func Sentences(texts ...Text) Text {
	return Joined(slices.DeleteFunc(slices.Clone(texts), func(t Text) bool { return len(t) == 0 }), " ")
}

// Calls reports whether a text tells somebody that they were named.
func (t Text) Calls() bool {
	return slices.ContainsFunc(t, func(s Span) bool {
		return s.Notify || s.says != nil && slices.ContainsFunc(s.says.values, func(v any) bool {
			switch v := v.(type) {
			case Span:
				return Text{v}.Calls()
			case Text:
				return v.Calls()
			}
			return false
		})
	})
}

// CallOnly is the text without the calls of those whom want doesn't name.
func (t Text) CallOnly(want func(game.PlayerID) bool) Text {
	if !t.Calls() {
		return t
	}
	out := slices.Clone(t)
	for i := range out {
		s := &out[i]
		s.Notify = s.Notify && want(s.Person)
		if s.says == nil {
			continue
		}
		values := slices.Clone(s.says.values)
		for k, v := range values {
			switch v := v.(type) {
			case Span:
				values[k] = Text{v}.CallOnly(want)[0]
			case Text:
				values[k] = v.CallOnly(want)
			}
		}
		s.says = &phrase{s.says.template, values}
	}
	return out
}

// Unsaid reports whether some of a text is in no language yet.
func (t Text) Unsaid() bool {
	return slices.ContainsFunc(t, func(s Span) bool { return s.says != nil })
}

// In is the text in a tongue. What is in a language already stays as it is.
func (t Text) In(to *Tongue) Text {
	if !slices.ContainsFunc(t, func(s Span) bool { return s.says != nil || !to.IsEnglish() && !s.Time.IsZero() }) {
		return t
	}
	s := speaker{to: to, out: make(Text, 0, len(t)+2)} // most are of few spans
	s.text(t)
	return s.out
}

// A speaker puts a text into a tongue.
type speaker struct {
	to     *Tongue
	out    Text
	values []any // of the phrase that is being said
	manner Span  // that it is said in
}

func (s *speaker) text(t Text) {
	for _, one := range t {
		s.span(one)
	}
}

func (s *speaker) span(one Span) {
	if one.says == nil {
		if !one.Time.IsZero() && !s.to.IsEnglish() {
			one.Text = clock(one.Time).In(s.to).String()
		}
		s.add(one)
		return
	}
	before := *s
	one.Table = one.Table.in(s.to)
	s.values = one.says.values
	s.manner = inManner(one, s.manner)
	if one.says.template == "" {
		s.Value(0)
	} else {
		s.to.Template(one.says.template).Say(s)
	}
	s.values, s.manner = before.values, before.manner
}

// clock is a time in a sentence.
func clock(at time.Time) Text {
	at = at.UTC()
	return Say("{day} {month, select, 1 {Jan} 2 {Feb} 3 {Mar} 4 {Apr} 5 {May} 6 {Jun} 7 {Jul} 8 {Aug} 9 {Sep} 10 {Oct} 11 {Nov} other {Dec}} {time}",
		at.Day(), int(at.Month()), at.Format("15:04 MST"))
}

// inManner is a span with what another's manner adds to it.
func inManner(s, outer Span) Span {
	s.says = nil
	s.Strong = s.Strong || outer.Strong
	s.Code = s.Code || outer.Code
	if s.Link == "" {
		s.Link = outer.Link
	}
	if s.Table == nil {
		s.Table = outer.Table
	}
	return s
}

// add adds a span that is in a language, to the one before it where nothing
// tells them apart.
func (s *speaker) add(one Span) {
	if one.Text == "" {
		return
	}
	one = inManner(one, s.manner)
	if n := len(s.out); n > 0 && one.Person == "" && one.Time.IsZero() {
		if last := s.out[n-1]; one.sameManner(last) {
			s.out[n-1].Text += one.Text
			return
		}
	}
	s.out = append(s.out, one)
}

func (s Span) sameManner(o Span) bool {
	s.Text = o.Text
	return s == o
}

// Literal, Value, Number and Word are for the template that is being said.

func (s *speaker) Literal(text string) { s.add(Span{Text: s.to.Literal(text)}) }

func (s *speaker) Value(i int) {
	if i >= len(s.values) {
		return
	}
	switch v := s.values[i].(type) {
	case Text:
		s.text(v)
	case Span:
		s.span(v)
	case string:
		s.add(Span{Text: v})
	default:
		s.add(Span{Text: s.to.Written(v)})
	}
}

func (s *speaker) Number(i int) int {
	if i < len(s.values) {
		if n, ok := s.values[i].(int); ok {
			return n
		}
	}
	n, _ := strconv.Atoi(s.Word(i))
	return n
}

func (s *speaker) Word(i int) string {
	if i >= len(s.values) {
		return ""
	}
	switch v := s.values[i].(type) {
	case string:
		return v
	case Span, Text:
		return Glue(v).In(s.to).String()
	}
	return fmt.Sprint(s.values[i])
}

// MarshalJSON writes a text that is in no language yet in English.
func (t Text) MarshalJSON() ([]byte, error) { return json.Marshal([]Span(t.In(nil))) }

// UnmarshalJSON reads a list of spans, or a string, which labels used to be.
func (t *Text) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte(`"`)) {
		var s string
		err := json.Unmarshal(data, &s)
		*t = Plain(s)
		return err
	}
	return json.Unmarshal(data, (*[]Span)(t))
}
