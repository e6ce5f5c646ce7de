package ladder

import (
	"context"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
)

// together is the query of a player's page that shows the visitor's games with the player.
const together = "together"

// showTogether lists the visitor's games with a player, from the visitor's side.
func (f *Feature) showTogether(ctx context.Context, v bot.Visit) (page bot.Page, err error) {
	me, other := v.User, v.People[0]
	score, _, err := f.versus.Get(ctx, shelf.Both(shelf.Person(me.ID), shelf.Person(other.ID)))
	if err != nil {
		return page, err
	}
	results, err := f.latestResults(ctx, me.ID)
	if err != nil {
		return page, err
	}
	results = slices.DeleteFunc(results, func(r result) bool { return r.seatOf(other.ID) < 0 })
	// Both took part, so games in their conversations are listed too.
	v.People, v.Open = []bot.User{me}, v.Reads
	games, err := f.resultTable(ctx, v, results, f.names(ctx))
	if err != nil {
		return page, err
	}
	page = bot.Page{Title: text.Say("Your games with {name}", text.Name(other))}
	if len(games.Rows) == 0 {
		page.Blocks = []bot.Block{bot.Paragraph{Text: text.Say("You haven't finished a game together yet.")}}
		return page, nil
	}
	page.Blocks = []bot.Block{bot.Facts{
		{Name: text.Say("Won"), Value: text.Glue(score.Wins)}, {Name: text.Say("Lost"), Value: text.Glue(score.Losses)}, {Name: text.Say("Tied"), Value: text.Glue(score.Ties)},
	}, games}
	return page, nil
}
