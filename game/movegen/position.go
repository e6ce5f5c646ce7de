package movegen

import (
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// A position is the board as plays along its lines see it: each square appears twice, in a line
// across and in a line down.
type position struct {
	lex     *lexicon.Lexicon
	size    int
	letters lexicon.Set                   // letters of the alphabet
	values  [lexicon.MaxLetters + 1]int32 // points by letter; of a blank at index blank

	lines    [game.Down + 1][side]line
	runs     [game.Down + 1][side][]run
	empty    bool // no tile is on the board
	mirrored bool // the layout is symmetric about the diagonal

	board game.Board // board last read
	// The letters that fit a square: as allowed by the adjacent tiles in the cross direction, and
	// by the run on its right.
	crossFits, runFits [game.Down + 1][side][side]lexicon.Set
}

// side is the greatest number of squares in a line plus an empty wall at either end.
const side = game.MaxSize + 2

// A line is a row or a column. Its squares count from 1.
type line [side]square

type square struct {
	tile   lexicon.Letter // letter of the tile; 0 on an empty square
	points int32          // the tile's value

	// For an empty square: the letters that can be played here.
	fits lexicon.Set
	// letter and word are the premium's factors.
	letter, word int32
	// A tile of v points forms a cross word of crossSum + v*crossBy points, or none if crossBy is
	// 0.
	crossSum, crossBy int32
}

// A run is a maximal sequence of adjacent tiles in a line.
type run struct {
	first, last int
	node        lexicon.Node // node reached by reading it backwards in the GADDAG
	points      int32
}

// bothSquares returns a square in its line across and its line down.
func (pos *position) bothSquares(sq game.Square) [2]*square {
	return [2]*square{&pos.lines[game.Across][sq.Row+1][sq.Col+1], &pos.lines[game.Down][sq.Col+1][sq.Row+1]}
}

// setBoard updates the position from a board. Successive boards often differ by a single play, so
// it only reads lines that have changed.
func (pos *position) setBoard(b *game.Board) {
	var changed [game.Down + 1][side]bool
	for row := range pos.size {
		tiles, before := b.Row(row), pos.board.Row(row)
		if tiles == before {
			continue
		}
		for col, t := range tiles[:pos.size] {
			if t == before[col] {
				continue
			}
			changed[game.Across][row+1], changed[game.Down][col+1] = true, true
			l := t.Letter() & lexicon.MaxLetters
			points := int32(0)
			switch {
			case t.IsBlank():
				points = pos.values[blank]
			case t != game.NoTile:
				points = pos.values[l]
			}
			for _, s := range pos.bothSquares(game.Square{Row: row, Col: col}) {
				s.tile, s.points = l, points
			}
		}
	}
	pos.board = *b
	for _, d := range bothWays {
		for i := 1; i <= pos.size; i++ {
			if changed[d][i] {
				pos.clearLine(d, i)
			}
		}
	}
	pos.empty = true
	for _, d := range bothWays {
		for i := 1; i <= pos.size; i++ {
			if changed[d][i] {
				pos.readLine(d, i)
			}
			pos.empty = pos.empty && len(pos.runs[d][i]) == 0
		}
	}
	for _, d := range bothWays {
		for i := 1; i <= pos.size; i++ {
			if changed[d][i] {
				pos.fitLine(d, i)
			}
		}
	}
}

// clearLine removes the runs of a line and the restrictions they cause.
func (pos *position) clearLine(d game.Dir, i int) {
	crossing := &pos.lines[d.Other()]
	pos.runs[d][i] = pos.runs[d][i][:0]
	for p := 1; p <= pos.size; p++ {
		pos.runFits[d][i][p] = pos.letters
		pos.crossFits[d.Other()][p][i] = pos.letters
		crossing[p][i].crossSum, crossing[p][i].crossBy = 0, 0
	}
}

// fitLine computes the letters that fit the squares of a line, and those beside its runs.
func (pos *position) fitLine(d game.Dir, i int) {
	cross := d.Other()
	for p := 1; p <= pos.size; p++ {
		pos.lines[d][i][p].fits = pos.crossFits[d][i][p] & pos.runFits[d][i][p]
		pos.lines[cross][p][i].fits = pos.crossFits[cross][p][i] & pos.runFits[cross][p][i]
	}
}

// readLine finds the runs in a line, and the letters that can be played next to them, in the line
// and in the lines that cross it.
func (pos *position) readLine(d game.Dir, i int) {
	ln, cross := &pos.lines[d][i], d.Other()
	runs := pos.runs[d][i]
	for p := 1; p <= pos.size; p++ {
		if ln[p].tile == 0 {
			continue
		}
		r := run{first: p}
		for ; ln[p].tile != 0; p++ {
			r.points += ln[p].points
		}
		r.last = p - 1
		r.node = pos.follow(pos.lex.Gaddag(), ln, r.last, r.first)
		runs = append(runs, r)
	}
	pos.runs[d][i] = runs
	for k := range runs {
		r := &runs[k]
		// A play that covers the square before a run covers the run.
		pos.runFits[d][i][r.first-1] = r.node.Ends | r.node.Next
		if r.first > 1 && (k == 0 || runs[k-1].last < r.first-2) {
			pos.storeCross(cross, r.first-1, i, r.node.Ends, r.points)
		}
		if r.last == pos.size {
			continue
		}
		after := pos.follow(pos.lex.Forward(), ln, r.first, r.last)
		if k+1 == len(runs) || runs[k+1].first > r.last+2 {
			pos.storeCross(cross, r.last+1, i, after.Ends, r.points)
			continue
		}
		// The square is the only one between two runs.
		beyond := &runs[k+1]
		var fits lexicon.Set
		for m := after.Next & (beyond.node.Next | beyond.node.Ends); m != 0; m &= m - 1 {
			n := pos.lex.Child(after, m.First())
			if beyond.first < beyond.last {
				n = pos.follow(n, ln, beyond.first, beyond.last-1)
			}
			if n.Ends.Has(ln[beyond.last].tile) {
				fits |= m & -m
			}
		}
		pos.storeCross(cross, r.last+1, i, fits, r.points+beyond.points)
	}
}

// storeCross stores the letters that the tiles next to an empty square, the p-th of the i-th line of a
// direction, allow in the other direction, and the points they add.
func (pos *position) storeCross(d game.Dir, i, p int, fits lexicon.Set, points int32) {
	s := &pos.lines[d][i][p]
	pos.crossFits[d][i][p] = fits
	s.crossSum, s.crossBy = points*s.word, s.letter*s.word
}

// follow returns the node reached by reading the tiles between two squares, in either direction.
func (pos *position) follow(n lexicon.Node, ln *line, from, to int) lexicon.Node {
	step := 1
	if to < from {
		step = -1
	}
	for p := from; ; p += step {
		l := ln[p].tile
		if !n.Next.Has(l) {
			return lexicon.Node{}
		}
		n = pos.lex.Child(n, l)
		if p == to {
			return n
		}
	}
}

// directions returns the directions in which to list plays.
func (pos *position) directions() []game.Dir {
	if pos.empty && pos.mirrored {
		return acrossOnly[:]
	}
	return bothWays[:]
}

var (
	acrossOnly = [...]game.Dir{game.Across}
	bothWays   = [...]game.Dir{game.Across, game.Down}
)
