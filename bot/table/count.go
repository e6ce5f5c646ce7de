package table

import (
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// This file has the latest message of a table as it is now, where players hand
// things in that nobody else may see: how many have is for everybody. The message
// is changed in its place.

// CountKind is the kind of the timers that look whether a message is to be
// changed, and of the posts that change it.
const CountKind = "count"

// countEvery is how often a message is changed at most, however many hand
// something in: the strictest platform bears fifty changes a minute in all the
// channels of a home.
const countEvery = 5 * time.Second

// CountTimer looks at the table when countEvery is over, once for all that was
// private in it.
func CountTimer(before Table, done []game.Event) []bot.Timer {
	if !Private(before, done) {
		return nil
	}
	next := func(e game.Event) time.Time { return e.At.Truncate(countEvery).Add(countEvery) }
	at := next(done[len(done)-1])
	if n := len(before.Events); n > before.News() && next(before.Events[n-1]).Equal(at) {
		return nil // there is one
	}
	return []bot.Timer{{At: at, Kind: CountKind, Number: before.News()}}
}

// LatestPost is the post that told of what happened last, for one to change that
// counts how many have handed something in. ok is false where there has been news
// since that was queued: the post of that news tells how things stand.
func (t Table) LatestPost(count bot.Post) (post bot.Post, ok bool, err error) {
	then, err := t.At(count.To)
	if err != nil {
		return bot.Post{}, false, err
	}
	to := t.News()
	if t.Phase != game.Playing || to == 0 || then.News() != to {
		return bot.Post{}, false, nil
	}
	from := to - 1
	for from > 0 && t.Events[from-1].Cause == t.Events[to-1].Cause {
		from--
	}
	return bot.Post{Channel: count.Channel, Table: count.Table, From: from, To: to}, true, nil
}
