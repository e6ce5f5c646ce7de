package competition

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

var start = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// season returns a league of Ann, Bob and Cat, each of whom plays both others twice.
func season(t *testing.T) *league {
	t.Helper()
	l := &league{head: head{V: 1, No: 1, Name: "Club", Phase: entering}, Season: 5, AtOnce: 3, Days: 14, Closes: 7, Founder: bot.User{ID: "test:ann", Name: "Ann"}}
	for _, name := range []string{"Ann", "Bob", "Cat"} {
		l.Entries = append(l.Entries, entry{User: bot.User{ID: game.PlayerID("test:" + strings.ToLower(name)), Name: name}})
	}
	if !l.begin(contest.Seed{1}, nil, start) {
		t.Fatal("no season begins")
	}
	return l
}

// plays sets the results of all games of the first division: the lower number wins, except
// that the last game of 2 and 3 is a draw.
func (l *league) plays() {
	for r, round := range l.Div[0].Contest.Rounds {
		for i, p := range round.Pairings {
			if p.B != 0 {
				scores := [2]int{400, 300}
				if p.A > p.B {
					scores = [2]int{300, 400}
				}
				if r >= 3 && p.A+p.B == 5 {
					scores = [2]int{350, 350}
				}
				l.settle(0, contest.Ref{Round: r, Pairing: i}, contest.Result{How: contest.Played, Scores: scores})
			}
		}
	}
}

// TestStandingsShowPossiblePlaces checks that standings list the possible places
// while they are open, and none once all are settled, even before the season ends.
func TestStandingsShowPossiblePlaces(t *testing.T) {
	l := season(t)
	if said := l.lines(0).String(); said != "1. Ann\n1. Bob\n1. Cat" { // before the first game all places are possible
		t.Errorf("at the beginning the division stands at\n%s", said)
	}
	l.plays()
	players := l.Div[0].Contest.Entrants
	want := fmt.Sprintf("1. %s: 4 of 4, +400\n2. %s: 1½ of 4, −100\n3. %s: ½ of 4, −300", players[0].Name, players[1].Name, players[2].Name)
	if said := l.lines(0).String(); said != want {
		t.Errorf("after the last game the division stands at\n%s\nwant\n%s", said, want)
	}
	said := l.picture(feature.Painter{}, 0).In(nil).Alt.String()
	for _, part := range []string{"6 games played", "4 of 4", "1 of 4", "0 of 4"} {
		if !strings.Contains(said, part) {
			t.Errorf("the picture shows %q, without %s", said, part)
		}
	}
}

// TestDivisionMessageIsEditedInOrder checks that a look with outdated knowledge doesn't
// record an edit.
func TestDivisionMessageIsEditedInOrder(t *testing.T) {
	d := division{Stale: true}
	d.countEdit(0)
	if d.Stale || d.Edits != 1 {
		t.Errorf("its message is edited, and the division is %+v", d)
	}
	d.Stale = true // another result came in
	d.countEdit(0)
	if !d.Stale || d.Edits != 1 {
		t.Errorf("a look that came too late makes the division %+v", d)
	}
}

// TestLastSeasonIsRememberedForThree checks that a player's last season is remembered through three
// seasons without them.
func TestLastSeasonIsRememberedForThree(t *testing.T) {
	l := season(t)
	l.Past = map[string]past{"test:dan": {Season: 1}, "test:eve": {Season: 2}, "test:fay": {Season: 5}}
	l.Phase = over
	l.openNext(start)
	if _, dan := l.Past["test:dan"]; dan || len(l.Past) != 2 || l.Season != 6 || !l.ClosesAt.Equal(start.Add(7*day)) {
		t.Errorf("for season %d, which closes at %v, the past has %v", l.Season, l.ClosesAt, l.Past)
	}
}

// TestForgottenFounder checks that a forgotten founder becomes a former player, and that
// forgetting others leaves the founder alone.
func TestForgottenFounder(t *testing.T) {
	l := season(t)
	former := bot.User{ID: "former:1", Name: "former player"}
	if l.rename("test:bob", former); l.Founder.ID != "test:ann" {
		t.Errorf("Bob is forgotten, and the founder is %v", l.Founder)
	}
	if l.rename("test:ann", former); l.Founder != former {
		t.Errorf("Ann is forgotten, and the founder is %v", l.Founder)
	}
}

// TestResignationsAndForfeits checks results: if a player resigns or runs out of time, the scores
// stand if they are behind by at least what a forfeit costs, otherwise it is a forfeit. A
// game played to its end counts as it ended. Nobody wins a game with fewer points.
func TestResignationsAndForfeits(t *testing.T) {
	l := season(t)
	c := l.Div[0].Contest
	p := &c.Rounds[0].Pairings[0]
	if p.B == 0 {
		p = &c.Rounds[0].Pairings[1]
	}
	var at table.Table
	for _, no := range []contest.No{p.A, p.B} {
		e := c.Entrants[no-1]
		at.Seats = append(at.Seats, game.Seat{Person: game.Person{ID: game.PlayerID(e.ID), Name: e.Name}})
	}
	for _, tt := range []struct {
		ended   game.EndReason
		winners []int
		scores  [2]int
		forfeit bool
	}{
		{game.ResignationEnd, []int{0}, [2]int{349, 300}, true},
		{game.ResignationEnd, []int{0}, [2]int{350, 300}, false},
		{game.ResignationEnd, []int{0}, [2]int{300, 350}, true},
		{game.OvertimeEnd, []int{1}, [2]int{300, 349}, true},
		{game.OvertimeEnd, []int{1}, [2]int{300, 420}, false},
		{game.WentOut, []int{0}, [2]int{301, 300}, false},
		{game.WentOut, []int{0}, [2]int{300, 300}, true},
		{game.WentOut, []int{1}, [2]int{300, 299}, true},
		{game.WentOut, []int{0, 1}, [2]int{300, 300}, false},
	} {
		at.End = &game.Ended{Reason: tt.ended, Winners: tt.winners}
		for i, n := range tt.scores {
			at.Seats[i].Score = n
		}
		want := contest.Result{How: contest.Played, Scores: tt.scores}
		if tt.forfeit {
			want = contest.Forfeit(contest.Side(1 - tt.winners[0]))
		}
		if got, ok := seasonResult(c, p, at, start); !ok || got != want {
			t.Errorf("%v for %v at %v counts as %+v, %t; want %+v", tt.ended, tt.winners, tt.scores, got, ok, want)
		}
	}
}
