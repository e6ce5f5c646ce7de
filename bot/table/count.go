package table

import (
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// This file keeps a table's latest message up to date when players submit privately. The
// number of submissions is public, so the message is edited in place.

// CountKind is the kind of the timers that check whether a message needs an edit, and of
// the posts that edit it.
const CountKind = "count"

// countEvery is the minimum time between edits of a message, however many submit. The
// strictest platform allows fifty edits a minute in all channels of a home.
const countEvery = 5 * time.Second

// CountTimer returns a timer at the end of the current countEvery interval, once for all
// private events in the interval.
func CountTimer(before Table, done []game.Event) []bot.Timer {
	if !Private(before, done) {
		return nil
	}
	next := func(e game.Event) time.Time { return e.At.Truncate(countEvery).Add(countEvery) }
	at := next(done[len(done)-1])
	if n := len(before.Events); n > before.News() && next(before.Events[n-1]).Equal(at) {
		return nil // there is one already
	}
	return []bot.Timer{{At: at, Kind: CountKind, Number: before.News()}}
}

// LatestPost returns the post of the latest news, to be edited by a count. ok is false if
// there has been news since the count was queued, because the post of that news shows the
// current count.
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
