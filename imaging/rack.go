package imaging

import (
	"errors"
	"strings"

	"github.com/rackmate/rackmate/game"
)

// A rack card is as wide as this many tiles of the standard rack, so that a
// rack that gets shorter doesn't grow.
const (
	rackSlots  = 7
	rackWidth  = 840
	rackMargin = 28
)

// Rack draws a rack card.
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
	c, usual := &f.sheet, r.scales.get(1, r.drawScale)
	c.resize(rackWidth, rackMargin+cell+captionHeight)
	c.fill(c.bounds(), r.solid(page))
	tiles := r.tileSprites(card.Tiles, tileSheet{card.Tiles.Faces(), plainTile, cell, page})
	left := (rackWidth - cell*len(card.Rack)) / 2
	for i := range len(card.Rack) {
		if s := tiles[card.Rack.At(i)]; s != nil {
			c.blit((*canvas)(s), left+i*cell, rackMargin)
		}
	}
	if len(card.Rack) == 0 {
		st := usual.roomy.name
		r.centre(c, st, rackWidth/2, rackMargin+(cell+capHeight(st))/2, []rune("No tiles"), r.ramp(page, muted))
	}
	usual.drawLine(c, rackMargin, rackWidth-rackMargin, rackMargin+cell, card.Caption, card.Note)
	return f.plainPNG(r.plte)
}

// Alt is the card in words, for screen readers.
func (card RackCard) Alt() string {
	var s []string
	if len(card.Rack) == 0 {
		s = append(s, "Your rack is empty.")
	} else {
		names := make([]string, len(card.Rack))
		for i := range names {
			names[i] = card.Tiles.Text(card.Rack.At(i))
			if card.Rack.At(i) == game.Blank {
				names[i] = "blank"
			}
		}
		s = append(s, "Your rack: "+strings.Join(names, ", ")+".")
	}
	for _, line := range []string{card.Caption, card.Note} {
		if line != "" {
			s = append(s, sentence(line))
		}
	}
	return shorten(strings.Join(s, " "), MaxAlt)
}
