package competition

import (
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot/bottest"
)

// TestLeaguePage checks that the page shows each division's standings with the possible
// places, the running games, a cross table and results, and between seasons the people who
// have registered.
func TestLeaguePage(t *testing.T) {
	v := leagueView{
		Name: "Club <league>", Phase: "playing", Season: 2, Shown: 2, Until: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC),
		Divisions: []divisionView{{
			Players: []string{"Ann", "Zoë & Co", "Dan"},
			Standings: []leagueStanding{
				{wallStanding: wallStanding{Entrant: 1, Place: 1, Points: "1½", Spread: "+35", Won: 1, Drawn: 1}, Left: 1, Best: 1, Worst: 2},
				{wallStanding: wallStanding{Entrant: 0, Place: 2, Points: "½", Spread: "0", Drawn: 1}, Left: 2, Best: 1, Worst: 3},
				{wallStanding: wallStanding{Entrant: 2}},
			},
			Games: []leagueGame{{A: 1, B: 2, Result: "412:377", Worth: "1", Link: "/g/over"}, {A: 0, B: 1, On: true, Link: "/g/on"}, {A: 2, B: 0, Void: true}},
		}, {Players: []string{"Eve"}, Standings: []leagueStanding{{wallStanding: wallStanding{Place: 1, Points: "0", Spread: "0"}}}}},
	}
	has := func(wants ...string) {
		t.Helper()
		page := bottest.PageText(v.page())
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("the page lacks %q:\n%s", want, page)
			}
		}
	}
	has("Club <league>", "Season 2, until 1 May 12:00 UTC", "Season 2, division 1\n1 | Zoë & Co | 1½ | 1–1–0 | +35 | 1 | 1–2\n2 | Ann | ½ | 0–1–0 | 0 | 2 | 1–3\n | Dan |  | 0–0–0 |  | 0 | withdrew\n",
		"## Games being played\n- Ann – Zoë & Co · Watch this game\n", "## Cross table\n1 | Zoë & Co | · |  | 1\n", "## Results\nZoë & Co | Dan | 412:377 | See the game\nDan | Ann | void | \n", "Season 2, division 2")
	v.Phase, v.Season, v.Entered = "entering", 3, []string{"Ann", "Bob"}
	v.Divisions[0].Standings[0].Move, v.Divisions[0].Standings[0].Left, v.Divisions[0].Standings[1].Left = "up", 0, 0
	has("Registration for season 3", "2 players have registered", "- Bob", "promoted", "Season 2, division 1")
}
