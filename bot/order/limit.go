package order

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/words"
)

// openedShelf has, by player, how many tables they asked for today: a
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
		return words.Refusing("You are in the middle of ", words.Count(len(playing), "game"), ", which is as many as one person can be. ", bot.Code("/games"), " lists them: finish or ", bot.Code("/resign"), " one first.")
	}
	if req.Command != "new" {
		return nil
	}
	return h.Notes.Change(ctx, func(rows bot.Rows) error {
		var o storedOpened
		if _, err := notes.Get(rows, openedShelf, string(req.User.ID), &o); err != nil || o.Last == req.ID && req.ID != "" {
			return err
		}
		if day := h.Now().UTC().Format(time.DateOnly); o.Day != day {
			o = storedOpened{V: 1, Day: day}
		}
		if o.N >= bot.LimitTables.Most {
			return words.Refusing("You have opened ", words.Count(o.N, "table"), " today, which is as many as one person can. Tomorrow you can open more; ", bot.Code("/join"), " sits down at another's.")
		}
		o.N, o.Last = o.N+1, req.ID
		return notes.Put(rows, openedShelf, string(req.User.ID), o)
	})
}
