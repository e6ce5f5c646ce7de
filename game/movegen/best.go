package movegen

import (
	"math"
	"math/bits"
	"slices"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// An Equity is the value of a play: its points plus the expected value of the tiles it keeps. It is
// in thousandths of a point so that sums are exact.
type Equity int32

// Points converts points to an equity.
func Points(n int) Equity { return Equity(n) * 1000 }

// Float returns the equity in points.
func (e Equity) Float() float64 { return float64(e) / 1000 }

// A contest is the state of a search for only the best play.
type bestSearch struct {
	keep   []Equity // by bits of the tiles kept; nil to list all plays
	all    uint32   // bits of the whole rack
	best   Play
	equity Equity // worst until there is a play

	rackSize   int
	tileValues [game.MaxSize]int32      // points of the rack's tiles, highest first
	top        [game.MaxSize + 1]Equity // best value of keeping i tiles fewer than the rack has
	alone      [game.MaxSize + 1]Equity // the same if those i tiles alone spell a word; see weighAlone

	shadows []shadow
	// latest has, for each bound, one more than the index of the latest shadow with that bound.
	latest [boundPlaces]int32

	// Plays are found by the words that their tiles spell in any order, or in the word graph if
	// jumbles is nil.
	jumbles *lexicon.Jumbles
	parts   []part // parts of the rack, by bits of their tiles
	// inOrder has the parts with a number of blanks and of tiles, best leave first.
	inOrder [mostExpanded + 1][longestParted + 1][]uint32
}

// A part is a subset of the rack to play.
type part struct {
	keep   Equity      // value of the other tiles
	have   lexicon.Set // letters that it can spell
	sum    uint64      // sum of the codes of its letters
	blanks int
	// tileValues has the tiles' points, highest first.
	tileValues [longestParted]int32
}

const (
	// longestParted limits the tiles of a rack whose subsets are listed.
	longestParted = 10
	// mostExpanded limits the blanks of a rack for which all letters are tried.
	mostExpanded = 2
)

// Best returns the play of the highest equity: its points plus the value of the tiles kept, which is
// keep[i] for the rack tiles whose bits are set in i, the first tile's bit being the lowest. Equal
// tiles of the rack must be adjacent, and keep must have a value for each of the 1<<len(rack)
// subsets. ok is false if there is no play, or if the rack is longer than a line of the largest board.
//
// Best examines the sets of squares that plays can cover, most promising first, and skips the ones
// that can't have a better play than the best so far. Their bounds come from counting alone,
// without the words: the most valuable tiles on the best squares, and the best leave (known as
// shadow playing). For each set that remains, it looks up each part of the rack that could be
// better there: the words that those tiles spell together with the tiles played through. That takes
// a memory access or two, and for long words nearly always finds none. Parts with blanks, which
// must be looked up with every letter, come last, when few are still promising.
func (g *Generator) Best(b *game.Board, rack game.Tiles, keep []Equity) (best Play, equity Equity, ok bool) {
	g.setRack(rack)
	if g.tiles != len(rack) || len(rack) > game.MaxSize || len(keep) < 1<<len(rack) {
		return Play{}, 0, false
	}
	g.keep, g.all, g.rackSize = keep, 1<<len(rack)-1, len(rack)
	g.best, g.equity = Play{}, worst
	defer func() { g.keep = nil }()
	g.weighRack(rack)
	g.setBoard(b)
	g.setAnchors()
	g.shadows = g.shadows[:0]
	clear(g.latest[:])
	for i := range g.anchors {
		g.cast(i)
	}
	g.work += searchWork + shadowWork*len(g.shadows)
	if g.jumbles == nil {
		g.eachShadow(g.searchBetter)
	} else {
		for blanks := range int(g.count[blank]) + 1 {
			g.eachShadow(func(sh *shadow) { g.tryParts(sh, blanks) })
		}
	}
	if g.equity == worst {
		return Play{}, 0, false
	}
	return g.best, g.equity, true
}

// isBeaten reports whether plays of at most that equity can be skipped.
func (c *bestSearch) isBeaten(most Equity) bool { return most <= c.equity }

// searchBetter searches the plays at a shadow's anchor in the word graph.
func (g *Generator) searchBetter(sh *shadow) {
	a := &g.anchors[sh.anchor]
	if a.searched {
		return
	}
	a.searched = true
	g.tiles = 0
	for i := range g.shadows[a.shadows:] {
		other := &g.shadows[a.shadows+i]
		if other.anchor != sh.anchor {
			break
		}
		if !g.isBeaten(other.bound) {
			g.tiles = max(g.tiles, int(other.n))
		}
	}
	g.searchAnchor(a)
}

// weighRack computes the most that tiles can score and that leaves are worth, and the parts of the
// rack.
func (g *Generator) weighRack(rack game.Tiles) {
	var byPoints [game.MaxSize]uint8 // the rack's tiles, highest points first
	for i := range len(rack) {
		v := int32(g.eq.Tiles.Value(rack.At(i)))
		at := i
		for ; at > 0 && g.tileValues[at-1] < v; at-- {
			g.tileValues[at], byPoints[at] = g.tileValues[at-1], byPoints[at-1]
		}
		g.tileValues[at], byPoints[at] = v, uint8(i)
	}
	for n := range len(rack) + 1 {
		g.top[n] = worst
	}
	for kept, v := range g.keep[:1<<len(rack)] {
		played := len(rack) - bits.OnesCount(uint(kept))
		g.top[played] = max(g.top[played], v)
	}
	g.jumbles = nil
	if len(rack) <= longestParted && g.count[blank] <= mostExpanded {
		if g.jumbles = g.lex.Jumbles(); g.jumbles != nil {
			g.setParts(rack, byPoints[:len(rack)])
		}
	}
	g.alone = g.top
	if g.jumbles != nil && g.count[blank] == 0 { // with blanks nearly everything is a word
		g.weighAlone()
	}
}

// weighAlone computes the best leaves for plays that consist only of new tiles: for many numbers of
// tiles the rack spells no word.
func (c *bestSearch) weighAlone() {
	for n := 2; n <= c.rackSize; n++ {
		c.alone[n] = worst
		words := c.jumbles.Of(n)
		for _, used := range c.inOrder[0][n] { // best leave first
			if pt := &c.parts[used]; words.MayContain(pt.sum) {
				c.alone[n] = pt.keep
				break
			}
		}
	}
}

// setParts lists the parts of the rack.
func (g *Generator) setParts(rack game.Tiles, byPoints []uint8) {
	for b := range g.inOrder {
		for n := range len(rack) + 1 {
			g.inOrder[b][n] = g.inOrder[b][n][:0]
		}
	}
	g.parts = slices.Grow(g.parts[:0], 1<<len(rack))[:1<<len(rack)]
	g.parts[0] = part{}
	for used := 1; used < 1<<len(rack); used++ {
		p, less := &g.parts[used], &g.parts[used&(used-1)]
		p.keep = g.keep[int(g.all)&^used]
		if t := rack.At(bits.TrailingZeros(uint(used))); t.IsBlank() {
			p.have, p.sum, p.blanks = g.letters, less.sum, less.blanks+1
		} else {
			p.have, p.sum, p.blanks = less.have|lexicon.SetOf(t.Letter()), less.sum+g.jumbles.Code(t.Letter()), less.blanks
		}
		if isDuplicate(rack, used) {
			continue
		}
		n := 0
		for i, k := range byPoints {
			p.tileValues[n] = g.tileValues[i]
			n += used >> k & 1
		}
		all := append(g.inOrder[p.blanks][n], uint32(used))
		at := len(all) - 1
		for ; at > 0 && g.parts[all[at-1]].keep < p.keep; at-- {
			all[at] = all[at-1]
		}
		all[at] = uint32(used)
		g.inOrder[p.blanks][n] = all
	}
}

// isDuplicate reports whether a part of a rack duplicates one with an equal tile.
func isDuplicate(rack game.Tiles, used int) bool {
	for i := 1; i < len(rack); i++ {
		if rack[i] == rack[i-1] && used>>i&1 == 0 && used>>(i-1)&1 != 0 {
			return true
		}
	}
	return false
}

// Costs of a search in nanoseconds, fitted to 341 moves that the expert robot thought about for
// up to a second each. The counted work of a move differs from its time by 8 % (one standard
// deviation), and by at most 35 %.
const (
	searchWork = 8000 // for the best play of a rack, whatever the board
	shadowWork = 48   // for each shadow
	partWork   = 15   // for each part of the rack examined for a shadow
	letterWork = 6    // for each letter tried for a blank
)

// worst is below the value of any play.
const worst Equity = math.MinInt32

// consider records a play if it is the best so far.
func (g *Generator) consider(letters lexicon.Set, p, first, last, placed int, t tally) {
	base, each := g.scores(&g.ln[p], placed, t)
	for m := letters & g.have; m != 0; m &= m - 1 {
		l := m.First()
		i := l & lexicon.MaxLetters
		g.recordPlay(game.LetterTile(l), i, base+each*g.values[i], p, first, last)
	}
	if letters != 0 && g.count[blank] > 0 {
		// The letter of the blank makes no difference.
		g.recordPlay(game.BlankAs(letters.First()), blank, base+each*g.values[blank], p, first, last)
	}
}

// recordPlay records a play if it is better than the best so far. Its last tile is on p.
func (g *Generator) recordPlay(last game.Tile, face lexicon.Letter, score int32, p, from, to int) {
	used := g.used | 1<<(g.place[face]+g.count[face]-1)
	equity := Points(int(score)) + g.keep[g.all&^used]
	if equity <= g.equity {
		return
	}
	g.equity = equity
	g.best = g.currentPlay(from, to)
	g.best.tiles[p-from] = last
	g.best.Score = score
}

// A shadow is a set of plays of which only the squares are known.
type shadow struct {
	bound       Equity // upper bound of their equity
	most        Equity // upper bound of their score
	anchor      int32
	before      int32 // one more than the index of the previous shadow with the same bound; see push
	n, open     uint8 // number of tiles, and of tiles on open squares
	first, last uint8 // squares of the main word
	tally
	// base is the most that it scores without the tiles on open squares, which are the
	// squares that may fit the rack's most valuable tile.
	base int32
	// weights are the factors by which a tile's points count on each open square, over all words,
	// highest first.
	weights [longestParted]int32
}

// A layout is a shadow under construction.
type layout struct {
	tally
	n, open int
	// most is the most that tiles can score on the squares that aren't open: points in the main
	// word and in cross words.
	most    struct{ points, cross int32 }
	squares [game.MaxSize]uint8 // open squares
	weights [game.MaxSize]int32
}

// cover adds a tile on the p-th square of a line; most limits its points.
func (c *layout) cover(ln *line, p int, most, dearest int32) {
	s := &ln[p]
	c.n++
	c.cross += s.crossSum
	if most < dearest {
		c.most.points += s.letter * most
		c.most.cross += s.crossBy * most
	} else {
		c.squares[c.open] = uint8(p)
		c.open++
		if s.word == 1 {
			c.weigh(s, c.open-1)
		}
	}
	if s.word != 1 {
		c.factor *= s.word
		for i, p := range c.squares[:c.open] {
			c.weigh(&ln[p], i)
		}
	}
}

// weigh inserts a square's weight among the weights of the i squares before it.
func (c *layout) weigh(s *square, i int) {
	w := s.letter*c.factor + s.crossBy
	for ; i > 0 && c.weights[i-1] < w; i-- {
		c.weights[i] = c.weights[i-1]
	}
	c.weights[i] = w
}

// highestValue returns the points of the rack's most valuable tile that fits a square.
func (g *Generator) highestValue(s *square) int32 {
	if s.fits == g.letters {
		return g.tileValues[0]
	}
	most := int32(0)
	if g.count[blank] > 0 {
		most = g.values[blank]
	}
	for m := s.fits & g.have; m != 0; m &= m - 1 {
		most = max(most, g.values[m.First()&lexicon.MaxLetters])
	}
	return most
}

// cast computes the shadows of the plays at an anchor.
func (g *Generator) cast(anchor int) {
	a := &g.anchors[anchor]
	a.shadows = len(g.shadows)
	ln, reach := &g.lines[a.dir][a.i], g.reach()
	c := layout{tally: tally{factor: 1}}
	p := a.first // next square on the left
	if a.run != nil {
		c.points = a.run.points
		g.castRight(anchor, ln, reach, a.first, c)
		p--
	}
	for ; p >= a.left && c.n < g.rackSize && ln[p].fits&reach != 0; p-- {
		c.cover(ln, p, g.highestValue(&ln[p]), g.tileValues[0])
		// A single tile that forms words in both directions is found across.
		if p < a.last && (c.n > 1 || a.dir == game.Across || ln[p].crossBy == 0) {
			g.push(&c, anchor, p, a.last)
		}
		g.castRight(anchor, ln, reach, p, c)
	}
}

// castRight computes the shadows of plays that start on a square and continue to the right.
func (g *Generator) castRight(anchor int, ln *line, reach lexicon.Set, first int, c layout) {
	a := &g.anchors[anchor]
	for p := a.last + 1; p <= g.size && c.n < g.rackSize && ln[p].fits&reach != 0; {
		c.cover(ln, p, g.highestValue(&ln[p]), g.tileValues[0])
		single := c.n == 1 && a.dir == game.Down && ln[p].crossBy != 0
		for p++; ln[p].tile != 0; p++ {
			c.points += ln[p].points
		}
		if !single {
			g.push(&c, anchor, first, p-1)
		}
	}
}

// boundPlaces is the number of buckets for shadows by bound: about one a point, starting below 0.
const boundPlaces = 256

// push queues a shadow by its bound.
func (g *Generator) push(c *layout, anchor, first, last int) {
	top := g.top[c.n]
	if last-first+1 == c.n { // only new tiles
		if top = g.alone[c.n]; top == worst || g.useLetter && !g.empty {
			return
		}
	}
	g.shadows = append(g.shadows, shadow{})
	sh := &g.shadows[len(g.shadows)-1]
	sh.anchor, sh.first, sh.last = int32(anchor), uint8(first), uint8(last)
	sh.n, sh.open, sh.tally = uint8(c.n), uint8(c.open), c.tally
	sh.base = (c.points+c.most.points)*c.factor + c.cross + c.most.cross + g.bonus.of(c.n)
	most := sh.base
	for i, w := range c.weights[:c.open] {
		most += w * g.tileValues[i]
	}
	copy(sh.weights[:], c.weights[:c.open])
	sh.most = Points(int(most))
	sh.bound = sh.most + top
	at := min(max(0, int(sh.bound)>>10+boundPlaces/4), boundPlaces-1)
	sh.before = g.latest[at]
	g.latest[at] = int32(len(g.shadows))
}

// eachShadow visits the shadows with a bound above the best so far, in descending order within a
// point or so.
func (c *bestSearch) eachShadow(look func(*shadow)) {
	for at := boundPlaces - 1; at >= 0; at-- {
		for i := c.latest[at]; i != 0; {
			sh := &c.shadows[i-1]
			if !c.isBeaten(sh.bound) {
				look(sh)
			}
			i = sh.before
		}
	}
}

// tryParts tries the words that parts of the rack with that many blanks spell on a shadow's
// squares.
func (g *Generator) tryParts(sh *shadow, blanks int) {
	order := g.inOrder[blanks][sh.n]
	if len(order) == 0 || g.isBeaten(sh.most+g.parts[order[0]].keep) {
		return
	}
	a := &g.anchors[sh.anchor]
	g.ln, g.dir, g.i = &g.lines[a.dir][a.i], a.dir, a.i
	words := g.jumbles.Of(int(sh.last-sh.first) + 1)
	through := uint64(0)                // sum of the codes of the tiles played through
	var fits [longestParted]lexicon.Set // letters that fit, for squares that restrict them
	narrow := 0
	for p := sh.first; p <= sh.last; p++ {
		if s := &g.ln[p]; s.tile != 0 {
			through += g.jumbles.Code(s.tile)
		} else if s.fits != g.letters {
			fits[narrow] = s.fits
			narrow++
		}
	}
parts:
	for _, used := range order {
		g.work += partWork
		pt := &g.parts[used]
		if g.isBeaten(sh.most + pt.keep) {
			return
		}
		most := sh.base
		for i, w := range sh.weights[:sh.open] {
			most += w * pt.tileValues[i]
		}
		if g.isBeaten(Points(int(most)) + pt.keep) {
			continue
		}
		for _, f := range fits[:narrow] {
			if f&pt.have == 0 {
				continue parts
			}
		}
		sum := through + pt.sum
		switch blanks {
		case 0:
			if words.MayContain(sum) {
				g.tryJumble(sh, pt, words, sum, blank, blank)
			}
		case 1:
			g.work += letterWork * bits.OnesCount64(uint64(g.letters))
			for m := g.letters; m != 0; m &= m - 1 {
				if sum := sum + g.jumbles.Code(m.First()); words.MayContain(sum) {
					g.tryJumble(sh, pt, words, sum, m.First(), blank)
				}
			}
		case 2:
			n := bits.OnesCount64(uint64(g.letters))
			g.work += letterWork * n * (n + 1) / 2
			for m := g.letters; m != 0; m &= m - 1 {
				sum := sum + g.jumbles.Code(m.First())
				for k := m; k != 0; k &= k - 1 {
					if sum := sum + g.jumbles.Code(k.First()); words.MayContain(sum) {
						g.tryJumble(sh, pt, words, sum, m.First(), k.First())
					}
				}
			}
		}
	}
}

// tryJumble tries the words of some letters on these squares. The part's blanks, if any, stand for
// one and other.
func (g *Generator) tryJumble(sh *shadow, pt *part, words *lexicon.JumblesOf, sum uint64, one, other lexicon.Letter) {
	spelt := words.Words(sum)
	for word := spelt.Next(); word != nil; word = spelt.Next() {
		g.tryWord(sh, pt, word, one, other)
	}
}

// tryWord tries a word on these squares.
func (g *Generator) tryWord(sh *shadow, pt *part, word []byte, one, other lexicon.Letter) {
	score := sh.points*sh.factor + sh.cross
	for i, c := range word {
		s, l := &g.ln[int(sh.first)+i], lexicon.Letter(c)
		switch {
		case s.tile == l:
		case s.tile != 0 || !s.fits.Has(l):
			return
		default:
			score += g.values[l&lexicon.MaxLetters] * (s.letter*sh.factor + s.crossBy)
		}
	}
	score += g.bonus.of(int(sh.n))
	blanks := [2]int{-1, -1} // their positions in the word
	stand := [...]lexicon.Letter{one, other}
	for i, l := range stand[:pt.blanks] {
		least := int32(0)
		for k, c := range word {
			s := &g.ln[int(sh.first)+k]
			if lexicon.Letter(c) != l || s.tile != 0 || i > 0 && k == blanks[0] {
				continue
			}
			loss := (g.values[l&lexicon.MaxLetters] - g.values[blank]) * (s.letter*sh.factor + s.crossBy)
			if blanks[i] < 0 || loss < least {
				least, blanks[i] = loss, k
			}
		}
		score -= least
	}
	equity := Points(int(score)) + pt.keep
	if equity <= g.equity {
		return
	}
	g.equity = equity
	g.best = Play{Score: score, dir: g.dir, n: uint8(len(word))}
	g.best.at.row, g.best.at.col = uint8(g.i-1), uint8(sh.first-1)
	if g.dir == game.Down {
		g.best.at.row, g.best.at.col = g.best.at.col, g.best.at.row
	}
	for i, c := range word {
		switch {
		case g.ln[int(sh.first)+i].tile != 0:
		case i == blanks[0] || i == blanks[1]:
			g.best.tiles[i] = game.BlankAs(lexicon.Letter(c & lexicon.MaxLetters))
		default:
			g.best.tiles[i] = game.LetterTile(lexicon.Letter(c & lexicon.MaxLetters))
		}
	}
}
