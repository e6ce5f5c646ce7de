package movegen

import (
	"cmp"
	"math/bits"
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

	jumbles *lexicon.Jumbles
	codes   [game.MaxSize]uint64 // of the rack's tiles; 0 of a blank
	blanks  [game.MaxSize]int    // 1 where the tile is a blank
	sum     uint64               // of all of them
}

// Best is the play of the highest equity: the points it scores, and what the
// tiles it keeps are worth, which is keep[i] for the tiles of the rack whose
// bits are set in i, the first tile's the lowest. Equal tiles of the rack must
// lie side by side, and keep must have a value for each of its subsets:
// 1<<len(rack) of them. ok is false when there is no play, or the rack is longer
// than a line of the largest board.
//
// It looks first at the anchors that promise most, and leaves out those that
// can't have a better play than the best so far. What an anchor can promise
// comes from counting alone, without the word graph: the dearest tiles on the
// dearest squares, and the best tiles kept (known as shadow playing). An anchor
// whose turn has come is looked at again, more closely: whether there is a word
// at all that takes the whole rack, or all of it but a tile or two. For the
// bonus makes every anchor promising, and few racks have it in them.
func (g *Generator) Best(b *game.Board, rack game.Tiles, keep []Equity) (best Play, equity Equity, ok bool) {
	g.setRack(rack)
	if g.tiles != len(rack) || len(rack) > game.MaxSize || len(keep) < 1<<len(rack) {
		return Play{}, 0, false
	}
	g.contest = contest{keep: keep, all: 1<<len(rack) - 1, rackSize: len(rack), jumbles: g.lex.Jumbles()}
	defer func() { g.keep = nil }()
	g.weighRack(rack)
	g.setBoard(b)
	g.setAnchors()
	g.queue = g.queue[:0]
	for i := range g.anchors {
		g.queue = append(g.queue, promised{g.promise(&g.anchors[i]), int32(i)})
	}
	for last := len(g.queue) - 1; last >= 0; {
		first := &g.queue[last]
		for i := range g.queue[:last] {
			if g.queue[i].bound > first.bound {
				*first, g.queue[i] = g.queue[i], *first
			}
		}
		if g.found && first.bound <= g.equity {
			break
		}
		a := &g.anchors[first.anchor]
		if !a.close {
			a.close = true
			first.bound = g.promise(a)
			continue
		}
		// Plays of more tiles than that can't be better.
		g.tiles = g.rackSize
		for g.found && a.most[g.tiles] <= g.equity {
			g.tiles--
		}
		g.searchAnchor(a)
		g.queue = g.queue[:last]
		last--
	}
	return g.best, g.equity, g.found
}

// A promised is an anchor by its number, and the most that its plays can be
// worth.
type promised struct {
	bound  Equity
	anchor int32
}

// weighRack finds what tiles can score and what can be kept, at the most.
func (g *Generator) weighRack(rack game.Tiles) {
	for i := range len(rack) {
		t := rack.At(i)
		g.dearest[i] = int32(g.eq.Tiles.Value(t))
		if !t.IsBlank() {
			g.codes[i] = g.jumbles.Code(t.Letter())
			g.sum += g.codes[i]
		} else {
			g.blanks[i] = 1
		}
	}
	slices.SortFunc(g.dearest[:len(rack)], func(a, b int32) int { return cmp.Compare(b, a) })
	for n := range g.top {
		g.top[n] = worst
	}
	for kept, v := range g.keep[:1<<len(rack)] {
		played := len(rack) - bits.OnesCount(uint(kept))
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
	through uint64 // the sum of the codes of the tiles played through
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

// promise finds the highest equity that the plays at an anchor could have, and
// of those of so many tiles.
func (g *Generator) promise(a *anchor) Equity {
	for n := range g.rackSize + 1 {
		a.most[n] = worst
	}
	ln, reach := &g.lines[a.dir][a.i], g.reach()
	sh := shadow{tally: tally{factor: 1}}
	p := a.first // the next square on the left
	if a.run != nil {
		sh.points = a.run.points
		for i := a.first; i <= a.last && a.close; i++ {
			sh.through += g.jumbles.Code(ln[i].tile)
		}
		g.promiseRight(a, ln, reach, sh)
		p--
	}
	for ; p >= a.left && sh.n < g.rackSize && ln[p].fits&reach != 0; p-- {
		sh.cover(&ln[p])
		g.promisePlay(a, &sh)
		g.promiseRight(a, ln, reach, sh)
	}
	return slices.Max(a.most[:g.rackSize+1])
}

// promiseRight is promise for plays that go on to the right.
func (g *Generator) promiseRight(a *anchor, ln *line, reach lexicon.Set, sh shadow) {
	for p := a.last + 1; p <= g.size && sh.n < g.rackSize && ln[p].fits&reach != 0; {
		sh.cover(&ln[p])
		for p++; ln[p].tile != 0; p++ {
			sh.points += ln[p].points
			sh.through += g.jumbles.Code(ln[p].tile)
		}
		g.promisePlay(a, &sh)
	}
}

// promisePlay is promise for plays on these squares.
func (g *Generator) promisePlay(a *anchor, sh *shadow) {
	score := sh.points*sh.factor + sh.cross
	for i := range sh.n {
		score += sh.weights[i] * g.dearest[i]
	}
	if sh.n >= g.bonusTiles {
		score += g.bonus
	}
	points, most := Points(int(score)), &a.most[sh.n]
	bound := points + g.top[sh.n]
	if a.close && bound > *most && (!g.found || bound > g.equity) {
		bound = points + g.closeTop(sh, *most-points)
	}
	*most = max(*most, bound)
}

// closeTop is what keeping tiles is worth at the most when a word takes the
// others: worst where the whole rack, or all of it but one or two, makes no word
// with the tiles played through. Less than enough makes no difference.
func (g *Generator) closeTop(sh *shadow, enough Equity) Equity {
	blanks, sum, top := int(g.count[blank]), sh.through+g.sum, Equity(worst)
	try := func(sum uint64, blanks int, kept uint32) {
		if v := g.keep[kept]; v > max(top, enough) && g.mayBeWord(sum, blanks) {
			top = v
		}
	}
	switch kept := g.rackSize - sh.n; {
	case blanks > 1 || kept+blanks > 2:
		return g.top[sh.n]
	case kept == 0:
		try(sum, blanks, 0)
	default:
		for i := range g.rackSize {
			sum, blanks := sum-g.codes[i], blanks-g.blanks[i]
			if kept == 1 {
				try(sum, blanks, 1<<i)
				continue
			}
			for k := range i {
				try(sum-g.codes[k], blanks-g.blanks[k], 1<<i|1<<k)
			}
		}
	}
	return top
}

// mayBeWord reports whether letters and at most one blank may make a word.
func (g *Generator) mayBeWord(sum uint64, blanks int) bool {
	if blanks == 0 {
		return g.jumbles.May(sum)
	}
	for m := g.letters; m != 0; m &= m - 1 {
		if g.jumbles.May(sum + g.jumbles.Code(m.First())) {
			return true
		}
	}
	return false
}
