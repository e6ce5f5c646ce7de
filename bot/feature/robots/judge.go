package robots

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/input"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/robot"
)

// Judge returns the review of a finished game, as far as it has been made, for a board that
// shows the plays, worded in a language. The error is a *words.Refusal if the game can't be
// judged.
func (f *Feature) Judge(ctx context.Context, t table.Table, to *text.Locale) (review view.Review, err error) {
	_, mind, err := f.loadFinished(ctx, bot.Request{Channel: t.Channel, Table: t.ID})
	if err != nil {
		return review, err
	}
	all := robot.Decisions(t.Events)
	s, err := f.askForReview(ctx, t, mind.Words().Hash(), len(all), "", false)
	if err != nil {
		return review, fmt.Errorf("review table %d: %w", t.ID, err)
	}
	review = view.Review{Moves: len(all), Turns: []view.Judgement{}}
	turns := s.judgements(all)
	if len(turns) == len(all) {
		for _, p := range robot.NewReview(len(t.Seats), turns).Players {
			review.Accuracy = append(review.Accuracy, int(math.Round(p.Accuracy)))
		}
	}
	for _, j := range turns {
		review.Turns = append(review.Turns, viewJudgement(t, j, to))
	}
	return review, nil
}

// viewJudgement returns a judgement, worded in a language and with the squares of a board.
func viewJudgement(t table.Table, j robot.Judgement, to *text.Locale) view.Judgement {
	set := t.Equipment.Tiles
	one := view.Judgement{
		Turn: j.Turn, Seat: j.View.Me, Rack: view.TileTexts(set, j.View.Rack.Sorted()),
		Loss: view.Tenths(j.Loss), Sure: describeSureness(j.Sure).In(to).String(), Made: view.WorthOf(j.View, j.Made, to),
	}
	if j.GivesUp.Known && j.Mistake() {
		one.Chance, one.Given = view.Chance(j.GivesUp).In(to).String(), j.GivesUp.Win
	}
	if len(j.Phonies) > 0 {
		remark := text.Say("{n, plural, one {{words} is not in the word list.} other {{words} are not in the word list.}}", len(j.Phonies), words.AllWords(set, j.Phonies))
		if j.TakenOff {
			remark = explainTakenOff(set, j.Phonies)
		}
		one.Remark = remark.In(to).String()
	}
	for _, c := range j.Best {
		one.Best = append(one.Best, view.WorthOf(j.View, c, to))
	}
	if best := one.Best[0].Win; !j.GivesUp.Known && j.Mistake() && best != nil && one.Made.Win != nil {
		one.Given = max(0, *best-*one.Made.Win)
	}
	return one
}

// Try evaluates an alternative play at a turn of a finished game: its words and score, and,
// if a.Judge is set and all its words are valid, its worth.
func (f *Feature) Try(ctx context.Context, t table.Table, a view.Attempt, to *text.Locale) (tried view.Outcome, err error) {
	_, mind, err := f.loadFinished(ctx, bot.Request{Channel: t.Channel, Table: t.ID})
	if err != nil {
		return tried, err
	}
	all := robot.Decisions(t.Events)
	i := slices.IndexFunc(all, func(d robot.Decision) bool { return d.Turn == a.Turn })
	if i < 0 {
		return tried, words.Refusing("That game didn't have that turn.")
	}
	d := all[i]
	then := t
	then.State = game.State{}
	for _, e := range t.Events[:slices.IndexFunc(t.Events, func(e game.Event) bool { return e.Number == d.Number })] {
		then.State = then.State.Apply(e)
	}
	req := bot.Request{Channel: t.Channel, Table: t.ID, User: then.Seats[d.View.Me].Person, Args: map[string]string{"word": a.Word, "at": a.At}}
	m, err := input.Play(f.desk.Lists(), then, req)
	var tally game.Tally
	if err == nil {
		tally, err = then.Tally(m)
	}
	if words.IsMistake(err) {
		return view.Outcome{Draft: bot.Draft{Problem: words.Explain(then, req, err).Text.In(to).String()}}, nil
	}
	if err != nil {
		return tried, err
	}
	phonies := tally.Phonies(mind.Words())
	tried.Draft = view.Draft(then, tally, phonies)
	if !a.Judge || len(phonies) > 0 {
		return tried, nil
	}
	d.Move, d.TakenOff = m, false
	j, err := feature.Heavy(ctx, f.desk, attempt{t.ID, d.Turn, m}, func(ctx context.Context) (robot.Judgement, error) {
		j, err := mind.Judge(ctx, d)
		return j, errors.Join(err, ctx.Err()) // the search was cut short
	})
	if err != nil {
		return tried, err
	}
	one := viewJudgement(t, j, to)
	tried.Judged = &one
	return tried, nil
}

// An attempt is everything that the worth of an alternative play depends on.
type attempt struct {
	table bot.TableID
	turn  int
	move  game.Move
}
