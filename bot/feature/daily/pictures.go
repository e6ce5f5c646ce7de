package daily

import (
	"context"
	"sync"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/imaging"
)

// pictures remembers the pictures of boards: one day's is the same in many places.
type pictures struct {
	mu   sync.Mutex
	made map[pictureKey]bot.Picture
}

type pictureKey struct {
	renderer *imaging.Renderer
	which
	tongue string
}

// boardPicture draws a day's board, with a play on it where there is one.
func (f *Feature) boardPicture(ctx context.Context, ch bot.ChannelID, dark bool, b Board, caption text.Text, m *game.Move) *bot.Picture {
	pen := f.desk.Pen(ctx, ch, dark)
	look := func(to *text.Tongue) imaging.DayBoard {
		v := imaging.View{Equipment: b.Maker.Equipment(), Board: b.Board, Caption: caption.In(to).String(), Bag: -1, Tongue: to}
		if m != nil {
			v.Board.Lay(*m)
			v.New, v.Preview = m.Laid(), true
		}
		return imaging.DayBoard{View: v, Rack: b.Rack}
	}
	return feature.Draw(pen, look, (*imaging.Renderer).Day)
}
