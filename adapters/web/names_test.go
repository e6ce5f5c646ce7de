package web_test

import (
	"strings"
	"testing"
	"time"
)

// Names that look alike can't stand beside each other; emoji can be in one; and
// a name that was given up is nobody else's for a while.
func TestNamesThatLookAlike(t *testing.T) {
	s := open(t)
	s.enter("Anna")
	refused := func(name, why string) {
		t.Helper()
		v := &visitor{site: s, Name: name}
		if w := v.do("POST", "/api/enter", map[string]string{"name": name}); w.Code != 422 || !strings.Contains(w.Body.String(), why) {
			t.Errorf("%s: %d %s, want %q", name, w.Code, w.Body, why)
		}
	}
	refused("Аnna", "looks like") // the first letter is Cyrillic
	refused("An-na", "looks like")
	refused("Ann𝐚", "looks like")
	refused("ꓮnna", "looks like") // Lisu
	refused("Ꭺnna", "looks like") // Cherokee
	refused("Αnnа", "looks like") // Greek, Cyrillic
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
	refused("Bob", "until lately")
	does("/api/rename", map[string]string{"name": "Bob"}) // it was theirs
	does("/api/leave", map[string]string{})
	refused("Bob", "until lately")
	s.clock.pass(25 * time.Hour)
	s.enter("Bob")
}

// A room of an earlier version, which knew fewer twins, lists its people anew.
func TestLooksOfAnEarlierVersion(t *testing.T) {
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
			if err := s.notes.Put(t.Context(), shelf, key, b); err != nil {
				t.Fatal(err)
			}
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
