package robot

import (
	"slices"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// A View is a table as one of its players may see it. No other rack can be had
// from it, nor the order of the bag, nor what the draws come from.
type View struct {
	Phase     game.Phase
	Rules     game.Rules
	Equipment game.Equipment
	Board     game.Board
	Seats     []SeatView
	Me        int        // whose view it is
	Rack      game.Tiles // of Me
	Turn      int        // the seat to move
	Bag       int        // tiles in it
	Unseen    game.Tiles // in the bag and on the other racks, sorted
	Scoreless int        // turns in a row
	Passes    int        // turns in a row
	Number    int        // of the next event

	Latest *LatestView // nil when nothing is open to a challenge
	Before *TurnView   // nil when the turn before was no play or exchange of another's
}

// A SeatView is what everybody sees of a seat.
type SeatView struct {
	Score int // points
	Tiles int // on the rack
	Out   bool
}

// A LatestView is the play that can be challenged.
type LatestView struct {
	Seat  int
	Words []game.ScoredWord // that nobody has asked about yet, each once
}

// A TurnView is a turn as everybody sees it.
type TurnView struct {
	Seat   int
	Move   game.Move // without the tiles, if it was an exchange
	Points int
	Tiles  int // laid or put back
	Drew   int
}

// See is what a seat may see of a game.
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
			// A word can be there twice, with other blanks.
			if !slices.Contains(asked, w.Letters()) {
				asked = append(asked, w.Letters())
				v.Latest.Words = append(v.Latest.Words, w)
			}
		}
	}
	if l := s.Latest; l != nil && l.Seat != seat {
		v.Before = &TurnView{Seat: l.Seat, Move: l.Move, Points: l.Score, Tiles: len(l.Move.Laid()), Drew: len(l.Drew)}
	} else if e := s.LatestExchange; e.Tiles > 0 && e.Seat != seat {
		v.Before = &TurnView{Seat: e.Seat, Move: game.Move{Kind: game.ExchangeTiles}, Tiles: e.Tiles, Drew: e.Tiles}
	}
	return v
}

// place is how many seats still in the game come before another, from the viewer's on.
func (v *View) place(seat int) int {
	n := 0
	for i := v.Me; i != seat; i = (i + 1) % len(v.Seats) {
		if !v.Seats[i].Out {
			n++
		}
	}
	return n
}

// opponents is how many others still play.
func (v *View) opponents() int {
	n := 0
	for i, seat := range v.Seats {
		if i != v.Me && !seat.Out {
			n++
		}
	}
	return n
}
