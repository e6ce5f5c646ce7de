package web_test

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game/gametest"
)

// Lookalike names can't coexist, emoji are allowed, and a name that was given up stays
// reserved for a while.
func TestLookalikeNames(t *testing.T) {
	s := open(t)
	s.enter("Anna")
	refused := func(name, why string) {
		t.Helper()
		v := &visitor{site: s, Name: name}
		if w := v.do("POST", "/api/enter", map[string]string{"name": name}); w.Code != 422 || !strings.Contains(w.Body.String(), why) {
			t.Errorf("%s: %d %s, want %q", name, w.Code, w.Body, why)
		}
	}
	refused("Аnna", "looks too much like") // begins with a Cyrillic letter
	refused("An-na", "looks too much like")
	refused("Ann𝐚", "looks too much like")
	refused("ꓮnna", "looks too much like") // Lisu
	refused("Ꭺnna", "looks too much like") // Cherokee
	refused("Αnnа", "looks too much like") // Greek, Cyrillic
	for _, name := range []string{"Rackmate", "Rаck mate", "Host", "Keeper", "аdmin", "Moderat0r", "all"} {
		refused(name, "Please choose another name")
	}
	s.enter("Ali")
	s.enter("Ann")
	s.enter("Zoë 🎲")
	s.enter("Дима")
	refused("🎲", "needs a letter")

	bob := s.enter("Bob")
	does := func(path string, in map[string]string) {
		t.Helper()
		if w := bob.do("POST", path, in); w.Code != 200 {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	does("/api/rename", map[string]string{"name": "Robert"})
	refused("Bob", "until recently")
	does("/api/rename", map[string]string{"name": "Bob"}) // their own former name
	does("/api/leave", map[string]string{})
	refused("Bob", "until recently")
	s.clock.pass(25 * time.Hour)
	s.enter("Bob")
}

// A room of an earlier version, which knew fewer lookalikes, indexes its people again.
func TestEarlierRoomIsIndexedAgain(t *testing.T) {
	s := open(t)
	anna := s.enter("Anna")
	for shelf, rows := range map[string]map[string]string{
		"looks":  {"anna": anna.ID},
		"looks2": {"anna": ""},
		"count":  {"people": `{"v":1,"n":1}`},
	} {
		for key, value := range rows {
			var b []byte
			if value != "" {
				b = []byte(value)
			}
			gametest.Must(t, s.notes.Put(t.Context(), shelf, key, b))
		}
	}
	s.restart()
	v := &visitor{site: s, Name: "ꓮnna"}
	if w := v.do("POST", "/api/enter", map[string]string{"name": v.Name}); w.Code != 422 {
		t.Errorf("a twin of Anna: %d %s", w.Code, w.Body)
	}
	s.enter("Bob")
	if keys, err := s.notes.Keys(t.Context(), "looks"); err != nil || len(keys) > 0 {
		t.Errorf("the old shelf has %v, %v", keys, err)
	}
}

// A name can't contain invisible characters, alone or added to another's name, nor more
// marks than a letter may carry.
func TestInvisibleCharactersInNames(t *testing.T) {
	s := open(t)
	s.enter("Anna")
	enters := func(name string) int {
		t.Helper()
		return (&visitor{site: s, Name: name}).do("POST", "/api/enter", map[string]string{"name": name}).Code
	}
	for c := rune(0); c <= unicode.MaxRune; c++ {
		hidden := unicode.In(c, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Cf, unicode.Cc, unicode.Me, unicode.Co, unicode.Cs)
		if hidden && web.InName("Anna"+string(c)) && !unicode.IsSpace(c) && utf8.ValidRune(c) {
			t.Errorf("%U may end a name", c)
		}
	}
	for _, c := range "\u3164\uFFA0\u115F\u1160\u2800\U0001F3FB\u20DD\u200D\uFE0F\u034F" {
		for _, name := range []string{string(c), "Anna" + string(c), "An" + string(c) + "na", string(c) + "Anna"} {
			if code := enters(name); code != 422 {
				t.Errorf("%+q: %d", name, code)
			}
		}
	}
	for name, want := range map[string]int{
		"A" + strings.Repeat("\u0301", 20): 422,
		"Nguyễn":                           200,
		"Ngu" + "ye\u0302\u0303" + "n 2":   200,
		"नेहा":                             200,
		"👍🏽 Dora":                          200,
		"👩‍🚀 Eva":                          200,
		"❤️ Finn":                          200,
		"\u0301Anna":                       422,
	} {
		if code := enters(name); code != want {
			t.Errorf("%+q: %d, want %d", name, code, want)
		}
	}
}

// The names of roles are reserved in every supported language.
func TestRoleNamesAreReserved(t *testing.T) {
	spoken, err := sentences.Load(data.Sentences())
	gametest.Must(t, err)
	for _, to := range spoken.All() {
		if len(web.Taken[to.Code()]) < 10 {
			t.Errorf("%s: no names of roles in the table taken", to.Name())
		}
	}
	s := open(t)
	for _, name := range []string{"former player", "The host", "Staff", "Gastgeber", "l’hôte", "Były gracz", "tоdos",
		"The  Staff", "the staff", "Staff 1", "Staff-2", "admins", "The Moderators", "Rackmate Support", "Support Team", "a former player", "Official Rackmate", "Rackmate official", "Moderatorin", "Die Moderatorinnen", "Ehemalige Spielerin", "moderatrice", "Oficial moderadora", "former player 2", "Former players", "Das Personal", "los moderadores 3"} {
		if w := (&visitor{site: s, Name: name}).do("POST", "/api/enter", map[string]string{"name": name}); w.Code != 422 {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
	for _, name := range []string{"Ali", "Ali 2", "Player 1", "The Adams", "Hosta", "La Mode", "Stafford", "De Boer", "Alan Moderato"} {
		if w := (&visitor{site: s, Name: name}).do("POST", "/api/enter", map[string]string{"name": name}); w.Code != 200 {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
}
