package sentences_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rackmate/rackmate/data/sentences"
)

const (
	tiles  = "{who} draws {n, plural, =0 {nothing} one {# tile} other {# tiles}}."
	place  = "You're {n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}."
	reads  = "It reads {way, select, across {across} other {down}}."
	played = "Play {word}."
)

// read returns a Polish catalogue with these sentences.
func read(t *testing.T, all string) *sentences.Locale {
	t.Helper()
	locale, err := sentences.Read("pl", []byte(`{"name": "Polski", "complete": true, "sentences": {`+all+`}}`))
	if err != nil {
		t.Fatal(err)
	}
	return locale
}

// TestSayInEnglish checks branches by number, by ordinal and by value.
func TestSayInEnglish(t *testing.T) {
	var english *sentences.Locale
	for _, c := range []struct {
		template string
		values   []any
		want     string
	}{
		{tiles, []any{"Ann", 0}, "Ann draws nothing."},
		{tiles, []any{"Ann", 1}, "Ann draws 1 tile."},
		{tiles, []any{"Ann", 7}, "Ann draws 7 tiles."},
		{place, []any{1}, "You're 1st."},
		{place, []any{22}, "You're 22nd."},
		{place, []any{13}, "You're 13th."},
		{reads, []any{"across"}, "It reads across."},
		{reads, []any{"down"}, "It reads down."},
		{"{letter, initial, a {an} other {a}} {letter}", []any{"A"}, "an A"},
		{"{letter, initial, a {an} al {the} other {a}} {letter}", []any{"Alb"}, "the Alb"},
		{"{letter, initial, a {an} other {a}} {letter}", []any{"B"}, "a B"},
		{"An end } alone is said as it stands", nil, "An end } alone is said as it stands"},
		{played, nil, "Play ."},
	} {
		if got := english.Say(c.template, c.values...); got != c.want {
			t.Errorf("%s with %v is %q, want %q", c.template, c.values, got, c.want)
		}
	}
	if english.Code() != "en" || english.Name() != "English" || !english.Complete() || !english.IsEnglish() || english.Translation(played) != "" || len(english.Keys()) > 0 {
		t.Errorf("English is %s, %s", english.Code(), english.Name())
	}
	if got := sentences.Pseudo.Say(tiles, "Ann", 2); strings.Contains(got, "tile") || !strings.HasPrefix(got, "Ann ") {
		t.Errorf("English with an accent is %q", got)
	}
}

// TestSayInAnotherLanguage checks that a language has its own word order and plurals, and falls back to
// English.
func TestSayInAnotherLanguage(t *testing.T) {
	polish := read(t, `
		"`+tiles+`": "{n, plural, =0 {Nic} one {# płytkę} few {# płytki} many {# płytek} other {# płytki}} dobiera {who}.",
		"Pass": "Pas"`)
	for n, want := range map[int]string{0: "Nic dobiera Ann.", 1: "1 płytkę dobiera Ann.", 3: "3 płytki dobiera Ann.", 5: "5 płytek dobiera Ann.", 12: "12 płytek dobiera Ann."} {
		if got := polish.Say(tiles, "Ann", n); got != want {
			t.Errorf("of %d there is said %q, want %q", n, got, want)
		}
	}
	if got := polish.Say(played, "HORN"); got != "Play HORN." {
		t.Errorf("what it lacks is %q", got)
	}
	if polish.Translation("Pass") != "Pas" || polish.Translation(tiles) != "" || polish.Translation(played) != "" {
		t.Error("a text without values is its own, and nothing else")
	}
	if keys := polish.Keys(); !slices.Equal(keys, []string{"Pass", tiles}) {
		t.Errorf("it has %q", keys)
	}
	if polish.Code() != "pl" || polish.Name() != "Polski" || !polish.Complete() || polish.IsEnglish() {
		t.Errorf("Polish is %s, %s", polish.Code(), polish.Name())
	}
}

// TestInvalidCatalogueIsRejected checks that an invalid catalogue is rejected with the reason.
func TestInvalidCatalogueIsRejected(t *testing.T) {
	for _, c := range []struct{ key, own, want string }{
		{played, "Graj.", "{word} is missing"},
		{played, "Graj {słowo}.", "the English has no {słowo}"},
		{played, "Graj {word.", "there is a { without its }"},
		{played, "Graj {word}}.", "there is a } without its {"},
		{tiles, "{who} {n, plural, one {# płytkę} few {# płytki} other {# płytki}}.", "the plural of {n} lacks many"},
		{tiles, "{who} {n, plural, one {# płytkę} few {# płytki} many {# płytek}}.", "has no branch other"},
		{tiles, "{who} {n, plural, some {# płytkę} other {#}}.", "unknown category some"},
		{tiles, "{who} {n, plural, =x {# płytkę} other {#}}.", "unknown category =x"},
		{tiles, "{who} {n, plural}", "without branches"},
		{tiles, "{who} {n, choice, other {#}}", "neither plural, selectordinal, select nor initial"},
		{tiles, "{who} {n, plural, other {#", "has no end"},
		{tiles, "{who} {n, plural, other #}", "a branch is a name and its text in braces"},
		{"Play {a word}.", "Graj.", "a name is of letters and digits"},
	} {
		_, err := sentences.Read("pl", fmt.Appendf(nil, `{"sentences": {%q: %q}}`, c.key, c.own))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.own, err, c.want)
		}
	}
	for code, data := range map[string]string{"pl": "no catalogue", "no language": "{}"} {
		if _, err := sentences.Read(code, []byte(data)); err == nil {
			t.Errorf("%s: %s is read", code, data)
		}
		if _, err := sentences.Load(fstest.MapFS{code + ".json": {Data: []byte(data)}}); err == nil {
			t.Errorf("%s: %s is opened", code, data)
		}
	}
}

// TestChooseLanguage checks that people are addressed in their language if its catalogue is
// complete, and can choose others.
func TestChooseLanguage(t *testing.T) {
	all, err := sentences.Load(fstest.MapFS{
		"de.json":    {Data: []byte(`{"name": "Deutsch", "complete": true, "sentences": {"Pass": "Passen"}}`)},
		"pt-BR.json": {Data: []byte(`{"name": "Português", "complete": true, "sentences": {}}`)},
		"nl.json":    {Data: []byte(`{"name": "Nederlands", "sentences": {"Pass": 7}}`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	for locale, want := range map[string]string{"de-AT": "de", "pt_BR": "pt-BR", "fr, de;q=0.5": "de", "en-GB": "en", "nl": "", "ja": "", "": "", "!": ""} {
		got, ok := all.Match(locale)
		if ok != (want != "") || ok && got.Code() != want {
			t.Errorf("who reads %q is spoken to in %s, %t; want %q", locale, got.Code(), ok, want)
		}
	}
	dutch, ok := all.ByCode("nl")
	if !ok || dutch.Name() != "Nederlands" || dutch.Complete() {
		t.Errorf("Dutch is %v, %t", dutch.Name(), ok)
	}
	if got := dutch.Say("Pass"); got != "Pass" {
		t.Errorf("a catalogue that can't be read says %q", got)
	}
	german, _ := all.ByCode("de")
	if got := german.Say("Pass"); got != "Passen" {
		t.Errorf("in German it is %q", got)
	}
	if _, ok := all.ByCode("fr"); ok || len(all.All()) != 4 || !all.Several() {
		t.Errorf("there are %d languages", len(all.All()))
	}
	var none *sentences.Locales
	if _, ok := none.Match("de"); ok || none.Several() {
		t.Error("a host without catalogues speaks German")
	}
}
