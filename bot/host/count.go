package host

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
)

// This file keeps the latest message of a table as it is now, where players
// hand things in that nobody else may see: how many have is for everybody. The
// message is changed in its place.

// countKind is the kind of the timers that look whether a message is to be
// changed, and of the posts that change it.
const countKind = "count"

// countEvery is how often a message is changed at most, however many hand
// something in: the strictest platform bears fifty changes a minute in all the
// channels of a home.
const countEvery = 5 * time.Second

// CountTimer looks at the table when countEvery is over, once for all that was
// private in it.
func CountTimer(before table.Table, done []game.Event) []bot.Timer {
	if !table.Private(before, done) {
		return nil
	}
	next := func(e game.Event) time.Time { return e.At.Truncate(countEvery).Add(countEvery) }
	at := next(done[len(done)-1])
	if n := len(before.Events); n > before.News() && next(before.Events[n-1]).Equal(at) {
		return nil // there is one
	}
	return []bot.Timer{{At: at, Kind: countKind, Number: before.News()}}
}

// recount queues a change of the latest message, if it still is the one that
// was to be changed.
func recount(ctx context.Context, h *Host, timer bot.Timer) error {
	return h.AtTable(ctx, timer, func(r *bot.Room, t table.Table, _ game.Env) error {
		if t.Phase != game.Playing || t.News() != timer.Number || t.News() == len(t.Events) {
			return nil
		}
		r.Posts = []bot.Post{{Channel: r.Channel, From: t.Number, To: t.Number, Kind: countKind}}
		r.File = &bot.Receipt{From: t.Number, To: t.Number}
		return nil
	})
}

// latestPost is the post that told of what happened last, for a post of
// countKind to change. Where there has been news since it was queued, what it
// counts is over: the post of that news tells how things stand.
func latestPost(now table.Table, count bot.Post) (bot.Post, error) {
	then, err := now.At(count.To)
	if err != nil {
		return bot.Post{}, err
	}
	to := now.News()
	if now.Phase != game.Playing || to == 0 || then.News() != to {
		return bot.Post{}, ErrNothingToTell
	}
	from := to - 1
	for from > 0 && now.Events[from-1].Cause == now.Events[to-1].Cause {
		from--
	}
	return bot.Post{Channel: count.Channel, Table: count.Table, From: from, To: to}, nil
}
