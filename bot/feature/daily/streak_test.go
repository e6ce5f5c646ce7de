package daily

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game/puzzle"
)

// A history has a letter for each day: p for played, - for missed, x for missed without counting.
func TestStreak(t *testing.T) {
	for _, c := range []struct {
		history   string
		run, rest int
		why       string
	}{
		{"p", 1, 0, "the first day"},
		{"ppp", 3, 0, ""},
		{"pp-p", 1, 0, "nothing to rest with"},
		{"ppppppp", 7, 1, "seven days earn a rest day"},
		{"ppppppp-p", 8, 0, "which is used by itself"},
		{"ppppppp--p", 1, 0, "one is not two"},
		{"pppppppppppppp--p", 15, 0, "two are"},
		{"pppppppppppppp---p", 1, 0, ""},
		{strings.Repeat("p", 28), 28, 2, "no more than two are held"},
		{"ppppppp-pppppp", 13, 0, "a rest day ends the row that earns the next"},
		{"ppppppp-ppppppp", 14, 1, ""},
		{"ppxp", 3, 0, "a day that doesn't count breaks nothing"},
		{"ppxxxxxxxxp", 3, 0, ""},
		{"ppppxppp", 7, 1, "and is no part of the row"},
		{"pp-x-p", 1, 0, ""},
		{"ppppppp-x-p", 1, 0, ""},
		{"ppppppp-", 7, 0, "before the day that follows"},
		{"pp-", 0, 0, ""},
		{"ppx", 2, 0, ""},
	} {
		var s streak
		var today puzzle.Day
		counts := func(d puzzle.Day) bool { return c.history[d-1] != 'x' }
		for i, did := range c.history {
			if today = puzzle.Day(i + 1); did == 'p' {
				s = s.play(today, counts)
			}
		}
		if got := s.asOf(today+1, counts); got.Run != c.run || got.Rest != c.rest {
			t.Errorf("%s: %d in a row and %d to rest, want %d and %d (%s)", c.history, got.Run, got.Rest, c.run, c.rest, c.why)
		}
		if again := s.play(today, counts); s.Last == today && again != s {
			t.Errorf("%s: a day counts twice: %+v, then %+v", c.history, s, again)
		}
	}
}

func TestBands(t *testing.T) {
	for _, c := range []struct {
		score, most int
		want        band
	}{{74, 74, best}, {73, 74, nearly}, {67, 74, nearly}, {66, 74, good}, {56, 74, good}, {55, 74, half}, {37, 74, half}, {36, 74, less}, {0, 74, less}, {9, 10, nearly}} {
		if got := band(puzzle.BandOf(c.score, c.most)); got != c.want {
			t.Errorf("%d of %d is in band %d, want %d", c.score, c.most, got, c.want)
		}
	}
	seen := map[string]bool{}
	for b := best; b <= less; b++ {
		if seen[b.String()] {
			t.Errorf("two bands are %s", b)
		}
		seen[b.String()] = true
	}
}
