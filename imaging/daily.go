package imaging

import (
	"errors"
	"fmt"
	"image"
	"strings"

	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game"
)

// A DayBoard is a position for everyone to solve: a board, and below it the common rack.
type DayBoard struct {
	View
	Rack game.Tiles
}

// The measures of daily boards' additional parts, in pixels.
const (
	dayCell   = 84 // side of a rack's tile
	dayMargin = 18
)

// Day draws a position as PNG.
func (r *Renderer) Day(b DayBoard) ([]byte, error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	p := b.plan(1)
	d := r.drawing(&b.View, p, dayCell+dayMargin)
	left := (p.w - dayCell*len(b.Rack)) / 2
	for i := range len(b.Rack) {
		if t := b.Rack.At(i); b.Equipment.Tiles.Has(t) {
			d.at(left+i*dayCell, p.foot()+dayMargin).square(b.Equipment.Tiles, squareLook{tile: t}, dayCell)
		}
	}
	return r.drawnPNG(d)
}

// Alt returns the position in words for screen readers: the rack, then the board.
func (b DayBoard) Alt() string {
	names := make([]string, len(b.Rack))
	for i := range names {
		names[i] = b.Equipment.Tiles.Text(b.Rack.At(i))
	}
	rack := ""
	if len(names) > 0 {
		rack = say(b.Locale, "The rack: {tiles}.", strings.Join(names, ", ")) + " "
	}
	return shorten(rack+b.View.Alt(), maxAlt)
}

// A DayCard shows a player's result on a daily board for sharing, without revealing what they
// played.
type DayCard struct {
	Title   string // "Rackmate 329"
	Tries   []int  // for each try, the percentage of the best play's points
	Caption string // "3 tries, best 96 %"
	Note    string // "12 days in a row"
	Locale  *sentences.Locale
}

const mostDayTries = 6 // shown as squares; more, such as a game's rounds, are shown as bars

// DayCard draws a card as PNG: a square or a bar for each try, filled to its score, so that it can
// be read without colours.
func (r *Renderer) DayCard(card DayCard) ([]byte, error) {
	if len(card.Tries) == 0 {
		return nil, errors.New("the card has no tries")
	}
	const height = 108
	side, between, bars := height, 24, len(card.Tries) > mostDayTries
	if bars {
		between = 6
		side = max(1, (rackWidth-2*plotRight+between)/len(card.Tries)-between)
	}
	s := r.scales.get(1, r.drawScale)
	d := r.draw(rackWidth, reviewMargin+titleHeight+height+2*captionHeight, page)
	left, right, top := plotRight, rackWidth-plotRight, reviewMargin
	title := s.text.readable(card.Title)
	d.write(s.roomy.name.line(left, right, top+36, title, startsRightToLeft(title), page, text))
	top += titleHeight
	x := (rackWidth - len(card.Tries)*(side+between) + between) / 2
	for _, percent := range card.Tries {
		full := height * min(max(percent, 0), 100) / 100
		d.fill(image.Rect(x, top, x+side, top+height), panel)
		d.fill(image.Rect(x, top+height-full, x+side, top+height), doubleLetter)
		if !bars {
			label := s.text.readable(fmt.Sprintf("%d %%", percent))
			width := s.roomy.note.width(label)
			d.write(s.roomy.note.line(x+(side-width)/2, x+side+between/2, top+height+34, label, false, page, text))
		}
		x += side + between
	}
	top += height + captionHeight
	s.drawLine(d, left, right, top, card.Caption, card.Note)
	return r.drawnPNG(d)
}

// Alt returns the card in words for screen readers.
func (card DayCard) Alt() string {
	tries := make([]string, len(card.Tries))
	for i := range tries {
		tries[i] = fmt.Sprintf("%d %%", card.Tries[i])
	}
	all := []string{sentence(card.Title), sentence(say(card.Locale, "The tries, of the best play's points: {tries}", strings.Join(tries, ", ")))}
	for _, line := range []string{card.Caption, card.Note} {
		if line != "" {
			all = append(all, sentence(line))
		}
	}
	return shorten(strings.Join(all, " "), maxAlt)
}
