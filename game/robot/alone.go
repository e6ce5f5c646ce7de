package robot

import (
	"math/bits"
	"slices"

	"github.com/rackmate/rackmate/game"
)

// aloneWork is what mostAlone takes, in nanoseconds.
const aloneWork = 400

// A single is a play of one tile.
type single struct {
	on    game.Square
	score int32
}

// Singles are the plays of one tile among some options, found when they are first asked for.
type singles struct {
	options []item
	found   bool
	byTile  [32][]single // by the bit of the tile on the rack, those that score most first
}

// seek gives the options that they are among.
func (l *singles) seek(options []item) { l.options, l.found = options, false }

// of is those of a tile, by its bit.
func (l *singles) of(tile int, moves []option) []single {
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

// mostAlone is the most that a move gains if it leaves one tile, for the other side may pass after
// it: then that tile goes out, or nobody plays any more. It is infinity where that isn't so, or is
// more than a limit. The solver's singles are those of the side to move.
func (s *solver) mostAlone(n *node, at int32, limit int) int {
	o, rack := &s.moves[at], &s.racks[n.mover]
	rest := rack.without(n.left[n.mover], o.uses)
	if bits.OnesCount32(rest) != 1 || o.play.Score == 0 || s.overNow(turns{}) {
		return infinity
	}
	s.spend(aloneWork)
	theirs := s.racks[1-n.mover].sum(n.left[1-n.mover])
	most := int(o.play.Score) + theirs - rack.sum(rest)
	out := int(o.play.Score) + 2*theirs
	tile := bits.TrailingZeros32(rest)
	for _, one := range s.singles.of(tile, s.moves) {
		if out+int(one.score) <= most {
			break
		}
		// It scores as before but where a word has changed that the tile would go on.
		if !o.changes.Has(one.on) {
			most = out + int(one.score)
			break
		}
	}
	if most <= limit {
		b := n.board
		o.layOn(&b)
		most = out + int(s.gen.MostAlone(&b, rack.rack.At(tile), &o.changes, int32(most-out)))
	}
	if most > limit {
		return infinity
	}
	return most
}
