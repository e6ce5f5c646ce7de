package contest

import "slices"

// Winner is who won a pairing, by points, then points of games, then spread. It is
// false where it isn't decided: a draw in a knock-out needs another game.
func (p Pairing) Winner(f Format) (No, bool) {
	if p.B == 0 {
		return p.A, !p.Missed
	}
	if !p.Over(f) {
		return 0, false
	}
	switch order := Better(p.Score(A, f), p.Score(B, f)); {
	case order < 0:
		return p.A, true
	case order > 0:
		return p.B, true
	}
	return 0, false
}

// PlayOff keeps as many games in a pairing of a knock-out as it takes to decide it: after
// a draw one more at each board, with the first move changed over. Games of which that
// isn't so any more, as a result was corrected, go where they are open.
func (p *Pairing) PlayOff(f Format) {
	if p.B == 0 {
		return
	}
	boards := max(f.Boards, 1)
	for n := len(p.Games); n >= f.games()+boards && !slices.ContainsFunc(p.Games[n-boards:], func(g Game) bool { return g.Result.Over() }); n = len(p.Games) {
		p.Games = p.Games[:n-boards]
	}
	if _, won := p.Winner(f); won || !p.Over(f) || lostByBoth(*p, f) {
		return
	}
	for _, g := range p.Games[len(p.Games)-boards:] {
		p.Games = append(p.Games, Game{Board: g.Board, First: g.First.Other()})
	}
}

// Bracket is the order of places in a knock-out of a size that is a power of two: 1
// and 2 can meet in the last round alone, 1 to 4 in the last two, and so on; in each
// round the best meets the worst.
func Bracket(size int) []int {
	places := []int{1}
	for len(places) < size {
		n := 2*len(places) + 1
		next := make([]int, 0, n-1)
		for _, p := range places {
			next = append(next, p, n-p)
		}
		places = next
	}
	return places
}

// knockout pairs a round of a knock-out. Its first round has those who stand best
// first, by seed where there was no round before; byes go to them where their number
// is no power of two. Later rounds pair winners as the bracket has it: the first two
// pairings of a round make the first of the next. Who left or is away loses to their
// opponent, who has a bye; where both did, the pairing has nobody in it (A is 0), so
// that the bracket keeps its order. Who is out of it is in no pairing, and misses none.
func (c *Contest) knockout(round int) ([][2]No, error) {
	if err := c.decided(round); err != nil {
		return nil, err
	}
	began := c.began(Knockout)
	var slots []No // in the order of the bracket, 0 for nobody
	if round == began {
		ranks := c.playing(round)
		if len(ranks) < 2 {
			return nil, ErrFew
		}
		size := 1
		for size < len(ranks) {
			size *= 2
		}
		for _, place := range Bracket(size) {
			no := No(0)
			if place <= len(ranks) {
				no = ranks[place-1].No
			}
			slots = append(slots, no)
		}
	} else {
		drawn := c.Rounds[round-2].Pairings
		if len(drawn) == 1 {
			return nil, ErrWon
		}
		for _, p := range drawn {
			no, ok := p.Winner(c.Format)
			if !ok && !lostByBoth(p, c.Format) {
				return nil, &Undecided{round - 1, p}
			}
			if e, known := c.Entrant(no); !known || !e.plays(round) {
				no = 0 // the opponent in the next round has a bye
			}
			slots = append(slots, no)
		}
		for _, e := range c.Entrants {
			if e.plays(round) && e.From > began {
				return nil, ErrLate
			}
		}
	}
	var pairs [][2]No
	for i := 0; i+1 < len(slots); i += 2 {
		pair := [2]No{slots[i], slots[i+1]}
		if pair[0] == 0 {
			pair[0], pair[1] = pair[1], 0
		}
		pairs = append(pairs, pair)
	}
	return pairs, nil
}

// lostByBoth reports whether both lost what was played last: all of a pairing, or what was
// to decide it.
func lostByBoth(p Pairing, f Format) bool {
	last := p.Games
	if len(last) > f.games() {
		last = last[len(last)-max(f.Boards, 1):]
	}
	return len(last) > 0 && !slices.ContainsFunc(last, func(g Game) bool { return g.Result.How != LostByBoth })
}
