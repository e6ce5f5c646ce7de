package robot

import (
	"math/bits"
	"slices"

	"github.com/rackmate/rackmate/game"
)

// aloneWork is the cost of mostAlone, in nanoseconds.
const aloneWork = 400

// A single is a play of one tile.
type single struct {
	on    game.Square
	score int32
}

// A singles value indexes the one-tile plays among some options. The index is built on first use.
type singles struct {
	options []item
	found   bool
	byTile  [32][]single // by the tile's bit on the rack, highest score first
}

// seek sets the options to index.
func (l *singles) seek(options []item) { l.options, l.found = options, false }

// forTile returns the one-tile plays of the tile with a bit number.
func (l *singles) forTile(tile int, moves []option) []single {
	if l.found {
		return l.byTile[tile]
	}
	l.found = true
	for i := range l.byTile {
		l.byTile[i] = l.byTile[i][:0]
	}
	for _, it := range l.options {
		if bits.OnesCount32(it.uses) != 1 {
			continue
		}
		o, i := &moves[it.at], bits.TrailingZeros32(it.uses)
		for sq := range o.play.Laid {
			l.byTile[i] = append(l.byTile[i], single{on: sq, score: o.play.Score})
		}
	}
	for _, all := range l.byTile {
		slices.SortFunc(all, func(a, b single) int { return int(b.score - a.score) })
	}
	return l.byTile[tile]
}

// mostAlone returns the most that a move can gain if it leaves one tile. The other side may pass
// after it; then that tile is played out, or no one plays again. It returns infinity if the move
// doesn't leave one tile, or if the bound exceeds limit. The solver's singles must belong to the
// side to move.
func (s *solver) mostAlone(n *node, at int32, limit int) int {
	o, rack := &s.moves[at], &s.racks[n.mover]
	rest := rack.subtract(n.left[n.mover], o.uses)
	if bits.OnesCount32(rest) != 1 || o.play.Score == 0 || s.overNow(turns{}) {
		return infinity
	}
	s.spend(aloneWork)
	theirs := s.racks[1-n.mover].sum(n.left[1-n.mover])
	most := int(o.play.Score) + theirs - rack.sum(rest)
	out := int(o.play.Score) + 2*theirs
	tile := bits.TrailingZeros32(rest)
	for _, one := range s.singles.forTile(tile, s.moves) {
		if out+int(one.score) <= most {
			break
		}
		// The play scores as before unless a word that the tile would extend has changed.
		if !o.changes.Has(one.on) {
			most = out + int(one.score)
			break
		}
	}
	if most <= limit {
		b := n.board
		o.layOn(&b)
		most = out + int(s.gen.HighestSingle(&b, rack.rack.At(tile), &o.changes, int32(most-out)))
	}
	if most > limit {
		return infinity
	}
	return most
}
