package host_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/host"
)

// A firing store records how many timers are removed at a time.
type firing struct {
	bot.Store
	at *[]int
}

func (f firing) RemoveTimers(ctx context.Context, timers ...bot.Timer) error {
	*f.at = append(*f.at, len(timers))
	return f.Store.RemoveTimers(ctx, timers...)
}

// Timers that are due together are removed together.
func TestTimersDueTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var fired []int
		w := newWorld(t, func(c *host.Config) { c.Store = firing{c.Store, &fired} })
		for i := range 50 {
			ch := bot.ChannelID(fmt.Sprint("test:", i))
			w.InHouse(ch, "", bottest.People["ann"], "/new seats:2 pace:3d")
			w.InHouse(ch, "", bottest.People["bob"], "/join")
		}
		due, _, err := w.Config.Store.DueTimers(t.Context(), time.Now().Add(240*time.Hour), 1000)
		if err != nil || len(due) < 50 {
			t.Fatalf("%d timers, %v", len(due), err)
		}
		time.Sleep(240 * time.Hour)
		stop := w.Goes()
		synctest.Wait()
		stop()
		left, _, err := w.Config.Store.DueTimers(t.Context(), time.Now(), 1000)
		if err != nil || len(left) > 0 {
			t.Errorf("%d timers are left, %v", len(left), err)
		}
		if n := len(fired); n > 10 || slices.Max(fired) != 50 {
			t.Errorf("timers were removed %v at a time", fired)
		}
	})
}
