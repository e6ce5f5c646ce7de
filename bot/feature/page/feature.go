package page

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// option is what asks /board for the page.
const option = "page"

// Feature leads to the pages of games.
func Feature() host.Feature {
	return host.Feature{
		Options: map[string][]bot.Option{"board": {{Name: option, Help: "Get a link of your own to the board in the browser", Kind: bot.YesNo, Rare: true}}},
		Instead: map[string]host.Run{"board": link},
		Beside:  beside,
	}
}

// link gives somebody the way to the page of the table: to play there as
// themselves, by a link that is theirs alone, or to watch.
func link(ctx context.Context, h *host.Host, req bot.Request) (bot.Reply, error) {
	t, err := h.LoadDealt(ctx, req)
	if err != nil {
		return h.OrExplain(t, req, err)
	}
	url, err := address(ctx, h, t.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	if url == "" {
		return words.Refuse(text.Say("There is no page to play on: whoever runs this host hasn't said what it is called from outside. {play} plays here.", text.Code("/play"))), nil
	}
	if _, err := t.Seat(req); err != nil || h.Platform(t.Channel).Boards {
		return bot.Reply{
			Text:    text.Say("The page of this game, for everybody who has the link."),
			Buttons: []bot.Button{{Label: text.Say("Open the game's page"), Style: bot.Primary, Link: url}},
		}, nil
	}
	secret, err := notes.Secret(ctx, h.Notes, h.Random, secretOf)
	if err != nil {
		return bot.Reply{}, err
	}
	until := h.Now().Add(passLife)
	url += "#pass=" + newPass(secret, t.ID, req.User.ID, req.ID, until)
	return bot.Reply{
		Text:    text.Say("Your board in the browser. The link is yours alone: it works once, within ten minutes, and whoever opens it plays as you. Your moves are told here as ever."),
		Buttons: []bot.Button{{Label: text.Say("Open my board"), Style: bot.Primary, Link: url}},
	}, nil
}

// beside are the buttons by which a message about a table leads to its page.
func beside(ctx context.Context, h *host.Host, t table.Table) ([]bot.Button, error) {
	if h.URL == "" || !t.Played() {
		return nil, nil
	}
	if t.Phase != game.Over && !h.Platform(t.Channel).Boards {
		return []bot.Button{t.Button(text.Say("Play on the board"), "board", bot.Ordinary, map[string]string{option: "yes"})}, nil
	}
	url, err := address(ctx, h, t.ID)
	return []bot.Button{{Label: text.Say("The game's page"), Link: url}}, err
}
