package view

import (
	"slices"

	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/imaging"
)

// mostViews is the maximum number of views of a game. Longer games, which people have
// dragged out, are shown by the latest views that changed the board.
const mostViews = 250

// Views returns the public view after each event of the game, worded in a language.
func Views(t table.Table, to *text.Locale) []imaging.View {
	var all []table.Table
	var changed []bool
	then := t
	then.State = game.State{}
	for n, e := range t.Events {
		before := then.State
		then.Events, then.State = t.Events[:n+1], before.Apply(e)
		if then.IsDealt() && words.CaptionOf(t.Variant, before, e.Fact) != nil {
			all = append(all, then)
			changed = append(changed, then.Board != before.Board)
		}
	}
	if n := len(all); n > mostViews {
		seen := all[:0]
		for i, t := range all {
			if changed[i] || i == n-1 {
				seen = append(seen, t)
			}
		}
		all = seen[max(0, len(seen)-mostViews):]
	}
	views := make([]imaging.View, len(all))
	for i, t := range all {
		views[i] = View(t, to)
	}
	return views
}

// FinalCard returns the final card of a finished game, worded in a language.
func FinalCard(t table.Table, to *text.Locale) imaging.FinalCard {
	if final := t.Variant.Final; final != nil {
		return final(t, to)
	}
	v := PublicView(t.State, nil, to)
	card := imaging.FinalCard{Locale: to, Caption: words.FinalCaption(t).In(to).String()}
	plays := standingPlays(t)
	totals := make([][]int, len(v.Players))
	var s game.State
	for _, e := range t.Events {
		s = s.Apply(e)
		turn := func(seat int) { totals[seat] = append(totals[seat], s.Seats[seat].Score) }
		switch f := e.Fact.(type) {
		case game.Played:
			turn(f.Seat)
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
		}
	}
	for i, p := range v.Players {
		f := imaging.Finalist{Player: p, Totals: totals[i]}
		for _, play := range plays[i] {
			if t.Rules.Bonus > 0 && len(play.Move.LaidSquares()) >= t.Rules.BonusTiles {
				f.Bingos++
			}
		}
		if len(plays[i]) > 0 {
			best := slices.MaxFunc(plays[i], func(a, b game.Played) int { return a.Score - b.Score })
			if word := best.Words[0]; best.Score > 0 {
				f.Best, f.Play, f.Points = BestPlay(t.Equipment.Tiles, word, best.Score).In(to).String(), word.Tiles, best.Score
			}
		}
		card.Players = append(card.Players, f)
	}
	return card
}

// BestPlay describes a best-scoring play: "RELIGION at K5 for 78".
func BestPlay(set *game.TileSet, word game.ScoredWord, score int) text.Text {
	return text.Item("{word} at {square} for {score}", words.PlainWord(set, word.Tiles), word.At.At(word.Dir), score)
}
