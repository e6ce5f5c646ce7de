package outbox

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
)

// Refusals stores the places where an app may not post, and since when. Messages for them
// wait, because the permission may be granted.
type Refusals struct {
	Notes bot.Notes
	Shelf string // of Notes; stores the time of the first refusal, by place
	Now   func() time.Time

	First, Most time.Duration // least and greatest wait between two tries
}

// Since returns since when nothing can be posted in a place; ok is false if posting is
// possible.
func (r *Refusals) Since(ctx context.Context, where string) (since time.Time, ok bool, err error) {
	return notes.ReadTime(ctx, r.Notes, r.Shelf, where)
}

// Mark records that nothing can be posted in a place from now on.
func (r *Refusals) Mark(ctx context.Context, where string) error {
	return notes.WriteTime(ctx, r.Notes, r.Shelf, where, r.Now())
}

// PutOff postpones a message that can't be posted in a place, and gives it up if posting
// has been impossible for longer than hope. It reports whether this is the first such
// message. The error is a [bot.PostError], or the store's.
func (r *Refusals) PutOff(ctx context.Context, where string, hope time.Duration, cause error) (first bool, err error) {
	since, ok, err := r.Since(ctx, where)
	if err != nil {
		return false, err
	}
	if !ok {
		since, first = r.Now(), true
		if err := r.Mark(ctx, where); err != nil {
			return false, err
		}
	}
	waited := r.Now().Sub(since)
	if waited >= hope {
		return first, &bot.PostError{Permanent: true, Err: cause}
	}
	// Retry soon at first, then less often: most problems are fixed at once or much
	// later.
	return first, &bot.PostError{RetryAfter: min(max(waited/2, r.First), r.Most), Err: cause}
}

// Lift records that the app may post in a place.
func (r *Refusals) Lift(ctx context.Context, where string) error {
	return notes.Remove(ctx, r.Notes, r.Shelf, where)
}

// CallDirectly sends a message that its place refuses to each person it calls, as a direct
// message with the reason that why returns. send sends one of these. CallDirectly returns the
// people it tried to reach.
func (o *Outbox) CallDirectly(m bot.Message, why func(bot.User) text.Text, send func(bot.Message) error) (called []bot.PlayerID) {
	if m.To != nil || m.Edit || m.Over {
		return nil
	}
	m.Text.CallOnly(func(who bot.PlayerID) bool {
		own := m
		own.To = &bot.User{ID: who}
		own.Text = text.Lines(m.Text, why(*own.To))
		own.Whole = own.Text
		if err := send(own); err != nil {
			o.Log.Warn("a player whose turn it is can't be called", "channel", m.Channel, "player", who, "error", err)
		}
		called = append(called, who)
		return true
	})
	return called
}
