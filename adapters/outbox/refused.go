package outbox

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// Refusals are the places where an app may not post, with since when. What is to be posted
// there waits, for somebody may mend it.
type Refusals struct {
	Notes bot.Notes
	Shelf string // by place: since when
	Now   func() time.Time

	First, Most time.Duration // between two tries, at first and later
}

// Since returns since when nothing can be posted in a place; ok is false if it can.
func (r *Refusals) Since(ctx context.Context, where string) (since time.Time, ok bool, err error) {
	b, err := r.Notes.Get(ctx, r.Shelf, where)
	if err != nil || b == nil || since.UnmarshalText(b) != nil {
		return time.Time{}, false, err
	}
	return since, true, nil
}

// Mark notes that nothing can be posted in a place from now on.
func (r *Refusals) Mark(ctx context.Context, where string) error {
	b, err := r.Now().UTC().MarshalText()
	if err != nil {
		return err
	}
	return r.Notes.Put(ctx, r.Shelf, where, b)
}

// PutOff puts a message off that can't be posted in a place, until it could not for hope. It
// reports whether this is the first that couldn't. The error is a [bot.PostError], or the
// store's.
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
	// Soon again at first: somebody mends it at once, or not for long.
	return first, &bot.PostError{RetryAfter: min(max(waited/2, r.First), r.Most), Err: cause}
}

// Lift notes that the app may post in a place.
func (r *Refusals) Lift(ctx context.Context, where string) error {
	b, err := r.Notes.Get(ctx, r.Shelf, where)
	if err != nil || b == nil {
		return err
	}
	return r.Notes.Put(ctx, r.Shelf, where, nil)
}
