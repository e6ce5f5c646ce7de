package bot

import (
	"context"
	"sync/atomic"
)

// A Delivery is a post on its way. Our own platforms store messages as notes, so they can
// remove the post from its queue in the transaction that adds the message: see Concluding.
type Delivery struct {
	Post Post
	held func() bool
	done atomic.Bool
}

type (
	deliveryKey   struct{}
	concludingKey struct{}
)

// Delivering returns a context for the delivery of a post. held reports whether this process
// certainly still holds the post.
func Delivering(ctx context.Context, p Post, held func() bool) (context.Context, *Delivery) {
	d := &Delivery{Post: p, held: held}
	return context.WithValue(ctx, deliveryKey{}, d), d
}

// Held returns ErrLost if another process may have claimed the post that ctx delivers, else nil. A
// platform without keys checks it after each wait, so that a process that hung doesn't post what
// another has posted.
func Held(ctx context.Context) error {
	if d, _ := ctx.Value(deliveryKey{}).(*Delivery); d != nil && !d.held() {
		return ErrLost
	}
	return nil
}

// Concluding returns a context for the Notes.Change that delivers the post of ctx. If ctx
// delivers none, it returns ctx.
func Concluding(ctx context.Context) context.Context {
	d, _ := ctx.Value(deliveryKey{}).(*Delivery)
	if d == nil {
		return ctx
	}
	return context.WithValue(ctx, concludingKey{}, d)
}

// Concludes returns the delivery that a Notes.Change concludes, or nil.
func Concludes(ctx context.Context) *Delivery {
	d, _ := ctx.Value(concludingKey{}).(*Delivery)
	return d
}

// Done reports whether a store has removed the post.
func (d *Delivery) Done() bool { return d.done.Load() }

// Conclude records that a store has removed the post.
func (d *Delivery) Conclude() { d.done.Store(true) }
