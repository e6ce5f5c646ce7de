package club

import (
	"strings"
	"testing"
)

// Hostile rosters: each is refused with a sentence that names the line, and nothing is
// taken in.
func TestHostileRosters(t *testing.T) {
	for _, c := range []struct{ name, roster, says string }{
		{"a tab", "Ann\t1500", "Line 1: It has a tab"},
		{"a BOM", "\ufeffAnn,1500", "invisible mark"},
		{"semicolons for commas", "Ann,1500\nBob;1400", "Line 2: It has semicolons"},
		{"a rating of letters", "Ann,abc", "isn't a rating"},
		{"a rating below zero", "Ann,-5", "isn't a rating"},
		{"a rating that is too large", "Ann,100000", "isn't a rating"},
		{"two of one name", "Ann,1500\nann,1400", "Line 2"},
		{"two of one name but for an accent", "Zoe,1500\nZoë,1400", "in line 1 already"},
		{"too many cells", "Ann,1,2,3,4", "I can't read it"},
		{"an open quote", "\"Ann,1500", "I can't read it"},
		{"no name", ",1500", "A name is missing"},
		{"a name without end", strings.Repeat("A", 41), "too long"},
		{"a control character", "An\x01n,1500", "can't be printed"},
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

// What spreadsheets write is read, and what is written isn't a formula there.
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
	if got := string(file(all)); !strings.Contains(got, "\r\n'=1+1,") || !strings.HasPrefix(got, "\ufeffname,") {
		t.Errorf("the file is %q", got)
	}
}

// TSH's division files and NASPA's text are read for who is in them.
func TestRosterOfOthers(t *testing.T) {
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
	if _, mistakes := readRoster("Alder, Ann 1500 7 0; 350 50\nBoole, Bob 1400"); len(mistakes) != 1 || !strings.HasPrefix(mistakes[0].String(), "Line 1: I can't read it as TSH") {
		t.Errorf("an opponent that isn't there: %v", mistakes)
	}
	if all, _ := readRoster("Ann Alder,1500\nBob"); len(all) != 2 {
		t.Errorf("a roster with commas: %+v", all)
	}
}
