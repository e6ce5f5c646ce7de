package robot

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/movegen"
)

// An Equity is what a move is worth, in thousandths of a point.
type Equity = movegen.Equity

// Points is that many points as an equity.
func Points(n int) Equity { return movegen.Points(n) }

// MaxLeave is the most tiles that a leave has: a rack of seven without one.
const MaxLeave = 6

// Leaves are the values of leaves: how much more than an average rack the next
// rack is worth that a leave becomes part of. They belong to a tile set and a
// word list; they are safe for concurrent use, and the zero Leaves value every
// leave at nothing.
type Leaves struct {
	order  *LeaveOrder
	values []byte // two bytes each, in hundredths of a point
	guess  *guess // in place of the values, where none were trained
}

// OpenLeaves reads leave values as [Leaves.Bytes] writes them. The data is kept and
// must not change.
func OpenLeaves(set *game.TileSet, data []byte) (*Leaves, error) {
	for longest := MaxLeave; longest > 1; longest-- {
		if order := NewLeaveOrder(set, longest); len(data) == 2*order.Len() {
			return &Leaves{order: order, values: data}, nil
		}
	}
	return nil, fmt.Errorf("leave values of %d bytes are for other tiles than those of the set %s", len(data), set.Name())
}

// NewLeaves makes leave values: value is asked once for each leave of up to longest
// tiles, 2 to [MaxLeave] of them, sorted. Values are rounded to hundredths of a
// point. What a leave of more tiles is worth, the smaller ones in it say.
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

// Bytes are the values as a file has them: of every leave in its order (see
// LeaveOrder), hundredths of a point, two bytes, the lower first.
func (l *Leaves) Bytes() []byte { return l.values }

func (l *Leaves) at(i int) Equity {
	return Equity(int16(binary.LittleEndian.Uint16(l.values[2*i:]))) * 10
}

// Value is the value of a leave of at most [MaxLeave] tiles; of a longer one it
// is 0.
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

// OfRack gives the values of all leaves of a sorted rack: of the tiles whose
// bits are set in i, the first tile's the lowest, at values[i]. There must be
// room for 1<<len(rack) of them.
//
// Two tiles of a leave that has no value of its own, S and T, with the rest R, are
// worth about what R+S and R+T are worth together, less R: as if S and T had nothing
// to do with each other. The leave is worth the average of that over all pairs of its
// tiles. One of more than [MaxLeave] tiles is worth what those are on average that
// have one of its tiles less.
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

// fit reports whether the values can be used with a tile set: one with the same
// letters. Of a tile that there are more of than in their own set, the values
// don't say what the last ones are worth.
func (l *Leaves) fit(set *game.TileSet) bool {
	return l.order == nil || l.order.set.Alphabet().Equal(set.Alphabet())
}

// A LeaveOrder numbers the leaves of a tile set, from 0. Leaves are compared by
// how many of the first letter they have, then of the second, and so on, of
// blanks last; fewer comes first. So the number of a leave is how many others come before
// it, and for each sort of tile in it that depends only on how many of them
// there are, and on how many tiles there is room for.
type LeaveOrder struct {
	set     *game.TileSet
	longest int         // tiles of a leave
	tile    []game.Tile // the sorts of tiles
	most    []int       // how many of each there are
	kind    [256]uint8  // by tile
	// before[kind][room][n] is how many leaves with fewer than n tiles of the kind,
	// and otherwise only tiles after it, there are, of at most room tiles.
	before [][MaxLeave + 1][MaxLeave + 1]int32
	total  int
}

// NewLeaveOrder is the order of the leaves of a tile set that have up to longest
// tiles, [MaxLeave] at most.
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

// Len is how many leaves there are, the empty one among them.
func (o *LeaveOrder) Len() int { return o.total }

// Number is the place of a sorted leave in the order. Tiles beyond those that
// the set has don't count.
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

// All visits the leaves in their order.
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
