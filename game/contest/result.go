package contest

// A How is in which way a game ended.
type How int

// The ways in which a game ends. Open is a game that hasn't.
const (
	Open    How = iota
	Played      // by its scores
	LostByA     // forfeited by A
	LostByB     // forfeited by B
	LostByBoth
	Void // counts for nothing
)

// A Result is how a game ended.
type Result struct {
	How    How
	Scores [2]int // of A and B, where it was played
}

// Forfeit is how a game ends that a side forfeits.
func Forfeit(by Side) Result {
	if by == A {
		return Result{How: LostByA}
	}
	return Result{How: LostByB}
}

// ForfeitSpread is the spread of a win by forfeit and of a bye.
const ForfeitSpread = 50

// A Score is what games are worth to somebody.
type Score struct {
	Points           int // in halves
	GamePoints       int // in halves, of each game of a match; Points where there are no matches
	Spread           int
	Won, Drawn, Lost int // rounds: pairings, byes and misses
	Firsts, Seconds  int // games in which they moved first or second, those that were forfeited too
	Byes             int
	For, Against     int // what was scored in games that were played
}

// add puts another score to one.
func (s *Score) add(t Score) {
	s.Points += t.Points
	s.GamePoints += t.GamePoints
	s.Spread += t.Spread
	s.Won += t.Won
	s.Drawn += t.Drawn
	s.Lost += t.Lost
	s.Firsts += t.Firsts
	s.Seconds += t.Seconds
	s.Byes += t.Byes
	s.For += t.For
	s.Against += t.Against
}

// Over reports whether a game has ended.
func (r Result) Over() bool { return r.How != Open }

// Worth is what a game gives a side: halves of a point, and spread. It is nothing
// for a game that is open or void.
func (r Result) Worth(s Side) (halves, spread int) {
	switch r.How {
	case Played:
		d := r.Scores[s] - r.Scores[s.Other()]
		switch {
		case d > 0:
			return 2, d
		case d < 0:
			return 0, d
		}
		return 1, 0
	case LostByA, LostByB:
		if (r.How == LostByA) == (s == A) {
			return 0, -ForfeitSpread
		}
		return 2, ForfeitSpread
	case LostByBoth:
		return 0, -ForfeitSpread
	}
	return 0, 0
}

// Over reports whether a pairing is decided: one who has no opponent at once, a
// match as soon as a side can't be caught, teams when all their boards are over, and
// what was played off (see Pairing.PlayOff) when that is.
func (p Pairing) Over(f Format) bool {
	if p.B == 0 {
		return true
	}
	var points [2]int
	over, void := 0, 0
	for _, g := range p.Games {
		if !g.Result.Over() {
			continue
		}
		over++
		if g.Result.How == Void {
			void++
		}
		for _, s := range []Side{A, B} {
			h, _ := g.Result.Worth(s)
			points[s] += h
		}
	}
	if f.Boards == 0 && f.Games > 1 && len(p.Games) <= f.Games && max(points[A], points[B]) > f.Games {
		return true // more than half of all halves
	}
	return over >= max(f.games(), len(p.Games))
}

// Score is what a pairing is worth to a side so far. A match that isn't over gives
// no points yet, only points of games and spread.
func (p Pairing) Score(s Side, f Format) Score {
	n := f.games()
	if p.B == 0 {
		if p.Missed {
			return Score{Spread: -ForfeitSpread * n, Lost: 1}
		}
		games := n
		if f.Boards == 0 {
			games = max(f.Games, 1)/2 + 1 // as many as win the match
		}
		return Score{Points: 2, GamePoints: 2 * games, Spread: ForfeitSpread * games, Won: 1, Byes: 1}
	}
	var sc Score
	var points [2]int
	counted := false
	for _, g := range p.Games {
		for _, side := range []Side{A, B} {
			h, spread := g.Result.Worth(side)
			points[side] += h
			if side == s {
				sc.GamePoints += h
				sc.Spread += spread
			}
		}
		if g.Result.How == Void {
			continue
		}
		counted = counted || g.Result.Over()
		if g.First == s {
			sc.Firsts++
		} else {
			sc.Seconds++
		}
		if g.Result.How == Played {
			sc.For += g.Result.Scores[s]
			sc.Against += g.Result.Scores[s.Other()]
		}
	}
	if !counted || !p.Over(f) {
		return sc
	}
	mine, theirs := points[s], points[s.Other()]
	defer func() {
		if f.games() == 1 { // a game that was played off is worth no more than another
			sc.GamePoints = sc.Points
		}
	}()
	switch {
	case mine > theirs:
		sc.Points, sc.Won = 2, 1
	case mine < theirs:
		sc.Lost = 1
	case mine == 0: // both lost: a draw gives each a half at least
		sc.Lost = 1
	default:
		sc.Points, sc.Drawn = 1, 1
	}
	return sc
}
