package host

import (
	"context"
	"fmt"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/imaging"
)

// replay shows the game so far as an animated picture, which has no rack in it
// and so is for everybody at any time.
func (h *Host) replay(ctx context.Context, req bot.Request) (bot.Reply, error) {
	t, err := h.begun(ctx, req)
	if err != nil {
		return h.orExplain(t, req, err)
	}
	r := h.renderer(ctx, t.Channel, req.Dark)
	if r == nil {
		return refuse(bot.Say("No pictures are drawn here. ", bot.Code("/history"), " has the moves.")), nil
	}
	gif, err := r.Replay(t.views())
	if err != nil {
		return bot.Reply{}, fmt.Errorf("draw replay of table %d: %w", t.ID, err)
	}
	return bot.Reply{
		Text:  bot.Say("The game so far, move by move."),
		Files: []bot.File{{Name: fmt.Sprintf("rackmate-%d.gif", t.ID), Type: "image/gif", Alt: "The game so far, move by move. " + caption(t) + ".", Data: gif}},
	}, nil
}

// views are what everybody could see after each thing that happened in the
// game.
func (t table) views() []imaging.View {
	var all []imaging.View
	then := t
	then.State = game.State{}
	for n, e := range t.Events {
		before := then.State
		then.Events, then.State = t.Events[:n+1], before.Apply(e)
		if then.played() && captionOf(t.Variant, before, e.Fact) != "" {
			all = append(all, view(then))
		}
	}
	return all
}

// finalCard sums up a game that is over.
func finalCard(t table) imaging.FinalCard {
	if final := t.Variant.final; final != nil {
		return final(t)
	}
	v := publicView(t.State, caption(t))
	card := imaging.FinalCard{Caption: "Game over: " + v.Caption + matchCaption(t.State)}
	plays := make([][]game.Played, len(v.Players)) // those that stand
	totals := make([][]int, len(v.Players))
	var s game.State
	for _, e := range t.Events {
		s = s.Apply(e)
		turn := func(seat int) { totals[seat] = append(totals[seat], s.Seats[seat].Score) }
		switch f := e.Fact.(type) {
		case game.Played:
			turn(f.Seat)
			plays[f.Seat] = append(plays[f.Seat], f)
		case game.Exchanged:
			turn(f.Seat)
		case game.Passed:
			turn(f.Seat)
		case game.TurnLost:
			turn(f.Seat)
		case game.Challenged:
			if last := len(totals[f.Player]) - 1; last >= 0 {
				totals[f.Player][last] = s.Seats[f.Player].Score
			}
			if len(f.Invalid) > 0 {
				plays[f.Player] = plays[f.Player][:len(plays[f.Player])-1]
			}
		}
	}
	for i, p := range v.Players {
		f := imaging.Finalist{Player: p, Totals: totals[i]}
		for _, play := range plays[i] {
			if t.Rules.Bonus > 0 && len(play.Move.Laid()) >= t.Rules.BonusTiles {
				f.Bingos++
			}
		}
		if len(plays[i]) > 0 {
			best := slices.MaxFunc(plays[i], func(a, b game.Played) int { return a.Score - b.Score })
			if word := best.Words[0]; best.Score > 0 {
				f.Best = fmt.Sprintf("%s at %s for %d", plainWord(t.Equipment.Tiles, word.Tiles), word.At.At(word.Dir), best.Score)
			}
		}
		card.Players = append(card.Players, f)
	}
	return card
}
