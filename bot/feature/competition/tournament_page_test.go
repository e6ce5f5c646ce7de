package competition

import (
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// roundTwo returns a tournament of four players in its second round.
func roundTwo() wallView {
	e := &event{head: head{Name: "Spring <cup>", Phase: under}, Planned: 3, Secret: "beef"}
	for _, p := range []contest.Player{{Name: "Ann", Rating: 1500}, {Name: "Bob"}, {Name: "Zoë & Co"}, {Name: "Dan"}} {
		e.Contest.Enter(contest.Entrant{Player: p})
	}
	played := func(a, b int) []contest.Game {
		return []contest.Game{{Result: contest.Result{How: contest.Played, Scores: [2]int{a, b}}}}
	}
	e.Begun = 2
	e.Contest.Rounds = []contest.Round{
		{Pairings: []contest.Pairing{{A: 1, B: 2, Games: played(412, 377)}, {A: 3, B: 4, Games: played(400, 400)}}},
		{Pairings: []contest.Pairing{{A: 1, B: 3, Games: []contest.Game{{First: contest.B}}}, {A: 2}, {A: 4, Missed: true}}},
	}
	return wallView{event: e, boards: []wallBoard{
		{Title: "1", Names: [2]string{"Zoë & Co", "Ann"}, Scores: [2]int{24, 12}, Record: [2]string{"0–0 0", "1–0 +35"}, Last: text.Item("Ann played HORN"), Unseen: "A A B", Number: 9, On: true, Link: "/g/xyz"},
	}}
}

// TestWallPage checks that the page has pairings, standings by round, the cross table,
// cards and running boards; on a television only the game and the round.
func TestWallPage(t *testing.T) {
	v := roundTwo()
	has := func(what string, screen bool, wants ...string) string {
		t.Helper()
		page := bottest.PageText(v.page(screen, false))
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("%s lacks %q:\n%s", what, want, page)
			}
		}
		return page
	}
	has("the page", false, "Spring <cup>", "Round 2 of 3", "## Pairings of round 2\n1 | Zoë & Co | Ann | \n2 | Bob | bye | \n3 | Dan | misses the round | \n", "Standings so far", "Standings after round 1",
		"1 | Ann | Bob | 412:377", "## Cross table\n1 | Ann | · | 1 |  | \n2 | Bob | 0 | · |  | \n3 | Zoë & Co |  |  | · | ½\n", game.Digest(digestOf("beef")), "Round 2: a bye.", "Round 1: first against Bob. 412:377", "Round 1: second against Ann.",
		"Table 1 | Zoë & Co 0–0 0 · Ann 1–0 +35 | board/0.png?9 | Ann played HORN | /g/xyz")
	tv := has("the television", true, "Ann played HORN", "Pairings of round 2", "Standings so far")
	if strings.Contains(tv, "Cross table") || strings.Contains(tv, "/g/xyz") || !v.page(true, true).Clear {
		t.Errorf("the television shows something else:\n%s", tv)
	}
	if page := bottest.PageText(v.page(false, false)); strings.Contains(page, "beef") {
		t.Errorf("the page has the secret already:\n%s", page)
	}
	v.event.Delay = 5 * time.Minute
	has("a page with a delay", false, "5 minutes behind")
	v.event.Phase = ended
	has("the television after the end", true, "## The winners\n1 | Ann | 1 | +35\n2 | Bob | 1 | +15\n3 | Zoë & Co | ½ | 0\n", "The tournament is over.")
	has("the page after the end", false, "beef")
	v.event.Phase, v.event.Begun, v.event.Contest.Rounds, v.boards = entering, 0, nil, nil
	has("the television before it begins", true, "4 have entered", "## Who plays\n- Ann 1500\n")
}

// TestStreamFieldsKeepAddresses checks that the fields for streaming software keep their addresses when
// the round and the table change.
func TestStreamFieldsKeepAddresses(t *testing.T) {
	v := roundTwo()
	want := func(table, say string) {
		t.Helper()
		v.table = table
		var all []string
		for _, field := range []string{"p1", "p2", "score", "record", "last-play", "unseen"} {
			all = append(all, wallFields[field](v).String())
		}
		if got := strings.Join(all, "|"); got != say {
			t.Errorf("the fields of table %q say\n%s, want\n%s", table, got, say)
		}
	}
	standings := func(say string) {
		t.Helper()
		if got := wallFields["standings"](v).String(); !strings.HasPrefix(got, say) {
			t.Errorf("the standings say %q", got)
		}
	}
	want("", "Zoë & Co|Ann|Zoë & Co 24 – 12 Ann|Zoë & Co 0–0 0 · Ann 1–0 +35|Ann played HORN|A A B")
	standings("1. Ann  1  +35\n2. Bob  1  +15\n")
	// Another game is under way at table 2, and the one at table 1 is over.
	v.boards[0].Over = true
	v.boards = append(v.boards, wallBoard{Title: "2", Names: [2]string{"Dan", "Bob"}, Scores: [2]int{1, 2}, On: true})
	want("", "Dan|Bob|Dan 1 – 2 Bob|Dan  · Bob ||")
	want("1", "Zoë & Co|Ann|Zoë & Co 24 – 12 Ann|Zoë & Co 0–0 0 · Ann 1–0 +35|Ann played HORN|A A B")
	// Another round has begun, and nobody has sat down.
	v.event.Begun, v.boards = 3, nil
	v.event.Contest.Rounds = append(v.event.Contest.Rounds, contest.Round{Pairings: []contest.Pairing{{A: 1}}})
	want("", "|||||")
	standings("1. Ann  2  +85\n")
}
