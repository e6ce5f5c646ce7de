package text_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// A robot is named by its level in the reader's language, with a number if there are
// several, and platforms can't notify it.
func TestRobotsAreNamedByLevel(t *testing.T) {
	de, err := sentences.Read("de", []byte(`{"name": "Deutsch", "sentences": {
		"{level, select, Beginner {Beginner} Easy {Easy} Casual {Casual} Medium {Medium} Strong {Strong} Advanced {Advanced} Expert {Expert} Tutor {Tutor} other {{level}}}": "{level, select, Expert {Experte} other {{level}}}",
		"{level}{n, select, 1 {} other { {n}}} (robot)": "{level}{n, select, 1 {} other { {n}}} (Roboter)"}}`))
	gametest.Must(t, err)
	for _, c := range []struct {
		who         game.Person
		english, de string
	}{
		{game.Person{ID: "robot:expert", Name: "Expert (robot)"}, "Expert (robot)", "Experte (Roboter)"},
		{game.Person{ID: "robot:expert:2", Name: "Expert 2 (robot)"}, "Expert 2 (robot)", "Experte 2 (Roboter)"},
		{ann, "Ann", "Ann"},
	} {
		if got := text.PlainNameIn(nil, c.who); got != c.english {
			t.Errorf("%s is called %q, want %q", c.who.ID, got, c.english)
		}
		if got := text.PlainNameIn(de, c.who); got != c.de {
			t.Errorf("%s is called %q in German, want %q", c.who.ID, got, c.de)
		}
		named := text.Text{text.Mention(c.who)}.In(nil)
		if robot := c.who.ID.IsRobot(); named[0].Notify == robot || (named[0].Person == "") != robot {
			t.Errorf("%s is mentioned as %+v", c.who.ID, named[0])
		}
	}
}

// A text is untranslated until it is put into a language.
func TestTextIsUntranslatedAtFirst(t *testing.T) {
	said := text.Say("{who} passes.", text.Name(ann))
	if !said.Unsaid() || said.In(nil).Unsaid() || text.Plain("12 · 7").Unsaid() {
		t.Error("a sentence is in a language, or one that was said is not")
	}
	if text.Say("") != nil || text.Plain("") != nil {
		t.Error("nothing is something")
	}
}

// A text that is too long is cut by characters and marked as cut.
func TestTextIsShortened(t *testing.T) {
	said := text.Say("{who} grüßt.", text.Strong("Ann")) // 10 characters, 12 bytes
	if said.Len() != 10 {
		t.Errorf("it has %d characters", said.Len())
	}
	if got := said.Shorten(10).In(nil); got.String() != "Ann grüßt." || !got[0].Strong {
		t.Errorf("a text that fits is %#v", got)
	}
	if got := said.Shorten(8); got.String() != "Ann grü…" || len(got) != 1 || got[0].Strong {
		t.Errorf("one that doesn't is %#v", got)
	}
}

// Erasing a player removes their name from texts, both as a mention and as a word, but not
// as a part of another word.
func TestErasedNameLeavesTexts(t *testing.T) {
	former := game.Person{ID: "former:1", Name: "a former player"}
	said := text.Glue(text.Mention(game.Person{ID: ann.ID, Name: "Annie"}), " beats ", text.Name(game.Person{ID: "web:bob", Name: "Bob"}), ". Well done, Ann!")
	out := said.Without(ann, former)
	if got, want := out.String(), "a former player beats Bob. Well done, a former player!"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
	if out[0].Person != former.ID || out[0].Notify || out.Calls() || said.String() != "Annie beats Bob. Well done, Ann!" {
		t.Errorf("it is %#v, of %#v", out, said)
	}
	for in, want := range map[string]string{
		"Ann, Anna and Ann": "X, Anna and X", "AnnAnn Ann": "AnnAnn X", "JoAnn": "JoAnn", "Ann7 (Ann)": "Ann7 (X)", "Änn": "Änn", "": "",
	} {
		if got := text.WithoutName(in, "Ann", "X"); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
	if got := text.WithoutName("nobody", "", "X"); got != "nobody" {
		t.Errorf("without a name it is %q", got)
	}
}

// A text can contain links, choices and commands.
func TestSpanStyles(t *testing.T) {
	said := text.Say("{rules} or {help}: {which}", text.Link("the rules", "https://example.org"), text.Code("/help"), text.JoinOr([]string{"a", "b", "c"})).In(nil)
	var all []string
	for _, s := range said {
		all = append(all, fmt.Sprintf("%s|%t|%s", s.Text, s.Code, s.Link))
	}
	if got, want := strings.Join(all, "; "), "the rules|false|https://example.org;  or |false|; /help|true|; : a, b or c|false|"; got != want {
		t.Errorf("it is %q, want %q", got, want)
	}
	if got := text.Sentences(nil, text.Plain("One."), text.Text{}, text.Plain("Two.")).String(); got != "One. Two." {
		t.Errorf("two sentences are %q", got)
	}
	// The text of a link can be a sentence, and a mention in it notifies too.
	link := text.Say("See {it}.", text.Link(text.Say("{who}'s table", text.Mention(ann)), "https://example.org"))
	if got := link.In(nil); !link.Calls() || got[1].Link == "" || got[1].Person != ann.ID || got[2].Link == "" {
		t.Errorf("the link is %#v", got)
	}
	if link.CallOnly(func(game.PlayerID) bool { return false }).Calls() {
		t.Error("a call in a link isn't hushed")
	}
}

// A table is translated with its text, heads and cells. If nothing in it needs translation,
// it stays the same value.
func TestTablesAreTranslated(t *testing.T) {
	pl := polish(t)
	table := &text.Table{
		Columns: []text.Column{{Head: text.Plain("#"), Right: true}, {Head: text.Say("{who} wins", "Ann")}},
		Rows:    [][]text.Text{{text.Plain("1"), text.Say("{who} wins", "Bob")}, {text.Plain("2"), nil}},
	}
	said := text.InTable(text.Say("{who} wins", "Cat"), table).In(pl)
	if len(said) != 1 || said.String() != "Wygrywa Cat" {
		t.Fatalf("the text is %#v", said)
	}
	in := said[0].Table
	if got := in.Columns[1].Head.String() + ", " + in.Rows[0][1].String(); got != "Wygrywa Ann, Wygrywa Bob" || !in.Columns[0].Right {
		t.Errorf("the table says %q", got)
	}
	if table.Columns[1].Head.String() != "Ann wins" {
		t.Error("the table was changed")
	}
	if again := text.InTable(said, in).In(pl); again[0].Table != in {
		t.Error("a table that is in a language was made anew")
	}
	if a, b := fmt.Sprintf("%#v", said), fmt.Sprintf("%#v", text.InTable(text.Say("{who} wins", "Cat"), table).In(pl)); a != b {
		t.Errorf("two tables that say the same are %s and %s", a, b)
	}
	if got := fmt.Sprintf("%#v", (*text.Table)(nil)); got != "nil" {
		t.Errorf("no table is %s", got)
	}
}

// A text of a person is cut by characters, and stays whole if it just fits.
func TestShortenCutsCharacters(t *testing.T) {
	for wrote, want := range map[string]string{"grüßt": "grüßt", "grüßte": "grüß…", "": ""} {
		if got := text.Shorten(wrote, 5); got != want {
			t.Errorf("%q becomes %q, want %q", wrote, got, want)
		}
	}
}
