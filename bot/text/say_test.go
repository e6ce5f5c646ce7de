package text_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

var ann = game.Person{ID: "web:ann", Name: "Ann"}

// A sentence can depend on the first letter of a value, whatever the value's style.
func TestSentenceDependsOnInitial(t *testing.T) {
	es, err := sentences.Read("es", []byte(`{"name": "Español", "sentences": {
		"A game": "Idea",
		"{before} and {last}": "{before} {last, initial, i {e} hi {e} hie {y} other {y}} {last}"}}`))
	gametest.Must(t, err)
	for _, c := range []struct {
		last any
		want string
	}{
		{"Bob", "Ana y Bob"},
		{"inés", "Ana e inés"},
		{"Hilda", "Ana e Hilda"},
		{"Hierro", "Ana y Hierro"},
		{"H", "Ana y H"},
		{"", "Ana y "},
		{8, "Ana y 8"},
		{text.Strong("I"), "Ana e I"},
		{text.Text{text.Name(game.Person{ID: "web:i", Name: "Inés"})}, "Ana e Inés"},
		{text.Known("A game"), "Ana e Idea"},
	} {
		if got := text.List([]any{"Ana", c.last}).In(es).String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if got := text.Say("It is {a, initial, a {an} other {a}} {a}.", "apple").String(); got != "It is an apple." {
		t.Errorf("in English it is %q", got)
	}
}

// polish returns a catalogue with features that English lacks: four plural forms, another
// word order, days before months with cases.
func polish(t *testing.T) *text.Locale {
	pl, err := sentences.Read("pl", []byte(`{"name": "Polski", "sentences": {
		"{who} plays {word} for {n, plural, one {# point} other {# points}}.": "Za {n, plural, one {# punkt} few {# punkty} many {# punktów} other {# punktu}} {who} układa {word}.",
		"{before} and {last}": "{before} i {last}",
		"{who} wins": "Wygrywa {who}",
		"{day} {month, select, 1 {Jan} 2 {Feb} 3 {Mar} 4 {Apr} 5 {May} 6 {Jun} 7 {Jul} 8 {Aug} 9 {Sep} 10 {Oct} 11 {Nov} other {Dec}} {time}": "{day} {month, select, 11 {listopada} other {grudnia}}, {time}"}}`))
	gametest.Must(t, err)
	return pl
}

func TestSay(t *testing.T) {
	plays := func(n int) text.Text {
		return text.Say("{who} plays {word} for {n, plural, one {# point} other {# points}}.", text.Name(ann), text.Strong("HORN"), n)
	}
	at := time.Date(2026, 11, 22, 10, 50, 0, 0, time.UTC)
	for _, c := range []struct {
		name        string
		said        text.Text
		english, pl string
	}{
		{"a plural of one", plays(1), "Ann plays HORN for 1 point.", "Za 1 punkt Ann układa HORN."},
		{"a plural of few", plays(3), "Ann plays HORN for 3 points.", "Za 3 punkty Ann układa HORN."},
		{"a plural of many", plays(14), "Ann plays HORN for 14 points.", "Za 14 punktów Ann układa HORN."},
		{"a number that stands out", text.Say("{n, plural, =0 {none} one {# tile} other {# tiles}}", text.Strong(2)), "2 tiles", "2 tiles"},
		{"none", text.Say("{n, plural, =0 {none} one {# tile} other {# tiles}}", 0), "none", "none"},
		{"a branch that says nothing", text.Say("Done{n, plural, =0 {} other { # times}}.", 0), "Done.", "Done."},
		{"a choice", text.Say("It runs {way, select, across {across} other {down}}.", "across"), "It runs across.", "It runs across."},
		{"names inside a branch", text.Say("{n, plural, one {{who} has # tile} other {{who} has # tiles}}.", 2, "Bob"), "Bob has 2 tiles.", "Bob has 2 tiles."},
		{"a place", text.Say("You are {n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}.", 22), "You are 22nd.", "You are 22nd."},
		{"a list of two", text.List([]string{"Ann", "Bob"}), "Ann and Bob", "Ann i Bob"},
		{"a list of four", text.List([]string{"Ann", "Bob", "Cem", "Dee"}), "Ann, Bob, Cem and Dee", "Ann, Bob, Cem i Dee"},
		{"a list of one", text.List([]text.Span{text.Name(ann)}), "Ann", "Ann"},
		{"lines", text.Lines(plays(1), nil, text.Plain("12 · 7")), "Ann plays HORN for 1 point.\n12 · 7", "Za 1 punkt Ann układa HORN.\n12 · 7"},
		{"a time", text.Say("Wait until {time}.", text.Span{Text: "22 Nov 10:50 UTC", Time: at}), "Wait until 22 Nov 10:50 UTC.", "Wait until 22 listopada, 10:50 UTC."},
		{"a value too few", text.Say("{a} and {b}", 1), "1 and ", "1 and "},
		{"a template that can't be read", text.Say("{a"), "{a", "{a"},
	} {
		if got := c.said.String(); got != c.english {
			t.Errorf("%s: %q, want %q", c.name, got, c.english)
		}
		if got := c.said.In(polish(t)).String(); got != c.pl {
			t.Errorf("%s in Polish: %q, want %q", c.name, got, c.pl)
		}
	}
}

// The style of a sentence applies to all its words, names included.
func TestSayWithStyle(t *testing.T) {
	said := text.Say("{result}: {scores}.", text.Strong(text.Say("{who} wins", "Ann")), "Ann 12 · Bob 7")
	want := text.Text{{Text: "Wygrywa Ann", Strong: true}, {Text: ": Ann 12 · Bob 7."}}
	if got := said.In(polish(t)); !reflect.DeepEqual(got, want) {
		t.Errorf("%#v\nwant %#v", got, want)
	}
	called := text.Say("{who}, it's your turn.", text.Mention(ann))
	if got := called.In(nil); !called.Calls() || !got.Calls() || got[0].Person != ann.ID {
		t.Errorf("%#v", got)
	}
	nobody := func(game.PlayerID) bool { return false }
	if hushed := called.CallOnly(nobody); hushed.Calls() || hushed.String() != called.String() || !called.Calls() {
		t.Errorf("hushed: %#v", hushed.In(nil))
	}
	if !called.CallOnly(func(p game.PlayerID) bool { return p == ann.ID }).Calls() {
		t.Error("a player who wants calls is not called")
	}
	if text.Say("{who} passes.", text.Name(ann)).Calls() {
		t.Error("a name calls")
	}
}

func TestTextIsStored(t *testing.T) {
	data, err := json.Marshal(text.Say("{who} passes.", text.Name(ann)))
	gametest.Must(t, err)
	var got text.Text
	if err := json.Unmarshal(data, &got); err != nil || got.String() != "Ann passes." || got[0].Person != ann.ID {
		t.Errorf("%s: %#v, %v", data, got, err)
	}
	// labels used to be strings
	var b struct{ Label text.Text }
	if err := json.Unmarshal([]byte(`{"Label": "My rack"}`), &b); err != nil || b.Label.String() != "My rack" {
		t.Error(b, err)
	}
}

func BenchmarkSay(b *testing.B) {
	for b.Loop() {
		text.Say("{who} plays {word} for {n, plural, one {# point} other {# points}}.", text.Name(ann), text.Strong("HORN"), 14).In(nil)
	}
}
