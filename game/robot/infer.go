package robot

import (
	"context"
	"math/bits"

	"github.com/rackmate/rackmate/game"
)

// A robot that looks ahead asks itself what another kept at the turn before: it
// imagines racks that they may have had, sees what it would have done with each
// there, and takes those for likely with which what they did was worth hardly less.

// An inkling is tiles that another may have kept.
type inkling struct {
	kept game.Tiles
	sum  float64 // how likely it is, and the inklings before it together
}

// inferring is what part of the positions is looked at to find out what another kept.
const inferring = 8

// Tiles are drawn this number of times as often as a rack is looked at, at most: those
// that are known already cost nothing.
const drawsPerRack = 4

// infer finds out what the player kept who moved last. Where that can't be known it
// finds nothing: then any tiles are as likely as others.
func (s *simulation) infer(ctx context.Context) {
	last := s.Before
	if last == nil || s.Bag == 0 || s.Seats[last.Seat].Out {
		return
	}
	kept := s.Seats[last.Seat].Tiles - last.Drew
	had := kept + last.Tiles
	hidden, board, bag := kept, s.Board, s.Bag+last.Drew // of what they had, and before it
	exchanged := last.Move.Kind == game.ExchangeTiles
	if exchanged {
		hidden, bag = had, s.Bag
	} else {
		board.Lift(last.Move)
	}
	if kept < 1 || had > longestRack || hidden > len(s.unseen) {
		return
	}
	s.inferred = s.place(last.Seat)
	known := map[game.Tiles]inkling{} // by what was hidden
	least, sum := s.left-s.left/inferring, 0.0
	for range s.left.positions() / inferring * drawsPerRack {
		s.shuffle()
		drawn := game.Tiles(s.unseen[:hidden]).Sorted()
		one, seen := known[drawn]
		if !seen {
			if s.left <= least || ctx.Err() != nil {
				return
			}
			s.left.charge(s.gen, func() { one = s.suspect(last, &board, bag, drawn, exchanged) })
			known[drawn] = one
		}
		sum += one.sum
		s.inklings = append(s.inklings, inkling{one.kept, sum})
	}
}

// suspect says how likely it is that a player who did what they did had some hidden
// tiles, and what they kept then.
func (s *simulation) suspect(last *TurnView, b *game.Board, bag int, hidden game.Tiles, exchanged bool) inkling {
	one, made, rack := inkling{kept: hidden}, Equity(0), hidden
	if !exchanged {
		rack += last.Move.Tiles.Faces()
	}
	s.other.weigh(b, rack, bag, 0, len(s.now.seats)-1)
	s.other.tired, s.other.opens = false, false
	if exchanged {
		one.kept, made = s.other.bestExchange(last.Tiles)
	} else {
		made = s.other.equity(last.Move, last.Points)
	}
	one.sum = likely(s.other.best(b).equity - made)
	return one
}

// Of a player who gives up inexact points of equity it is taken that they would do so
// half as often as give up nothing; and of any move that it is made once in a while.
// A static player gives up nothing, the expert 2 or 3 points at times, and people
// more. What it finds of a static player has 0.2 tiles more in common with what they
// kept than tiles drawn at random have, of 0.7 (91 turns).
const (
	inexact  = 3
	anything = 0.02
)

// likely is how likely it is that a move is made that is worth so much less than the
// best, if that is made with 1.
func likely(less Equity) float64 {
	d := less.Float() / inexact
	return anything + 1/(1+d*d*d*d)
}

// bestExchange is what the best exchange of n tiles keeps, and its equity.
func (a *appraiser) bestExchange(n int) (kept game.Tiles, equity Equity) {
	best := -1
	for i, v := range a.left {
		if v = late(v, a.bag); bits.OnesCount(uint(i)) == len(a.rack)-n && (best < 0 || v > equity) {
			best, equity = i, v
		}
	}
	return a.part(best), equity
}
