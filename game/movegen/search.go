package movegen

import (
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// A search is the state of the generator: in a line, at an anchor, with a part of a word spelled.
type search struct {
	ln  *line
	dir game.Dir
	i   int // line number

	typed bool // list the plays of one typed word

	// left is the first square that plays at this anchor may cover, so that none is found at two
	// anchors; right is the square after the anchor.
	left, right int

	first int                 // first square of the main word, once known
	word  [2 * side]game.Tile // tiles played, by square; see record

	// By tiles played: the nodes that letters lead to, and the nodes that a Turn leads to from
	// there.
	kids  [game.MaxSize + 1][lexicon.MaxLetters + 1]lexicon.Kid
	turns [game.MaxSize + 1][lexicon.MaxLetters + 1]lexicon.Node
}

// An anchor is a run or an empty square that a play along a line must cover.
type anchor struct {
	dir game.Dir
	i   int // the line's number
	// left is the first square that its plays may cover, so that none is found at two anchors.
	left        int
	first, last int // squares of the run, or the empty one
	run         *run

	// For Best: the index of its first shadow, and whether it was searched.
	shadows  int
	searched bool
}

// findAnchors finds the anchors of a line: its runs, and the empty squares adjacent to tiles only
// in the other direction; on an empty board the start. A play is found at the first anchor it
// covers.
func (g *Generator) findAnchors(d game.Dir, i int) {
	ln, left, start := &g.lines[d][i], 1, 0
	if g.empty {
		start = g.startIn(d, i)
	}
	runs := g.runs[d][i]
	for p := 1; p <= g.size; p++ {
		switch {
		case len(runs) > 0 && p >= runs[0].first-1:
			r := &runs[0]
			runs = runs[1:]
			g.anchors = append(g.anchors, anchor{dir: d, i: i, left: left, first: r.first, last: r.last, run: r})
			// A play that covers the square after the run also covers the run, so that square isn't
			// an anchor, and the next anchor's plays stay clear of it.
			p = r.last + 1
			left = p + 1
		case ln[p].crossBy != 0 || p == start:
			g.anchors = append(g.anchors, anchor{dir: d, i: i, left: left, first: p, last: p})
			left = p + 1
		}
	}
}

// searchAnchor finds the plays at an anchor.
func (g *Generator) searchAnchor(a *anchor) {
	g.ln, g.dir, g.i = &g.lines[a.dir][a.i], a.dir, a.i
	g.left, g.right = a.left, a.last+1
	if a.run != nil {
		g.fromRun(a.run)
	} else {
		g.spellLeft(a.first, g.lex.Gaddag(), 0, tally{factor: 1})
	}
}

// startIn returns the index of the start square in a line, or 0 if it isn't there.
func (g *Generator) startIn(d game.Dir, i int) int {
	switch start := g.eq.Layout.Start(); {
	case d == game.Across && i == start.Row+1:
		return start.Col + 1
	case d == game.Down && i == start.Col+1:
		return start.Row + 1
	}
	return 0
}

// A tally is the score of a play so far: points of the main word, to be multiplied, and of the
// cross words.
type tally struct{ points, factor, cross int32 }

// add returns the tally after playing a tile of v points on a square.
func (t tally) add(v int32, s *square) tally {
	return tally{t.points + v*s.letter, t.factor * s.word, t.cross + s.crossSum + v*s.crossBy}
}

// fromRun finds the plays that cover a run and nothing to the left of g.left.
func (g *Generator) fromRun(r *run) {
	t := tally{points: r.points, factor: 1}
	if r.first > g.left {
		g.spellLeft(r.first-1, r.node, 0, t)
	}
	if g.right <= g.size && r.node.Next.Has(lexicon.Turn) {
		g.first = r.first
		g.spellRight(g.right, g.lex.Child(r.node, lexicon.Turn), 0, t)
	}
}

// spellWork is the cost of a step to the next square, in nanoseconds. The counted work of an ending
// is 0.7 to 1.5 times the time to solve it (200 endings).
const spellWork = 40

// spellLeft plays a tile on p after placed others, with nothing on its left; n is the node reached
// by reading from the right of the anchor to p. Then it continues to the left, and turns to the
// right of the anchor. No tile can lie left of p, nor next to the anchor on the right.
func (g *Generator) spellLeft(p int, n lexicon.Node, placed int, t tally) {
	g.work += spellWork
	s := &g.ln[p]
	reach := g.reach()
	if ends := n.Ends & s.fits & reach; ends != 0 {
		g.record(ends, p, p, g.right-1, placed, t)
	}
	placed++
	if placed == g.tiles {
		return
	}
	var onLeft, onRight lexicon.Set
	if p > g.left {
		onLeft = g.ln[p-1].fits & reach
	}
	if g.right <= g.size {
		onRight = g.ln[g.right].fits & reach
	}
	if onLeft|onRight == 0 {
		return
	}
	next := onLeft
	if placed+1 == g.tiles {
		next = 0 // the last tile must end a word
	}
	if onRight != 0 {
		next |= lexicon.SetOf(lexicon.Turn)
	}
	kids, turns := &g.kids[placed], &g.turns[placed]
	kept := g.lex.Kids(n, n.Next&s.fits&reach, onLeft, next, kids)
	for i := range kept {
		turns[i] = lexicon.Node{}
		if onRight != 0 && kids[i].Next.Has(lexicon.Turn) {
			turns[i] = g.lex.Child(kids[i].Node, lexicon.Turn)
		}
	}
	for i := range kept {
		k, turned := &kids[i], &turns[i]
		for _, face := range [...]lexicon.Letter{k.Letter, blank} {
			if g.count[face&lexicon.MaxLetters] == 0 {
				continue
			}
			g.lay(p, k.Letter, face)
			t := t.add(g.values[face&lexicon.MaxLetters], s)
			if (k.Ends|k.Next)&onLeft != 0 {
				g.spellLeft(p-1, k.Node, placed, t)
			}
			if (turned.Ends|turned.Next)&onRight != 0 {
				g.first = p
				g.spellRight(g.right, *turned, placed, t)
			}
			g.giveBack(face)
		}
	}
	g.word[p] = game.NoTile
}

// spellRight plays a tile on p, which is empty, after placed others; n is the node reached by
// reading the main word up to p. Then it continues to the right.
func (g *Generator) spellRight(p int, n lexicon.Node, placed int, t tally) {
	g.work += spellWork
	if g.ln[p+1].tile != 0 {
		g.spellThrough(p, n, placed, t)
		return
	}
	s := &g.ln[p]
	reach := g.reach()
	if ends := n.Ends & s.fits & reach; ends != 0 {
		g.record(ends, p, g.first, p, placed, t)
	}
	placed++
	if placed == g.tiles || p == g.size {
		return
	}
	next := g.ln[p+1].fits & reach
	ends := next
	if placed+1 == g.tiles && g.ln[p+2].tile == 0 {
		next = 0 // the last tile must end a word
	}
	kids := &g.kids[placed]
	for i := range g.lex.Kids(n, n.Next&s.fits&reach, ends, next, kids) {
		k := &kids[i]
		for _, face := range [...]lexicon.Letter{k.Letter, blank} {
			if g.count[face&lexicon.MaxLetters] == 0 {
				continue
			}
			g.lay(p, k.Letter, face)
			g.spellRight(p+1, k.Node, placed, t.add(g.values[face&lexicon.MaxLetters], s))
			g.giveBack(face)
		}
	}
	g.word[p] = game.NoTile
}

// spellThrough continues to the right if a run follows p.
func (g *Generator) spellThrough(p int, n lexicon.Node, placed int, t tally) {
	s := &g.ln[p]
	last := p + 1 // last square of the run
	for ; g.ln[last+1].tile != 0; last++ {
		t.points += g.ln[last].points
	}
	final := g.ln[last].tile
	t.points += g.ln[last].points
	for m := n.Next & s.fits & g.reach(); m != 0; m &= m - 1 {
		l := m.First()
		through := g.lex.Child(n, l)
		if last > p+1 {
			through = g.follow(through, g.ln, p+1, last-1)
		}
		if through.Ends.Has(final) {
			g.record(lexicon.SetOf(l), p, g.first, last, placed, t)
		}
		if placed+1 == g.tiles || last == g.size || !through.Next.Has(final) {
			continue
		}
		through = g.lex.Child(through, final)
		for _, face := range [...]lexicon.Letter{l, blank} {
			if g.count[face] == 0 {
				continue
			}
			g.lay(p, l, face)
			g.spellRight(last+1, through, placed+1, t.add(g.values[face], s))
			g.giveBack(face)
		}
	}
	g.word[p] = game.NoTile
}

// lay plays a letter on p with a tile of the rack: its own, or a blank.
func (g *Generator) lay(p int, l, face lexicon.Letter) {
	g.word[p] = game.LetterTile(l)
	if face == blank {
		g.word[p] = game.BlankAs(l)
	}
	g.take(face)
}

// record lists the plays that end with one of these letters on p, after placed tiles, with a main
// word from first to last.
func (g *Generator) record(letters lexicon.Set, p, first, last, placed int, t tally) {
	s := &g.ln[p]
	if placed == 0 && g.dir == game.Down && s.crossBy != 0 && !g.typed {
		return // a single tile is listed across
	}
	if g.useLetter && !g.empty && last-first == placed {
		return // only new tiles
	}
	if g.keep != nil {
		g.consider(letters, p, first, last, placed, t)
		return
	}
	play := g.currentPlay(first, last)
	here := &play.tiles[p-first]
	base, each := g.scores(s, placed, t)
	for m := letters & g.have; m != 0; m &= m - 1 {
		l := m.First()
		play.Score = base + each*g.values[l&lexicon.MaxLetters]
		*here = game.LetterTile(l)
		g.plays = append(g.plays, play)
	}
	if g.count[blank] > 0 {
		play.Score = base + each*g.values[blank]
		for m := letters; m != 0; m &= m - 1 {
			*here = game.BlankAs(m.First())
			g.plays = append(g.plays, play)
		}
	}
}

// currentPlay returns the play of the tiles of g.word from first to last, without its score.
func (g *Generator) currentPlay(first, last int) Play {
	play := Play{dir: g.dir, n: uint8(last - first + 1)}
	play.at.row, play.at.col = uint8(g.i-1), uint8(first-1)
	if g.dir == game.Down {
		play.at.row, play.at.col = play.at.col, play.at.row
	}
	play.tiles = [game.MaxSize]game.Tile(g.word[first:])
	return play
}

// scores returns the score of a play after placed tiles and one more on s: a base, and a factor for
// the points of the last tile.
func (g *Generator) scores(s *square, placed int, t tally) (base, each int32) {
	all := t.add(0, s)
	return all.points*all.factor + all.cross + g.bonus.of(placed+1), s.letter*all.factor + s.crossBy
}
