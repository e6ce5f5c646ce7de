package movegen

import (
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// A position is the board as plays along its lines see it: each square twice,
// once in a line across and once in a line down.
type position struct {
	lines [game.Down + 1][side]line
	runs  [game.Down + 1][side][]run
	empty bool // no tile lies on the board
}

// side is how many squares a line has at most, with a wall at either end,
// where nothing lies.
const side = game.MaxSize + 2

// A line is a row or a column. Its squares count from 1.
type line [side]square

type square struct {
	tile   lexicon.Letter // that lies here; 0 on an empty square
	points int32          // of the tile that lies here

	// Of an empty square: the letters that can be played here, as far as the
	// tiles beside it in the cross direction and on its right allow.
	fits lexicon.Set
	// letter and word are the premium's factors.
	letter, word int32
	// A tile of v points makes a cross word of crossSum + v*crossBy points.
	// There is none where crossBy is 0.
	crossSum, crossBy int32
}

// A run is tiles that lie side by side in a line, as many as there are.
type run struct {
	first, last int
	node        lexicon.Node // where reading it backwards leads in the GADDAG
	points      int32
}

// both is a square as lines across and down have it.
func (p *position) both(sq game.Square) [2]*square {
	return [2]*square{&p.lines[game.Across][sq.Row+1][sq.Col+1], &p.lines[game.Down][sq.Col+1][sq.Row+1]}
}

// setBoard reads the tiles on the board, and what they allow beside them.
func (g *Generator) setBoard(b *game.Board) {
	g.empty = true
	for row := range g.size {
		for col := range g.size {
			sq := game.Square{Row: row, Col: col}
			t := b.Tile(sq)
			l := t.Letter() & lexicon.MaxLetters
			points := int32(0)
			if t != game.NoTile {
				g.empty = false
				points = g.values[l]
				if t.IsBlank() {
					points = g.values[blank]
				}
			}
			for _, s := range g.both(sq) {
				s.tile, s.points = l, points
				s.fits, s.crossSum, s.crossBy = g.letters, 0, 0
			}
		}
	}
	for _, d := range bothWays {
		for i := 1; i <= g.size; i++ {
			g.runs[d][i] = g.runs[d][i][:0]
			if !g.empty {
				g.readLine(d, i)
			}
		}
	}
	if g.empty {
		return
	}
	// A play that covers the square before a run covers the run.
	for _, d := range bothWays {
		for i := 1; i <= g.size; i++ {
			for k := range g.runs[d][i] {
				r := &g.runs[d][i][k]
				g.lines[d][i][r.first-1].fits &= r.node.Ends | r.node.Next
			}
		}
	}
}

// readLine finds the runs in a line, and what can be played beside them in the
// lines that cross it.
func (g *Generator) readLine(d game.Dir, i int) {
	ln, crossing := &g.lines[d][i], &g.lines[d.Other()]
	runs := g.runs[d][i]
	for p := 1; p <= g.size; p++ {
		if ln[p].tile == 0 {
			continue
		}
		r := run{first: p}
		for ; ln[p].tile != 0; p++ {
			r.points += ln[p].points
		}
		r.last = p - 1
		r.node = g.follow(g.lex.Gaddag(), ln, r.last, r.first)
		runs = append(runs, r)
	}
	g.runs[d][i] = runs
	for k := range runs {
		r := &runs[k]
		if r.first > 1 && (k == 0 || runs[k-1].last < r.first-2) {
			crossing[r.first-1][i].crossed(r.node.Ends, r.points)
		}
		if r.last == g.size {
			continue
		}
		next := &crossing[r.last+1][i]
		after := g.follow(g.lex.Forward(), ln, r.first, r.last)
		if k+1 == len(runs) || runs[k+1].first > r.last+2 {
			next.crossed(after.Ends, r.points)
			continue
		}
		// The square is all that is between two runs.
		beyond := &runs[k+1]
		var fits lexicon.Set
		for m := after.Next & (beyond.node.Next | beyond.node.Ends); m != 0; m &= m - 1 {
			n := g.lex.Child(after, m.First())
			if beyond.first < beyond.last {
				n = g.follow(n, ln, beyond.first, beyond.last-1)
			}
			if n.Ends.Has(ln[beyond.last].tile) {
				fits |= m & -m
			}
		}
		next.crossed(fits, r.points+beyond.points)
	}
}

// crossed says what the tiles beside an empty square, in the other direction,
// allow and add.
func (s *square) crossed(fits lexicon.Set, points int32) {
	s.fits, s.crossSum, s.crossBy = fits, points*s.word, s.letter*s.word
}

// follow reads the tiles from one square to another, either way, from a node
// on.
func (g *Generator) follow(n lexicon.Node, ln *line, from, to int) lexicon.Node {
	step := 1
	if to < from {
		step = -1
	}
	for p := from; ; p += step {
		l := ln[p].tile
		if !n.Next.Has(l) {
			return lexicon.Node{}
		}
		n = g.lex.Child(n, l)
		if p == to {
			return n
		}
	}
}
