package robot

import (
	"slices"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// A View is a table as one of its players may see it. It doesn't reveal other racks, the order of
// the bag or the source of the draws.
type View struct {
	Phase     game.Phase
	Rules     game.Rules
	Equipment game.Equipment
	Board     game.Board
	Seats     []SeatView
	Me        int        // seat of the viewer
	Rack      game.Tiles // the viewer's rack
	Turn      int        // seat to move
	Bag       int        // tiles in the bag
	Unseen    game.Tiles // tiles in the bag and on the other racks, sorted
	Scoreless int        // consecutive scoreless turns
	Passes    int        // consecutive passes
	Number    int        // number of the next event

	Latest *LatestView // nil if no play can be challenged
	Before *TurnView   // nil unless the previous turn was another player's play or exchange
}

// A SeatView shows what every player sees of a seat.
type SeatView struct {
	Score int // points
	Tiles int // tiles on the rack
	Out   bool
}

// A LatestView describes the play that can be challenged.
type LatestView struct {
	Seat  int
	Words []game.ScoredWord // words not yet challenged, each once
}

// A TurnView is a turn as every player sees it.
type TurnView struct {
	Seat   int
	Move   game.Move // without its tiles if it was an exchange
	Points int
	Tiles  int // tiles laid or put back
	Drew   int
}

// See returns what a seat may see of a game.
func See(s game.State, seat int) View {
	v := View{
		Phase: s.Phase, Rules: s.Rules, Equipment: s.Equipment, Board: s.Board,
		Me: seat, Rack: s.Seats[seat].Rack, Turn: s.Turn,
		Bag: len(s.Bag), Unseen: s.Unseen(seat), Scoreless: s.Scoreless, Passes: s.Passes, Number: s.Number,
	}
	for _, other := range s.Seats {
		v.Seats = append(v.Seats, SeatView{other.Score, len(other.Rack), other.Out})
	}
	if s.Latest != nil && s.Contestable() {
		v.Latest = &LatestView{Seat: s.Latest.Seat}
		var asked []lexicon.Word
		for _, t := range s.Latest.Judged {
			asked = append(asked, game.ScoredWord{Tiles: t}.Letters())
		}
		for _, w := range s.Latest.Words {
			// The play can form a word twice, with different blanks.
			if !slices.Contains(asked, w.Letters()) {
				asked = append(asked, w.Letters())
				v.Latest.Words = append(v.Latest.Words, w)
			}
		}
	}
	if l := s.Latest; l != nil && l.Seat != seat {
		v.Before = &TurnView{Seat: l.Seat, Move: l.Move, Points: l.Score, Tiles: len(l.Move.LaidSquares()), Drew: len(l.Drew)}
	} else if e := s.LatestExchange; e.Tiles > 0 && e.Seat != seat {
		v.Before = &TurnView{Seat: e.Seat, Move: game.Move{Kind: game.ExchangeTiles}, Tiles: e.Tiles, Drew: e.Tiles}
	}
	return v
}

// place returns how many active seats come before a seat in turn order, counted from the viewer's.
func (v *View) place(seat int) int {
	n := 0
	for i := v.Me; i != seat; i = (i + 1) % len(v.Seats) {
		if !v.Seats[i].Out {
			n++
		}
	}
	return n
}

// opponents returns how many other players are still in the game.
func (v *View) opponents() int {
	n := 0
	for i, seat := range v.Seats {
		if i != v.Me && !seat.Out {
			n++
		}
	}
	return n
}
