package imaging

// The measures of a link's picture, in pixels; sites show pictures of this size uncropped.
const (
	linkWidth, linkHeight = 1200, 630
	linkMargin            = 18
	linkLine              = 42 // line height of the caption
	mostLinkLines         = 3
	linkFact              = 34 // line height of a player's facts
)

// A LinkCard is the preview that sites show for a link to a game: the board and, for a finished
// game, what each player did.
type LinkCard struct {
	View
	Facts []string // "Ann: best play HORN at 8H for 14"
}

// Link draws a link's card as PNG: the board on the left; players, caption and facts on the right.
// Facts that don't fit are left out.
func (r *Renderer) Link(card LinkCard) ([]byte, error) {
	v := card.View
	if err := v.check(); err != nil {
		return nil, err
	}
	s := r.scales.get(1, r.drawScale)
	d := r.withFontFor(v.Equipment.Tiles).draw(linkWidth, linkHeight, page)
	n := v.whole().Dx()
	p := plan{scale: 1, left: linkMargin, part: v.whole(), cell: (linkHeight - 2*linkMargin) / n, mirrored: v.Equipment.Tiles.RightToLeft()}
	top := (linkHeight - n*p.cell) / 2
	d.drawBoard(&v, p, top)

	left, right, y := p.right()+linkMargin, linkWidth-linkMargin, top
	seats, others := v.seats()
	for _, seat := range seats {
		s.drawPlayer(d, v.Locale, &s.roomy, seat, v.toMove(seat.Player), left, y, right)
		y += cardTop + cardHeight
	}
	y += linkLine
	y = s.roomy.name.writeWrapped(d, s.text.readable(v.Caption), left, right, y, linkLine, mostLinkLines, text)
	y += linkFact
	for _, fact := range card.Facts {
		if y > linkHeight-linkMargin-3*linkFact {
			break
		}
		y = s.roomy.note.writeWrapped(d, s.text.readable(fact), left, right, y, linkFact, 2, muted) + linkFact/3
	}
	foot := "Rackmate"
	if others > 0 {
		foot = morePlayers(v.Locale, others) + " · " + foot
	}
	d.write(s.roomy.note.line(left, right, linkHeight-linkMargin-8, s.text.readable(foot), false, page, muted))
	return r.drawnPNG(d)
}

// writeWrapped writes a text in up to most lines, the first on y, and returns the y of the next line.
func (st *style) writeWrapped(d drawing, rest []rune, left, right, y, line, most int, of ink) int {
	for range most {
		words := st.wholeWords(rest, right-left)
		d.write(st.line(left, right, y, words, startsRightToLeft(words), page, of))
		y += line
		if rest = rest[len(words):]; len(rest) == 0 {
			break
		}
		rest = rest[1:]
	}
	return y
}
