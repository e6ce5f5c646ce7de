package movegen

import (
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// PlaysOf returns the legal plays with main word w, in a small part of the time of
// [Generator.Plays]. A typed word has a direction, so it lists all plays that spell the word: also
// those down on an empty board, and a single tile in either direction.
func (g *Generator) PlaysOf(b *game.Board, rack game.Tiles, w lexicon.Word) []Play {
	g.plays = g.plays[:0]
	if len(w) > g.size || !g.lex.Has(w) {
		return g.plays
	}
	g.setRack(rack)
	g.setBoard(b)
	g.typed = true
	defer func() { g.typed = false }()
	for _, d := range bothWays {
		for i := 1; i <= g.size; i++ {
			g.ln, g.dir, g.i = &g.lines[d][i], d, i
			for first := 1; first+len(w) <= g.size+1; first++ {
				g.playWord(w, first)
			}
		}
	}
	return g.plays
}

// playWord lists the plays of a word that starts at a square of the line.
func (g *Generator) playWord(w lexicon.Word, first int) {
	end := first + len(w)
	if g.ln[first-1].tile != 0 || g.ln[end].tile != 0 {
		return // would be part of a longer word
	}
	start := 0
	if g.empty {
		start = g.startIn(g.dir, g.i)
	}
	t := tally{factor: 1}
	last, joined := 0, false // last square without a tile
	for p := first; p < end; p++ {
		s, l := &g.ln[p], lexicon.Letter(w[p-first])
		switch {
		case s.tile == l:
			t.points += s.points
			joined = true
		case s.tile != 0 || !s.fits.Has(l):
			return
		default:
			last = p
			joined = joined || s.crossBy != 0 || p == start
		}
	}
	if joined && last > 0 {
		g.first = first
		g.layWord(w, first, last, 0, t)
	}
}

// layWord plays the letters of a word from a square to the last that needs a tile, in every way
// that the rack allows.
func (g *Generator) layWord(w lexicon.Word, p, last, placed int, t tally) {
	for g.ln[p].tile != 0 {
		p++
	}
	l := lexicon.Letter(w[p-g.first])
	if !g.reach().Has(l) {
		return
	}
	if p == last {
		g.record(lexicon.SetOf(l), p, g.first, g.first+len(w)-1, placed, t)
		return
	}
	for _, face := range [...]lexicon.Letter{l, blank} {
		if g.count[face] == 0 {
			continue
		}
		g.lay(p, l, face)
		g.layWord(w, p+1, last, placed+1, t.add(g.values[face], &g.ln[p]))
		g.giveBack(face)
	}
	g.word[p] = game.NoTile
}
