package competition

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// TestHostileRosters checks that bad rosters are refused with a sentence that names the
// line.
func TestHostileRosters(t *testing.T) {
	for _, c := range []struct{ name, roster, says string }{
		{"a tab", "Ann\t1500", "Line 1: It has a tab"},
		{"a BOM", "\ufeffAnn,1500", "invisible mark"},
		{"semicolons for commas", "Ann,1500\nBob;1400", "Line 2: It has semicolons"},
		{"a rating of letters", "Ann,abc", "isn't a rating"},
		{"a rating below zero", "Ann,-5", "isn't a rating"},
		{"a rating that is too large", "Ann,100000", "isn't a rating"},
		{"two of one name", "Ann,1500\nann,1400", "Line 2"},
		{"two of one name but for an accent", "Zoe,1500\nZoë,1400", "already in line 1"},
		{"too many cells", "Ann,1,2,3,4", "I can't read it"},
		{"an open quote", "\"Ann,1500", "I can't read it"},
		{"no name", ",1500", "A name is missing"},
		{"a name without end", strings.Repeat("A", 41), "too long"},
		{"a control character", "An\x01n,1500", "has a character that a name can't have"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, mistakes := readRoster(c.roster)
			var all []string
			for _, m := range mistakes {
				all = append(all, m.String())
			}
			if said := strings.Join(all, "\n"); !strings.Contains(said, c.says) {
				t.Errorf("it says %q, want %q", said, c.says)
			}
		})
	}
}

// TestRoster checks that lines written by spreadsheets are parsed, and that an exported
// roster contains no formulas.
func TestRoster(t *testing.T) {
	all, mistakes := readRoster("Name,Rating,Group\r\n\"Alder, Ann\",1500,school;juniors,AA000123\r\nBob\r\n\r\nZoë , 1400")
	if len(mistakes) > 0 || len(all) != 3 {
		t.Fatalf("%d people, mistakes %v", len(all), mistakes)
	}
	if a := all[0]; a.Name != "Alder, Ann" || a.Rating != 1500 || len(a.Groups) != 2 || a.Number != "AA000123" || !a.Set {
		t.Errorf("the first is %+v", a)
	}
	if all[2].Name != "Zoë" || all[2].Rating != 1400 {
		t.Errorf("the third is %+v", all[2])
	}
	all[1].Name = "=1+1"
	if got := string(rosterFile(all)); !strings.Contains(got, "\r\n'=1+1,") || !strings.HasPrefix(got, "\ufeffname,") {
		t.Errorf("the file is %q", got)
	}
}

// TestRosterFromOtherPrograms checks that players are read from TSH's division files and NASPA's
// text.
func TestRosterFromOtherPrograms(t *testing.T) {
	for name, c := range map[string]struct{ list, first, number string }{
		"a division": {"Alder, Ann 1500 2 0; 350 50\nBoole, Bob 1400 1 0; 300 -50\nCid 0 0 0; 50 50", "Ann Alder", ""},
		"one file":   {"#begin_file name=A.t\nAlder, Ann 1500\nBoole, Bob 1400\nCid 900\n#end_file", "Ann Alder", ""},
		"NASPA's":    {"#division A\nAlder, Ann, Jr:AA000123 1500 2; 350\nBoole, Bob 1400 1; 300\nCid 900", "Ann Alder Jr", "AA000123"},
	} {
		all, mistakes := readRoster(c.list)
		if len(mistakes) > 0 || len(all) != 3 || all[0].Name != c.first || all[0].Rating != 1500 || all[0].Number != c.number || all[1].Name != "Bob Boole" {
			t.Errorf("%s: %+v, %v", name, all, mistakes)
		}
	}
	if _, mistakes := readRoster("Boole, Bob 1400\n:AA000123 1500 7 0; 350 50"); len(mistakes) != 1 || !strings.HasPrefix(mistakes[0].String(), "Line 2: I can't read it as TSH") {
		t.Errorf("a number without a name: %v", mistakes)
	}
	if all, _ := readRoster("Ann Alder,1500\nBob"); len(all) != 2 {
		t.Errorf("a roster with commas: %+v", all)
	}
}

// TestAbsencesAndUnansweredQuestions checks the bounds of an absence, and how long a member
// has left a question unanswered.
func TestAbsencesAndUnansweredQuestions(t *testing.T) {
	at := func(day int) time.Time { return time.Date(2026, 3, day, 12, 0, 0, 0, time.UTC) }
	m := member{From: at(3), Until: at(7)}
	for day, want := range map[int]bool{2: false, 3: true, 6: true, 7: false, 8: false} {
		if got := m.isAway(at(day)); got != want {
			t.Errorf("on day %d they are away: %t", day, got)
		}
	}
	if (member{}).isAway(at(3)) {
		t.Error("who never went away is away")
	}
	for _, c := range []struct {
		asked, answered int // days; 0 for never
		want            time.Duration
		waits           bool
	}{{0, 0, 0, false}, {0, 2, 0, false}, {4, 0, 72 * time.Hour, true}, {4, 2, 72 * time.Hour, true}, {4, 4, 0, false}, {4, 5, 0, false}} {
		var m member
		if c.asked > 0 {
			m.Asked = at(c.asked)
		}
		if c.answered > 0 {
			m.Answered = at(c.answered)
		}
		if d, waits := m.waitsSince(at(7)); d != c.want || waits != c.waits {
			t.Errorf("asked on day %d, answered on day %d: waits %s, %t", c.asked, c.answered, d, waits)
		}
	}
}

// TestForgottenPersonLeavesRoster checks that a forgotten person is removed from the lists of
// people to avoid, and becomes a former player where they added others.
func TestForgottenPersonLeavesRoster(t *testing.T) {
	m := member{By: bot.User{ID: "test:mod", Name: "Mod"}, Avoids: []bot.User{{ID: "test:bob"}, {ID: "test:cat"}}}
	former := bot.User{ID: "former:1", Name: "former player"}
	if keep := m.rename("test:bob", former); !keep || m.By.ID != "test:mod" || len(m.Avoids) != 1 || m.Avoids[0].ID != "test:cat" {
		t.Errorf("without Bob it is %+v, %t", m, keep)
	}
	if m.rename("test:mod", former); m.By != former {
		t.Errorf("without Mod it was added by %s", m.By.Name)
	}
}

// TestRosterAcceptsLimits checks that values just within each limit are accepted.
func TestRosterAcceptsLimits(t *testing.T) {
	all, mistakes := readRoster(strings.Repeat("A", maxName) + ",9999\nBob,0,a;b;b; ;c;d;e;f;g;h;i")
	if len(mistakes) > 0 || len(all) != 2 || all[0].Rating != 9999 || !all[0].Set || all[1].Set {
		t.Fatalf("%+v, %v", all, mistakes)
	}
	if got := fmt.Sprint(all[1].Groups); got != "[a b c d e f g h]" {
		t.Errorf("the groups are %s", got)
	}
	if _, mistakes := readRoster("Ann,10000"); len(mistakes) != 1 {
		t.Errorf("a rating above all is taken: %v", mistakes)
	}
	all[1].Joined, all[1].Asked = time.Date(2026, 3, 2, 23, 0, 0, 0, time.UTC), time.Time{}
	if got := string(rosterFile(all[1:])); !strings.Contains(got, "Bob,,a;b;c;d;e;f;g;h,,2026-03-02,,,,\r\n") {
		t.Errorf("the file is %q", got)
	}
}
