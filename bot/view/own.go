package view

import (
	"cmp"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// Own returns what a player sees of their own seat.
func Own(t table.Table, seat int) *bot.Own {
	v := t.Variant
	o := &bot.Own{
		Seat: seat, Rack: TileTexts(t.Equipment.Tiles, t.RackOf(seat)), Lays: cmp.Or(v.Lays, "play"), Draws: t.TwoBags,
		Turn: t.Phase == game.Playing && (t.Turn == seat || v.Lay != nil), Hints: t.Rules.Hints && table.RobotsKnow(t.Rules), Pass: t.Phase == game.Playing && (t.Turn == seat || v.Lay != nil),
	}
	if m := table.ExchangeMenus(t, seat); len(m) > 0 {
		o.Exchange = m[0].Most
	}
	if !t.Printed.Empty() {
		o.Covers = coverWays(t, seat)
	}
	if sub := t.Submission(seat); sub.IsSubmitted() {
		o.Submitted = &bot.Submission{Squares: SquareNumbers(t.Equipment.Layout.Size(), sub.Move.LaidSquares()), Letters: TileTexts(t.Equipment.Tiles, NewTiles(sub.Move)), Score: sub.Score}
	}
	return o
}

// coverWays lists how a player can cover printed letters: each word's next two, or one.
func coverWays(t table.Table, seat int) []bot.Way {
	set, all := t.Equipment.Tiles, []bot.Way{}
	add := func(m game.Move) {
		if tally, err := t.Tally(m); err == nil {
			all = append(all, bot.Way{Word: words.PlainWord(set, tally.Words[0].Tiles), Squares: SquareNumbers(t.Equipment.Layout.Size(), m.LaidSquares()), Letters: TileTexts(set, NewTiles(m)), Score: tally.Total})
		}
	}
	rack := t.Seats[seat].Rack
	for _, spot := range t.CoverMoves(rack) {
		add(spot.Move)
		sp, err := game.ParseSpelling(set, words.PlainWord(set, spot.Tally.Words[0].Tiles))
		if err != nil || len(spot.Move.LaidSquares()) == 1 {
			continue
		}
		if one, err := t.CoverWord(rack, sp, 1); err == nil {
			add(one)
		}
	}
	return all
}
