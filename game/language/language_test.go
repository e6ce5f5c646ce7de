package language_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/language"
)

// written returns the file of a small language with tiles N and G, and NG, which must always be
// used; change modifies it.
func written(t *testing.T, change func(file map[string]any)) []byte {
	t.Helper()
	tile := func(text string, count int) map[string]any {
		return map[string]any{"tile": text, "count": count, "value": 1}
	}
	file := map[string]any{
		"code": "xx", "name": "Small", "native": "smal", "tiles": "small", "board": "standard-15", "rack": 4, "bingo": 50,
		"reads": "left to right", "box": map[string]any{"tiles": 18, "points": 16}, "source": "nobody", "accents": "fold",
		"always": []string{"NG"}, "seams": []string{"don|ga", "*an|ga*", "in|ga*", "*on|g"},
		"letters": []any{tile("A", 3), tile("D", 3), tile("G", 2), tile("I", 2), tile("N", 2), tile("NG", 2), tile("O", 2)},
		"blank":   map[string]any{"count": 2, "value": 0},
	}
	if change != nil {
		change(file)
	}
	b, err := json.Marshal(file)
	gametest.Must(t, err)
	return b
}

// TestMark checks that words of a list are marked where letters meet that would be read as one
// tile.
func TestMark(t *testing.T) {
	l, err := language.Parse(written(t, nil))
	gametest.Must(t, err)
	for word, want := range map[string]string{
		"danga":   "DAN|GA",   // anywhere
		"odangao": "ODAN|GAO", // anywhere
		"ingad":   "IN|GAD",   // at the start
		"dingad":  "dingad",
		"don|g":   "don|g", // already marked
		"dong":    "DON|G", // at the end
		"ong":     "ON|G",
		"onga":    "onga",
		"donga":   "DON|GA", // only that word
		"odonga":  "odonga",
		"dad":     "dad",
	} {
		if got := l.Mark(word); got != want {
			t.Errorf("%s is marked %s, want %s", word, got, want)
		}
	}
	plain, err := language.Parse(written(t, func(file map[string]any) { delete(file, "seams") }))
	gametest.Must(t, err)
	if got := plain.Mark("danga"); got != "danga" {
		t.Errorf("in a language without seams danga is marked %s", got)
	}
}

// TestLanguageOfList checks that a word list belongs to the language whose code starts its name.
func TestLanguageOfList(t *testing.T) {
	l, err := language.Parse(written(t, nil))
	gametest.Must(t, err)
	for list, want := range map[string]*language.Language{"xx": l, "xx-clean": l, "xx-clean-2": l, "xxy": nil, "en": nil, "": nil} {
		if got := language.Of(list, []*language.Language{l}); got != want {
			t.Errorf("%q is of %v", list, got)
		}
	}
	if got := language.CodeOf("pt-br-old", []string{"pt", "pt-br"}); got != "pt-br" {
		t.Errorf("pt-br-old is of %s", got)
	}
}

// TestInvalidLanguageFile checks that the error about an invalid file gives the reason.
func TestInvalidLanguageFile(t *testing.T) {
	set := func(name string, value any) func(map[string]any) {
		return func(file map[string]any) { file[name] = value }
	}
	for want, change := range map[string]func(map[string]any){
		`the code "Small" is not like es`:          set("code", "Small"),
		`accents are "fold" or "own", not "any"`:   set("accents", "any"),
		`reads is "left to right"`:                 set("reads", "down"),
		"its letters aren't written right to left": set("reads", "right to left"),
		"unknown field":                            set("colour", "red"),
		"language xx: ":                            set("letters", []any{}),
	} {
		if _, err := language.Parse(written(t, change)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := language.Parse([]byte("\xff\xfe{\x00")); err == nil || !strings.Contains(err.Error(), "save it as UTF-8") {
		t.Errorf("of a file in UTF-16: %v", err)
	}
}

// TestCheck checks a valid file against its box and its letters.
func TestCheck(t *testing.T) {
	for name, c := range map[string]struct {
		change func(map[string]any)
		want   string // "" for a language without errors
	}{
		"sound":          {nil, ""},
		"another box":    {func(f map[string]any) { f["box"] = map[string]any{"tiles": 20, "points": 16} }, "Its tiles are 18 with 16 points; its box has 20 with 16."},
		"no source":      {func(f map[string]any) { delete(f, "source") }, "It has no name"},
		"large racks":    {func(f map[string]any) { f["rack"] = 5 }, "A rack of 5 tiles can't be filled for four players out of 18."},
		"a small rack":   {func(f map[string]any) { f["rack"] = 1 }, "A rack of 1 tiles"},
		"a fine":         {func(f map[string]any) { f["bingo"] = -1 }, "A bonus of -1 points isn't possible"},
		"read two ways":  {func(f map[string]any) { delete(f, "always") }, "A word with NG can be read in two ways"},
		"and both":       {func(f map[string]any) { f["both"] = []string{"NG"} }, "A word with NG can be read in two ways"},
		"laid both ways": {func(f map[string]any) { delete(f, "always"); f["both"] = []string{"NG"}; delete(f, "seams") }, ""},
		"an idle seam":   {func(f map[string]any) { f["seams"] = []string{"d|a"} }, "The seam d|a separates no letters"},
		"an odd fold":    {func(f map[string]any) { f["fold"] = map[string]string{"Ö": "Z"} }, `fold: "Ö" stands for "Z", which no tile has.`},
	} {
		l, err := language.Parse(written(t, c.change))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		wrong := l.Check()
		if (len(wrong) == 0) != (c.want == "") || c.want != "" && !slices.ContainsFunc(wrong, func(s string) bool { return strings.Contains(s, c.want) }) {
			t.Errorf("%s: %q, want %q", name, wrong, c.want)
		}
	}
}
