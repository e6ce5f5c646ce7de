package robot

import (
	"math/bits"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/movegen"
)

// A tileSet represents a rack whose subsets are bit sets; among equal tiles the first bit comes
// first.
type tileSet struct {
	rack   game.Tiles
	values [32]int
	equal  [32]uint32 // bits of the tiles equal to each
	keys   [2][32]uint64
	texts  map[uint32]game.Tiles
}

func newTileSet(rack game.Tiles, set *game.TileSet) tileSet {
	r := tileSet{rack: rack, texts: map[uint32]game.Tiles{}}
	for i := range len(rack) {
		r.values[i] = set.Value(rack.At(i))
		for k := range len(rack) {
			if rack[k] == rack[i] {
				r.equal[i] |= 1 << k
			}
		}
		for whose := range r.keys {
			r.keys[whose][i] = scramble(uint64(rack[i]) | uint64(whose+1)<<48)
		}
	}
	return r
}

func (r *tileSet) all() uint32 { return 1<<len(r.rack) - 1 }

// sum returns the points of a subset.
func (r *tileSet) sum(of uint32) int {
	sum := 0
	for ; of != 0; of &= of - 1 {
		sum += r.values[bits.TrailingZeros32(of)]
	}
	return sum
}

// key returns a hash of a subset that differs between the side to move (whose 0) and the other side
// (whose 1).
func (r *tileSet) key(of uint32, whose int) uint64 {
	sum := uint64(0)
	for ; of != 0; of &= of - 1 {
		sum += r.keys[whose][bits.TrailingZeros32(of)]
	}
	return sum
}

// tiles returns the tiles of a subset.
func (r *tileSet) tiles(of uint32) game.Tiles {
	text, ok := r.texts[of]
	if !ok {
		var b []byte
		for m := of; m != 0; m &= m - 1 {
			b = append(b, r.rack[bits.TrailingZeros32(m)])
		}
		text = game.Tiles(b)
		r.texts[of] = text
	}
	return text
}

// usedTiles returns the subset of tiles that a play lays.
func (r *tileSet) usedTiles(p *movegen.Play) (uses uint32) {
	for _, t := range p.Laid {
		face := t.Face()
		for i := range len(r.rack) {
			if r.rack.At(i) == face && uses>>i&1 == 0 {
				uses |= 1 << i
				break
			}
		}
	}
	return uses
}

// subtract returns a subset less another; among equal tiles it removes the last ones.
func (r *tileSet) subtract(of, taken uint32) uint32 {
	for ; taken != 0; taken &= taken - 1 {
		equal := of & r.equal[bits.TrailingZeros32(taken)]
		of &^= 1 << (31 - bits.LeadingZeros32(equal))
	}
	return of
}
