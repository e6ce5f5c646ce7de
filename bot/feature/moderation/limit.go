package moderation

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// A storedOpened counts the tables that a person opened today.
type storedOpened struct {
	V    int    `json:"v"`
	Day  string `json:"day"`
	N    int    `json:"n"`
	Last string `json:"last"` // the latest request
}

// checkLimits rejects tables and games above the limits for one person.
func (f *Feature) checkLimits(ctx context.Context, req bot.Request) error {
	switch req.Command {
	default:
		return nil
	case "new", "join", "rematch", "adopt":
	}
	playing, err := f.desk.TablesOf(ctx, req.User.ID)
	if err != nil {
		return err
	}
	if len(playing) >= bot.LimitGames.Most {
		return words.Refusing("You have {n, plural, one {# game} other {# games}} in progress, and that's the limit. {games} lists them: finish or {resign} one first.", len(playing), text.Code("/games"), text.Code("/resign"))
	}
	if req.Command != "new" {
		return nil
	}
	o, err := f.openedToday(ctx, req.User.ID)
	if err == nil && o.N >= bot.LimitTables.Most && o.Last != req.ID {
		err = words.Refusing("You've opened {n, plural, one {# table} other {# tables}} today, and that's the limit. You can open more tomorrow. Meanwhile, {join} takes a seat at another table.", o.N, text.Code("/join"))
	}
	return err
}

// openedToday returns how many tables a person has opened since midnight UTC.
func (f *Feature) openedToday(ctx context.Context, who game.PlayerID) (o storedOpened, err error) {
	if o, _, err = f.opened.Get(ctx, shelf.Person(who)); err != nil {
		return storedOpened{}, err
	}
	if day := f.desk.Now().UTC().Format(time.DateOnly); o.Day != day {
		o = storedOpened{V: 1, Day: day}
	}
	return o, nil
}

// answer counts a table that has just been opened. It leaves the reply to others.
func (f *Feature) answer(ctx context.Context, o feature.Outcome) (bot.Reply, bool, error) {
	if _, ok := o.Fact.(game.Opened); !ok || o.Request.Command != "new" {
		return bot.Reply{}, false, nil
	}
	who, id := o.Request.User.ID, o.Request.ID
	opened, err := f.openedToday(ctx, who)
	if err != nil || opened.Last == id {
		return bot.Reply{}, false, err
	}
	opened.N, opened.Last = opened.N+1, id
	return bot.Reply{}, false, f.opened.Put(ctx, shelf.Person(who), opened)
}
