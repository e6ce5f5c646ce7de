package outbox

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// Refusals stores the places where an app may not post, and since when. Messages for them
// wait, because the permission may be granted.
type Refusals struct {
	Notes bot.Notes
	Shelf string // start of the refusals, by place
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
	// Retry soon at first: the problem is fixed at once, or not for long.
	return first, &bot.PostError{RetryAfter: min(max(waited/2, r.First), r.Most), Err: cause}
}

// Lift records that the app may post in a place.
func (r *Refusals) Lift(ctx context.Context, where string) error {
	return notes.Remove(ctx, r.Notes, r.Shelf, where)
}
