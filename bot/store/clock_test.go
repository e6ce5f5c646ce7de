package store_test

import (
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot/store"
)

// TestClockFollowsStore reads the store's clock in various situations, and checks how far the time
// shown is from the store's.
func TestClockFollowsStore(t *testing.T) {
	const hour, second = time.Hour, time.Second
	noon := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	type reading struct {
		after     time.Duration // since the reading before, by the store's clock
		wall      time.Duration // jump of the process's wall clock meanwhile
		drift     time.Duration // by which its elapsed time runs fast meanwhile
		jump      time.Duration // of the store's clock meanwhile
		way, back time.Duration // of the question and of the answer
	}
	for name, tt := range map[string]struct {
		off      time.Duration // of the process's wall clock at the start
		readings []reading
		want     time.Duration // by which the time shown is ahead of the store's
	}{
		"never read":                              {hour, nil, hour},
		"an hour ahead":                           {hour, []reading{{}}, 0},
		"an hour behind":                          {-hour, []reading{{}}, 0},
		"the first answer is late":                {hour, []reading{{way: second, back: 3 * second}}, -second},
		"the first answer is late, another quick": {hour, []reading{{way: second, back: 3 * second}, {after: second}}, 0},
		"a later answer is late":                  {hour, []reading{{}, {after: second, way: 4 * second}}, 0},
		"another way":                             {hour, []reading{{}, {after: second, back: 4 * second}}, 0},
		"its wall clock jumps":                    {0, []reading{{}, {after: second, wall: hour}}, 0},
		"its wall clock is put back":              {0, []reading{{}, {after: second, wall: -hour, way: second}}, 0},
		"it drifts":                               {0, []reading{{}, {after: hour, drift: 3 * second}}, 0},
		"it drifts, and the answer is late":       {0, []reading{{}, {after: hour, drift: 3 * second, way: second, back: second}}, second},
		"it is slow, and the answer is late":      {0, []reading{{}, {after: hour, drift: -3 * second, way: second, back: second}}, -second},
		"the store's clock jumps":                 {0, []reading{{}, {after: second, jump: hour}}, 0},
		"the store's clock is put back":           {0, []reading{{}, {after: second, jump: -hour}}, 0},
	} {
		real, off := noon, tt.off
		own := func() time.Time { return real.Add(off) }
		var elapsed time.Duration
		pass := func(d time.Duration) { real, elapsed = real.Add(d), elapsed+d }
		c := store.NewClock(own, func() time.Duration { return elapsed })
		for _, r := range tt.readings {
			pass(r.after)
			off, elapsed = off+r.wall-r.jump, elapsed+r.drift
			real = real.Add(r.jump)
			set := c.Read()
			pass(r.way)
			at := real
			pass(r.back)
			set(at)
		}
		pass(second)
		if ahead := c.Now().Sub(real); ahead != tt.want {
			t.Errorf("%s: the time shown is %v ahead, want %v", name, ahead, tt.want)
		}
	}
}

// TestElapsed checks that elapsed time runs about as fast as the clock.
func TestElapsed(t *testing.T) {
	began, at := time.Now(), store.Elapsed()
	for time.Since(began) < 5*time.Millisecond {
	}
	if passed, took := store.Elapsed()-at, time.Since(began); passed < 4*time.Millisecond || passed > took+time.Second {
		t.Errorf("in %v it runs %v", took, passed)
	}
}
