package features_test

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game/gametest"
)

// A command typed in a person's language means the same as in English, and English is understood in
// every language.
func TestTypedInOtherLanguages(t *testing.T) {
	locales, err := sentences.Load(data.Sentences())
	gametest.Must(t, err)
	for line, want := range map[string]string{
		"de /spielen HORN 8H":           "play at=8H word=HORN",
		"de /SPIELEN Wort:horn feld:h8": "play at=h8 word=horn",
		"de /play word:horn feld:h8":    "play at=h8 word=horn",
		"de /neu plätze:3 Uhr:an":       "new clock=on seats=3",
		"de /neu gewertet:nein":         "new rated=no",
		"de /neu rated:no":              "new rated=no",
		"de /bank gemischt":             "rack order=shuffle",
		"de /rack reihenfolge:shuffle":  "rack order=shuffle",
		"de /neu roboter:experte":       "new robots=expert",
		"de /neu experte, mittel":       "new robots=expert medium",
		"de /jouer HORN 8H":             "",
		"fr /jouer mot:HORN en:8H":      "play at=8H word=HORN",
		"es /nueva reglas:clásicas":     "new rules=classic",
		"es /nueva clásicas":            "new rules=classic",
		"es /nota texto:guardar la S":   "note text=guardar la S",
		"es /nota guardar la S":         "note text=guardar la S",
		"nl /nieuw spelregels:x":        "",
		"pl /zagraj słowo:róg 8H":       "play at=8H word=róg",
		"pl /wymień q v":                "exchange tiles=q v",
		"pt /verificar":                 "",
		"pt /consultar qi za":           "check words=qi za",
		"en /spielen HORN 8H":           "",
		"fr /echanger q v":              "exchange tiles=q v",
		"fr /e\u0301changer q v":        "exchange tiles=q v",
		"pl /wymien q v":                "exchange tiles=q v",
		"pl /zagraj slowo:róg 8H":       "play at=8H word=róg",
		"pl /zagraj łubin":              "play word=łubin",
		"de /neu platze:3":              "new seats=3",
		"de /neu PLAETZE:3":             "new seats=3",
		"es /nueva clasicas":            "new rules=classic",
		"es /nueva puntuada:si":         "new rated=yes",
		"es /nueva año:3":               "",
		"en /echanger q v":              "",
		"de /neu robotr:easy platz:3":   "new robots=easy seats=3",
		"de /neu robot:easy seat:3":     "new robots=easy seats=3",
		// "pass" is /pass in English, whatever it is elsewhere.
		"pl /pas": "pass", "pl /pass": "pass",
	} {
		code, line, _ := strings.Cut(line, " ")
		to, _ := locales.ByCode(code)
		command, args, refused := features.Commands().ParseLine(line, to)
		got := command
		for _, name := range slices.Sorted(maps.Keys(args)) {
			got += " " + name + "=" + args[name]
		}
		if got != want || (refused == nil) != (want != "") {
			t.Errorf("%s in %s: %q (%s), want %q", line, code, got, refused, want)
		}
	}
}

// No two commands share a name in a language, or with the other's English name; neither do two
// options or choices of one command, with or without accents. The host understands each name, even
// without accents.
func TestCommandNamesDontClash(t *testing.T) {
	locales, err := sentences.Load(data.Sentences())
	gametest.Must(t, err)
	choices, accented := 0, 0
	spellings := func(own string) []string {
		plain := bot.Unaccented(own)
		if strings.ContainsFunc(plain, func(r rune) bool { return r >= utf8.RuneSelf && unicode.IsLetter(r) }) {
			t.Errorf("%s is %s without accents", own, plain)
		}
		if plain == strings.ToLower(own) {
			return []string{own}
		}
		accented++
		return []string{own, plain, strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss").Replace(own), norm.NFD.String(own)}
	}
	for _, to := range locales.All()[1:] {
		for _, c := range features.Commands() {
			called := cmp.Or(c.NameIn(to), c.Name) // a new command has only an English name
			for _, own := range spellings(called) {
				if found, ok := features.Commands().FindIn(own, to); !ok || found.Name != c.Name {
					t.Errorf("/%s is called /%s in %s, which is /%s", c.Name, own, to.Code(), found.Name)
				}
			}
			for _, o := range c.Options {
				option := cmp.Or(o.NameIn(to), o.Name)
				for _, own := range spellings(option) {
					if found, ok := c.Option(own, to); !ok || found.Name != o.Name {
						t.Errorf("/%s %s: is called %s: in %s, which is %s:", c.Name, o.Name, own, to.Code(), found.Name)
					}
				}
				for _, choice := range o.Choices {
					own := o.ChoiceIn(choice, to)
					if own == "" {
						continue
					}
					choices++
					for _, own := range spellings(own) {
						line := "/" + called + " " + option + ":" + own
						if _, args, refused := features.Commands().ParseLine(line, to); refused != nil || args[o.Name] != choice.Value {
							t.Errorf("%s in %s: %v (%s), want %s", line, to.Code(), args, refused, choice.Value)
						}
					}
				}
			}
		}
	}
	if choices < 500 || accented < 300 {
		t.Errorf("only %d choices have names in other languages, and %d names have accents", choices, accented)
	}
}

// /help shows the names in the reader's language beside the English ones, and fits into a message
// in each language.
func TestHelpInOtherLanguages(t *testing.T) { synctest.Test(t, testHelpInOtherLanguages) }

func testHelpInOtherLanguages(t *testing.T) {
	locales, err := sentences.Load(data.Sentences())
	gametest.Must(t, err)
	w := newWorld(t, func(c *host.Config) { c.Locales = locales })
	ask := func(line, locale string) string {
		req := w.Request(bot.User{ID: "test:ann", Name: "Ann"}, line)
		req.Locale = locale
		return w.Host.Handle(t.Context(), req).Text.String()
	}
	for _, to := range locales.All() {
		for _, c := range append(features.Commands(), bot.Command{}) {
			text := ask("/help "+c.Name, to.Code())
			if n := utf8.RuneCountInString(text); n > bot.MaxText {
				t.Errorf("/help %s has %d characters in %s", c.Name, n, to.Code())
			}
			if own := "/" + c.NameIn(to); c.Name != "" && !strings.Contains(text, own) {
				t.Errorf("/help %s in %s lacks %s: %s", c.Name, to.Code(), own, text)
			}
		}
	}
	for line, has := range map[string]string{
		"/help all":      "/play /try ",
		"/help play":     "/spielen wort [feld] [ziehen] ",
		"/help join":     "\nrobot · roboter: ",
		"/help spielen":  "Gib /play word [at]",
		"/help neu":      "\nregeln: ",
		"/help settings": "\nboard · brett (folded, live, default)\n",
	} {
		if text := ask(line, "de"); !strings.Contains(text, has) {
			t.Errorf("%s lacks %q in German:\n%s", line, has, text)
		}
	}
	if text := ask("/help play", "en"); strings.Contains(text, "spielen") || strings.Contains(text, "does the same") {
		t.Errorf("/help play in English:\n%s", text)
	}
}
