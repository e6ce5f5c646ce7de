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

// A Locale is a language of the host's texts; nil is English. Locales holds a host's
// languages, and Tenths is a number with one decimal in a sentence.
type (
	Locale  = sentences.Locale
	Locales = sentences.Locales
	Tenths  = sentences.Tenths
)

// A phrase is an untranslated sentence: its English template and values.
type phrase struct {
	template string // "" stands for the first value alone
	values   []any
}

// Say returns a text of a whole English sentence, or a few that belong together, with names
// in braces for its values:
//
//	Say("{who} plays {word} for {score, plural, one {# point} other {# points}}.", Name(p), Strong(word), score)
//
// The values come in the order in which the template first names them. They are Texts,
// Spans, strings, numbers, or anything that fmt prints. The template is a constant: it is
// what translators translate, and its key in their catalogues. Package sentences describes
// its syntax; .github/CONTRIBUTING.md has examples.
func Say(template string, values ...any) Text {
	if template == "" {
		return nil
	}
	return Text{{says: &phrase{template, values}}}
}

// Item works like Say, for a fragment: an entry in a list of settings, the head of a column, a short
// caption. It may begin in lower case.
func Item(template string, values ...any) Text { return Say(template, values...) }

// Known returns a text of a sentence defined elsewhere, such as a command's help.
// TestSentences collects those.
func Known(sentence string) Text { return Say(sentence) }

// Plain returns a text that is the same in every language: a word of the game, a name.
func Plain(s string) Text {
	if s == "" {
		return nil
	}
	return Text{{Text: s}}
}

// Strong returns a bold span.
func Strong(v any) Span { return applyStyle(v, Span{Strong: true}) }

// Small returns a span for a line in small type.
func Small(v any) Span { return applyStyle(v, Span{Small: true}) }

// Code returns a span for something that can be typed, or stands in columns.
func Code(v any) Span { return applyStyle(v, Span{Code: true}) }

// Link returns a span that links to a URL.
func Link(v any, url string) Span { return applyStyle(v, Span{Link: url}) }

// applyStyle returns a span with a value in the style of s.
func applyStyle(v any, s Span) Span {
	switch v.(type) {
	case Text, Span, int, Tenths:
		s.says = &phrase{values: []any{v}}
	default:
		s.Text = fmt.Sprint(v)
	}
	return s
}

// List joins items as a list in a sentence: "a, b and c".
func List[T any](items []T) Text {
	return joinList(items, func(all, last any) Text { return Say("{before} and {last}", all, last) })
}

// JoinOr joins items as a choice in a sentence: "a, b or c".
func JoinOr[T any](items []T) Text {
	return joinList(items, func(all, last any) Text { return Say("{before} or {last}", all, last) })
}

func joinList[T any](items []T, end func(all, last any) Text) Text {
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

// Join joins texts with a language-neutral separator, such as " · ".
func Join[T any](texts []T, sep string) Text {
	var all Text
	for i, t := range texts {
		if i > 0 {
			all = Glue(all, sep)
		}
		all = Glue(all, t)
	}
	return all
}

// Lines puts each text on a line of its own. It skips empty ones.
func Lines(texts ...Text) Text {
	return Join(slices.DeleteFunc(slices.Clone(texts), func(t Text) bool { return len(t) == 0 }), "\n")
}

// Sentences joins whole sentences on one line. It skips empty ones.
func Sentences(texts ...Text) Text {
	return Join(slices.DeleteFunc(slices.Clone(texts), func(t Text) bool { return len(t) == 0 }), " ")
}

// Calls reports whether a text notifies anyone it names.
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

// CallOnly returns the text without notifications of people for whom want returns false.
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

// Unsaid reports whether any part of the text is still untranslated.
func (t Text) Unsaid() bool {
	return slices.ContainsFunc(t, func(s Span) bool { return s.says != nil })
}

// In returns the text in a language. Parts that are already in one stay as they are.
func (t Text) In(to *Locale) Text {
	if !slices.ContainsFunc(t, func(s Span) bool { return s.says != nil || !to.IsEnglish() && !s.Time.IsZero() }) {
		return t
	}
	s := speaker{to: to, out: make(Text, 0, len(t)+2)} // most texts have few spans
	s.text(t)
	return s.out
}

// A speaker translates a text.
type speaker struct {
	to     *Locale
	out    Text
	values []any // values of the current phrase
	manner Span  // style of the current phrase
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
	one.Table = one.Table.translate(s.to)
	s.values = one.says.values
	s.manner = addStyle(one, s.manner)
	if one.says.template == "" {
		s.Value(0)
	} else {
		s.to.Template(one.says.template).Say(s)
	}
	s.values, s.manner = before.values, before.manner
}

// clock formats a time in a sentence.
func clock(at time.Time) Text {
	at = at.UTC()
	return Say("{day} {month, select, 1 {Jan} 2 {Feb} 3 {Mar} 4 {Apr} 5 {May} 6 {Jun} 7 {Jul} 8 {Aug} 9 {Sep} 10 {Oct} 11 {Nov} other {Dec}} {time}",
		at.Day(), int(at.Month()), at.Format("15:04 MST"))
}

// addStyle returns a span with the style of an outer one added.
func addStyle(s, outer Span) Span {
	s.says = nil
	s.Strong = s.Strong || outer.Strong
	s.Code = s.Code || outer.Code
	s.Small = s.Small || outer.Small
	if s.Link == "" {
		s.Link = outer.Link
	}
	if s.Table == nil {
		s.Table = outer.Table
	}
	return s
}

// add appends a translated span, or extends the last one if both have the same style.
func (s *speaker) add(one Span) {
	if one.Text == "" {
		return
	}
	one = addStyle(one, s.manner)
	if n := len(s.out); n > 0 && one.Person == "" && one.Time.IsZero() {
		if last := s.out[n-1]; one.hasStyleOf(last) {
			s.out[n-1].Text += one.Text
			return
		}
	}
	s.out = append(s.out, one)
}

func (s Span) hasStyleOf(o Span) bool {
	s.Text = o.Text
	return s == o
}

// Literal, Value, Number and Word are called by the current template.

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

// MarshalJSON encodes the text, with untranslated parts in English.
func (t Text) MarshalJSON() ([]byte, error) { return json.Marshal([]Span(t.In(nil))) }

// UnmarshalJSON decodes a list of spans, or a string as labels used to be.
func (t *Text) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte(`"`)) {
		var s string
		err := json.Unmarshal(data, &s)
		*t = Plain(s)
		return err
	}
	return json.Unmarshal(data, (*[]Span)(t))
}
