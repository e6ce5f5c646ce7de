package movegen

import (
	"math/bits"

	"github.com/rackmate/rackmate/game"
)

// Squares are some of a board: bit MaxSize*row+column of all its words together.
type Squares [(game.MaxSize*game.MaxSize + 63) / 64]uint64

// add adds a square, if it is one of the largest board.
func (q *Squares) add(sq game.Square) {
	if uint(sq.Row) < game.MaxSize && uint(sq.Col) < game.MaxSize {
		i := game.MaxSize*sq.Row + sq.Col
		q[i/64] |= 1 << (i % 64)
	}
}

// Join adds other squares.
func (q *Squares) Join(other *Squares) {
	for i := range q {
		q[i] |= other[i]
	}
}

// Meet reports whether there is one that is another's too.
func (q *Squares) Meet(other *Squares) bool {
	both := uint64(0)
	for i := range q {
		both |= q[i] & other[i]
	}
	return both != 0
}

// lines is the squares by line, as a bit for each.
func (q *Squares) lines() (in [game.Down + 1][side]uint32) {
	for i, m := range q {
		for ; m != 0; m &= m - 1 {
			at := i*64 + bits.TrailingZeros64(m)
			row, col := at/game.MaxSize+1, at%game.MaxSize+1
			in[game.Across][row] |= 1 << col
			in[game.Down][col] |= 1 << row
		}
	}
	return in
}

// Needs is the squares that the play covers, and the two beside it. It stays a play, and scores
// the same, as long as nothing changes there; see [Play.Changes].
func (p *Play) Needs() (q Squares) {
	for i := -1; i <= int(p.n); i++ {
		q.add(p.start().Step(p.dir, i))
	}
	return q
}

// Changes is the squares where other plays may no longer be what they were after the play is laid
// on a board: those where its tiles lie, and the empty ones at the ends of the words that these
// are part of. The tiles may lie there already.
func (p *Play) Changes(b *game.Board) (q Squares) {
	at, cross := p.start(), p.dir.Other()
	q.add(at.Step(p.dir, -1))
	q.add(at.Step(p.dir, int(p.n)))
	for sq := range p.Laid {
		q.add(sq)
		for _, step := range [...]int{-1, 1} {
			end := sq.Step(cross, step)
			for b.Tile(end) != game.NoTile {
				end = end.Step(cross, step)
			}
			q.add(end)
		}
	}
	return q
}

// Laid goes through the tiles that the play lays.
func (p *Play) Laid(yield func(game.Square, game.Tile) bool) {
	at := p.start()
	for i, t := range p.tiles[:p.n] {
		if t != game.NoTile && !yield(at.Step(p.dir, i), t) {
			return
		}
	}
}

func (p *Play) start() game.Square { return game.Square{Row: int(p.at.row), Col: int(p.at.col)} }

// PlaysIn lists the plays of [Generator.Plays] that need one of some squares, in less time. If
// those are all that have changed since other plays were listed, the rest is among these.
func (g *Generator) PlaysIn(b *game.Board, rack game.Tiles, changed *Squares) []Play {
	g.plays = g.plays[:0]
	g.setRack(rack)
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

// meets reports whether the play needs one of some squares.
func (p *Play) meets(in *[game.Down + 1][side]uint32) bool {
	i, first := p.at.row, p.at.col
	if p.dir == game.Down {
		i, first = first, i
	}
	return in[p.dir][i+1]>>first&(1<<(p.n+2)-1) != 0
}

// span is the squares that plays at an anchor may cover, and those beside.
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
