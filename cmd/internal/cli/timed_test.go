package cli

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"
)

// TestProcessorTime checks that a thread's time passes while it computes.
func TestProcessorTime(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := WithProcessorTime(t.Context(), time.Hour).Err(); err != nil {
		t.Errorf("an hour is over at once: %v", err)
	}
	ctx := WithProcessorTime(t.Context(), time.Millisecond)
	for began := time.Now(); ctx.Err() == nil; {
		if time.Since(began) > time.Minute {
			t.Fatal("a millisecond doesn't pass")
		}
	}
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		t.Errorf("%v", ctx.Err())
	}
}
