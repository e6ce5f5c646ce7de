package lexicons_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/language"
	"github.com/rackmate/rackmate/lexicon"
)

// inLanguages configures a host with word lists in English, Spanish and Hebrew, and without
// one in Welsh.
func inLanguages(t *testing.T) func(*host.Config) {
	return func(c *host.Config) {
		for _, code := range []string{"en", "es", "he", "cy"} {
			text, err := os.ReadFile(filepath.Join("..", "..", "data", "languages", code+".json"))
			gametest.Must(t, err)
			l, err := language.Parse(text)
			gametest.Must(t, err)
			c.Languages = append(c.Languages, l)
		}
		for i, list := range map[int]struct{ name, words string }{1: {"es", "NIÑO\nCHA\nOH\n"}, 2: {"he-mini", "של\nשלום\nכלב\n"}} {
			x, err := lexicon.Build(list.name, c.Languages[i].Tiles.Alphabet(), strings.NewReader(list.words))
			gametest.Must(t, err)
			c.Lexicons = append(c.Lexicons, x)
		}
	}
}

// A language is found by its name in each language of the host, and shown in the reader's.
func TestLanguageNamesInReadersLanguage(t *testing.T) {
	locales, err := sentences.Load(data.Sentences())
	gametest.Must(t, err)
	w := featuretest.New(t, inLanguages(t), func(c *host.Config) { c.Locales = locales })
	ask := func(line, locale string) string {
		req := w.Request(bottest.People["ann"], line)
		req.Locale = locale
		return w.Host.Handle(t.Context(), req).Text.String()
	}
	for _, name := range []string{"Spanisch", "espagnol", "hiszpański", "hébreu", "Hebraico", "español", "hiszpanski", "hebreu", "Espanol"} {
		if got := w.Does(bottest.People["ann"], "/new language:"+name); got.Refused {
			t.Errorf("%s: %s", name, got.Text)
		}
		w.Does(bottest.People["ann"], "/leave")
	}
	for line, want := range map[string]string{
		"pl /new language:es lexicon:small": "niż hiszpański",
		"nl /new language:cy":               "voor het Welsh",
		"pt /new language:cy":               "em galês",
	} {
		locale, line, _ := strings.Cut(line, " ")
		if got := ask(line, locale); !strings.Contains(got, want) {
			t.Errorf("%s in %s lacks %q: %q", line, locale, want, got)
		}
	}
	offers := w.Host.Complete(t.Context(), bot.Request{Channel: featuretest.Parlour, User: bottest.People["ann"], Locale: "de", Command: "new", Args: map[string]string{"language": "spa"}}, "language")
	if len(offers) != 1 || offers[0].Label.String() != "Spanisch (español)" {
		t.Errorf("offered: %+v", offers)
	}
}

// If a language's tiles have no vowels, none are counted.
func TestUnseenWithoutVowels(t *testing.T) {
	for code, want := range map[string]string{"he": "97 unseen; 90 tiles in the bag.", "es": "93 tiles are unseen, "} {
		w := featuretest.New(t, inLanguages(t))
		w.Does(bottest.People["ann"], "/new seats:2 language:"+code)
		w.Does(bottest.People["bob"], "/join")
		if got := featuretest.Shown(w.Does(bottest.People["ann"], "/unseen").Text); !strings.HasPrefix(got, want) || strings.Contains(got, "vowel") != (code == "es") {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}

func TestTablesChooseLanguage(t *testing.T) {
	w := featuretest.New(t, inLanguages(t))
	for i, tt := range []struct {
		line  string
		tiles string // tile set and list of the table; "" if it is refused
		said  string // a part of the reply
	}{
		{"/new", "english small", ""},
		{"/new language:es", "spanish es", ""},
		{"/new language:Spanish", "spanish es", ""},
		{"/new language:español lexicon:es", "spanish es", ""},
		{"/new lexicon:es", "spanish es", ""},
		{"/new language:he", "hebrew he-mini", ""},
		{"/new language:es variant:21x21", "spanish doubled es", ""},
		{"/new language:he variant:double-bag", "", "vowels"},
		{"/new language:es lexicon:small", "", "isn't Spanish"},
		{"/new language:cy", "", "rackmate lexicon build --language cy"},
		{"/new language:klingon", "", "klingon"},
	} {
		req := w.Request(bottest.People["ann"], tt.line)
		req.Channel = bot.ChannelID("test:" + string(rune('a'+i)))
		reply := w.Host.Handle(t.Context(), req)
		if tt.tiles == "" {
			if said := featuretest.Shown(reply.Text); !strings.Contains(said, tt.said) {
				t.Errorf("%s: %s", tt.line, said)
			}
			continue
		}
		log := featuretest.Events(t, w.Config.Store, req.Channel)
		if len(log) == 0 {
			t.Errorf("%s: no table: %s", tt.line, featuretest.Shown(reply.Text))
			continue
		}
		f := log[0].Fact.(game.Opened)
		if got := f.Equipment.Tiles.Name() + " " + f.Lexicon.Name; got != tt.tiles {
			t.Errorf("%s: %s, want %s", tt.line, got, tt.tiles)
		}
	}
	for _, tt := range []struct {
		args   map[string]string
		option string
		want   string
	}{
		{map[string]string{"language": "es", "lexicon": ""}, "lexicon", "es"},
		{map[string]string{"lexicon": ""}, "lexicon", "small es he-mini"},
		{map[string]string{"language": ""}, "language", "en es he"},
		{map[string]string{"language": "Spa"}, "language", "es"},
	} {
		req := bot.Request{Channel: featuretest.Parlour, User: bottest.People["ann"], Command: "new", Args: tt.args}
		var all []string
		for _, c := range w.Host.Complete(t.Context(), req, tt.option) {
			all = append(all, c.Value)
		}
		if got := strings.Join(all, " "); got != tt.want {
			t.Errorf("%v offers %q, want %q", tt.args, got, tt.want)
		}
	}
}

// TestDisplayedValuesCanBeSet sets each setting of a server to its displayed value.
func TestDisplayedValuesCanBeSet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t, featuretest.Pictures(t), inLanguages(t))
		shown := regexp.MustCompile(`(?m)^(\w+) (\S+) · `).FindAllStringSubmatch(w.InHouse(featuretest.Parlour, "test:house", bottest.People["mod"], "/settings for:server").Text.String(), -1)
		if len(shown) < 10 {
			t.Fatalf("%d settings are shown", len(shown))
		}
		for _, s := range shown {
			line := "/settings for:server " + s[1] + ":" + s[2]
			if r := w.InHouse(featuretest.Parlour, "test:house", bottest.People["mod"], line); r.Refused {
				t.Errorf("%s: %s", line, r.Text)
			}
		}
	})
}
