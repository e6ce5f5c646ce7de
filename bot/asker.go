package bot

import (
	"context"
	"net/netip"
	"time"

	"github.com/rackmate/rackmate/bot/text"
)

// An Asker is the person and address for whom work is done, as far as known. Limits count by it; it
// is never stored or logged.
type Asker struct {
	Person  PlayerID
	Address netip.Addr
}

type askerKey struct{}

// AskedBy returns a context for a person's request. Zero fields of a keep their previous values.
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

// AskerOf returns the person for whom work in ctx is done, as far as known.
func AskerOf(ctx context.Context) Asker {
	a, _ := ctx.Value(askerKey{}).(Asker)
	return a
}

// A BusyError reports that a person has used up their share of the host. Text says when to try again.
type BusyError struct {
	Text text.Text
	Wait time.Duration
}

func (e *BusyError) Error() string { return e.Text.String() }
