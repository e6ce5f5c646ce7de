package bot

import (
	"context"
	"net/netip"
	"time"

	"github.com/rackmate/rackmate/bot/text"
)

// An Asker is for whom something is done, as far as that is known: whose part of the
// host pays for it. It is counted by, and never stored or logged.
type Asker struct {
	Person  PlayerID
	Address netip.Addr
}

type askerKey struct{}

// AskedBy is a context for somebody's request. What is zero in a stays as it was.
func AskedBy(ctx context.Context, a Asker) context.Context {
	was := AskerOf(ctx)
	if a.Person == "" {
		a.Person = was.Person
	}
	if !a.Address.IsValid() {
		a.Address = was.Address
	}
	return context.WithValue(ctx, askerKey{}, a)
}

// AskerOf is for whom something is done, as far as is known.
func AskerOf(ctx context.Context) Asker {
	a, _ := ctx.Value(askerKey{}).(Asker)
	return a
}

// A BusyError says that the host does no more for somebody now, and when to try again:
// a sentence for them.
type BusyError struct {
	Text text.Text
	Wait time.Duration
}

func (e *BusyError) Error() string { return e.Text.String() }
