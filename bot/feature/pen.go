package feature

import (
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/imaging"
)

// A Pen draws in a theme. The zero Pen has words alone.
type Pen struct {
	Renderer *imaging.Renderer // nil where no pictures are drawn
	// Drew is told how long a picture took, or that it can't be drawn.
	Drew func(took time.Duration, err error)
	Now  func() time.Time
}

// Draw is a picture of something, as it looks in a tongue. It has the words alone
// where the pen draws nothing or the picture can't be drawn: they are worth having
// without it.
func Draw[Look interface{ Alt() string }](p Pen, look func(*text.Tongue) Look, draw func(*imaging.Renderer, Look) ([]byte, error)) *bot.Picture {
	return bot.Drawn(func(to *text.Tongue) bot.Picture {
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
func (p Pen) Board(v func(*text.Tongue) imaging.View) *bot.Picture {
	return Draw(p, v, (*imaging.Renderer).PNG)
}
