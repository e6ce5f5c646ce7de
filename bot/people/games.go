package people

import (
	"context"
	"strconv"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/person"
	"github.com/rackmate/rackmate/bot/words"
)

func gamesOptions() []bot.Option {
	return []bot.Option{{Name: "page", Help: "Which page of a long list", Kind: bot.Words}}
}

// gamesAtOnce is how many games a page of /games has: their links are long.
const gamesAtOnce = 8

// games lists a person's games on all the surfaces that they have linked.
func games(ctx context.Context, h *host.Host, req bot.Request) (bot.Reply, error) {
	ids, err := person.Identities(ctx, h, req.User.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	all, err := h.Playing(ctx, ids...)
	if err != nil {
		return bot.Reply{}, err
	}
	if len(all) == 0 {
		t := bot.Glue("You are in no game. ", bot.Code("/new"), " opens a table.")
		if len(ids) == 1 {
			t = bot.Glue(t, " Do you play elsewhere too? ", bot.Code("/link"), " brings those games here.")
		}
		return bot.Reply{Text: t}, nil
	}
	turns := 0
	for _, g := range all {
		if g.IsTurn() {
			turns++
		}
	}
	pages := (len(all) + gamesAtOnce - 1) / gamesAtOnce
	page, _ := strconv.Atoi(req.Args["page"])
	page = min(max(page, 1), pages)
	t := bot.Glue("You are in ", words.Count(len(all), "game"), "; ", words.Verb(turns, "one waits", words.Number(turns)+" wait"), " for you.")
	for _, g := range all[(page-1)*gamesAtOnce : min(page*gamesAtOnce, len(all))] {
		line, err := h.GameLine(ctx, g)
		if err != nil {
			return bot.Reply{}, err
		}
		t = bot.Glue(t, "\n", line)
	}
	r := bot.Reply{Text: t}
	if page < pages {
		r.Buttons = []bot.Button{{ID: bot.ButtonID(0, 0, "games", map[string]string{"page": strconv.Itoa(page + 1)}), Label: bot.Say("Next, {page} of {pages}", page+1, pages)}}
	}
	return r, nil
}
