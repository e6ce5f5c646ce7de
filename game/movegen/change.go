package movegen

import (
	"math/bits"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// Squares is a set of squares: bit MaxSize*row+column over all its words.
type Squares [(game.MaxSize*game.MaxSize + 63) / 64]uint64

// add adds a square unless it is off the largest board.
func (q *Squares) add(sq game.Square) {
	if uint(sq.Row) < game.MaxSize && uint(sq.Col) < game.MaxSize {
		i := game.MaxSize*sq.Row + sq.Col
		q[i/64] |= 1 << (i % 64)
	}
}

// Has reports whether the set contains a square.
func (q *Squares) Has(sq game.Square) bool {
	i := game.MaxSize*sq.Row + sq.Col
	return q[i/64]>>(i%64)&1 != 0
}

// Join adds the squares of another set.
func (q *Squares) Join(other *Squares) {
	for i := range q {
		q[i] |= other[i]
	}
}

// Meet reports whether two sets have a common square.
func (q *Squares) Meet(other *Squares) bool {
	both := uint64(0)
	for i := range q {
		both |= q[i] & other[i]
	}
	return both != 0
}

// lines returns the squares by line, one bit each.
func (q *Squares) lines() (in [game.Down + 1][side]uint32) {
	for sq := range q.all {
		in[game.Across][sq.Row+1] |= 1 << (sq.Col + 1)
		in[game.Down][sq.Col+1] |= 1 << (sq.Row + 1)
	}
	return in
}

// Needs returns the squares that the play covers, and the two at its ends. The play remains
// possible with the same score as long as nothing changes there; see [Play.Changes].
func (p *Play) Needs() (q Squares) {
	at, stride := p.start(), 1
	if p.dir == game.Down {
		stride = game.MaxSize
	}
	q.add(at.Step(p.dir, -1))
	q.add(at.Step(p.dir, int(p.n)))
	i := game.MaxSize*at.Row + at.Col
	for range p.n {
		q[i/64] |= 1 << (i % 64)
		i += stride
	}
	return q
}

// Changes returns the squares where other plays may change after the play is laid on a board: its
// tiles' squares, and the empty ones at the ends of the words that they are part of. The tiles may
// already be on the board.
func (p *Play) Changes(b *game.Board) (q Squares) {
	at, cross := p.start(), p.dir.Other()
	q.add(at.Step(p.dir, -1))
	q.add(at.Step(p.dir, int(p.n)))
	for sq := range p.Laid {
		q.add(sq)
		for _, step := range [...]int{-1, 1} {
			q.add(end(b, sq, cross, step))
		}
	}
	return q
}

// Laid yields the tiles that the play lays.
func (p *Play) Laid(yield func(game.Square, game.Tile) bool) {
	at := p.start()
	for _, t := range p.tiles[:p.n] {
		if t != game.NoTile && !yield(at, t) {
			return
		}
		if p.dir == game.Across {
			at.Col++
		} else {
			at.Row++
		}
	}
}

func (p *Play) start() game.Square { return game.Square{Row: int(p.at.row), Col: int(p.at.col)} }

// PlaysIn returns the plays of [Generator.Plays] that need any of some squares, in less time. If
// only those squares changed since the plays were last listed, all new plays are among these.
func (g *Generator) PlaysIn(b *game.Board, rack game.Tiles, changed *Squares) []Play {
	g.plays = g.plays[:0]
	g.setRack(rack)
	if g.tiles == 1 && g.count[blank] == 0 && !b.Empty() {
		return g.singlesIn(b, g.have.First(), changed)
	}
	g.setBoard(b)
	if g.tiles == 0 {
		return g.plays
	}
	in := changed.lines()
	for _, d := range g.directions() {
		for i := 1; i <= g.size; i++ {
			if in[d][i] == 0 {
				continue
			}
			g.anchors = g.anchors[:0]
			g.findAnchors(d, i)
			for k := range g.anchors {
				if a := &g.anchors[k]; g.span(a)&in[d][i] != 0 {
					g.searchAnchor(a)
				}
			}
		}
	}
	found := g.plays[:0]
	for i := range g.plays {
		if p := &g.plays[i]; p.meets(&in) {
			found = append(found, *p)
		}
	}
	return found
}

// meets reports whether the play needs any of some squares.
func (p *Play) meets(in *[game.Down + 1][side]uint32) bool {
	i, first := p.at.row, p.at.col
	if p.dir == game.Down {
		i, first = first, i
	}
	return in[p.dir][i+1]>>first&(1<<(p.n+2)-1) != 0
}

// span returns the squares that plays at an anchor may cover, and those at their ends.
func (g *Generator) span(a *anchor) uint32 {
	ln, tiles := &g.lines[a.dir][a.i], g.tiles
	if a.run == nil {
		tiles--
	}
	first, last := max(a.left, a.first-tiles), a.last
	for {
		if ln[last+1].tile == 0 {
			if tiles--; tiles < 0 || last == g.size {
				break
			}
		}
		last++
	}
	return 1<<(last+2) - 1<<(first-1)
}

// singlesIn returns the result of PlaysIn for a rack of one letter with a tenth of the work: it
// doesn't update the lines.
func (g *Generator) singlesIn(b *game.Board, l lexicon.Letter, changed *Squares) []Play {
	// A play needs the squares at its ends, so it may lie on the next empty square on any side.
	var near Squares
	for sq := range changed.all {
		if b.Tile(sq) != game.NoTile {
			continue
		}
		near.add(sq)
		for _, d := range bothWays {
			for _, step := range [...]int{-1, 1} {
				near.add(end(b, sq, d, step))
			}
		}
	}
	in := changed.lines()
	for sq := range near.all {
		if sq.Row >= g.size || sq.Col >= g.size || b.Tile(sq) != game.NoTile {
			continue
		}
		if p, ok := g.single(b, l, sq); ok && p.meets(&in) {
			g.plays = append(g.plays, p)
		}
	}
	return g.plays
}

// single returns the play of a single letter on an empty square, if valid.
func (g *Generator) single(b *game.Board, l lexicon.Letter, sq game.Square) (p Play, ok bool) {
	s := &g.lines[game.Across][sq.Row+1][sq.Col+1]
	for _, d := range bothWays {
		first := end(b, sq, d, -1).Step(d, 1)
		last := end(b, sq, d, 1).Step(d, -1)
		if first == last {
			continue
		}
		points, n, length := g.values[l]*s.letter, g.lex.Forward(), 0
		for at := first; ; at = at.Step(d, 1) {
			letter := l
			if t := b.Tile(at); t != game.NoTile {
				letter = t.Letter()
				points += g.tilePoints(t)
			}
			length++
			if at == last {
				if !n.Ends.Has(letter) {
					return p, false
				}
				break
			}
			if !n.Next.Has(letter) {
				return p, false
			}
			n = g.lex.Child(n, letter)
		}
		if p.n == 0 {
			p.dir, p.n = d, uint8(length)
			p.at.row, p.at.col = uint8(first.Row), uint8(first.Col)
			p.tiles[sq.Row-first.Row+sq.Col-first.Col] = game.LetterTile(l)
		}
		p.Score += points * s.word
	}
	p.Score += g.bonus.of(1)
	return p, p.n > 0
}

// HighestSingle returns the most that a tile scores in a single-tile play on any of some squares, or
// least if that is more. It looks up words only where the score would be higher.
func (g *Generator) HighestSingle(b *game.Board, t game.Tile, on *Squares, least int32) int32 {
	letters := lexicon.SetOf(t.Letter()) & g.letters
	value := g.values[t.Letter()&lexicon.MaxLetters]
	if t.IsBlank() {
		letters, value = g.letters, g.values[blank]
	}
	for sq := range on.all {
		if sq.Row >= g.size || sq.Col >= g.size || b.Tile(sq) != game.NoTile {
			continue
		}
		score := g.wouldScore(b, value, sq) + g.bonus.of(1)
		for m := letters; m != 0 && score > least; m &= m - 1 {
			if _, ok := g.single(b, m.First(), sq); ok {
				least = score
			}
		}
	}
	return least
}

// wouldScore returns the score of a tile with a value on an empty square without a bonus, assuming
// that all words formed are valid.
func (pos *position) wouldScore(b *game.Board, value int32, sq game.Square) (score int32) {
	s := &pos.lines[game.Across][sq.Row+1][sq.Col+1]
	for _, d := range bothWays {
		points, alone := value*s.letter, true
		for _, step := range [...]int{-1, 1} {
			for at := sq.Step(d, step); b.Tile(at) != game.NoTile; at = at.Step(d, step) {
				points += pos.tilePoints(b.Tile(at))
				alone = false
			}
		}
		if !alone {
			score += points * s.word
		}
	}
	return score
}

// tilePoints returns the points of a tile on the board.
func (pos *position) tilePoints(t game.Tile) int32 {
	if t.IsBlank() {
		return pos.values[blank]
	}
	return pos.values[t.Letter()]
}

// end returns the next empty square in a direction, either way.
func end(b *game.Board, sq game.Square, d game.Dir, step int) game.Square {
	sq = sq.Step(d, step)
	for b.Tile(sq) != game.NoTile {
		sq = sq.Step(d, step)
	}
	return sq
}

// all yields the squares.
func (q *Squares) all(yield func(game.Square) bool) {
	for i, m := range q {
		for ; m != 0; m &= m - 1 {
			at := i*64 + bits.TrailingZeros64(m)
			if !yield(game.Square{Row: at / game.MaxSize, Col: at % game.MaxSize}) {
				return
			}
		}
	}
}
