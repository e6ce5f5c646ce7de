package game_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

const day = 24 * time.Hour

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	l, err := time.LoadLocation(name)
	gametest.Must(t, err)
	return l
}

// paced returns a game with a pace. It starts on Sunday 1 March 2026, 12:00 UTC.
func paced(t *testing.T, p game.Pace, racks ...string) *table {
	g := sit(t, game.Classic(), racks...)
	g.s.Pace = p
	return g
}

// at sets the time of the next action.
func (g *table) at(when time.Time) *table {
	g.env.Now = when.Add(-5 * time.Second)
	return g
}

func (g *table) wantDeadline(want time.Time) {
	g.Helper()
	if got, ok := g.s.Deadline(); !ok || !got.Equal(want) {
		g.Errorf("the turn ends %v (%t), want %v", got, ok, want)
	}
}

// TestAfter checks when a clock has run for a duration, by the calendar.
func TestAfter(t *testing.T) {
	berlin, kolkata, beirut := zone(t, "Europe/Berlin"), zone(t, "Asia/Kolkata"), zone(t, "Asia/Beirut")
	in := func(l *time.Location, s string) time.Time {
		at, err := time.ParseInLocation("2006-01-02 15:04", s, l)
		gametest.Must(t, err)
		return at
	}
	utc := func(s string) time.Time { return in(time.UTC, s) }
	for _, c := range []struct {
		what    string
		weekend *time.Location
		away    []game.Span
		from    time.Time
		d       time.Duration
		want    time.Time
	}{
		{"a day", nil, nil, utc("2026-03-05 10:00"), day, utc("2026-03-06 10:00")},
		{"weekends count", nil, nil, utc("2026-03-06 10:00"), 3 * day, utc("2026-03-09 10:00")},
		{"Friday's deadline is on Monday", berlin, nil, in(berlin, "2026-03-06 10:00"), day, in(berlin, "2026-03-09 10:00")},
		{"a turn that comes on Saturday begins on Monday", berlin, nil, in(berlin, "2026-03-07 15:00"), day, in(berlin, "2026-03-10 00:00")},
		{"a week and a half", berlin, nil, in(berlin, "2026-03-02 10:00"), 7 * day, in(berlin, "2026-03-11 10:00")},
		{"up to the very weekend", berlin, nil, in(berlin, "2026-03-06 10:00"), 14 * time.Hour, in(berlin, "2026-03-07 00:00")},
		{"the weekend when the clocks go forward is short", berlin, nil, in(berlin, "2026-03-27 12:00"), day, in(berlin, "2026-03-30 12:00")},
		{"the weekend when they go back is long", berlin, nil, in(berlin, "2026-10-23 12:00"), day, in(berlin, "2026-10-26 12:00")},
		{"it is the weekend there", kolkata, nil, utc("2026-03-06 18:30"), time.Hour, utc("2026-03-08 19:30")},
		{"a Sunday without a midnight", beirut, nil, in(beirut, "2026-03-27 23:00"), 2 * time.Hour, in(beirut, "2026-03-30 01:00")},
		{"over a leap day", nil, nil, utc("2028-02-28 12:00"), 2 * day, utc("2028-03-01 12:00")},
		{"away", nil, []game.Span{{From: utc("2026-03-03 12:00"), Until: utc("2026-03-13 12:00")}}, utc("2026-03-02 12:00"), 3 * day, utc("2026-03-15 12:00")},
		{"away when the turn came", nil, []game.Span{{From: utc("2026-03-01 12:00"), Until: utc("2026-03-05 12:00")}}, utc("2026-03-02 12:00"), day, utc("2026-03-06 12:00")},
		{"away twice", nil, []game.Span{{From: utc("2026-03-02 18:00"), Until: utc("2026-03-03 18:00")}, {From: utc("2026-03-04 00:00"), Until: utc("2026-03-05 00:00")}}, utc("2026-03-02 12:00"), day, utc("2026-03-05 12:00")},
		{"away over a weekend that doesn't count", berlin, []game.Span{{From: in(berlin, "2026-03-06 00:00"), Until: in(berlin, "2026-03-10 00:00")}}, in(berlin, "2026-03-05 12:00"), day, in(berlin, "2026-03-10 12:00")},
		{"an absence that was over at once", nil, []game.Span{{From: utc("2026-03-02 13:00"), Until: utc("2026-03-02 13:00")}}, utc("2026-03-02 12:00"), day, utc("2026-03-03 12:00")},
	} {
		p := game.Pace{Weekend: c.weekend}
		got := p.After(c.from, c.d, c.away)
		if !got.Equal(c.want) {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
		if spent := p.Spent(c.from, got, c.away); spent != c.d {
			t.Errorf("%s: spent %v, want %v", c.what, spent, c.d)
		}
	}
}

// TestAfterAndSpentAgree checks that After and Spent agree for any calendar, and that time never
// runs backwards.
func TestAfterAndSpentAgree(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	zones := []*time.Location{nil, time.UTC, zone(t, "America/New_York"), zone(t, "Pacific/Apia"), zone(t, "Asia/Kathmandu"), zone(t, "Australia/Lord_Howe")}
	for range 2000 {
		p := game.Pace{Weekend: zones[r.IntN(len(zones))]}
		from := time.Unix(r.Int64N(2e9), 0)
		var away []game.Span
		for at := from.Add(-10 * day); r.IntN(3) > 0; {
			at = at.Add(time.Duration(r.Int64N(int64(20 * day))))
			s := game.Span{From: at, Until: at.Add(time.Duration(r.Int64N(int64(20 * day))))}
			away, at = append(away, s), s.Until
		}
		d := time.Duration(r.Int64N(int64(30*day))) + 1
		to := p.After(from, d, away)
		if spent := p.Spent(from, to, away); spent != d || to.Sub(from) < d {
			t.Fatalf("%v from %v in %v, away %v: ends %v, spent %v", d, from, p.Weekend, away, to, spent)
		}
		if spent := p.Spent(from, to.Add(-1), away); spent >= d {
			t.Fatalf("%v from %v in %v, away %v: spent before %v", d, from, p.Weekend, away, to)
		}
	}
}

func TestLateTurns(t *testing.T) {
	begun := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	three := game.Pace{Turn: 3 * day, Late: game.LatePass}
	t.Run("is passed", func(t *testing.T) {
		g := paced(t, three, full, full)
		g.wantDeadline(begun.Add(3 * day))
		g.at(begun.Add(3*day-time.Millisecond)).refused(ann, game.Expire{}, game.TooEarly)
		g.at(begun.Add(3*day)).does(ann, game.Expire{})
		g.wantTurn(bob)
		g.wantDeadline(begun.Add(6 * day))
		for i := range 5 {
			g.at(begun.Add(time.Duration(6+3*i)*day)).does(ann, game.Expire{})
		}
		g.wantEnd(game.ScorelessEnd, []int{-g.s.Equipment.Tiles.Sum(g.tiles(full)), -g.s.Equipment.Tiles.Sum(g.tiles(full))}, ann, bob)
	})
	t.Run("may be claimed", func(t *testing.T) {
		p := three
		p.Late = game.LateClaim
		g := paced(t, p, full, full)
		g.at(begun.Add(2*day)).refused(bob, game.Claim{}, game.NotLate)
		g.at(begun.Add(3*day)).does(ann, game.Expire{})
		g.refused(ann, game.Expire{}, game.NotLate)
		g.refused(ann, game.Claim{}, game.NotLate)
		g.refused(ann, game.WaitOn{}, game.NotLate)
		g.does(bob, game.WaitOn{})
		g.wantDeadline(g.env.Now.Add(3 * day))
		g.refused(bob, game.Claim{}, game.NotLate)
		g.at(begun.Add(7*day)).does(ann, game.Expire{})
		g.does(bob, game.Claim{})
		g.wantEnd(game.ResignationEnd, []int{0, 0}, bob)
	})
	t.Run("may still be made until it is claimed", func(t *testing.T) {
		p := three
		p.Late = game.LateClaim
		g := paced(t, p, full, full)
		g.at(begun.Add(3*day)).does(ann, game.Expire{})
		g.does(ann, game.Pass{})
		g.wantDeadline(g.env.Now.Add(3 * day))
		g.refused(bob, game.Claim{}, game.NotLate)
	})
	t.Run("loses a game of two", func(t *testing.T) {
		p := three
		p.Late = game.LateForfeit
		g := paced(t, p, full, full)
		g.at(begun.Add(3*day)).does(bob, game.Expire{})
		g.wantEnd(game.ResignationEnd, []int{0, 0}, bob)
	})
	t.Run("frees a seat of three for another player", func(t *testing.T) {
		p := three
		p.Late = game.LateForfeit
		g := paced(t, p, "AEINRST", full, full)
		g.at(begun.Add(3*day)).does(bob, game.Expire{})
		g.wantTurn(bob)
		g.refused(ann, game.Pass{}, game.NotPlaying)
		g.pass(bob, cat)
		g.wantTurn(bob) // Ann's seat is skipped
		g.refused(cat, game.Adopt{}, game.AlreadySeated)
		g.does(dan, game.Adopt{})
		g.refused(ann, game.Adopt{}, game.NoSeatFree)
		g.pass(bob, cat)
		if dans, ok := g.s.SeatOf(gametest.People[dan].ID); !ok || dans != ann {
			t.Errorf("Dan sits on %d", dans)
		}
		g.wantTurn(ann)
		g.wantRack(ann, "AEINRST")
		g.wantDeadline(g.env.Now.Add(3 * day))
		g.does(dan, game.Pass{})
	})
}

// TestTimeBank checks that overtime is taken from the bank, for the whole game.
func TestTimeBank(t *testing.T) {
	begun := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC) // a Monday
	g := paced(t, game.Pace{Turn: day, Bank: 2 * day, Late: game.LatePass}, full, full)
	g.s.Began = begun
	g.wantDeadline(begun.Add(3 * day))
	g.at(begun.Add(2*day)).does(ann, game.Pass{})
	g.does(bob, game.Pass{})
	g.wantDeadline(g.env.Now.Add(2 * day))
	if used := g.s.Seats[bob].BankUsed; used != 0 {
		t.Errorf("Bob has used %v", used)
	}
	g.at(g.env.Now.Add(2*day)).does(ann, game.Expire{})
	g.does(bob, game.Pass{})
	g.wantDeadline(g.env.Now.Add(day))
}

func TestAway(t *testing.T) {
	begun := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	g := paced(t, game.Pace{Turn: 3 * day, Late: game.LateForfeit}, full, full)
	g.at(begun.Add(day)).does(ann, game.GoAway{Until: begun.Add(11 * day)})
	g.wantDeadline(begun.Add(13 * day))
	g.at(begun.Add(2*day)).does(bob, game.GoAway{Until: begun.Add(6 * day)})
	g.wantDeadline(begun.Add(13 * day))
	g.at(begun.Add(3*day)).refused(ann, game.GoAway{Until: begun}, game.TimePast)
	g.at(begun.Add(4*day)).does(ann, game.ComeBack{})
	g.refused(ann, game.ComeBack{}, game.NotAway)
	g.wantDeadline(begun.Add(6 * day))
	g.does(ann, game.GoAway{Until: begun.Add(20 * day)})
	g.at(begun.Add(5*day)).does(ann, game.Pass{}) // a player who moves is back
	g.refused(ann, game.ComeBack{}, game.NotAway)
	g.wantDeadline(begun.Add(9 * day)) // Bob is away until day 6
}

// TestGoneFreesTable checks that no one is stuck with a player who has gone, and no channel with an abandoned
// game.
func TestGoneFreesTable(t *testing.T) {
	begun := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	t.Run("no pace: claimed after a week", func(t *testing.T) {
		g := sit(t, game.Classic(), full, full)
		if at, ok := g.s.Deadline(); ok {
			t.Errorf("the turn ends %v", at)
		}
		g.at(begun.Add(7*day-1)).refused(ann, game.Expire{}, game.TooEarly)
		g.at(begun.Add(7*day-1)).refused(bob, game.Claim{}, game.NotLate)
		g.at(begun.Add(7*day)).does(ann, game.Expire{})
		g.does(bob, game.WaitOn{})
		g.refused(bob, game.Claim{}, game.NotLate)
		g.at(begun.Add(15*day)).does(ann, game.Expire{})
		g.does(bob, game.Claim{})
		g.wantEnd(game.ResignationEnd, []int{0, 0}, bob)
	})
	t.Run("everybody leaves", func(t *testing.T) {
		g := sit(t, game.Classic(), full, full)
		g.at(begun.Add(28*day-1)).refused(ann, game.Abandon{}, game.TooEarly)
		g.at(begun.Add(28*day)).does(ann, game.Abandon{})
		g.wantEnd(game.AbandonedEnd, []int{0, 0})
	})
	t.Run("one of two left the server", func(t *testing.T) {
		g := sit(t, game.Classic(), full, full)
		g.does(cat, game.Vacate{Player: gametest.People[bob].ID})
		g.does(ann, game.Pass{})
		g.wantTurn(bob)
		g.refused(ann, game.Pass{}, game.NotYourTurn)
		g.refused(cat, game.Vacate{Player: gametest.People[bob].ID}, game.NotPlaying)
		g.does(cat, game.Adopt{})
		g.does(cat, game.Pass{})
		g.wantTurn(ann)
	})
	t.Run("nobody takes the seat", func(t *testing.T) {
		g := sit(t, game.Classic(), full, full)
		g.does(cat, game.Vacate{Player: gametest.People[bob].ID})
		g.does(ann, game.Claim{})
		g.wantEnd(game.ResignationEnd, []int{0, 0}, ann)
	})
	t.Run("the last one left too", func(t *testing.T) {
		g := sit(t, game.Classic(), full, full)
		g.does(cat, game.Vacate{Player: gametest.People[bob].ID})
		g.does(cat, game.Vacate{Player: gametest.People[ann].ID})
		g.wantEnd(game.AbandonedEnd, []int{0, 0})
	})
	t.Run("two players: the one to move leaves", func(t *testing.T) {
		g := sit(t, game.Classic(), full, full)
		g.does(cat, game.Vacate{Player: gametest.People[ann].ID})
		g.wantTurn(ann) // the player who adopts the seat is to move
		g.refused(bob, game.Pass{}, game.NotYourTurn)
		g.does(cat, game.Adopt{})
		g.does(cat, game.Pass{})
		g.wantTurn(bob)
	})
	t.Run("one of three, and the turn was another's", func(t *testing.T) {
		g := sit(t, game.Classic(), full, full, full)
		g.does(dan, game.Vacate{Player: gametest.People[bob].ID})
		g.wantTurn(ann)
		g.does(ann, game.Pass{})
		g.wantTurn(cat)
	})
	t.Run("two of three, and the turn was theirs", func(t *testing.T) {
		g := sit(t, game.Classic(), full, full, full)
		g.does(dan, game.Vacate{Player: gametest.People[ann].ID})
		g.wantTurn(bob)
		g.does(dan, game.Vacate{Player: gametest.People[cat].ID})
		g.does(bob, game.Pass{})
		g.wantTurn(cat)
		g.does(bob, game.Claim{})
		g.wantEnd(game.ResignationEnd, []int{0, 0, 0}, bob)
	})
}

// TestNoGameIsStuck checks that games of people who come, go and dawdle always have a time at which
// something happens next.
func TestNoGameIsStuck(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	paces := []game.Pace{{}, {Turn: 12 * time.Hour, Late: game.LatePass}, {Turn: 3 * day, Bank: day, Late: game.LateClaim, Weekend: zone(t, "America/New_York")}, {Turn: day, Late: game.LateForfeit}}
	for range 60 {
		racks := []string{full, full, full, full}[:2+r.IntN(3)]
		g := paced(t, paces[r.IntN(len(paces))], racks...)
		for n := 0; g.s.Phase == game.Playing && n < 400; n++ {
			who := r.IntN(5)
			do := []game.Action{game.Pass{}, game.Pass{}, game.Expire{}, game.Claim{}, game.WaitOn{}, game.Adopt{}, game.ComeBack{}, game.GoAway{Until: g.env.Now.Add(5 * day)}, game.Vacate{Player: gametest.People[who%4].ID}, game.Abandon{}}[r.IntN(10)]
			g.env.Now = g.env.Now.Add(time.Duration(r.Int64N(int64(day))))
			person := game.Person{ID: game.PlayerID(fmt.Sprint("p", r.IntN(9))), Name: "P"}
			if who < 4 {
				person = gametest.People[who]
			}
			events, err := game.Decide(g.s, person, do, g.env)
			if err != nil {
				continue
			}
			for _, e := range events {
				g.s = g.s.Apply(e)
			}
			if g.s.Phase != game.Playing {
				break
			}
			turn := g.s.Seats[g.s.Turn]
			if turn.Out && !(turn.Vacant && len(g.s.Active()) == 1) {
				t.Fatalf("the turn is the seat %d's, that is out: %+v", g.s.Turn, g.s.Seats)
			}
			_, expires := g.s.Expires()
			if _, end := g.s.AbandonedAt(); !end || !expires && !g.s.Claimable() {
				t.Fatalf("nothing will happen any more: turn %d of %+v", g.s.Turn, g.s.Seats)
			}
		}
	}
}
