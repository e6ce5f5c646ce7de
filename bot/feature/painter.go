package feature

import (
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/imaging"
)

// A Painter draws pictures in a theme. The zero Painter gives only descriptions.
type Painter struct {
	Renderer *imaging.Renderer // nil if no pictures are drawn
	// Drew is called with the time that a picture took, or with its error.
	Drew func(took time.Duration, err error)
	Now  func() time.Time
}

// Draw returns a picture of something, with its description in a language. If the painter can't
// draw it, the result is the description alone, which is still useful.
func Draw[Look interface{ Alt() string }](p Painter, look func(*text.Locale) Look, draw func(*imaging.Renderer, Look) ([]byte, error)) *bot.Picture {
	return bot.LazyPicture(func(to *text.Locale) bot.Picture {
		what := look(to)
		picture := bot.Picture{Alt: text.Plain(what.Alt())}
		if p.Renderer != nil {
			began := p.Now()
			var err error
			picture.PNG, err = draw(p.Renderer, what)
			p.Drew(p.Now().Sub(began), err)
		}
		return picture
	})
}

// Board draws a view of a board.
func (p Painter) Board(v func(*text.Locale) imaging.View) *bot.Picture {
	return Draw(p, v, (*imaging.Renderer).PNG)
}
