package robots

import (
	"context"
	"fmt"
	"math"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/robot"
)

// Judge is the review of a finished game, as far as it is made, for a board that
// shows its plays, in words of a tongue. The error is a *words.Refusal where nobody can judge it.
func (f *Feature) Judge(ctx context.Context, t table.Table, to *text.Tongue) (review bot.Review, err error) {
	_, mind, err := f.loadFinished(ctx, bot.Request{Channel: t.Channel, Table: t.ID})
	if err != nil {
		return review, err
	}
	all := robot.Decisions(t.Events)
	s, err := f.askForReview(ctx, t, mind.Words().Hash(), len(all), "", false)
	if err != nil {
		return review, fmt.Errorf("review table %d: %w", t.ID, err)
	}
	review = bot.Review{Moves: len(all), Turns: []bot.Judged{}}
	set := t.Equipment.Tiles
	turns := s.judged(all)
	if len(turns) == len(all) {
		for _, p := range robot.Reviewing(len(t.Seats), turns).Players {
			review.Accuracy = append(review.Accuracy, int(math.Round(p.Accuracy)))
		}
	}
	for _, j := range turns {
		one := bot.Judged{
			Turn: j.Turn, Seat: j.View.Me, Rack: view.TileTexts(set, j.View.Rack.Sorted()),
			Loss: tenths(j.Loss), Sure: howSure(j.Sure).In(to).String(), Made: worth(t, j, j.Made, to),
		}
		if j.GivesUp.Known && j.Mistake() {
			one.Chance = chance(j.GivesUp).In(to).String()
		}
		if len(j.Phonies) > 0 {
			remark := text.Say("{n, plural, one {{words} is not in the word list.} other {{words} are not in the word list.}}", len(j.Phonies), words.AllWords(set, j.Phonies))
			if j.TakenOff {
				remark = takenOff(set, j.Phonies)
			}
			one.Remark = remark.In(to).String()
		}
		for _, c := range j.Best {
			one.Best = append(one.Best, worth(t, j, c, to))
		}
		review.Turns = append(review.Turns, one)
	}
	return review, nil
}

func worth(t table.Table, j robot.Judgement, c robot.Choice, to *text.Tongue) bot.Worth {
	w := bot.Worth{Text: choiceText(j, c).In(to).String(), Points: c.Points}
	if !math.IsNaN(c.Equity) && !math.IsInf(c.Equity, 0) {
		w.Equity = tenths(c.Equity)
	}
	if c.Chance.Known {
		w.Chance = chance(c.Chance).In(to).String()
	}
	if c.Move.Kind == game.PlayTiles {
		w.Squares = view.Numbered(t.Equipment.Layout.Size(), c.Move.Laid())
		w.Tiles = view.TileTexts(t.Equipment.Tiles, view.NewTiles(c.Move))
	}
	return w
}
