package features_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot/features/featuretest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

// TestCommandsFitPlatforms checks Discord's limits on application commands, which are stricter than
// Slack's (developers/interactions/application-commands).
func TestCommandsFitPlatforms(t *testing.T) {
	valid := regexp.MustCompile(`^[a-z][a-z-]{0,31}$`)
	sized := func(what, text string) {
		if n := len([]rune(text)); n < 1 || n > 100 {
			t.Errorf("%s has %d characters: %q", what, n, text)
		}
	}
	commands := features.Commands()
	if n := len(commands); n == 0 || n > 100 {
		t.Errorf("%d commands", n)
	}
	names := map[string]bool{}
	for _, c := range commands {
		if !valid.MatchString(c.Name) || names[c.Name] {
			t.Errorf("the name %q", c.Name)
		}
		names[c.Name] = true
		sized("/"+c.Name, c.Help)
		total := len(c.Name + c.Help)
		if shared := slices.DeleteFunc(slices.Clone(c.Options), func(o bot.Option) bool { return o.Ours }); len(shared) > 25 {
			t.Errorf("/%s has %d options", c.Name, len(shared))
		}
		optional := false
		options := map[string]bool{}
		for _, o := range c.Options {
			what := "/" + c.Name + " " + o.Name
			if !valid.MatchString(o.Name) || options[o.Name] {
				t.Errorf("the name of %s", what)
			}
			options[o.Name] = true
			sized(what, o.Help)
			if o.Required && optional {
				t.Errorf("%s is required, and comes after one that is not", what)
			}
			optional = optional || !o.Required
			if o.Kind < bot.Word || o.Kind > bot.Sentence {
				t.Errorf("%s is of no kind", what)
			}
			if o.Completes && len(o.Choices) > 0 {
				t.Errorf("%s has choices and completes", what)
			}
			if o.Kind == bot.Pick && !o.Completes && len(o.Choices) == 0 {
				t.Errorf("%s: pick from what?", what)
			}
			if len(o.Choices) > 25 {
				t.Errorf("%s has %d choices", what, len(o.Choices))
			}
			values := map[string]bool{}
			for _, choice := range o.Choices {
				sized(what+" value", choice.Value)
				sized(what+" label", choice.Label.String())
				if values[choice.Value] {
					t.Errorf("%s has %s twice", what, choice.Value)
				}
				values[choice.Value] = true
				total += len(choice.Value + choice.Label.String())
			}
			total += len(o.Name + o.Help)
		}
		if total > 8000 {
			t.Errorf("/%s has %d characters in all", c.Name, total)
		}
		name, args, refused := features.Commands().ParseLine(c.Example, nil)
		if name != c.Name || refused != nil {
			t.Errorf("the example of /%s, %q: %s", c.Name, c.Example, refused)
		}
		for _, o := range c.Options {
			if o.Required && args[o.Name] == "" {
				t.Errorf("the example of /%s has no %s", c.Name, o.Name)
			}
		}
	}
	if _, ok := features.Commands().Find(""); ok {
		t.Error("a command without a name")
	}
}

func TestParseLine(t *testing.T) {
	for line, want := range map[string]string{
		"/play horn 8h":                    "play at=8h word=horn",
		"play 8h horn":                     "play at=8h word=horn",
		"/PLAY at:8h word:horn":            "play at=8h word=horn",
		"/play AT:8H Horn":                 "play at=8H word=Horn",
		"  /play\thorn ,  8h ":             "play at=8h word=horn",
		`/play "horn" '8h'`:                "play at=8h word=horn",
		"/play “horn”, 8h":                 "play at=8h word=horn",
		"/play horn,8h":                    "play at=8h word=horn",
		"/play Q?UIZ H8":                   "play at=H8 word=Q?UIZ",
		"/play horn -1a":                   "play at=-1a word=horn",
		"/play h(or)n 9z":                  "play at=9z word=h(or)n",
		"/play h0rn 8h":                    "play at=8h word=h0rn",
		"/play horn":                       "play word=horn",
		"/play 8h":                         "play at=8h",
		"/play":                            "play",
		"/play horn 8h 9h":                 "",
		"/play horn 8h extra":              "",
		"/play horn at:":                   "",
		"/play horn at:8h at:9h":           "",
		"/exchange q v v":                  "exchange tiles=q v v",
		"/exchange QVV?":                   "exchange tiles=QVV?",
		"/exchange q, v":                   "exchange tiles=q v",
		"/challenge ex, at":                "challenge words=ex at",
		"/challenge ex,at":                 "challenge words=ex at",
		"/challenge":                       "challenge",
		"/challenge words:ex at":           "challenge words=ex at",
		"/check qi za":                     "check words=qi za",
		"/rack shuffle":                    "rack order=shuffle",
		"/rack SORT":                       "rack order=sort",
		"/rack upside down":                "",
		"/board text":                      "board as=text",
		"/new":                             "new",
		"/new Club 2 double":               "new challenge=double rules=club seats=2",
		"/new 3 en-clean":                  "new lexicon=en-clean seats=3",
		"/new out:double":                  "new out=double",
		"/new double double":               "new challenge=double out=double",
		"/new @ann, <@42> seats:4":         "new opponents=@ann <@42> seats=4",
		"/new opponents:@ann @bob":         "new opponents=@ann @bob",
		"/new rules:Chess":                 "new rules=Chess",
		"/new rule:club robot:easy":        "new robots=easy rules=club",
		"/new seets:3 ruels:club":          "",
		"/new rate:yes":                    "", // rated: or late:
		"/note texts: it was":              "note text=texts: it was",
		"/help /play":                      "help command=/play",
		"/pass now":                        "",
		"pass":                             "pass",
		"/dance":                           "",
		"":                                 "",
		"/":                                "",
		" , ; ":                            "",
		"//play horn":                      "",
		"/new 2 3":                         "new lexicon=3 seats=2",
		"/challenge \"it's\"":              "challenge words=it's",
		"/exchange " + "é":                 "exchange tiles=é",
		"/play " + strings.Repeat("x", 99): "play word=" + strings.Repeat("x", 99),
	} {
		command, args, refused := features.Commands().ParseLine(line, nil)
		got := command
		for _, name := range slices.Sorted(maps.Keys(args)) {
			got += " " + name + "=" + args[name]
		}
		if got != want || (refused == nil) != (want != "") {
			t.Errorf("%q: %q (%s), want %q", line, got, refused, want)
		}
		if text := refused.String(); refused != nil && (!strings.HasSuffix(text, ".") || !strings.Contains(text, "/") && !strings.Contains(text, "Choose one")) {
			t.Errorf("%q: %q does not say what to do", line, text)
		}
	}
}

func FuzzParseLine(f *testing.F) {
	for _, c := range features.Commands() {
		f.Add(c.Example)
	}
	f.Add("/PLAY at:8h word:Q?UIZ")
	f.Add("/new <@1> @b club \"3\" out:double")
	f.Add("\xff: ?:")
	f.Fuzz(func(t *testing.T, line string) {
		command, args, refused := features.Commands().ParseLine(line, nil)
		if refused != nil {
			if command != "" || args != nil || refused.String() == "" {
				t.Fatalf("%q: %q %v %q", line, command, args, refused)
			}
			return
		}
		c, ok := features.Commands().Find(command)
		if !ok {
			t.Fatalf("%q: there is no %q", line, command)
		}
		// Naming the options explicitly gives the same result.
		again := "/" + command
		for name, value := range args {
			if !slices.ContainsFunc(c.Options, func(o bot.Option) bool { return o.Name == name }) || value == "" {
				t.Fatalf("%q: %s is %q", line, name, value)
			}
			i := slices.IndexFunc(c.Options, func(o bot.Option) bool { return o.Name == name })
			if !strings.Contains(value, " ") || c.Options[i].Kind == bot.Sentence {
				again += " " + name + ":" + value
			} else {
				for v := range strings.FieldsSeq(value) {
					again += " " + name + ":" + v
				}
			}
		}
		if _, args2, refused := features.Commands().ParseLine(again, nil); refused != nil || !maps.Equal(args, args2) {
			t.Fatalf("%q is %v; %q is %v (%s)", line, args, again, args2, refused)
		}
	})
}

func FuzzPress(f *testing.F) {
	f.Add("1:12:34:play:at=8D&word=HORN", uint64(1), 2, "at", "8D")
	f.Add("1:1:0:challenge:words=%3F", uint64(12), 0, "words", "?")
	f.Add("1:18446744073709551615:9:resign:", uint64(1)<<63, 1000, "word", "[L·L]+&=;% \n\xff")
	f.Add("2:1:1:rack:", uint64(0), 0, "", "")
	f.Fuzz(func(t *testing.T, id string, table uint64, number int, name, value string) {
		r := bot.Request{ID: "r1", Channel: "test:a", User: bot.User{ID: "u"}}
		if got, ok := r.Press(id); ok {
			if got.ID != r.ID || got.Channel != r.Channel || got.User != r.User || got.Number < 0 {
				t.Fatalf("%q became %+v", id, got)
			}
			if again, ok := r.Press(bot.ButtonID(got.Table, got.Number, got.Command, got.Args)); !ok || fmt.Sprint(again) != fmt.Sprint(got) {
				t.Fatalf("%q is %+v, written and read again %+v", id, got, again)
			}
		} else if fmt.Sprint(got) != fmt.Sprint(bot.Request{}) {
			t.Fatalf("%q is no button, and became %+v", id, got)
		}
		if number < 0 || strings.ContainsAny(name, "%&+;= \n") || name == "" {
			return
		}
		made := bot.ButtonID(bot.TableID(table), number, "play", map[string]string{name: value})
		got, ok := r.Press(made)
		if !ok || got.Table != bot.TableID(table) || got.Number != number || got.Command != "play" || len(got.Args) != 1 || got.Args[name] != value {
			t.Fatalf("%q: %v %+v", made, ok, got)
		}
	})
}

// TestButtonsFitPlatforms tries the longest words in the longest game on the largest board, with
// letters that print as several characters.
func TestButtonsFitPlatforms(t *testing.T) {
	rows := strings.Repeat(strings.Repeat(".", game.MaxSize)+"\n", game.MaxSize)
	layout, err := game.ParseLayout("large", "*"+rows[1:])
	gametest.Must(t, err)
	set, err := game.NewTileSet("catalan", []game.Kind{{Text: "A", Count: 100, Value: 1}, {Text: "L·L", Count: 100, Value: 10}, {Text: "L", Count: 100, Value: 1}}, game.Kind{Text: "?", Count: 20})
	gametest.Must(t, err)
	rules := game.Classic()
	rack := gametest.Tiles(t, game.Equipment{Tiles: set}, "[L·L][L·L][L·L][L·L][L·L]??")
	list, err := lexicon.Build("small", set.Alphabet(), strings.NewReader("LA\n"))
	gametest.Must(t, err)
	w := newWorld(t, func(c *host.Config) {
		c.Equipment, c.Lexicons = game.Equipment{Layout: layout, Tiles: set}, []*lexicon.Lexicon{list}
	})
	log := []game.Event{}
	add := func(f game.Fact) {
		log = append(log, game.Event{Number: len(log), At: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), Cause: fmt.Sprint(len(log)), Fact: f})
	}
	add(game.Opened{Rules: rules, Equipment: w.Config.Equipment, Lexicon: game.LexiconID{Name: "small"}, Host: people["ann"], Seats: 2})
	add(game.Joined{Person: people["ann"]})
	add(game.Joined{Person: people["bob"]})
	add(game.Started{})
	add(game.Dealt{Racks: []game.Tiles{rack, rack}})
	s, err := game.Replay(log)
	gametest.Must(t, err)
	// The last row already holds fourteen tiles.
	word := ""
	for i := range game.MaxSize {
		if i%3 == 0 {
			word += "L·L"
			continue
		}
		word += "[L·L]"
		s.Board.Put(game.Square{Row: game.MaxSize - 1, Col: i}, game.LetterTile(2))
	}
	id := func(bs []bot.Button) {
		t.Helper()
		if len(bs) == 0 || len(bs) > bot.MostButtons {
			t.Errorf("%d buttons", len(bs))
		}
		for _, b := range bs {
			if n := len([]rune(b.ID)); n > bot.MaxButtonID {
				t.Errorf("an id of %d characters: %s", n, b.ID)
			}
			if n := len([]rune(b.Label.String())); n < 1 || n > 30 {
				t.Errorf("a label of %d characters: %s", n, b.Label)
			}
		}
	}
	sp, err := game.ParseSpelling(set, word)
	gametest.Must(t, err)
	m, err := game.Place(w.Config.Equipment, &s.Board, rack, game.Square{Row: game.MaxSize - 1}, game.Across, sp)
	gametest.Must(t, err)
	spelled := table.Spelling(set, m)
	again, err := game.ParseSpelling(set, spelled)
	gametest.Must(t, err)
	if m2, err := game.Place(w.Config.Equipment, &s.Board, rack, m.At, m.Dir, again); err != nil || m2.Tiles != m.Tiles {
		t.Errorf("%q is another play", spelled)
	}
	id([]bot.Button{{ID: bot.ButtonID(1e10, 9999, "play", map[string]string{"word": spelled, "at": "21U"}), Label: text.Say("Play it for 9999")}})

	// A play of seven tiles forms eight words; five buttons are shown.
	put(t, w.Config.Store, parlour, log)
	for _, line := range []string{"[L·L][L·L][L·L][L·L][L·L]?a?a 1a"} {
		if r := w.Does(people["ann"], "/play "+line); r.Refused {
			t.Fatal(r.Text)
		}
	}
	if r := w.Does(people["bob"], "/play [L·L][L·L][L·L][L·L][L·L]?a?a 2a"); r.Refused {
		t.Fatal(r.Text)
	}
	ask := bot.Request{ID: "ask", Channel: parlour, User: people["ann"], Command: "challenge", Args: map[string]string{"words": "?"}}
	r := w.Host.Handle(t.Context(), ask)
	id(r.Buttons)
	if len(r.Buttons) != 5 || r.Buttons[4].Label.String() != "All the words" || !strings.Contains(r.Text.String(), "/challenge") {
		t.Errorf("%s %s", r.Text, featuretest.ButtonsShown(r.Buttons))
	}
	if r := w.Does(people["ann"], "/try ll·l"); len(r.Buttons) > 0 {
		id(r.Buttons)
	}
}

// TestRequiredOptionsHaveQuestions checks that each required option has a question for players who
// leave it out.
func TestRequiredOptionsHaveQuestions(t *testing.T) {
	for _, c := range features.Commands() {
		for _, o := range c.Options {
			if o.Required != (len(o.Question) > 0) {
				t.Errorf("/%s: %s is required: %t; its question: %q", c.Name, o.Name, o.Required, o.Question.String())
			}
		}
	}
}

// The table of commands is built once, so a look-up allocates nothing.
func TestCommandTableIsBuiltOnce(t *testing.T) {
	w := newWorld(t)
	if n := testing.AllocsPerRun(10, func() { w.Host.Commands().Find("play") }); n != 0 {
		t.Errorf("a look-up makes %.0f allocations", n)
	}
}
