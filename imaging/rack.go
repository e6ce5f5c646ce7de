package imaging

import (
	"errors"
	"image"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/imaging/compose"
)

// A rack card is as wide as this many tiles of the standard rack, so that a shrinking rack doesn't
// change its scale.
const (
	rackSlots  = 7
	rackWidth  = 840
	rackMargin = 28
)

// Rack draws a rack card as PNG.
func (r *Renderer) Rack(card RackCard) ([]byte, error) {
	if card.Tiles == nil {
		return nil, errors.New("the rack card has no tile set")
	}
	cell := (rackWidth - 2*rackMargin) / max(rackSlots, len(card.Rack))
	if cell < 24 {
		return nil, errors.New("the rack has too many tiles to draw")
	}
	f := r.frame()
	defer r.frames.Put(f)
	usual, sheet := r.scales.get(1, r.drawScale), r.sheet(card.Tiles, cell, page)
	blank := func(w, h int) *compose.Sprite { return r.blanks.get(image.Pt(w, h), r.drawBlank) }
	f.bands = slices.Grow(f.bands[:0], 3)
	f.add(blank(rackWidth, rackMargin))
	left := (rackWidth - cell*len(card.Rack)) / 2
	if len(card.Rack) == 0 {
		f.head.resize(rackWidth, cell)
		f.head.fill(f.head.bounds(), r.solid(page))
		st := usual.roomy.name
		none := run{st, 0, (cell + capHeight(st)) / 2, r.text.readable(say(card.Locale, "No tiles")), page, muted}
		placer{&r.painter, f, &f.head}.write(none.centred(rackWidth / 2))
		f.add(f.head.sprite())
	} else {
		f.add(blank(left, cell))
		band := &f.bands[len(f.bands)-1]
		for i := range len(card.Rack) {
			s := blank(cell, cell)
			if t := card.Rack.At(i); card.Tiles.Has(t) {
				s = sheet.of(squareLook{tile: t})
			}
			*band = append(*band, s)
		}
		*band = append(*band, blank(rackWidth-left-cell*len(card.Rack), cell))
	}
	caption, note := r.strips.get(strip{card.Caption, false}, r.drawStrip), r.strips.get(strip{card.Note, true}, r.drawStrip)
	if between := rackWidth - caption.W - note.W; between > 0 {
		f.add(caption, blank(between, captionHeight), note)
		return f.quickPNG(r.plte)
	}
	f.foot.resize(rackWidth, captionHeight)
	f.foot.fill(f.foot.bounds(), r.solid(page))
	usual.drawLine(placer{&r.painter, f, &f.foot}, rackMargin, rackWidth-rackMargin, 0, card.Caption, card.Note)
	f.add(f.foot.sprite())
	return f.quickPNG(r.plte)
}

// A strip is the start or end of a rack card's last line. Scores and tile counts recur, so strips
// of about 20 kB each are cached.
type strip struct {
	text string
	note bool
}

const (
	stripLimit = 400
	stripStep  = 40 // strip widths are multiples of this, so that few gaps between them differ
	stripSpace = 12 // space between the text and the next strip, for ink beyond the letters' widths
)

// drawStrip draws a strip. One too wide to fit beside another gets the width of the card.
func (r *Renderer) drawStrip(s strip) *compose.Sprite {
	st, rs := r.scales.get(1, r.drawScale).roomy.name, r.text.readable(s.text)
	width := st.width(rs)
	w := (rackMargin + width + stripSpace + stripStep - 1) / stripStep * stripStep
	if w > rackWidth/2 {
		return &compose.Sprite{W: rackWidth}
	}
	left, colour := rackMargin, text
	if s.note {
		left, colour = w-rackMargin-width, muted
	}
	d := r.draw(w, captionHeight, page)
	d.write(st.line(left, left+width, (captionHeight+capHeight(st))/2, rs, false, page, colour))
	return d.canvas().preparedSprite()
}

// drawBlank draws an empty part of the page.
func (r *Renderer) drawBlank(size image.Point) *compose.Sprite {
	return r.draw(size.X, size.Y, page).canvas().preparedSprite()
}

// Alt returns the card in words for screen readers.
func (card RackCard) Alt() string {
	var s []string
	if len(card.Rack) == 0 {
		s = append(s, say(card.Locale, "Your rack is empty."))
	} else {
		names := make([]string, len(card.Rack))
		for i := range names {
			names[i] = card.Tiles.Text(card.Rack.At(i))
			if card.Rack.At(i) == game.Blank {
				names[i] = say(card.Locale, "blank")
			}
		}
		s = append(s, say(card.Locale, "Your rack: {tiles}.", strings.Join(names, ", ")))
	}
	for _, line := range []string{card.Caption, card.Note} {
		if line != "" {
			s = append(s, sentence(line))
		}
	}
	return shorten(strings.Join(s, " "), maxAlt)
}
