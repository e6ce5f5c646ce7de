package contest

// A How is the way in which a game ended.
type How int

// The ways in which a game ends. Open means that it hasn't.
const (
	Open    How = iota
	Played      // by its scores
	LostByA     // forfeited by A
	LostByB     // forfeited by B
	LostByBoth
	Void // doesn't count
)

// A Result is the result of a game.
type Result struct {
	How    How
	Scores [2]int // of A and B, if it was played
}

// Forfeit returns the result of a game that a side forfeits.
func Forfeit(by Side) Result {
	if by == A {
		return Result{How: LostByA}
	}
	return Result{How: LostByB}
}

// ForfeitSpread is the spread of a win by forfeit and of a bye.
const ForfeitSpread = 50

// A Score sums up what games are worth to an entrant.
type Score struct {
	Points           int // in halves
	GamePoints       int // in halves, of each game of a match; equals Points without matches
	Spread           int
	Won, Drawn, Lost int // rounds: pairings, byes and misses
	Firsts, Seconds  int // games in which they moved first or second, including forfeited ones
	Byes             int
	For, Against     int // points scored by both sides in games that were played
}

// add adds another score.
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

// Worth returns the halves of a point and the spread that a game gives a side, both 0 if it
// is open or void.
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

// Over reports whether a pairing is decided: without an opponent at once, a match as soon
// as a side can't be caught, teams when all their boards are over, and a play-off (see
// Pairing.PlayOff) when its games are over.
func (p Pairing) Over(f Format) bool {
	if p.B == 0 {
		return true
	}
	var points [2]int
	over := 0
	for _, g := range p.Games {
		if !g.Result.Over() {
			continue
		}
		over++
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

// Score returns what a pairing is worth to a side so far. A match that isn't over gives no
// points yet, only game points and spread.
func (p Pairing) Score(s Side, f Format) Score {
	n := f.games()
	if p.B == 0 {
		if p.Missed {
			return Score{Spread: -ForfeitSpread * n, Lost: 1}
		}
		games := n
		if f.Boards == 0 {
			games = max(f.Games, 1)/2 + 1 // as many as it takes to win the match
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
		if f.games() == 1 { // a play-off is worth no more than a single game
			sc.GamePoints = sc.Points
		}
	}()
	switch {
	case mine > theirs:
		sc.Points, sc.Won = 2, 1
	case mine < theirs:
		sc.Lost = 1
	case mine == 0: // both lost: a draw would give each at least a half
		sc.Lost = 1
	default:
		sc.Points, sc.Drawn = 1, 1
	}
	return sc
}
