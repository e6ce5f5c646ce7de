package robot

import (
	"math"
	"math/bits"
	"slices"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/movegen"
)

// An appraiser says what moves are worth without looking ahead: their points,
// and what the tiles are worth that they keep. It is for one player's turn at a
// time, and not safe for concurrent use.
type appraiser struct {
	gen    *movegen.Generator
	rules  *game.Rules
	eq     game.Equipment
	values *Leaves // nil: it thinks of points, and where it is thrifty of blanks
	// thrifty says that blanks are kept where nothing else is thought of.
	thrifty bool

	rack  game.Tiles // sorted
	bag   int        // tiles in it
	opens bool       // the play will be the first on the board
	tired bool       // of exchanging; see patience
	left  []Equity   // the leaves' values, by the bits of the tiles kept
	keep  []Equity   // what a play is worth beside its points, by the same
	bytes []byte
}

// longestRack is the most tiles of which all leaves are valued. A player with more
// plays for points.
const longestRack = 10

func newAppraiser(gen *movegen.Generator, rules *game.Rules, eq game.Equipment, leaves *Leaves) *appraiser {
	if leaves != nil && !leaves.fit(eq.Tiles) {
		leaves = &Leaves{}
	}
	return &appraiser{gen: gen, rules: rules, eq: eq, values: leaves}
}

// withoutBonus is how much of its value a leave keeps, in percent, where playing
// all tiles gains no bonus, as on the junior board: most of what good tiles are
// worth elsewhere is the chance of that. In games there against the greedy robot
// the static one won 0.7 % with the whole values, 52 with 30 % of them, 65
// with 15 % (700 games, standard error 1.8), 60 with 8 %.
const withoutBonus = 15

// weigh says whose turn it is: one with a rack at a board, the number of tiles in
// the bag, and the points on the racks of others, if the bag is empty.
func (a *appraiser) weigh(b *game.Board, rack game.Tiles, bag, others, opponents int) {
	a.opens = a.values != nil && b.Empty()
	a.bytes = append(a.bytes[:0], rack...)
	slices.Sort(a.bytes)
	if string(a.bytes) != string(a.rack) {
		a.rack = game.Tiles(a.bytes)
	}
	a.bag = bag
	if len(rack) > longestRack {
		a.left, a.keep = nil, nil
		return
	}
	n := 1 << len(rack)
	a.left = slices.Grow(a.left[:0], n)[:n]
	a.keep = slices.Grow(a.keep[:0], n)[:n]
	if a.values == nil {
		clear(a.left)
		a.keepBlanks(bag)
		return
	}
	a.values.OfRack(a.rack, a.left)
	if a.rules.Bonus == 0 {
		for i := range a.left {
			a.left[i] = a.left[i] * withoutBonus / 100
		}
	}
	if bag == 0 {
		a.weighEnding(others, opponents)
		return
	}
	for kept := range a.keep {
		played := len(rack) - bits.OnesCount(uint(kept))
		a.keep[kept] = late(a.left[kept], bag-played)
	}
}

// blankKept is what a thrifty player gives up for a blank that stays on the rack: as much
// as keeps somebody from spending two on a word of five, and not from a bingo.
const blankKept = 15_000 // thousandths

// keepBlanks values the blanks of a leave alone, as long as there is something to draw.
func (a *appraiser) keepBlanks(bag int) {
	clear(a.keep)
	if !a.thrifty || bag == 0 || a.rules.Bonus == 0 {
		return
	}
	for kept := 1; kept < len(a.keep); kept++ {
		a.keep[kept] = a.keep[kept&(kept-1)]
		if a.rack.At(bits.TrailingZeros(uint(kept))).IsBlank() {
			a.keep[kept] += blankKept
		}
	}
}

// weighEnding is weigh when there is nothing left to draw.
func (a *appraiser) weighEnding(others, opponents int) {
	for kept := range a.keep {
		sum := Equity(0)
		for m := kept; m != 0; m &= m - 1 {
			sum += Points(a.eq.Tiles.Value(a.rack.At(bits.TrailingZeros(uint(m)))))
		}
		a.keep[kept] = -sum - stillIn
	}
	out := Points(a.rules.OutBonus.Times * others)
	if a.rules.OutBonus.Deduct && opponents > 0 {
		// Each of the others loses only their own tiles.
		out += Points(others) / Equity(opponents)
	}
	a.keep[0] = out
}

// What moves near the end are worth was measured by games of the static robot
// against itself, 800 of the same tiles for each figure: in points a game, half
// the leave is worth 0.6 (standard error 0.3), lastDrawn 0.6 (0.2), stillIn 0.4
// (0.1).
const (
	// lastDrawn is what it costs to draw the last tiles: the others know then
	// what is left, and are the first to play on it.
	lastDrawn = 3_000 // thousandths
	// stillIn is what it costs not to go out when the bag is empty, besides the
	// tiles kept: the others may.
	stillIn = 8_000
)

// late is what a leave of some value is worth when a play leaves n tiles
// in the bag, or fewer than none when there are not enough to fill the rack.
func late(leave Equity, bag int) Equity {
	if bag <= 0 {
		return leave/2 - lastDrawn
	}
	return leave
}

// bits says which tiles of the rack some tiles are; of equal ones the first.
func (a *appraiser) bits(tiles game.Tiles) int {
	found := 0
	for i := range len(tiles) {
		for k := range len(a.rack) {
			if a.rack[k] == tiles[i] && found>>k&1 == 0 {
				found |= 1 << k
				break
			}
		}
	}
	return found
}

// equity is what a move with this score is worth.
func (a *appraiser) equity(m game.Move, points int) Equity {
	e := Points(points)
	switch {
	case a.keep == nil:
	case m.Kind == game.PlayTiles:
		e += a.keep[(len(a.keep)-1)&^a.bits(m.Tiles.Faces())]
		if a.opens {
			e -= a.exposure(m)
		}
	case m.Kind == game.ExchangeTiles:
		e += late(a.left[(len(a.left)-1)&^a.bits(m.Tiles)], a.bag)
	}
	return e
}

// exposed is what it costs to open with a vowel beside a premium square, where
// the next play makes words with it so easily. It was measured with 14,000
// openings in 24 worlds each, the same word with other tiles in that place being
// the measure: the reply gains 2.2 points, and the move after it 0.9 (standard
// errors 0.04).
const exposed = 1_300 // thousandths

// exposure is what a play that opens the game costs for where its vowels lie.
func (a *appraiser) exposure(m game.Move) Equity {
	sum := Equity(0)
	for i := range len(m.Tiles) {
		sq := m.At.Step(m.Dir, i)
		if a.eq.Tiles.Vowel(m.Tiles.At(i)) && (a.premium(sq.Step(m.Dir.Other(), 1)) || a.premium(sq.Step(m.Dir.Other(), -1))) {
			sum += exposed
		}
	}
	return sum
}

func (a *appraiser) premium(sq game.Square) bool {
	return a.eq.Layout.On(sq) && a.eq.Layout.Premium(sq) != game.Plain
}

// patience is after how many rounds without a point nobody exchanges any more:
// a game that ends when all pass would otherwise never end.
const patience = 3

// exchangeable reports whether n tiles can be put back, and it makes
// sense to.
func (a *appraiser) exchangeable(n int) bool {
	return n > 0 && a.bag >= max(n, a.rules.ExchangeMin) && !a.tired
}

// best is the move that is worth most; a pass if there is nothing else.
func (a *appraiser) best(b *game.Board) choice {
	best := choice{move: game.Move{Kind: game.PassTurn}, equity: math.MinInt32}
	if a.keep == nil || a.opens {
		plays := a.gen.Plays(b, a.rack)
		for i := range plays {
			m, points := plays[i].Move(), int(plays[i].Score)
			if e := a.equity(m, points); e > best.equity {
				best = choice{m, points, e}
			}
		}
	} else if p, e, ok := a.gen.Best(b, a.rack, a.keep); ok {
		best = choice{p.Move(), int(p.Score), e}
	}
	if a.keep == nil {
		return best
	}
	all := len(a.left) - 1
	swap := -1 // what the best exchange keeps
	for kept, v := range a.left[:all] {
		if v = late(v, a.bag); v > best.equity && a.exchangeable(len(a.rack)-bits.OnesCount(uint(kept))) {
			best.equity, swap = v, kept
		}
	}
	if swap >= 0 {
		best.points = 0
		best.move = game.Move{Kind: game.ExchangeTiles, Tiles: a.part(all &^ swap)}
	}
	return best
}

// part is the tiles of the rack whose bits are set.
func (a *appraiser) part(set int) game.Tiles {
	b := make([]byte, 0, len(a.rack))
	for m := set; m != 0; m &= m - 1 {
		b = append(b, a.rack[bits.TrailingZeros(uint(m))])
	}
	return game.Tiles(b)
}
