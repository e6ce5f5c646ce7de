package game_test

import (
	"testing"
	"time"

	"github.com/rackmate/rackmate/game"
)

// clocked returns a game with its rules' clock on. after sets how long the next action comes after
// everyone could see the table.
func clocked(t *testing.T, rules game.Rules, racks ...string) *table {
	g := sit(t, rules, racks...)
	g.s.Rules.Clock.On = true
	return g
}

func (g *table) after(d time.Duration) *table {
	g.env.Posted = g.env.Now
	g.env.Now = g.env.Now.Add(d - 5*time.Second) // the next action adds five seconds
	return g
}

func (g *table) wantUsed(seat int, want time.Duration) {
	g.Helper()
	if got := g.s.Seats[seat].Used; got != want {
		g.Errorf("seat %d has used %v, want %v", seat, got, want)
	}
}

func TestClock(t *testing.T) {
	t.Run("runs from the post to the move", func(t *testing.T) {
		g := clocked(t, game.Rulebook(), full, full)
		g.after(90 * time.Second).pass(ann)
		g.wantUsed(ann, 90*time.Second)
		g.after(10 * time.Second).pass(bob)
		g.wantUsed(bob, 10*time.Second)
		g.after(time.Second).pass(ann)
		g.wantUsed(ann, 91*time.Second)
	})
	t.Run("stops while the news is on its way", func(t *testing.T) {
		g := clocked(t, game.Rulebook(), full, full)
		g.env.Posted = time.Time{}
		g.env.Now = g.env.Now.Add(time.Hour)
		g.pass(ann)
		g.wantUsed(ann, 0)
	})
	t.Run("is off at a table without one", func(t *testing.T) {
		g := sit(t, game.Club(), full, full)
		g.after(time.Hour).pass(ann)
		g.wantUsed(ann, 0)
	})
	t.Run("belongs to the player to move, and stops during a challenge", func(t *testing.T) {
		g := clocked(t, game.Club(), "HORNFAM", full)
		g.after(time.Minute).does(ann, game.Play{Move: g.move("8H HORN")})
		g.after(30*time.Second).does(bob, game.Challenge{})
		g.wantUsed(bob, 30*time.Second)
		g.env.Posted = time.Time{} // the outcome isn't posted yet
		g.env.Now = g.env.Now.Add(time.Hour)
		g.pass(bob)
		g.wantUsed(bob, 30*time.Second)
		g.wantUsed(ann, time.Minute)
	})
	t.Run("stands while the last play is open to a challenge", func(t *testing.T) {
		g := clocked(t, game.Club(), "HORN", full)
		g.bag("")
		g.after(time.Minute).does(ann, game.Play{Move: g.move("8H HORN")})
		g.after(time.Hour).pass(bob)
		g.wantUsed(bob, 0)
	})
	t.Run("a refused action takes no time", func(t *testing.T) {
		g := clocked(t, game.Rulebook(), full, full)
		g.after(time.Minute).refused(bob, game.Pass{}, game.NotYourTurn)
		g.wantUsed(ann, 0)
	})
}

func TestOvertime(t *testing.T) {
	for _, c := range []struct {
		took time.Duration
		want int // points lost
	}{
		{25 * time.Minute, 0},
		{25*time.Minute + time.Millisecond, 10},
		{26 * time.Minute, 10},
		{26*time.Minute + time.Second, 20},
		{35 * time.Minute, 100},
	} {
		g := clocked(t, with(game.Club(), game.Void), "HORN", "AEE")
		g.bag("")
		g.after(c.took).does(ann, game.Play{Move: g.move("8H HORN")})
		if g.s.End == nil || g.s.Seats[ann].Score != 14+2*3-c.want {
			t.Errorf("after %v Ann has %d points, want %d off", c.took, g.s.Seats[ann].Score, c.want)
		}
	}
	t.Run("000 playing equipment: the game continues over the limit", func(t *testing.T) {
		g := clocked(t, game.Club(), full, full)
		g.after(5 * time.Hour).pass(ann)
		g.wantTurn(bob)
	})
	t.Run("001 ends: more than ten minutes of overtime", func(t *testing.T) {
		g := clocked(t, game.Rulebook(), full, "AEE")
		g.after(35 * time.Minute).pass(ann)
		g.wantTurn(bob)
		g.after(35*time.Minute).refused(cat, game.TimeUp{}, game.NothingToJudge)
		g.env.Now = g.env.Now.Add(time.Second)
		g.does(cat, game.TimeUp{})
		g.wantEnd(game.OvertimeEnd, []int{-g.s.Equipment.Tiles.Sum(g.tiles(full)), -3}, ann)
		if g.s.End.Overtime != nil {
			t.Errorf("points off for time: %v, and the rulebook has none", g.s.End.Overtime)
		}
	})
	t.Run("001 ends: a leader loses by it", func(t *testing.T) {
		g := clocked(t, game.Rulebook(), full, "AEE")
		g.s.Seats[ann].Score = 130
		g.after(36*time.Minute).does(ann, game.Pass{})
		g.wantEnd(game.OvertimeEnd, []int{-g.s.Equipment.Tiles.Sum(g.tiles(full)), -3}, bob)
	})
	t.Run("001 ends: of the others the best total wins", func(t *testing.T) {
		g := clocked(t, game.Rulebook(), full, "AEE", "AAEE")
		g.s.Seats[ann].Score, g.s.Seats[bob].Score, g.s.Seats[cat].Score = 130, 20, 19
		g.after(36*time.Minute).does(ann, game.Pass{})
		g.wantEnd(game.OvertimeEnd, []int{-g.s.Equipment.Tiles.Sum(g.tiles(full)), -3, -4}, bob)
		for seat, lost := range []bool{true, false, false} {
			if g.s.HasLostOnTime(seat) != lost {
				t.Errorf("seat %d has lost on time: %t", seat, !lost)
			}
		}
	})
	// A table opened when the rulebook charged 10 points a minute, and let the highest total win
	// even if its player ran out of time, keeps those rules.
	t.Run("a stored rulebook table", func(t *testing.T) {
		before := game.Rulebook()
		before.Clock = game.Clock{On: true, Time: 25 * time.Minute, Penalty: 10, Limit: 10 * time.Minute}
		g := clocked(t, before, full, "AEE")
		g.s.Seats[ann].Score = 300
		g.after(36*time.Minute).does(ann, game.Pass{})
		g.wantEnd(game.OvertimeEnd, []int{-g.s.Equipment.Tiles.Sum(g.tiles(full)), -3}, ann)
		if f := g.s.End; f.Overtime[ann] != 110 || f.Overtime[bob] != 0 {
			t.Errorf("points off for time: %v", f.Overtime)
		}
	})
	t.Run("001 ends: a move that comes too late is not made", func(t *testing.T) {
		g := clocked(t, game.Rulebook(), "HORNFAM", "AEE")
		g.after(36*time.Minute).does(ann, game.Play{Move: g.move("8H HORN")})
		if g.s.End == nil || g.s.End.Reason != game.OvertimeEnd || !g.s.Board.Empty() {
			t.Errorf("%+v", g.s.End)
		}
	})
	t.Run("001 ends: no other player can end it", func(t *testing.T) {
		g := clocked(t, game.Rulebook(), full, full)
		g.after(36*time.Minute).refused(cat, game.Pass{}, game.NotPlaying)
	})
}

// TestOwnClock checks a table's own clock: the rules' consequences of overtime apply, and without
// any a player whose time is up loses.
func TestOwnClock(t *testing.T) {
	own := func(r game.Rules, each, increment time.Duration) game.Rules {
		r.Clock = r.Clock.With(each, increment)
		return r
	}
	t.Run("each turn of the player adds time", func(t *testing.T) {
		g := sit(t, own(game.Classic(), time.Minute, 5*time.Second), "HORNFAM", full)
		g.after(20*time.Second).does(ann, game.Play{Move: g.move("8H HORN")})
		g.wantUsed(ann, 15*time.Second)
		g.after(3 * time.Second).pass(bob)
		g.wantUsed(bob, -2*time.Second)
		g.wantUsed(ann, 15*time.Second)
		if left := g.s.Left(bob, 0); left != time.Minute+2*time.Second {
			t.Errorf("Bob has %v", left)
		}
	})
	t.Run("a lost turn adds none", func(t *testing.T) {
		g := sit(t, own(with(game.Classic(), game.Double), time.Minute, 5*time.Second), "HORNFAM", full)
		g.after(10*time.Second).does(ann, game.Play{Move: g.move("8H HORN")})
		g.after(time.Second).does(bob, game.Challenge{})
		g.wantTurn(ann)
		g.wantUsed(bob, time.Second)
	})
	t.Run("time is over with its last moment", func(t *testing.T) {
		g := sit(t, own(game.Classic(), time.Minute, 0), full, "AEE")
		g.after(time.Minute).pass(ann)
		g.wantTurn(bob)
		g.after(time.Minute).pass(bob)
		g.after(time.Millisecond).does(cat, game.TimeUp{})
		g.wantEnd(game.OvertimeEnd, []int{-g.s.Equipment.Tiles.Sum(g.tiles(full)), -3}, bob)
	})
	t.Run("a club charges for the minutes, and plays on", func(t *testing.T) {
		g := sit(t, own(game.Club(), 3*time.Minute, 0), full, full)
		g.after(time.Hour).pass(ann)
		g.wantTurn(bob)
	})
	t.Run("the rulebook waits ten minutes more", func(t *testing.T) {
		g := sit(t, own(game.Rulebook(), 3*time.Minute, 0), full, full)
		g.after(13 * time.Minute).pass(ann)
		g.wantTurn(bob)
	})
}
