package robot

import (
	"context"
	"math/bits"

	"github.com/rackmate/rackmate/game"
)

// A robot that looks ahead infers what an opponent kept on the previous turn. It imagines racks
// that they may have had, finds its own best move for each, and considers a rack likely if the
// opponent's actual move is worth hardly less.

// A rackGuess is a set of tiles that an opponent may have kept.
type rackGuess struct {
	kept game.Tiles
	sum  float64 // cumulative likelihood, up to and including this one
}

// inferring is the share of the positions (one of so many) spent on inferring what an opponent
// kept.
const inferring = 8

// drawsPerRack limits how many times tiles are drawn for each rack that is evaluated: a rack drawn
// again costs nothing.
const drawsPerRack = 4

// infer estimates the leave of the player who moved last. If nothing can be inferred it finds
// nothing, and all tiles stay equally likely.
func (s *simulation) infer(ctx context.Context) {
	last := s.Before
	if last == nil || s.Bag == 0 || s.Seats[last.Seat].Out {
		return
	}
	kept := s.Seats[last.Seat].Tiles - last.Drew
	had := kept + last.Tiles
	hidden, board, bag := kept, s.Board, s.Bag+last.Drew // tiles of theirs not shown, and the bag before the move
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
	known := map[game.Tiles]rackGuess{} // by hidden tiles
	least, sum := s.left-s.left/inferring, 0.0
	for range s.left.positions() / inferring * drawsPerRack {
		s.shuffle()
		drawn := game.Tiles(s.unseen[:hidden]).Sorted()
		one, seen := known[drawn]
		if !seen {
			if s.left <= least || ctx.Err() != nil {
				return
			}
			s.left.charge(s.gen, func() { one = s.guessRack(last, &board, bag, drawn, exchanged) })
			known[drawn] = one
		}
		sum += one.sum
		s.rackGuesses = append(s.rackGuesses, rackGuess{one.kept, sum})
	}
}

// guessRack returns the leave and the likelihood of a move if the player had some hidden tiles.
func (s *simulation) guessRack(last *TurnView, b *game.Board, bag int, hidden game.Tiles, exchanged bool) rackGuess {
	one, made, rack := rackGuess{kept: hidden}, Equity(0), hidden
	if !exchanged {
		rack += last.Move.Tiles.Faces()
	}
	s.other.weigh(b, rack, bag, 0, len(s.now.seats)-1)
	s.other.stopsExchanging, s.other.opens = false, false
	if exchanged {
		one.kept, made = s.other.bestExchange(last.Tiles)
	} else {
		made = s.other.equity(last.Move, last.Points)
	}
	one.sum = likelihood(s.other.bestMove(b).equity - made)
	return one
}

// A move that is worth inexact points of equity less than the best is assumed to be half as
// likely, and any move at all to have a small likelihood. A static player gives up nothing, the
// expert 2 or 3 points at times, and people more. For a static player the inferred leave has
// 0.2 more tiles in common with the actual one than tiles drawn at random, which have 0.7 (91
// turns).
const (
	inexact  = 3
	anything = 0.02
)

// likelihood returns the relative likelihood of a move worth less than the best, whose own likelihood
// is about 1.
func likelihood(less Equity) float64 {
	d := less.Float() / inexact
	return anything + 1/(1+d*d*d*d)
}

// bestExchange returns what the best exchange of n tiles keeps, and its equity.
func (a *appraiser) bestExchange(n int) (kept game.Tiles, equity Equity) {
	best := -1
	for i, v := range a.left {
		if v = lateLeave(v, a.bag); bits.OnesCount(uint(i)) == len(a.rack)-n && (best < 0 || v > equity) {
			best, equity = i, v
		}
	}
	return a.part(best), equity
}
