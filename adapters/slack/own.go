package slack

import (
	"context"
	"slices"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file shows a player their game outside its channel: in the direct messages and on
// the home page.

// blocks returns the blocks of a post. A call by direct message, where the channel refuses posts,
// includes the board and the possible moves.
func (o *poster) blocks(ctx context.Context, m bot.Message, file string) []slack.Block {
	req := bot.Request{Channel: m.Channel}
	if m.To != nil {
		req.User, req.Locale = *m.To, o.people.personLocale(ctx, m.To.ID)
	}
	n := o.names
	if at, err := placeOf(m.Channel); err == nil && m.To == nil {
		n = n.in(at)
	}
	n.to = o.Host.LocaleFor(ctx, req)
	if m.To == nil || m.Kind != "" {
		return n.message(m, file, o.fallbackBoard(ctx, m, file)...)
	}
	to, err := memberOf(m.To.ID)
	at, err2 := placeOf(m.Channel)
	if err != nil || err2 != nil {
		return n.message(m, file)
	}
	g := o.loadGame(ctx, to, m.Channel, m.Table, n.to)
	m.Buttons = slices.Concat(g.moves, m.Buttons, []bot.Button{{Label: text.Say("Open the channel").In(n.to), Link: at.link()}})
	return n.message(m, file, g.board...)
}

// fallbackBoard returns the board of a post as text if its picture can't be shown, and
// otherwise nothing.
func (o *poster) fallbackBoard(ctx context.Context, m bot.Message, file string) []slack.Block {
	if file != "" || m.Picture == nil || len(m.Picture.PNG) == 0 || m.Kind != "" || m.To != nil || m.Table == 0 {
		return nil
	}
	return o.boardText(ctx, bot.Request{ID: "look", Channel: m.Channel, Table: m.Table})
}

// boardText returns a table's board as text, or none if it isn't available: the text of a
// post describes the events.
func (o *poster) boardText(ctx context.Context, req bot.Request) []slack.Block {
	req.Command, req.Args = "board", map[string]string{"as": "text"}
	r := o.Host.Handle(ctx, req)
	if r.Refused {
		return nil
	}
	return o.names.sections(r.Text)
}

// An ownGame is the view of a player's game outside its channel.
type ownGame struct {
	moves []bot.Button // possible moves that aren't under their rack
	board []slack.Block
}

// loadGame loads a person's game.
func (o *poster) loadGame(ctx context.Context, who member, ch bot.ChannelID, table bot.TableID, to *text.Locale) (g ownGame) {
	req := bot.Request{ID: "look", Channel: ch, Table: table, User: bot.User{ID: who.player()}, Locale: to.Code()}
	sight, err := o.Host.Sight(ctx, req)
	if err != nil {
		o.Log.Error("can't load a game", "channel", ch, "table", table, "error", err)
		return g
	}
	if sight.Own != nil && sight.Own.Turn {
		move := func(command string, style bot.Style) {
			if c, ok := o.Host.Commands().Find(command); ok {
				g.moves = append(g.moves, bot.Button{ID: bot.ButtonID(table, sight.Number, c.Name, nil), Label: text.Plain(label(c.Name, c.NameIn(to))), Style: style})
			}
		}
		move(sight.Own.Lays, bot.Primary)
	}
	g.board = o.pictures.board(who.home, ch, sight, to)
	return g
}
