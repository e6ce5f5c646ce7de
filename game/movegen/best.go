package movegen

import (
	"cmp"
	"slices"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// An Equity is what a play is worth: its points, and what the tiles it keeps can
// be expected to bring. It is in thousandths of a point, for sums of it are
// exact.
type Equity int32

// Points is that many points as an equity.
func Points(n int) Equity { return Equity(n) * 1000 }

// Float is the equity in points.
func (e Equity) Float() float64 { return float64(e) / 1000 }

// A contest is the search for the best play alone.
type contest struct {
	keep   []Equity // by the bits of the tiles kept; nil: all plays are listed
	all    uint32   // the bits of the whole rack
	best   Play
	equity Equity
	found  bool

	top      [game.MaxSize + 1]Equity // the most that keeping so many fewer tiles than the rack has is worth
	dearest  [game.MaxSize]int32      // points of the rack's tiles, the most first
	rackSize int
}

// Best is the play of the highest equity: the points it scores, and what the
// tiles it keeps are worth, which is keep[i] for the tiles of the rack whose bits are set in i, the first tile's the lowest. Equal tiles of the
// rack must lie side by side, and keep must have a value for each of its
// subsets: 1<<len(rack) of them. ok is false when there is no play, or the rack
// is longer than a line of the largest board.
//
// It looks first at the anchors that promise most, and leaves out those that
// can't have a better play than the best so far. What an anchor can promise
// comes from counting alone, without the word graph: the dearest tiles on the
// dearest squares, and the best tiles kept (known as shadow playing).
func (g *Generator) Best(b *game.Board, rack game.Tiles, keep []Equity) (best Play, equity Equity, ok bool) {
	g.setRack(rack)
	if g.tiles != len(rack) || len(rack) > game.MaxSize || len(keep) < 1<<len(rack) {
		return Play{}, 0, false
	}
	g.contest = contest{keep: keep, all: 1<<len(rack) - 1, rackSize: len(rack)}
	defer func() { g.keep = nil }()
	g.weighRack(rack)
	g.setBoard(b)
	g.setAnchors()
	for i := range g.anchors {
		g.anchors[i].bound = g.promise(&g.anchors[i])
	}
	slices.SortFunc(g.anchors, func(a, b anchor) int { return cmp.Compare(b.bound, a.bound) })
	for i := range g.anchors {
		if g.found && g.anchors[i].bound <= g.equity {
			break
		}
		g.searchAnchor(&g.anchors[i])
	}
	return g.best, g.equity, g.found
}

// weighRack finds what tiles can score and what can be kept, at the most.
func (g *Generator) weighRack(rack game.Tiles) {
	for i := range len(rack) {
		g.dearest[i] = int32(g.eq.Tiles.Value(rack.At(i)))
	}
	slices.SortFunc(g.dearest[:len(rack)], func(a, b int32) int { return cmp.Compare(b, a) })
	for n := range g.top {
		g.top[n] = worst
	}
	for kept, v := range g.keep[:1<<len(rack)] {
		played := len(rack)
		for m := kept; m != 0; m &= m - 1 {
			played--
		}
		g.top[played] = max(g.top[played], v)
	}
}

// worst is less than any play is worth.
const worst = -1 << 30

// consider is record where only the best play counts.
func (g *Generator) consider(letters lexicon.Set, p, first, last, placed int, t tally) {
	base, each := g.scores(&g.ln[p], placed, t)
	for m := letters & g.have; m != 0; m &= m - 1 {
		l := m.First()
		i := l & lexicon.MaxLetters
		g.rival(game.LetterTile(l), i, base+each*g.values[i], p, first, last)
	}
	if letters != 0 && g.count[blank] > 0 {
		// Which letter the blank stands for makes no difference.
		g.rival(game.BlankAs(letters.First()), blank, base+each*g.values[blank], p, first, last)
	}
}

// rival takes a play for the best if it is better. Its last tile lies on p.
func (g *Generator) rival(last game.Tile, face lexicon.Letter, score int32, p, from, to int) {
	used := g.used | 1<<(g.place[face]+g.count[face]-1)
	equity := Points(int(score)) + g.keep[g.all&^used]
	if g.found && equity <= g.equity {
		return
	}
	g.found, g.equity = true, equity
	g.best = g.played(from, to)
	g.best.tiles[p-from] = last
	g.best.Score = score
}

// A shadow is a play of which only the squares are known.
type shadow struct {
	tally
	n       int // tiles
	squares [game.MaxSize]*square
	// weights are what a point of a tile scores on one of the squares, all
	// words together, the most first.
	weights [game.MaxSize]int32
}

// cover has another tile lie on s.
func (sh *shadow) cover(s *square) {
	sh.squares[sh.n] = s
	sh.n++
	sh.cross += s.crossSum
	if s.word == 1 {
		sh.weigh(sh.n - 1)
		return
	}
	sh.factor *= s.word
	for i := range sh.n {
		sh.weigh(i)
	}
}

// weigh puts the i-th square's weight among those of the squares before it.
func (sh *shadow) weigh(i int) {
	s := sh.squares[i]
	w := s.letter*sh.factor + s.crossBy
	for ; i > 0 && sh.weights[i-1] < w; i-- {
		sh.weights[i] = sh.weights[i-1]
	}
	sh.weights[i] = w
}

// atMost is the highest equity that a play on these squares could have.
func (g *Generator) atMost(sh *shadow) Equity {
	score := sh.points*sh.factor + sh.cross
	for i := range sh.n {
		score += sh.weights[i] * g.dearest[i]
	}
	if sh.n >= g.bonusTiles {
		score += g.bonus
	}
	return Points(int(score)) + g.top[sh.n]
}

// promise is the highest equity that a play at an anchor could have.
func (g *Generator) promise(a *anchor) Equity {
	ln, reach := &g.lines[a.dir][a.i], g.reach()
	sh := shadow{tally: tally{factor: 1}}
	p := a.first // the next square on the left
	if a.run != nil {
		sh.points = a.run.points
		p--
	}
	bound := Equity(worst)
	if a.run != nil {
		bound = g.promiseRight(ln, a.last+1, reach, sh)
	}
	for ; p >= a.left && sh.n < g.rackSize && ln[p].fits&reach != 0; p-- {
		sh.cover(&ln[p])
		bound = max(bound, g.atMost(&sh), g.promiseRight(ln, a.last+1, reach, sh))
	}
	return bound
}

// promiseRight is the most for plays that go on to the right.
func (g *Generator) promiseRight(ln *line, p int, reach lexicon.Set, sh shadow) Equity {
	bound := Equity(worst)
	for p <= g.size && sh.n < g.rackSize && ln[p].fits&reach != 0 {
		sh.cover(&ln[p])
		for p++; ln[p].tile != 0; p++ {
			sh.points += ln[p].points
		}
		bound = max(bound, g.atMost(&sh))
	}
	return bound
}
