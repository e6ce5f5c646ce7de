package cli

import (
	"context"
	"time"
)

// A timed context is done when its thread has used some processor time.
type timed struct {
	context.Context
	until time.Duration
}

// WithProcessorTime returns a context that is done once this thread has used that much processor
// time. The caller must stay on its thread (runtime.LockOSThread) while it uses the context. The
// limit doesn't close Done, so the context only suits code that polls Err, as robots do.
func WithProcessorTime(ctx context.Context, limit time.Duration) context.Context {
	return timed{ctx, ThreadTime() + limit}
}

// Err returns an error once the time is used up.
func (t timed) Err() error {
	if ThreadTime() >= t.until {
		return context.DeadlineExceeded
	}
	return t.Context.Err()
}
