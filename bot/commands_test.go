package bot_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game/gametest"
)

// german returns a locale with names for some commands, options and choices.
func german(t *testing.T) *text.Locale {
	t.Helper()
	locales, err := sentences.Load(fstest.MapFS{"de.json": {Data: []byte(`{"name": "Deutsch", "complete": true, "sentences": {
		"/play": "/legen", "/new": "/eröffnen", "/note": "/notiz", "word:": "wort:", "at:": "feld:", "seats:": "plätze:", "opponent:": "gegner:", "rated:": "zählt:",
		"Yes": "Ja", "No": "Nein", "Classic (no clock)": "Klassisch (ohne Uhr)", "Club": "Verein", "Play": "Legen", "Which word?": "Welches Wort?",
		"Take it back": "Zurücknehmen, bevor es alle gesehen haben", "The board": "Das Brett"}}`)}})
	gametest.Must(t, err)
	de, ok := locales.ByCode("de")
	if !ok {
		t.Fatal("no German")
	}
	return de
}

// house is a list of commands with options of each kind.
var house = bot.Commands{
	{Name: "play", Help: "Play a word", Example: "/play horn 8h", Options: []bot.Option{
		{Name: "word", Kind: bot.Word, Required: true, Question: text.Say("Which word?"), Without: text.Say("{pass} gives up the turn.", text.Code("/pass"))},
		{Name: "at", Kind: bot.Square, Required: true},
	}},
	{Name: "new", Example: "/new", Options: []bot.Option{
		{Name: "rules", Kind: bot.Pick, Choices: []bot.Choice{{Value: "classic", Label: text.Say("Classic (no clock)")}, {Value: "club", Label: text.Say("Club")}}},
		{Name: "seats", Kind: bot.Pick, Choices: []bot.Choice{{Value: "2"}, {Value: "3"}}},
		{Name: "lists", Kind: bot.Pick, List: true, Completes: true},
		{Name: "rated", Kind: bot.YesNo},
		{Name: "opponents", Kind: bot.People},
	}},
	{Name: "exchange", Example: "/exchange qx", Options: []bot.Option{{Name: "tiles", Kind: bot.Letters, Required: true}}},
	{Name: "note", Options: []bot.Option{{Name: "drop", Kind: bot.Pick}, {Name: "text", Kind: bot.Sentence}}},
	{Name: "direct", Options: []bot.Option{{Name: "do", Kind: bot.Pick, Choices: []bot.Choice{{Value: "swap"}}}, {Name: "name", Kind: bot.Words}, {Name: "who", Kind: bot.People}}},
	{Name: "kick", Ours: true, Options: []bot.Option{{Name: "who", Kind: bot.People}}},
	{Name: "settings", Options: []bot.Option{{Name: "pace", Kind: bot.Word}, {Name: "push", Kind: bot.YesNo, Ours: true}}},
}

func TestParseTypedLine(t *testing.T) {
	de := german(t)
	for _, c := range []struct {
		line, want string // "command option=value ...", or part of the refusal
		to         *text.Locale
	}{
		{"", "Type a command", nil},
		{"/dance", "There is no command /dance", nil},
		{"/play horn 8h", "play at=8h word=horn", nil},
		{"PLAY h8 horn", "play at=h8 word=horn", nil},
		{"/play “horn” 8h", "play at=8h word=horn", nil},
		{"/play word:horn at:8h", "play at=8h word=horn", nil},
		{"/play wrod:horn 8h", "play at=8h word=wrod:horn", nil}, // two letters away
		{"/play worb:horn 8h", "play at=8h word=horn", nil},      // a letter away
		{"/play horn 8h farm", "I don't know what farm means", nil},
		{"/play word: 8h", "I don't know what word: means", nil},
		{"/new club 3", "new rules=club seats=3", nil},
		{"/new 3, CLUB", "new rules=club seats=3", nil},
		{"/new rated", "new lists=rated", nil},
		{"/new rated:Yes seats:3", "new rated=yes seats=3", nil},
		{"/new lists:en,de", "new lists=en de", nil},
		{"/new @bob <@U1>", "new opponents=@bob <@U1>", nil},
		{"/direct swap who:@a @b", "direct do=swap who=@a @b", nil},
		{"/direct swap @a @b Ann", "direct do=swap name=Ann who=@a @b", nil},
		{"/new rules:club rules:classic", "rules is there twice: club and classic. Choose one.", nil},
		{"/exchange q x", "exchange tiles=q x", nil},
		{"/note remember the Q", "note text=remember the Q", nil},
		{"/note text: the Q", "note text=the Q", nil},
		{"/note drop:1", "note drop=1", nil},
		{"/note", "note", nil},
		{"/legen wort:horn feld:8h", "play at=8h word=horn", de},
		{"/legen horn 8h", "There is no command /legen", nil},
		{"/eroffnen klassisch platze:3 zahlt:ja", "new rated=yes rules=classic seats=3", de},
		{"/eroeffnen verein zählt:nein", "new rated=no rules=club", de},
		{"/new Verein plätze:2", "new rules=club seats=2", de},
	} {
		command, args, refusal := house.ParseLine(c.line, c.to)
		got := command
		for _, name := range slices.Sorted(maps.Keys(args)) {
			got += " " + name + "=" + args[name]
		}
		if refusal != nil {
			got = refusal.String()
		}
		if got != c.want && (refusal == nil || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%q is read as %q, want %q", c.line, got, c.want)
		}
	}
}

// A name matches what is typed without accents. If two names match, neither is meant.
func TestNamesMatchWithoutAccents(t *testing.T) {
	for _, c := range []struct {
		name, typed string
		want        bool
	}{
		{"Zoë", "zoe", true}, {"zoe", "ZOË", true}, {"Müller", "muller", true}, {"Müller", "Mueller", true}, {"Mueller", "Müller", false},
		{"Großmann", "grossmann", true}, {"zamień", "zamien", true}, {"Łódź", "lodz", true}, {"Ann", "Anna", false}, {"Ann", "", false}, {"", "", false},
		{"Mu\u0308ller", "mueller", true}, // with a combining accent
	} {
		if got := bot.Alike(c.name, c.typed); got != c.want {
			t.Errorf("%s is meant by %q: %t", c.name, c.typed, got)
		}
	}
	twins := bot.Command{Options: []bot.Option{{Name: "wörter"}, {Name: "worter"}, {Name: "wörtër"}}}
	if o, ok := twins.Option("WORTER", nil); !ok || o.Name != "worter" {
		t.Errorf("the name itself means %q, %t", o.Name, ok)
	}
	if o, ok := twins.Meant("wortex", nil); ok {
		t.Errorf("a letter from three options means %q", o.Name)
	}
}

// A word's argument may contain the square too.
func TestWordWithSquare(t *testing.T) {
	play, _ := house.Find("play")
	exchange, _ := house.Find("exchange")
	for _, c := range []struct {
		of       bot.Command
		word, at string
		want, to string
	}{
		{play, "horn 8h", "", "horn", "8h"},
		{play, "8h horn", "", "horn", "8h"},
		{play, "horn h12", "", "horn", "h12"},
		{play, "horn 8h", "9h", "horn 8h", "9h"},
		{play, "horn", "", "horn", ""},
		{play, "horn farm", "", "horn farm", ""},
		{play, "8h 9h", "", "8h 9h", ""},
		{play, "horn 8", "", "horn 8", ""},
		{play, "horn 8h8", "", "horn 8h8", ""},
		{exchange, "horn 8h", "", "horn 8h", ""},
	} {
		args := map[string]string{"word": c.word}
		if c.at != "" {
			args["at"] = c.at
		}
		got := c.of.Parted(args)
		if got["word"] != c.want || got["at"] != c.to {
			t.Errorf("%q and %q of /%s are %v", c.word, c.at, c.of.Name, got)
		}
		if args["word"] != c.word {
			t.Errorf("what was asked has become %v", args)
		}
	}
}

func TestCommandNames(t *testing.T) {
	de := german(t)
	play, _ := house.FindIn("legen", de)
	if got := play.Line(nil) + " " + play.Line(de); got != "/play word at /legen wort feld" {
		t.Errorf("it is typed %s", got)
	}
	opened, _ := house.Find("new")
	if got := opened.Line(de); got != "/eröffnen [rules] [plätze] [lists] [zählt] [gegner]" {
		t.Errorf("it is typed %s", got)
	}
	if _, ok := house.FindIn("", de); ok {
		t.Error("a command without a name is found")
	}
	if _, ok := house.FindIn("tanzen", de); ok {
		t.Error("a command that nobody knows is found")
	}
	if !house.Knows(bot.Request{Command: "play"}) || house.Knows(bot.Request{Command: "legen"}) {
		t.Error("a request is known by another than the English name")
	}
	rules := opened.Options[0]
	for i, want := range []string{"klassisch", "verein"} {
		if got := rules.ChoiceIn(rules.Choices[i], de); got != want {
			t.Errorf("choice %d is called %q", i, got)
		}
		if got := rules.ChoiceIn(rules.Choices[i], nil); got != "" {
			t.Errorf("choice %d is called %q in English", i, got)
		}
	}
	same := bot.Option{Kind: bot.Pick, Choices: []bot.Choice{{Value: "a", Label: text.Say("Club")}, {Value: "verein", Label: text.Say("The board")}, {Value: "c", Label: text.Plain(strings.Repeat("long", 10))}}}
	for _, c := range []bot.Choice{same.Choices[0], same.Choices[2]} {
		if got := same.ChoiceIn(c, de); got != "" {
			t.Errorf("%s is called %q", c.Value, got)
		}
	}
	if got := bot.Missing(play, play.Options[0]).String(); got != "Which word? For example, /play horn 8h. /pass gives up the turn." {
		t.Errorf("a word that is missing: %s", got)
	}
	other := house.Elsewhere()
	if len(other) != len(house)-1 || len(other[len(other)-1].Options) != 1 || len(house[len(house)-1].Options) != 2 {
		t.Errorf("elsewhere there are %d commands", len(other))
	}
}

// A platform asks for missing arguments that the command requires, and for options that the button
// names without a value.
func TestPressAsksForMissingArguments(t *testing.T) {
	for _, c := range []struct {
		command string
		args    map[string]string
		want    string
	}{
		{"play", nil, "[word at]"}, {"play", map[string]string{"word": "horn"}, "[at]"}, {"play", map[string]string{"word": "horn", "at": "8h"}, "[]"},
		{"new", nil, "[]"}, {"new", map[string]string{"rules": ""}, "[rules]"}, {"dance", nil, "[]"},
	} {
		names := []string{}
		for _, o := range house.Asks(bot.Request{Command: c.command, Args: c.args}) {
			names = append(names, o.Name)
		}
		if got := fmt.Sprint(names); got != c.want {
			t.Errorf("/%s %v asks for %s, want %s", c.command, c.args, got, c.want)
		}
	}
}
