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

	top      [game.MaxSize + 1]Equity // the most that keeping i fewer tiles than the rack has is worth
	dearest  [game.MaxSize]int32      // points of the rack's tiles, the most first
	rackSize int

	// Plays of at least this number of tiles are found by what words their tiles
	// spell, in any order; those of fewer by the word graph.
	fromWords int
	jumbles   *lexicon.Jumbles
	parts     [longestParted + 1][]part // of the rack, by their tiles, those that keep the best first
}

// A part is some tiles of the rack to be played.
type part struct {
	keep   Equity // what the others are worth
	sum    uint64 // of the codes of the letters
	blanks int
	// dearest has the tiles' points, the most first.
	dearest [game.MaxSize]int32
}

const (
	// longestParted is the most tiles of a rack whose parts are listed.
	longestParted = 10
	// mostExpanded is the most blanks of a rack for which all letters are tried.
	mostExpanded = 2
)

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
// dearest squares, and the best tiles kept (known as shadow playing). Of an
// anchor whose turn has come the plays of many tiles are found first: what words
// the tiles spell with those they are played through, a look or two at memory
// for each part of the rack, and nearly always there is none. What is left to
// the word graph is plays of few tiles, which are soon searched.
func (g *Generator) Best(b *game.Board, rack game.Tiles, keep []Equity) (best Play, equity Equity, ok bool) {
	g.setRack(rack)
	if g.tiles != len(rack) || len(rack) > game.MaxSize || len(keep) < 1<<len(rack) {
		return Play{}, 0, false
	}
	g.keep, g.all, g.rackSize = keep, 1<<len(rack)-1, len(rack)
	g.best, g.equity, g.found = Play{}, 0, false
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
		if !a.close && g.fromWords <= g.rackSize {
			a.close = true
			g.tryWords(a)
			first.bound = worst
			for n := range g.fromWords {
				first.bound = max(first.bound, a.most[n])
			}
			continue
		}
		// Plays of more tiles than that can't be better, or are known.
		if g.allowBetter(a) {
			g.searchAnchor(a)
		}
		g.queue = g.queue[:last]
		last--
	}
	return g.best, g.equity, g.found
}

// allow has all plays looked for that have up to n tiles.
func (g *Generator) allow(tiles int) {
	for k := range g.upTo {
		g.upTo[k], g.further[k] = tiles, tiles
	}
}

// allowBetter has plays at an anchor looked for that can be better than the best so
// far, and reports whether there are such.
func (g *Generator) allowBetter(a *anchor) bool {
	if g.fromWords != few+1 {
		tiles := g.rackSize
		for tiles > 0 && g.beaten(a.most[tiles]) {
			tiles--
		}
		g.allow(tiles)
		return tiles > 0
	}
	most := min(g.rackSize, few)
	g.further[few+1] = 0
	for k := few; k >= 0; k-- {
		tiles := most
		for tiles > 0 && g.beaten(a.from[k][tiles]) {
			tiles--
		}
		g.upTo[k], g.further[k] = tiles, max(tiles, g.further[k+1])
	}
	return g.further[0] > 0
}

// beaten reports whether plays that are worth no more than that needn't be
// looked for.
func (g *Generator) beaten(most Equity) bool {
	return most == worst || g.found && most <= g.equity
}

// A promised is an anchor by its number, and the most that its plays can be
// worth.
type promised struct {
	bound  Equity
	anchor int32
}

// weighRack finds the most that tiles can score and that can be kept, and
// the parts of the rack.
func (g *Generator) weighRack(rack game.Tiles) {
	blanks := 0
	for i := range len(rack) {
		t := rack.At(i)
		g.dearest[i] = int32(g.eq.Tiles.Value(t))
		if t.IsBlank() {
			blanks++
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
	g.fromWords = len(rack) + 1
	if len(rack) <= longestParted && blanks <= mostExpanded {
		if g.jumbles = g.lex.Jumbles(); g.jumbles != nil {
			g.fromWords = lexicon.ShortestJumble
			g.setParts(rack)
		}
	}
}

// setParts lists the parts of the rack that are looked for in words.
func (g *Generator) setParts(rack game.Tiles) {
	for n := g.fromWords; n <= len(rack); n++ {
		g.parts[n] = g.parts[n][:0]
	}
	var sums [1 << longestParted]uint64
	var blanks [1 << longestParted]int
	for used := 1; used < 1<<len(rack); used++ {
		i := bits.TrailingZeros(uint(used))
		sums[used], blanks[used] = sums[used&(used-1)], blanks[used&(used-1)]
		if t := rack.At(i); t.IsBlank() {
			blanks[used]++
		} else {
			sums[used] += g.jumbles.Code(t.Letter())
		}
		n := bits.OnesCount(uint(used))
		if n < g.fromWords || twice(rack, used) {
			continue
		}
		p := part{keep: g.keep[int(g.all)&^used], sum: sums[used], blanks: blanks[used]}
		k := 0
		for m := used; m != 0; m &= m - 1 {
			v := int32(g.eq.Tiles.Value(rack.At(bits.TrailingZeros(uint(m)))))
			at := k
			for ; at > 0 && p.dearest[at-1] < v; at-- {
				p.dearest[at] = p.dearest[at-1]
			}
			p.dearest[at] = v
			k++
		}
		all := append(g.parts[n], p)
		at := len(all) - 1
		for ; at > 0 && all[at-1].keep < p.keep; at-- {
			all[at] = all[at-1]
		}
		all[at] = p
		g.parts[n] = all
	}
}

// twice reports whether a part of a rack is another with equal tiles exchanged.
func twice(rack game.Tiles, used int) bool {
	for i := 1; i < len(rack); i++ {
		if rack[i] == rack[i-1] && used>>i&1 == 0 && used>>(i-1)&1 != 0 {
			return true
		}
	}
	return false
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
	n           int // tiles
	first, last int // squares of the main word
	// most is the most that tiles can score on those squares that the rack's
	// dearest doesn't fit: points in the main word, and in cross words.
	most struct{ points, cross int32 }
	// squares are the others.
	squares [game.MaxSize]*square
	open    int // how many
	// weights are what a point of a tile scores on one of them, all words
	// together, the most first.
	weights [game.MaxSize]int32
	through uint64 // the sum of the codes of the tiles played through
}

// cover has another tile lie on s, one of no more than most points.
func (sh *shadow) cover(s *square, most, dearest int32) {
	sh.n++
	sh.cross += s.crossSum
	if most < dearest {
		sh.most.points += s.letter * most
		sh.most.cross += s.crossBy * most
	} else {
		sh.squares[sh.open] = s
		sh.open++
		if s.word == 1 {
			sh.weigh(sh.open - 1)
		}
	}
	if s.word != 1 {
		sh.factor *= s.word
		for i := range sh.open {
			sh.weigh(i)
		}
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

// dearestOn is the most points that a tile of the rack has that fits a square.
func (g *Generator) dearestOn(s *square) int32 {
	if s.fits == g.letters {
		return g.dearest[0]
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

// promise finds the highest equity that the plays at an anchor could have, and
// of those of n tiles.
func (g *Generator) promise(a *anchor) Equity {
	for n := range g.rackSize + 1 {
		a.most[n] = worst
	}
	for k := range a.from {
		for n := range a.from[k] {
			a.from[k][n] = worst
		}
	}
	g.cast(a)
	return slices.Max(a.most[:g.rackSize+1])
}

// mostScore is the most that a play on these squares can score with tiles of these
// points, the most first, and any of the rack on squares that its dearest doesn't
// fit.
func (g *Generator) mostScore(sh *shadow, dearest *[game.MaxSize]int32) int32 {
	score := (sh.points+sh.most.points)*sh.factor + sh.cross + sh.most.cross
	for i := range sh.open {
		score += sh.weights[i] * dearest[i]
	}
	if sh.n >= g.bonusTiles {
		score += g.bonus
	}
	return score
}

// tryWords finds the plays of many tiles at an anchor that are better than the
// best so far.
func (g *Generator) tryWords(a *anchor) {
	g.ln, g.dir, g.i = &g.lines[a.dir][a.i], a.dir, a.i
	g.cast(a)
}

// shadowed does with the shadow of a play what is done at its anchor: promise, or
// tryWords where that has been done.
func (g *Generator) shadowed(a *anchor, sh *shadow) {
	if !a.close {
		most := Points(int(g.mostScore(sh, &g.dearest))) + g.top[sh.n]
		a.most[sh.n] = max(a.most[sh.n], most)
		if sh.n <= few {
			a.from[a.first-sh.first][sh.n] = most
		}
	} else if sh.n >= g.fromWords {
		g.tryParts(sh)
	}
}

// cast visits the shadows of the plays at an anchor.
func (g *Generator) cast(a *anchor) {
	ln, reach := &g.lines[a.dir][a.i], g.reach()
	sh := shadow{tally: tally{factor: 1}, first: a.first}
	p := a.first // the next square on the left
	if a.run != nil {
		sh.points = a.run.points
		if a.close {
			for i := a.first; i <= a.last; i++ {
				sh.through += g.jumbles.Code(ln[i].tile)
			}
		}
		g.castRight(a, ln, reach, sh)
		p--
	}
	for ; p >= a.left && sh.n < g.rackSize && ln[p].fits&reach != 0; p-- {
		sh.cover(&ln[p], g.dearestOn(&ln[p]), g.dearest[0])
		sh.first, sh.last = p, a.last
		g.shadowed(a, &sh)
		g.castRight(a, ln, reach, sh)
	}
}

// castRight is cast for plays that go on to the right.
func (g *Generator) castRight(a *anchor, ln *line, reach lexicon.Set, sh shadow) {
	for p := a.last + 1; p <= g.size && sh.n < g.rackSize && ln[p].fits&reach != 0; {
		sh.cover(&ln[p], g.dearestOn(&ln[p]), g.dearest[0])
		for p++; ln[p].tile != 0; p++ {
			sh.points += ln[p].points
			if a.close {
				sh.through += g.jumbles.Code(ln[p].tile)
			}
		}
		sh.last = p - 1
		g.shadowed(a, &sh)
	}
}

// tryParts tries what the parts of the rack spell on these squares.
func (g *Generator) tryParts(sh *shadow) {
	if g.useLetter && !g.empty && sh.last-sh.first+1 == sh.n {
		return // all its tiles are new
	}
	most := Points(int(g.mostScore(sh, &g.dearest)))
	for i := range g.parts[sh.n] {
		pt := &g.parts[sh.n][i]
		if g.found && most+pt.keep <= g.equity {
			return
		}
		if g.found && Points(int(g.mostScore(sh, &pt.dearest)))+pt.keep <= g.equity {
			continue
		}
		sum := sh.through + pt.sum
		switch pt.blanks {
		case 0:
			g.tryJumble(sh, pt, sum, blank, blank)
		case 1:
			for m := g.letters; m != 0; m &= m - 1 {
				g.tryJumble(sh, pt, sum+g.jumbles.Code(m.First()), m.First(), blank)
			}
		case 2:
			for m := g.letters; m != 0; m &= m - 1 {
				sum := sum + g.jumbles.Code(m.First())
				for k := m; k != 0; k &= k - 1 {
					g.tryJumble(sh, pt, sum+g.jumbles.Code(k.First()), m.First(), k.First())
				}
			}
		}
	}
}

// tryJumble tries the words of some letters on these squares. The blanks of the
// part stand for one and other, as far as it has any.
func (g *Generator) tryJumble(sh *shadow, pt *part, sum uint64, one, other lexicon.Letter) {
	if !g.jumbles.May(sum) {
		return
	}
	words := g.jumbles.Words(sum, sh.last-sh.first+1)
	for word := words.Next(); word != nil; word = words.Next() {
		g.tryWord(sh, pt, word, one, other)
	}
}

// tryWord tries a word on these squares.
func (g *Generator) tryWord(sh *shadow, pt *part, word []byte, one, other lexicon.Letter) {
	score := sh.points*sh.factor + sh.cross
	for i, c := range word {
		s, l := &g.ln[sh.first+i], lexicon.Letter(c&lexicon.MaxLetters)
		switch {
		case s.tile == l:
		case s.tile != 0 || !s.fits.Has(l):
			return
		default:
			score += g.values[l&lexicon.MaxLetters] * (s.letter*sh.factor + s.crossBy)
		}
	}
	if sh.n >= g.bonusTiles {
		score += g.bonus
	}
	blanks := [2]int{-1, -1} // where they lie in the word
	stand := [...]lexicon.Letter{one, other}
	for i, l := range stand[:pt.blanks] {
		least := int32(0)
		for k, c := range word {
			s := &g.ln[sh.first+k]
			if lexicon.Letter(c&lexicon.MaxLetters) != l || s.tile != 0 || i > 0 && k == blanks[0] {
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
	if g.found && equity <= g.equity {
		return
	}
	g.found, g.equity = true, equity
	g.best = Play{Score: score, dir: g.dir, n: uint8(len(word))}
	g.best.at.row, g.best.at.col = uint8(g.i-1), uint8(sh.first-1)
	if g.dir == game.Down {
		g.best.at.row, g.best.at.col = g.best.at.col, g.best.at.row
	}
	for i, c := range word {
		switch {
		case g.ln[sh.first+i].tile != 0:
		case i == blanks[0] || i == blanks[1]:
			g.best.tiles[i] = game.BlankAs(lexicon.Letter(c & lexicon.MaxLetters))
		default:
			g.best.tiles[i] = game.LetterTile(lexicon.Letter(c & lexicon.MaxLetters))
		}
	}
}
