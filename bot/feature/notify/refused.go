package notify

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/game"
)

// This file sees to it that a player who wants to be told of their turns by direct
// message, and takes none, is told in the channel.

// refusedFor is how long it is remembered that somebody takes none: they may have
// changed their mind.
const refusedFor = 3 * 24 * time.Hour

// A storedRefusal is kept of somebody who takes no direct messages, with the time when
// one was last refused.
type storedRefusal struct {
	V  int       `json:"v"`
	At time.Time `json:"at"`
}

// refuses reports whether direct messages to somebody have been refused of late.
func (f *Feature) refuses(ctx context.Context, who game.PlayerID) (bool, error) {
	last, _, err := f.refused.Get(ctx, shelf.Person(who))
	return f.desk.Now().Sub(last.At) < refusedFor, err
}

// TakesAgain forgets that: somebody has said something. It reports whether there was
// something to forget.
func (f *Feature) TakesAgain(ctx context.Context, who game.PlayerID) (refused bool, err error) {
	if _, refused, err = f.refused.Get(ctx, shelf.Person(who)); err != nil || !refused {
		return false, err
	}
	return true, f.refused.Drop(ctx, shelf.Person(who))
}

// noteRefused notes that a post for somebody was refused. Where it was to tell them of
// their turn they are called in the channel.
func (f *Feature) noteRefused(ctx context.Context, post bot.Post) error {
	before, err := f.wishes(ctx, post.For, post.Table)
	if err != nil {
		return err
	}
	if err := f.refused.Put(ctx, shelf.Person(post.For), storedRefusal{V: 1, At: f.desk.Now()}); err != nil {
		return err
	}
	if post.Table == 0 || before.Ping != settings.PingDM && !before.Digests() {
		return nil
	}
	t, err := feature.LoadTable(ctx, f.desk, post.Table)
	if err != nil {
		return err
	}
	if t.Phase != game.Playing || t.Seats[t.Turn].Person.ID != post.For {
		return nil
	}
	return f.callLater(ctx, t, post, f.desk.Now())
}
