package lexicons_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/lexicons"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

// built builds a word list.
func built(t *testing.T, name string, set *game.TileSet, words string) *lexicon.Lexicon {
	t.Helper()
	x, err := lexicon.Build(name, set.Alphabet(), strings.NewReader(strings.ReplaceAll(words, " ", "\n")))
	gametest.Must(t, err)
	return x
}

// A place's words are its differences from the list, in order. Undoing a change removes the
// difference.
func TestPlacesWordsDifferFromList(t *testing.T) {
	eq := gametest.Equipment(t)
	a := eq.Tiles.Alphabet()
	list := built(t, "small", eq.Tiles, "horn farm paste")
	var own lexicons.OwnChange
	for i, step := range []struct {
		word    string
		add     bool
		added   []string
		removed []string
	}{
		{"zax", true, []string{"ZAX"}, nil},
		{"zax", true, []string{"ZAX"}, nil},       // counted once
		{"horn", true, []string{"ZAX"}, nil},      // already in the list
		{"qi", true, []string{"QI", "ZAX"}, nil},  // in order
		{"ox", false, []string{"QI", "ZAX"}, nil}, // not in the list
		{"paste", false, []string{"QI", "ZAX"}, []string{"PASTE"}},
		{"farm", false, []string{"QI", "ZAX"}, []string{"FARM", "PASTE"}},
		{"zax", false, []string{"QI"}, []string{"FARM", "PASTE"}},
		{"farm", true, []string{"QI"}, []string{"PASTE"}},
	} {
		w, err := a.Parse(step.word)
		gametest.Must(t, err)
		before := lexicons.OwnChange{Added: slices.Clone(own.Added), Removed: slices.Clone(own.Removed)}
		was := own
		own = own.With(list, a, w, step.add)
		if !slices.Equal(own.Added, step.added) || !slices.Equal(own.Removed, step.removed) {
			t.Errorf("step %d, %s: added are %q and removed %q, want %q and %q", i, step.word, own.Added, own.Removed, step.added, step.removed)
		}
		if !slices.Equal(was.Added, before.Added) || !slices.Equal(was.Removed, before.Removed) {
			t.Errorf("step %d changes what was before: %+v, and it was %+v", i, was, before)
		}
	}
	ls := lexicons.New(eq, nil, nil, []*lexicon.Lexicon{list}, nil, func(string) string { return "small" })
	id := ls.Identity(list, lexicons.OwnWords{Lists: map[string]lexicons.OwnChange{"small": own}})
	changed := ls.Lexicon(id, eq.Tiles)
	for text, want := range map[string]bool{"horn": true, "farm": true, "qi": true, "paste": false, "zax": false} {
		if w, err := a.Parse(text); err != nil || changed.Has(w) != want {
			t.Errorf("the place's list has %s: %t, %v", text, !want, err)
		}
	}
	if id.Hash != changed.Hash() || id.Hash == list.Hash() {
		t.Errorf("the place's list is called %+v", id)
	}
}

// A place's words apply only to their own list: if it is gone, they make no list, and they
// change no other.
func TestPlacesWordsWithoutList(t *testing.T) {
	eq := gametest.Equipment(t)
	list := built(t, "small", eq.Tiles, "horn farm")
	ls := lexicons.New(eq, nil, nil, []*lexicon.Lexicon{list}, nil, func(string) string { return "small" })
	if l := ls.Lexicon(game.LexiconID{Name: "gone", Added: "ZAX"}, eq.Tiles); l != nil {
		t.Errorf("a list that is gone, with words: %s", l.Name())
	}
	if id := ls.Identity(list, lexicons.OwnWords{Lists: map[string]lexicons.OwnChange{"gone": {Added: []string{"ZAX"}}}}); id != (game.LexiconID{Name: "small", Hash: list.Hash()}) {
		t.Errorf("a list that the place hasn't changed is called %+v", id)
	}
}

// A table's dictionary is the list that it names, or one of the same name if its words have
// changed. If there is none, words can't be looked up.
func TestDictionaryOfTable(t *testing.T) {
	eq := gametest.Equipment(t)
	list := built(t, "small", eq.Tiles, "horn farm")
	ls := lexicons.New(eq, nil, nil, []*lexicon.Lexicon{list}, nil, func(string) string { return "small" })
	for name, tt := range map[string]struct {
		id   game.LexiconID
		says string
	}{
		"the list":                 {game.LexiconID{Name: "small", Hash: list.Hash()}, ""},
		"another version of it":    {game.LexiconID{Name: "Small", Hash: "0"}, ""},
		"the list by another name": {game.LexiconID{Name: "large", Hash: list.Hash()}, ""},
		"a list that isn't here":   {game.LexiconID{Name: "large", Hash: "0"}, "The word list large is no longer here"},
	} {
		got, err := ls.Dictionary(game.State{Lexicon: tt.id, Equipment: eq})
		if tt.says == "" && (err != nil || got != list) || tt.says != "" && (got != nil || err == nil || !strings.Contains(err.Error(), tt.says)) {
			t.Errorf("%s: %v, %v; want %q", name, got, err, tt.says)
		}
	}
	ls.Replace(nil)
	if _, err := ls.Dictionary(game.State{Lexicon: game.LexiconID{Name: "small", Hash: list.Hash()}, Equipment: eq}); err == nil {
		t.Error("a list that was taken away is still there")
	}
}

// spoken returns word lists in English and Spanish, of a host without a Welsh one.
func spoken(t *testing.T) *lexicons.Lists {
	t.Helper()
	var c host.Config
	inLanguages(t)(&c)
	english, spanish := c.Languages[0].Tiles, c.Languages[1].Tiles
	lists := []*lexicon.Lexicon{
		built(t, "en", english, "horn farm"), built(t, "es-long", spanish, "CHA OH"), built(t, "es-x", spanish, "CHA"), built(t, "es", spanish, "OH"),
		built(t, "es-foreign", english, "horn"), // its words can't be laid with Spanish tiles
	}
	return lexicons.New(game.Equipment{}, c.Languages, nil, lists, nil, func(string) string { return "en" })
}

// TestDisplayName checks that a language's default list bears the language's name and that its others
// can be told apart from it.
func TestDisplayName(t *testing.T) {
	ls := spoken(t)
	names := func(want map[string]string) {
		t.Helper()
		for list, want := range want {
			if got := ls.DisplayName(list).String(); got != want {
				t.Errorf("%s is called %q, want %q", list, got, want)
			}
		}
	}
	names(map[string]string{"en": "English", "en-clean": "English", "es": "Spanish", "es-x": "Spanish (x)", "CSW24": "CSW24", "": ""})
	english := ls.Language("en").Tiles
	ls.Replace([]*lexicon.Lexicon{built(t, "en", english, "horn farm"), built(t, "en-clean", english, "horn")})
	names(map[string]string{"en": "English (en)", "en-clean": "English", "es": "Spanish", "CSW24": "CSW24"})
}

// Only lists that a language's tiles can spell are its lists, the one named after its code
// first. A request for the language gets that list, except for the language of the default
// list.
func TestListsOfLanguage(t *testing.T) {
	ls := spoken(t)
	for code, want := range map[string][]string{"en": {"en"}, "es": {"es", "es-x", "es-long"}, "cy": nil} {
		var got []string
		for _, l := range ls.ListsIn(ls.Language(code)) {
			got = append(got, l.Name())
		}
		if !slices.Equal(got, want) {
			t.Errorf("the lists of %s are %q, want %q", code, got, want)
		}
	}
	for code, want := range map[string]string{"en": "en", "es": "es", "cy": ""} {
		if got := ls.UsualList("test", ls.Language(code)); got != want {
			t.Errorf("the usual list of %s is %q, want %q", code, got, want)
		}
	}
	if l := ls.Language(""); l != nil {
		t.Errorf("nothing at all is %s", l.Name)
	}
}

// A place's settings yield to the request: its language to a list of another, and its list
// to another language. Settings that agree stay. Conflicts within the request stay too, to
// be refused.
func TestSettingsYieldToRequest(t *testing.T) {
	ls := spoken(t)
	for _, tt := range []struct{ set, asked, want map[string]string }{
		{map[string]string{"lexicon": "en"}, nil, map[string]string{"lexicon": "en"}},
		{map[string]string{"language": "es"}, map[string]string{"lexicon": "en"}, map[string]string{"lexicon": "en"}},
		{map[string]string{"language": "es"}, map[string]string{"lexicon": "es-x"}, map[string]string{"language": "es", "lexicon": "es-x"}},
		{map[string]string{"lexicon": "en"}, map[string]string{"language": "Spanish"}, map[string]string{"language": "Spanish"}},
		{map[string]string{"lexicon": "en", "language": "es"}, nil, map[string]string{"language": "es"}},
		{nil, map[string]string{"lexicon": "en", "language": "es"}, map[string]string{"lexicon": "en", "language": "es"}},
		{map[string]string{"lexicon": "en"}, map[string]string{"language": "klingon"}, map[string]string{"lexicon": "en", "language": "klingon"}},
	} {
		args := maps.Clone(tt.set)
		if args == nil {
			args = map[string]string{}
		}
		maps.Copy(args, tt.asked)
		if ls.DropConflicts(args, tt.asked); !maps.Equal(args, tt.want) {
			t.Errorf("%v is set and %v asked for: %v, want %v", tt.set, tt.asked, args, tt.want)
		}
	}
}
