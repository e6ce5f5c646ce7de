package robot

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/movegen"
)

// An Equity is the value of a move, in thousandths of a point.
type Equity = movegen.Equity

// Points converts points to an equity.
func Points(n int) Equity { return movegen.Points(n) }

// MaxLeave limits the tiles in a leave: one less than a rack of seven.
const MaxLeave = 6

// Leaves holds the values of leaves: how much better than average the next rack will be if it
// includes the leave. They belong to a tile set and a word list. They are safe for concurrent use.
// The zero Leaves value every leave at 0.
type Leaves struct {
	order  *LeaveOrder
	values []byte // two bytes each, in hundredths of a point
	guess  *guess // used instead if no values were trained
}

// OpenLeaves returns leave values from data as [Leaves.Bytes] writes it. It keeps the data, which
// must not change.
func OpenLeaves(set *game.TileSet, data []byte) (*Leaves, error) {
	for longest := MaxLeave; longest > 1; longest-- {
		if order := NewLeaveOrder(set, longest); len(data) == 2*order.Len() {
			return &Leaves{order: order, values: data}, nil
		}
	}
	return nil, fmt.Errorf("leave values of %d bytes don't fit the tile set %s", len(data), set.Name())
}

// NewLeaves returns leave values computed by value, which is called once for each sorted leave of
// up to longest tiles (2 to [MaxLeave]). Values are rounded to hundredths of a point. Longer leaves
// are estimated from the shorter ones in them.
func NewLeaves(set *game.TileSet, longest int, value func(game.Tiles) Equity) *Leaves {
	l := &Leaves{order: NewLeaveOrder(set, longest)}
	l.values = make([]byte, 2*l.order.Len())
	l.order.All(func(i int, t game.Tiles) {
		v := math.Round(float64(value(t)) / 10)
		v = min(max(v, math.MinInt16), math.MaxInt16)
		binary.LittleEndian.PutUint16(l.values[2*i:], uint16(int16(v)))
	})
	return l
}

// Bytes returns the values in their file format: for every leave in the order of [LeaveOrder],
// hundredths of a point in two bytes, little-endian.
func (l *Leaves) Bytes() []byte { return l.values }

func (l *Leaves) at(i int) Equity {
	return Equity(int16(binary.LittleEndian.Uint16(l.values[2*i:]))) * 10
}

// Value returns the value of a leave of at most [MaxLeave] tiles, and 0 for a longer one.
func (l *Leaves) Value(leave game.Tiles) Equity {
	if l.order == nil || len(leave) > MaxLeave {
		return 0
	}
	if l.guess != nil {
		return l.guess.value([]byte(leave.Sorted()))
	}
	if len(leave) > l.order.longest {
		var values [1 << MaxLeave]Equity
		l.OfRack(leave.Sorted(), values[:])
		return values[1<<len(leave)-1]
	}
	return l.at(l.order.Number([]byte(leave.Sorted())))
}

// OfRack stores the values of all leaves of a sorted rack: values[i] is the value of the tiles
// whose bits are set in i, the first tile's bit being the lowest. values must hold 1<<len(rack) of
// them.
//
// A leave without a value of its own is estimated from its pairs of tiles. Two tiles S and T with
// the rest R are worth about R+S and R+T together, less R, as if S and T were independent; the
// leave is worth the average of that over all pairs. A leave of more than [MaxLeave] tiles is worth
// the average of the leaves with one tile less.
func (l *Leaves) OfRack(rack game.Tiles, values []Equity) {
	var leave [32]byte
	for i := range 1 << len(rack) {
		n := 0
		for k := range len(rack) {
			leave[n] = rack[k]
			n += i >> k & 1
		}
		switch {
		case l.order == nil:
			values[i] = 0
		case l.guess != nil:
			values[i] = l.guess.value(leave[:n])
		case n <= l.order.longest:
			values[i] = l.at(l.order.Number(leave[:n]))
		case n <= MaxLeave:
			sum := Equity(0)
			for m := i; m != 0; m &= m - 1 {
				s := m & -m
				for k := m &^ s; k != 0; k &= k - 1 {
					t := k & -k
					sum += values[i&^s] + values[i&^t] - values[i&^(s|t)]
				}
			}
			values[i] = sum / Equity(n*(n-1)/2)
		default:
			sum := Equity(0)
			for m := i; m != 0; m &= m - 1 {
				sum += values[i&^(m&-m)]
			}
			values[i] = sum / Equity(n)
		}
	}
}

// fit reports whether the values suit a tile set, which must have the same letters. If the set has
// more of a tile than the values' own set, the extra ones add no value.
func (l *Leaves) fit(set *game.TileSet) bool {
	return l.order == nil || l.order.set.Alphabet().Equal(set.Alphabet())
}

// A LeaveOrder numbers the leaves of a tile set, from 0. Leaves are ordered by how many of the
// first letter they have, then of the second, and so on, with blanks last; fewer comes first. The
// number of a leave is the number of leaves before it; each kind of tile adds a part to it that
// depends only on how many there are and how many tiles there is still room for.
type LeaveOrder struct {
	set     *game.TileSet
	longest int         // most tiles in a leave
	tile    []game.Tile // the kinds of tiles
	most    []int       // number of each kind
	kind    [256]uint8  // by tile
	// before[kind][room][n] is the number of leaves of at most room tiles that have fewer than n
	// tiles of the kind, and otherwise only tiles of later kinds.
	before [][MaxLeave + 1][MaxLeave + 1]int32
	total  int
}

// NewLeaveOrder returns the order of the leaves of a tile set with up to longest tiles, at most
// [MaxLeave].
func NewLeaveOrder(set *game.TileSet, longest int) *LeaveOrder {
	o := &LeaveOrder{set: set, longest: longest}
	for i, all := 0, set.All(); i < len(all); i++ { // sorted
		t := all.At(i)
		if n := len(o.tile); n == 0 || o.tile[n-1] != t {
			o.kind[t] = uint8(n)
			o.tile = append(o.tile, t)
			o.most = append(o.most, 0)
		}
		o.most[len(o.most)-1]++
	}
	o.before = make([][MaxLeave + 1][MaxLeave + 1]int32, len(o.tile))
	after := [MaxLeave + 1]int32{1, 1, 1, 1, 1, 1, 1} // the empty leave alone
	for k := len(o.tile) - 1; k >= 0; k-- {
		var of [MaxLeave + 1]int32
		for room := range of {
			for n := range MaxLeave + 1 {
				o.before[k][room][n] = of[room]
				if n <= min(room, o.most[k]) {
					of[room] += after[room-n]
				}
			}
		}
		after = of
	}
	o.total = int(after[longest])
	return o
}

// Len returns the number of leaves, including the empty one.
func (o *LeaveOrder) Len() int { return o.total }

// Number returns the place of a sorted leave in the order. Tiles in excess of the set's don't
// count.
func (o *LeaveOrder) Number(leave []byte) int {
	number, room := int32(0), o.longest
	for i := 0; i < len(leave); {
		end := i + 1
		for end < len(leave) && leave[end] == leave[i] {
			end++
		}
		kind := o.kind[leave[i]]
		n := min(end-i, o.most[kind])
		number += o.before[kind][room][n]
		room -= n
		i = end
	}
	return int(number)
}

// All calls visit for each leave in order.
func (o *LeaveOrder) All(visit func(number int, leave game.Tiles)) {
	number := 0
	var from func(kind int, leave []byte)
	from = func(kind int, leave []byte) {
		if kind == len(o.tile) {
			visit(number, game.Tiles(leave))
			number++
			return
		}
		for n := 0; n <= o.most[kind] && len(leave) <= o.longest; n++ {
			from(kind+1, leave)
			leave = append(leave, byte(o.tile[kind]))
		}
	}
	from(0, nil)
}
