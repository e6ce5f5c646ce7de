package moderation

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// openedShelf has, by player, how many tables they opened today: a
// storedOpened.
const openedShelf = "opened"

type storedOpened struct {
	V    int    `json:"v"`
	Day  string `json:"day"`
	N    int    `json:"n"`
	Last string `json:"last"` // the latest request
}

// limited refuses more tables and games than one person can have.
func limited(ctx context.Context, h *host.Host, req bot.Request) error {
	switch req.Command {
	default:
		return nil
	case "new", "join", "rematch", "adopt":
	}
	playing, err := h.Store.Playing(ctx, req.User.ID)
	if err != nil {
		return err
	}
	if len(playing) >= bot.LimitGames.Most {
		return words.Refusing("You are in the middle of {n, plural, one {# game} other {# games}}, which is as many as one person can be. {games} lists them: finish or {resign} one first.", len(playing), text.Code("/games"), text.Code("/resign"))
	}
	if req.Command != "new" {
		return nil
	}
	o, err := openedToday(ctx, h, req.User.ID)
	if err == nil && o.N >= bot.LimitTables.Most && o.Last != req.ID {
		err = words.Refusing("You have opened {n, plural, one {# table} other {# tables}} today, which is as many as one person can. Tomorrow you can open more; {join} sits down at another's.", o.N, text.Code("/join"))
	}
	return err
}

// openedToday is what somebody has opened since midnight, UTC.
func openedToday(ctx context.Context, h *host.Host, who game.PlayerID) (o storedOpened, err error) {
	if _, err := notes.Read(ctx, h.Notes, openedShelf, string(who), &o); err != nil {
		return storedOpened{}, err
	}
	if day := h.Now().UTC().Format(time.DateOnly); o.Day != day {
		o = storedOpened{V: 1, Day: day}
	}
	return o, nil
}

// countOpened counts a table that somebody has just opened. It leaves the answer
// to others.
func countOpened(ctx context.Context, h *host.Host, o host.Outcome) (bot.Reply, bool, error) {
	if _, ok := o.Fact.(game.Opened); !ok || o.Request.Command != "new" {
		return bot.Reply{}, false, nil
	}
	who, id := o.Request.User.ID, o.Request.ID
	opened, err := openedToday(ctx, h, who)
	if err != nil || opened.Last == id {
		return bot.Reply{}, false, err
	}
	opened.N, opened.Last = opened.N+1, id
	return bot.Reply{}, false, h.Notes.Change(ctx, func(rows bot.Rows) error {
		return notes.Put(rows, openedShelf, string(who), opened)
	})
}
