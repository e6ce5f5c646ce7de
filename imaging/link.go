package imaging

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
	if err := v.check(); err != nil {
		return nil, err
	}
	s := r.scales.get(1, r.drawScale)
	d := r.lettered(v.Equipment.Tiles).draw(linkWidth, linkHeight, page)
	n := v.whole().Dx()
	p := plan{scale: 1, left: linkMargin, part: v.whole(), cell: (linkHeight - 2*linkMargin) / n, mirrored: v.Equipment.Tiles.RightToLeft()}
	top := (linkHeight - n*p.cell) / 2
	d.drawBoard(&v, p, top)

	left, right, y := p.right()+linkMargin, linkWidth-linkMargin, top
	seats, others := v.seats()
	for _, seat := range seats {
		s.drawPlayer(d, v.Tongue, &s.roomy, seat, v.toMove(seat.Player), left, y, right)
		y += cardTop + cardHeight
	}
	y += linkLine
	st, rest := s.roomy.name, s.text.readable(v.Caption)
	for range mostLinkLines {
		line := st.wholeWords(rest, right-left)
		d.write(st.line(left, right, y, line, startsRightToLeft(line), page, text))
		if rest = rest[len(line):]; len(rest) == 0 {
			break
		}
		rest, y = rest[1:], y+linkLine
	}
	foot := "Rackmate"
	if others > 0 {
		foot = morePlayers(v.Tongue, others) + " · " + foot
	}
	d.write(s.roomy.note.line(left, right, linkHeight-linkMargin-8, s.text.readable(foot), false, page, muted))
	return r.drawnPNG(d)
}
