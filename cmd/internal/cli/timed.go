package cli

import (
	"context"
	"time"
)

// A timed context is done when its thread has had a processor for so long.
type timed struct {
	context.Context
	until time.Duration
}

// WithProcessorTime returns a context that is done once this thread has had a processor for
// so long. The caller stays on its thread (runtime.LockOSThread) while the context is used. It is
// for robots, which ask a context whether it is done, and wait for none.
func WithProcessorTime(ctx context.Context, limit time.Duration) context.Context {
	return timed{ctx, ThreadTime() + limit}
}

// Err reports whether the time is over.
func (t timed) Err() error {
	if ThreadTime() >= t.until {
		return context.DeadlineExceeded
	}
	return t.Context.Err()
}
