package robots

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/robot"
)

// Judge is the review of a finished game, as far as it is made, for a board that
// shows its plays. The error is a *words.Refusal where nobody can judge it.
func Judge(ctx context.Context, h *host.Host, t table.Table) (review bot.Review, err error) {
	_, mind, err := loadFinished(ctx, h, bot.Request{Channel: t.Channel, Table: t.ID})
	if err != nil {
		return review, err
	}
	all := robot.Decisions(t.Events)
	s, err := askForReview(ctx, h, t, mind.Words().Hash(), len(all), "", false)
	if err != nil {
		return review, fmt.Errorf("review table %d: %w", t.ID, err)
	}
	review = bot.Review{Moves: len(all), Turns: []bot.Judged{}}
	set := t.Equipment.Tiles
	for _, j := range s.judged(all) {
		one := bot.Judged{
			Turn: j.Turn, Seat: j.View.Me, Rack: view.TileTexts(set, j.View.Rack.Sorted()),
			Loss: tenths(j.Loss), Sure: strings.TrimSpace(j.Sure.String()), Made: worth(t, j, j.Made),
		}
		if len(j.Phonies) > 0 {
			one.Remark = words.NotWords(set, j.Phonies) + " not in the word list"
			if j.TakenOff {
				one.Remark += ", and the play was challenged off"
			}
		}
		for _, c := range j.Best {
			one.Best = append(one.Best, worth(t, j, c))
		}
		review.Turns = append(review.Turns, one)
	}
	return review, nil
}

func worth(t table.Table, j robot.Judgement, c robot.Choice) bot.Worth {
	w := bot.Worth{Text: choiceText(j, c).String(), Points: c.Points}
	if !math.IsNaN(c.Equity) && !math.IsInf(c.Equity, 0) {
		w.Equity = tenths(c.Equity)
	}
	if c.Move.Kind == game.PlayTiles {
		w.Squares = view.Numbered(t.Equipment.Layout.Size(), c.Move.Laid())
		w.Tiles = view.TileTexts(t.Equipment.Tiles, view.NewTiles(c.Move))
	}
	return w
}
