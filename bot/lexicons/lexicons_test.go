package lexicons_test

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot/lexicons"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

// A table keeps to the list it opened with, even after another list has taken its name, and
// with the words of its place. New tables can't name the former list.
func TestTableKeepsItsList(t *testing.T) {
	eq := gametest.Equipment(t)
	build := func(name, words string) *lexicon.Lexicon {
		t.Helper()
		x, err := lexicon.Build(name, eq.Tiles.Alphabet(), strings.NewReader(strings.ReplaceAll(words, " ", "\n")))
		gametest.Must(t, err)
		return x
	}
	before, now := build("en", "horn farm"), build("en", "horn paste")
	own := lexicons.OwnWords{Lists: map[string]lexicons.OwnChange{"en": {Added: []string{"ZAX"}}}}
	old := lexicons.New(eq, nil, nil, []*lexicon.Lexicon{before}, nil, func(string) string { return "en" })
	ls := lexicons.New(eq, nil, nil, []*lexicon.Lexicon{now}, []*lexicon.Lexicon{before}, func(string) string { return "en" })
	has := func(l *lexicon.Lexicon) (found string) {
		for _, text := range []string{"horn", "farm", "paste", "zax"} {
			if w, err := eq.Tiles.Alphabet().Parse(text); err != nil || l.Has(w) {
				found += " " + text
			}
		}
		return found
	}
	for name, tt := range map[string]struct {
		id   game.LexiconID
		want string
	}{
		"opened before":                      {game.LexiconID{Name: "en", Hash: before.Hash()}, " horn farm"},
		"opened before, with words":          {old.Identity(before, own), " horn farm zax"},
		"opened now":                         {game.LexiconID{Name: "en", Hash: now.Hash()}, " horn paste"},
		"opened now, with words":             {ls.Identity(now, own), " horn paste zax"},
		"named":                              {game.LexiconID{Name: "en"}, " horn paste"},
		"opened with a list that isn't here": {game.LexiconID{Name: "en", Hash: "0"}, " horn paste"},
	} {
		if l := ls.Lexicon(tt.id, eq.Tiles); l == nil || has(l) != tt.want {
			t.Errorf("a table %s plays by %s, want%s", name, has(l), tt.want)
		}
	}
	if all := ls.Available(); len(all) != 1 || all[0] != now {
		t.Errorf("%d lists are offered", len(all))
	}
}
