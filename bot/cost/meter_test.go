package cost_test

import (
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/cost"
)

// A request that computes, waits for the store and computes again pays for the processor's
// time, not for the wait, and for what it has stored and said.
func TestMeter(t *testing.T) {
	var thread time.Duration // how long it has had a processor
	ctx, m, stop := cost.Begin(t.Context(), func() time.Duration { return thread })
	if cost.MeterOf(ctx) != m {
		t.Error("the context has another meter")
	}
	thread += 3 * time.Millisecond
	back := m.Idle()
	thread += time.Second // another's work on the thread
	m.Idle()()            // it waits already
	back()
	thread += 4 * time.Millisecond
	m.Commit()
	m.Answer(20)
	m.Answer(22)
	want := bot.Cost{CPU: 7 * time.Millisecond, Commits: 1, Bytes: 42}
	if got := m.Spent(); got != want {
		t.Errorf("so far it cost %+v, want %+v", got, want)
	}
	stop()
	thread += time.Second
	if got := m.Spent(); got != want {
		t.Errorf("it cost %+v, want %+v", got, want)
	}
}

// Where nobody knows a thread's time, or nothing is measured, a request costs no processor's
// time.
func TestMeterWithoutAClock(t *testing.T) {
	_, m, stop := cost.Begin(t.Context(), nil)
	m.Commit()
	m.Idle()()
	stop()
	if got := m.Spent(); got != (bot.Cost{Commits: 1}) {
		t.Errorf("it cost %+v", got)
	}
	none := cost.MeterOf(t.Context())
	none.Commit()
	none.Answer(7)
	none.Busy()()
	if got := none.Spent(); got != (bot.Cost{}) {
		t.Errorf("nobody measures, and it cost %+v", got)
	}
}
