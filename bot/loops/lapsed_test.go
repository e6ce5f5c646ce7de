package loops

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/memory"
)

// A mute store takes renewals of leases and answers no election.
type mute struct{ bot.Store }

func (mute) Elect(ctx context.Context, _ bot.Holder, _ string, _ time.Time) (bool, error) {
	<-ctx.Done()
	return false, ctx.Err()
}

// TestLapsedJobEndsWithoutStore checks that a process whose lease ended while it stood still gives up its
// job at once if the store doesn't answer, although it has a new lease: another may have the job by now.
func TestLapsedJobEndsWithoutStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(mute{memory.New()}, "one", 10*time.Second, time.Now, slog.New(slog.DiscardHandler))
		c := &candidate{Loops: l, job: "gateway", me: l.Hold(t.Context(), "gateway"), done: make(chan error)}
		defer c.endLease(t.Context())
		if err := c.me.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		_, c.held = c.me.Claim()
		time.Sleep(time.Second)
		c.me.StartOver(t.Context()) // as the renewal does after a standstill
		if err := c.me.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if elected, err := c.electInTime(t.Context()); elected || err == nil || c.held() {
			t.Errorf("elected: %t (%v)", elected, err)
		}
		if waited := time.Since(began); waited > time.Second {
			t.Errorf("it gave up its job after %v", waited)
		}
	})
}
