package host_test

import (
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
)

// TestClockPutBack puts the clock back by an hour while a post is postponed for a quarter of an hour and
// a feature's check has failed for minutes. Both, and a post queued later, are done within minutes.
func TestClockPutBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var off atomic.Int64
		var well, checked atomic.Bool
		w := newWorld(t, func(c *host.Config) {
			c.Life = 0
			c.Now = func() time.Time { return time.Now().Add(time.Duration(off.Load())).UTC() } // without a monotonic reading, as of a database
			list := c.Features
			c.Features = func(h feature.Registry) []feature.Feature {
				return append(list(h), faulty(h, nil, func(ch bot.ChannelID) {
					if !well.Load() {
						panic("oh")
					}
					if ch == "test:broken" {
						checked.Store(true)
					}
				}))
			}
		})
		w.Posts.Fail = func(bot.Message) error {
			if !well.Load() {
				return &bot.PostError{RetryAfter: 15 * time.Minute, Err: errors.New("not now")}
			}
			return nil
		}
		w.Passes("test:a", 1)
		w.Run()
		time.Sleep(10 * time.Minute)
		off.Store(int64(-time.Hour))
		well.Store(true)
		time.Sleep(2 * time.Minute)
		if got := featuretest.Numbers(w.Posts.Take(), "test:a"); len(got) != 1 || !checked.Load() {
			t.Errorf("two minutes after the clock was put back %v were delivered, and the feature has checked: %t", got, checked.Load())
		}
		w.Passes("test:b", 1)
		time.Sleep(2 * time.Minute)
		if got := featuretest.Numbers(w.Posts.Take(), "test:b"); len(got) != 1 {
			t.Errorf("of what happened after the clock was put back %v were delivered", got)
		}
	})
}
