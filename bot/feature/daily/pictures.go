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

// pictures draws boards and caches the boards of days, which many places share.
type pictures struct {
	desk feature.Desk
	mu   sync.Mutex
	made map[pictureKey]bot.Picture
}

type pictureKey struct {
	renderer *imaging.Renderer
	boardID
	locale string
}

// board draws a day's board, with m laid on it unless m is nil.
func (p *pictures) board(ctx context.Context, ch bot.ChannelID, dark bool, b board, caption text.Text, m *game.Move) *bot.Picture {
	painter := p.desk.Painter(ctx, ch, dark)
	look := func(to *text.Locale) imaging.DayBoard {
		v := imaging.View{Equipment: b.Maker.Equipment(), Board: b.Board, Caption: caption.In(to).String(), Bag: -1, Locale: to}
		if m != nil {
			v.Board.Lay(*m)
			v.New, v.Preview = m.LaidSquares(), true
		}
		return imaging.DayBoard{View: v, Rack: b.Rack}
	}
	return feature.Draw(painter, look, (*imaging.Renderer).Day)
}

// day draws a day's board for everybody, once for all places.
func (p *pictures) day(ctx context.Context, ch bot.ChannelID, dark bool, b board, w boardID) *bot.Picture {
	renderer := p.desk.Painter(ctx, ch, dark).Renderer
	drawn := p.board(ctx, ch, dark, b, title(w.day), nil)
	return bot.LazyPicture(func(to *text.Locale) bot.Picture {
		key := pictureKey{renderer, w, to.Code()}
		p.mu.Lock()
		defer p.mu.Unlock()
		made, ok := p.made[key]
		if !ok {
			made = *drawn.In(to)
			if len(p.made) >= mostMade || p.made == nil {
				p.made = map[pictureKey]bot.Picture{}
			}
			p.made[key] = made
		}
		return made
	})
}
