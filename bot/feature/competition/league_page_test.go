package competition

import (
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/game/contest"
)

// TestLeaguePage checks that the page shows each division's standings with the possible
// places, the running games, a cross table and results, and between seasons the people who
// have registered.
func TestLeaguePage(t *testing.T) {
	of := func(names ...string) division {
		var players []contest.Player
		for _, name := range names {
			players = append(players, contest.Player{ID: name, Name: name})
		}
		return division{Contest: contest.NewDivision(contest.Seed{}, players)}
	}
	l := &league{
		head: head{Name: "Club <league>", Phase: playing}, Season: 2, EndsAt: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC),
		Div: []division{of("Ann", "Zoë & Co", "Dan"), of("Eve", "Fay")},
	}
	d := &l.Div[0]
	// ends gives the game of two players a result, with the points of the first to move in front, and a table.
	ends := func(first, second contest.No, how contest.How, points, others int, table bot.TableID, on bool) {
		t.Helper()
		for at, p := range d.Contest.Games() {
			if !p.Has(first) || !p.Has(second) {
				continue
			}
			side := contest.A
			if p.B == first {
				side = contest.B
			}
			p.Games[0].First, p.Games[0].Result = side, contest.Result{How: how}
			p.Games[0].Result.Scores[side], p.Games[0].Result.Scores[side.Other()] = points, others
			d.Places = append(d.Places, leaguePlace{Round: at.Round, Pairing: at.Pairing, Table: table, On: on})
			return
		}
		t.Fatalf("%d and %d don't meet", first, second)
	}
	has := func(wants ...string) {
		t.Helper()
		page := bottest.PageText(l.page(map[bot.TableID]string{1: "/g/over", 2: "/g/on"}))
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("the page lacks %q:\n%s", want, page)
			}
		}
	}
	ends(2, 3, contest.Played, 412, 377, 1, true)
	ends(1, 2, contest.Open, 0, 0, 2, true)
	has("Club <league>", "Season 2, until 1 May 12:00 UTC", "Season 2, division 1\n1 | Zoë & Co | 1 | 1–0–0 | +35 | 3 | 1–3\n2 | Ann | 0 | 0–0–0 | 0 | 4 | 1–3\n3 | Dan | 0 | 0–0–1 | −35 | 3 | 1–3\n",
		"## Games being played\n- Ann – Zoë & Co · Watch this game\n", "## Cross table\n1 | Zoë & Co | · |  | 1\n", "3 | Dan | 0 |  | ·\n", "## Results\nZoë & Co | Dan | 412:377 | See the game\n", "Season 2, division 2")

	ends(1, 2, contest.LostByBoth, 0, 0, 2, true)
	ends(3, 1, contest.Void, 0, 0, 0, false)
	for _, p := range d.Contest.Games() {
		if !p.Games[0].Result.Over() {
			p.Games[0].Result = contest.Result{How: contest.Played, Scores: [2]int{400, 400}}
		}
	}
	l.Div[1].Contest.Withdraw(1)
	d.Moved = []contest.Move{"", contest.Promoted, contest.Relegated}
	l.Phase, l.Season, l.Entries = entering, 3, []entry{{User: bot.User{ID: "a", Name: "Ann"}}, {User: bot.User{ID: "b", Name: "Bob"}}}
	has("Registration for season 3", "2 players have registered", "- Bob", "Season 2, division 1\n1 | Zoë & Co | 2 | 1–2–1 | −15 | promoted\n2 | Dan | 1 | 0–2–1 | −35 | relegated\n3 | Ann", " | Eve | 0 | 0–0–0 | 0 | withdrew", "Dan | Ann | void | \n", "Ann | Zoë & Co | –:– | See the game\n", "1 | Zoë & Co | · | 1 ½ | 0 ½\n")
}
