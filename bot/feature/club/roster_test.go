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
