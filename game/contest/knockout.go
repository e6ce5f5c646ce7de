package contest

import "slices"

// Winner returns the winner of a pairing, by points, then game points, then spread. If it
// isn't decided, the result is false: a draw in a knock-out needs another game.
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

// PlayOff adjusts the number of games in a knock-out pairing to what it takes to decide it: after a
// draw it adds one game at each board, with the other player moving first. If a corrected result
// makes such games unnecessary, it removes the open ones.
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

// Bracket returns the order of places in a knock-out; size must be a power of two. 1 and 2
// can only meet in the last round, 1 to 4 only in the last two, and so on; in each round
// the best meets the worst.
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

// knockout pairs a round of a knock-out. In its first round entrants are ordered by
// standing, or by seed if there was no round before; if their number isn't a power of two,
// the best get byes. Later rounds pair winners along the bracket: the first two pairings of
// a round make the first of the next. An entrant who left or is away loses to their
// opponent, who gets a bye; if both did, the pairing has nobody in it (A is 0), which
// preserves the order of the bracket. Entrants who are out are in no pairing, and miss no
// round.
func (c *Contest) knockout(round int) ([][2]No, error) {
	if err := c.checkDecided(round); err != nil {
		return nil, err
	}
	began := c.firstRoundOf(Knockout)
	var slots []No // in bracket order, 0 for nobody
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
				no = 0 // the opponent in the next round gets a bye
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

// lostByBoth reports whether both sides lost by forfeit what was played last: the whole
// pairing, or its latest play-off.
func lostByBoth(p Pairing, f Format) bool {
	last := p.Games
	if len(last) > f.games() {
		last = last[len(last)-max(f.Boards, 1):]
	}
	return len(last) > 0 && !slices.ContainsFunc(last, func(g Game) bool { return g.Result.How != LostByBoth })
}
