package web_test

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/text"
)

// requestID returns the host's id of a visitor's request. It is always the same, and
// doesn't reveal the sender.
func requestID(v *visitor, id string) string {
	sum := sha256.Sum256([]byte(v.ID + ":" + id))
	return fmt.Sprintf("web:%x", sum[:16])
}

func TestCommandReachesHost(t *testing.T) {
	s := open(t)
	ann, bob := s.enter("Ann"), s.enter("Bob Ross")
	s.host.handle = func(bot.Request) bot.Reply {
		return bot.Reply{
			Text: text.Text{{Text: "Your rack: "}, {Text: "AEINRS?", Code: true}}, Picture: &bot.Picture{Alt: text.Say("Your rack"), PNG: somePNG(t, 7, 1)},
			Buttons: []bot.Button{{ID: "1:1:2:rack:order=sort", Label: text.Say("Sort")}}, Files: []bot.File{{Name: "game.gcg", Type: "text/plain", Data: []byte("#character")}},
		}
	}
	got := call[struct{ Reply message }](ann, "say", obj{"stream": "general", "id": "client-id-1", "text": "/PLAY horn 8h"}).Reply
	want := bot.Request{ID: requestID(ann, "client-id-1"), Channel: "web:general", Home: "web:room", Manager: true, User: *ann.user(), Command: "play", Args: map[string]string{"word": "horn", "at": "8h"}}
	if asked := s.host.last(t); fmt.Sprint(asked) != fmt.Sprint(want) {
		t.Errorf("the host was asked\n%+v, want\n%+v", asked, want)
	}
	if got.text() != "Your rack: AEINRS?" || !got.Text[1].Code || got.Refused || got.Buttons[0].Label != "Sort" || string(got.Files[0].Data) != "#character" {
		t.Errorf("Ann reads %+v", got)
	}
	if p := got.Picture; !strings.HasPrefix(p.Src, "data:image/png;base64,") || p.Width != 7 || p.Alt != "Your rack" {
		t.Errorf("the picture is %.40q %d", p.Src, p.Width)
	}
	for _, dark := range []bool{true, false} {
		const zone = "Asia/Tokyo"
		call[obj](ann, "say", obj{"stream": "general", "id": newID(), "text": "/rack", "dark": dark, "zone": zone})
		said := s.host.last(t).Dark
		if got := s.host.last(t).Zone; got != zone {
			t.Errorf("the host is told the zone %q, want %q", got, zone)
		}
		call[obj](ann, "press", obj{"stream": "general", "id": newID(), "button": "1:1:2:rack:order=sort", "dark": dark, "zone": zone})
		pressed := s.host.last(t).Dark
		call[obj](ann, "rack", obj{"stream": "general", "dark": dark})
		if asked := s.host.last(t).Dark; said != dark || pressed != dark || asked != dark {
			t.Errorf("a screen that is dark (%v) is told to the host as %v, %v, %v", dark, said, pressed, asked)
		}
	}
	for _, v := range []*visitor{ann, bob} {
		if n := len(v.messages("general", 0)); n != 0 {
			t.Errorf("%s reads %d messages of a command and its answer", v.Name, n)
		}
	}

	for ch, readers := range map[string]int{"general": 0, call[struct{ ID string }](ann, "direct", obj{"person": bob.ID}).ID: 2, "dm." + ann.ID: 1} {
		ann.command(ch, "/new")
		if got := s.host.last(t).Readers; got != readers {
			t.Errorf("the host is told of %d readers of %s, want %d", got, ch, readers)
		}
	}

	// People are found by names with spaces.
	ann.command("general", "/new @bob ross rules:club")
	asked := s.host.last(t)
	if len(asked.People) != 1 || asked.People[0] != *bob.user() || asked.Args["rules"] != "club" || asked.Args["opponents"] != "" {
		t.Errorf("the host was asked %+v", asked)
	}
}

// Two names in one option both reach the host, and a text that mentions a person contains
// the name.
func TestNamesInCommands(t *testing.T) {
	s := open(t)
	ann, bob, cat := s.enter("Ann"), s.enter("Bob Ross"), s.enter("T05")
	ann.command("general", "/tournament swap who:@Bob Ross @T05")
	if asked := s.host.last(t); len(asked.People) != 2 || asked.People[0] != *bob.user() || asked.People[1] != *cat.user() || asked.Args["name"] != "" {
		t.Errorf("the host was asked %+v", asked)
	}
	ann.command("general", "/roster @T05,1500 | @Bob Ross,1400 | ann@example.org")
	if asked := s.host.last(t); asked.Args["people"] != "T05,1500 | Bob Ross,1400 | ann@example.org" {
		t.Errorf("the host was asked %+v", asked.Args)
	}
}

func TestCommandsRefusedByRoom(t *testing.T) {
	s := open(t)
	ann := s.enter("Ann")
	for line, says := range map[string]string{
		"/dance":          "dance",
		"/":               "/help",
		"/new @Nobody":    "Nobody",
		"/pass everybody": "everybody",
	} {
		got := ann.command("general", line)
		if !got.Refused || !strings.Contains(got.text(), says) {
			t.Errorf("%s is answered %q, refused %v; want a refusal with %q", line, got.text(), got.Refused, says)
		}
		if len(s.host.requests) > 0 {
			t.Fatalf("%s reached the host", line)
		}
	}
	if n := len(ann.messages("general", 0)); n != 0 {
		t.Errorf("%d mistyped commands are there for all to read", n)
	}
}

func TestPressReachesHost(t *testing.T) {
	s := open(t)
	ann := s.enter("Ann")
	s.host.handle = func(bot.Request) bot.Reply { return bot.Reply{Text: plain("That is over."), Refused: true} }
	got := call[struct{ Reply message }](ann, "press", obj{"stream": "general", "id": "client-id-1", "button": "1:12:34:play:at=8D&word=HORN"}).Reply
	if !got.Refused || got.text() != "That is over." {
		t.Errorf("Ann reads %+v", got)
	}
	want := bot.Request{ID: requestID(ann, "client-id-1"), Channel: "web:general", Home: "web:room", Manager: true, User: *ann.user(), Command: "play", Args: map[string]string{"word": "HORN", "at": "8D"}, Table: 12, Number: 34}
	if asked := s.host.last(t); fmt.Sprint(asked) != fmt.Sprint(want) {
		t.Errorf("the host was asked\n%+v, want\n%+v", asked, want)
	}
	for _, id := range []string{"", "1", "1:x:0:play:", "9:1:1:play:", "1:1:1:dance:"} {
		ann.refused("press", obj{"stream": "general", "id": newID(), "button": id}, 422)
	}
}

func TestCompleteCommands(t *testing.T) {
	s := open(t)
	ann := s.enter("Ann")
	s.enter("Bob Ross")
	s.host.choices = func(req bot.Request, option string) []bot.Choice {
		switch {
		case req.Command == "play" && option == "at" && req.Channel == "web:general" && req.User.ID == ann.user().ID:
			return []bot.Choice{{Value: "8D", Label: text.Plain("8D across, " + req.Args["word"] + ", " + req.Args["at"])}}
		case req.Command == "challenge" && option == "words":
			return []bot.Choice{{Value: "QI", Label: text.Plain("QI " + req.Args["words"])}}
		case option == "lexicon":
			return []bot.Choice{{Value: "en", Label: text.Say("270,654 words")}}
		}
		return nil
	}
	type completion struct {
		Option  string
		Choices []struct {
			Insert, Label, Help string
			Open                bool
		}
	}
	for _, test := range []struct {
		line   string
		option string
		want   []string // inserted texts
		help   string   // help of the first
	}{
		{"/play", "", nil, ""},
		{"/play ", "word", nil, ""},
		{"/play ho", "word", nil, ""},
		{"/play horn ", "at", []string{"8D"}, "8D across, horn, "},
		{"/play horn 8", "at", []string{"8D"}, "8D across, horn, 8"},
		{"/play at:8", "at", []string{"at:8D"}, ""},
		{"/play horn 8d ", "", nil, ""},
		{"/rack ", "order", []string{"sort", "shuffle"}, ""},
		{"/rack sh", "order", []string{"shuffle"}, ""},
		{"/challenge ", "words", []string{"QI"}, "QI "},
		{"/challenge za ", "words", []string{"QI"}, "QI za"},
		{"/play horn 8d dr", "", []string{"draw:"}, ""},
		{"/play horn 8d draw:7", "draw", []string{"draw:7"}, ""},
		{"/new rules:", "rules", []string{"rules:classic", "rules:club", "rules:rulebook", "rules:family", "rules:match"}, ""},
		{"/new rules:CL", "rules", []string{"rules:classic", "rules:club"}, ""},
		{"/new rules:clu", "rules", []string{"rules:club"}, ""},
		{"/new rule:clu", "rules", []string{"rule:club"}, ""},
		{"/new clu", "", []string{"rules:club"}, ""},
		{"/new lexicon:", "lexicon", []string{"lexicon:en"}, "270,654 words"},
		{"/new rules:club se", "", []string{"seats:"}, ""},
		{"/new opponents:", "opponents", []string{"opponents:@Bob Ross"}, ""},
		{"/new opponents:@b", "opponents", []string{"opponents:@Bob Ross"}, ""},
		{"/new nonsense:", "", nil, ""},
		{"/pass ", "", nil, ""},
		{"/dance ", "", nil, ""},
		{"hello ", "", nil, ""},
		{"", "", nil, ""},
	} {
		got := call[completion](ann, "complete", obj{"stream": "general", "line": test.line})
		var inserts []string
		for _, c := range got.Choices {
			inserts = append(inserts, c.Insert)
		}
		if got.Option != test.option || !slices.Equal(inserts, test.want) {
			t.Errorf("%q completes %q with %q, want %q with %q", test.line, got.Option, inserts, test.option, test.want)
		} else if test.help != "" && got.Choices[0].Help != test.help {
			t.Errorf("%q: help %q, want %q", test.line, got.Choices[0].Help, test.help)
		}
		s.clock.pass(time.Second)
	}

	// If there are many options, their names are offered first.
	for size, offered := range map[int]bool{2000: true, 2001: false} {
		line := "/new" + strings.Repeat(" ", size-len("/new"))
		if got := call[completion](ann, "complete", obj{"stream": "general", "line": line}); (len(got.Choices) > 0) != offered {
			t.Errorf("a line of %d bytes is completed with %v", size, got.Choices)
		}
	}
	got := call[completion](ann, "complete", obj{"stream": "general", "line": "/new "})
	c, _ := features.Commands().Find("new")
	if len(got.Choices) != len(c.Options) || got.Choices[0].Insert != "opponents:" || !got.Choices[0].Open || got.Choices[0].Help == "" {
		t.Errorf("/new completes with %+v", got)
	}
}

// A German can type and complete commands in German or English, and reads their help in
// German.
func TestCommandsInReadersLanguage(t *testing.T) {
	s := open(t)
	ann := s.enter("Ann")
	ann.locale = "de"
	for line, want := range map[string]string{
		"/spielen feld:8H wort:HORN": "play at=8H word=HORN", "/play HORN 8H": "play at=8H word=HORN", "/neu regeln:club plätze:3": "new rules=club seats=3",
	} {
		ann.command("general", line)
		asked := s.host.last(t)
		got := asked.Command
		for _, name := range slices.Sorted(maps.Keys(asked.Args)) {
			got += " " + name + "=" + asked.Args[name]
		}
		if got != want {
			t.Errorf("%s asks for %s, want %s", line, got, want)
		}
	}
	if got := ann.command("general", "/jouer HORN 8H"); !got.Refused {
		t.Errorf("a French command is answered %q", got.text())
	}

	type completion struct {
		Choices []struct{ Insert, Help string }
	}
	for line, want := range map[string]string{
		"/neu uh":                "uhr: Wie lange jede Person in der ganzen Partie nachdenken darf",
		"/neu plat":              "plätze: Wie viele mitspielen können; so viele, wie die Regeln erlauben, bei Club zwei",
		"/neu clo":               "clock: Wie lange jede Person in der ganzen Partie nachdenken darf",
		"/new regeln:cl":         "regeln:classic Classic: Anzweifeln kostet nichts, übrige Steine wechseln die Seite",
		"/bank gem":              "gemischt Gemischt",
		"/bank sh":               "shuffle Gemischt",
		"/neu reihenfolge:abges": "reihenfolge:abgestimmt Abgestimmt: Alle stimmen über die Reihenfolge ab",
	} {
		got := call[completion](ann, "complete", obj{"stream": "general", "line": line})
		if len(got.Choices) == 0 || got.Choices[0].Insert+" "+got.Choices[0].Help != want {
			t.Errorf("%s completes with %+v, want %s", line, got.Choices, want)
		}
		s.clock.pass(time.Second)
	}

	var all []struct {
		Name, Own, Help string
		Options         []struct {
			Name, Own, Help string
			Choices         []struct{ Value, Label string }
		}
	}
	decode(t, ann.do("GET", "/api/commands", nil), &all)
	if c := all[0]; c.Name != "play" || c.Own != "spielen" || c.Help != "Ein Wort legen" || c.Options[0].Own != "wort" || !strings.HasPrefix(c.Options[0].Help, "Das ganze Wort") {
		t.Errorf("the page gets %+v", c)
	}
	i := slices.IndexFunc(features.Commands(), func(c bot.Command) bool { return c.Name == "rack" })
	if got := all[i].Options[0].Choices[1]; got.Value != "shuffle" || got.Label != "Gemischt" {
		t.Errorf("the page gets the choice %+v", got)
	}
}

// The page receives the host's table of commands.
func TestPageGetsCommandTable(t *testing.T) {
	s := open(t)
	type command struct {
		Name, Help string
		Options    []struct {
			Name, Help string
			Required   bool
		}
	}
	var out []command
	decode(t, (&visitor{site: s}).do("GET", "/api/commands", nil), &out)
	all := features.Commands()
	if len(out) != len(all) || len(all) == 0 {
		t.Fatalf("the page gets %d commands of %d", len(out), len(all))
	}
	var first struct{ Commands []command }
	decode(t, (&visitor{site: s}).do("GET", "/api/me", nil), &first)
	if len(first.Commands) != 1 || first.Commands[0].Name != "new" {
		t.Errorf("the page begins with the commands %v, want /new", first.Commands)
	}
	for i, c := range all {
		if got := out[i]; got.Name != c.Name || got.Help != c.Help || len(got.Options) != len(c.Options) {
			t.Errorf("command %s is %+v on the page", c.Name, got)
		}
	}
}

// The page requests the rack by itself.
func TestPageRequestsRack(t *testing.T) {
	s := open(t)
	ann := s.enter("Ann")
	type out struct{ Reply *message }
	s.host.handle = func(bot.Request) bot.Reply { return bot.Reply{Text: plain("You have no seat here."), Refused: true} }
	if got := call[out](ann, "rack", obj{"stream": "general"}); got.Reply != nil {
		t.Errorf("without a seat Ann gets %+v", got.Reply)
	}
	s.host.handle = func(bot.Request) bot.Reply { return bot.Reply{Text: plain("Your rack"), Rack: true} }
	got := call[out](ann, "rack", obj{"stream": "general"})
	if got.Reply == nil || !got.Reply.Rack || got.Reply.text() != "Your rack" {
		t.Errorf("Ann gets %+v", got.Reply)
	}
	if asked := s.host.last(t); asked.Command != "rack" || asked.Channel != "web:general" || asked.User != *ann.user() {
		t.Errorf("the host was asked %+v", asked)
	}
	ann.refused("rack", obj{"stream": "nowhere"}, 404)
}
