package imaging

import (
	"errors"

	"github.com/rackmate/rackmate/game"
)

// The measures of a link's picture, in pixels: sites show such a one whole.
const (
	linkWidth, linkHeight = 1200, 630
	linkMargin            = 18
	linkLine              = 42 // of the caption
	mostLinkLines         = 3
)

// Link draws a view as sites show it beside a link to the game: the board on the
// left, the players and the caption on the right.
func (r *Renderer) Link(v View) ([]byte, error) {
	if v.Equipment.Tiles == nil || v.whole().Empty() {
		return nil, errors.New("the view has no tile set or no board layout")
	}
	r = r.fresh()
	f, s := r.frame(), r.scales.get(1, r.drawScale)
	c := &f.sheet
	c.resize(linkWidth, linkHeight)
	c.fill(c.bounds(), r.solid(page))

	n := v.whole().Dx()
	p := plan{scale: 1, part: v.whole(), cell: (linkHeight - 2*linkMargin) / n, mirrored: v.Equipment.Tiles.RightToLeft()}
	squares, top := r.newSquares(&v, p), (linkHeight-n*p.cell)/2
	for row := range n {
		for i := range n {
			c.blit((*canvas)(squares.at(game.Square{Row: row, Col: p.column(i)})), linkMargin+i*p.cell, top+row*p.cell)
		}
	}

	left, right, y := 2*linkMargin+n*p.cell, linkWidth-linkMargin, top-cardTop
	seats, others := v.seats()
	for _, seat := range seats {
		card := newCanvas(right-left, cardTop+cardHeight)
		card.fill(card.bounds(), r.solid(page))
		s.drawPlayer(card, v.Tongue, &s.roomy, seat.Player, seat.number, v.toMove(seat.Player), 0, card.W)
		c.blit(card, left, y)
		y += card.H
	}
	y += linkLine + cardTop
	st, rest := s.roomy.name, s.text.readable(v.Caption)
	for range mostLinkLines {
		line := st.wholeWords(rest, right-left)
		s.line(c, st, left, right, y, line, startsRightToLeft(line), r.ramp(page, text))
		if rest = rest[len(line):]; len(rest) == 0 {
			break
		}
		rest, y = rest[1:], y+linkLine
	}
	foot := "Rackmate"
	if others > 0 {
		foot = morePlayers(v.Tongue, others) + " · " + foot
	}
	s.line(c, s.roomy.note, left, right, linkHeight-linkMargin-8, s.text.readable(foot), false, r.ramp(page, muted))
	return f.plainPNG(r.plte)
}
