package discord_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord"
)

// TestShardsAreElected checks that a shard is run only by the process elected to it.
func TestShardsAreElected(t *testing.T) {
	w := newDiscord(t)
	w.d.Gateway.Recommend(3)
	stood := make(chan string, 3)
	w.build(discord.Config{Alone: func(ctx context.Context, job string, run func(context.Context) error) error {
		stood <- job
		if job == "discord shard 1/3" { // another process runs it
			<-ctx.Done()
			return nil
		}
		return run(ctx)
	}}, w.store)
	w.adapter.SetAfter(soon)
	w.start()
	w.d.Gateway.Connected(2, 2, 0)
	got := w.d.Gateway.Shards()
	slices.Sort(got)
	if !slices.Equal(got, []int{0, 2}) {
		t.Errorf("shards %v are connected, want 0 and 2", got)
	}
	jobs := []string{<-stood, <-stood, <-stood}
	slices.Sort(jobs)
	if want := []string{"discord shard 0/3", "discord shard 1/3", "discord shard 2/3"}; !slices.Equal(jobs, want) {
		t.Errorf("stood for %v, want %v", jobs, want)
	}
}

// TestElectionsKeepDiscordsPace checks that a process is a candidate for shards at the rate
// at which Discord lets them identify: with 16 at once, the last of a thousand shards
// follows after little more than five minutes.
func TestElectionsKeepDiscordsPace(t *testing.T) {
	for atOnce, most := range map[int]time.Duration{1: 999 * time.Second, 16: 313 * time.Second} {
		w := newDiscord(t)
		w.d.Gateway.Recommend(1000)
		w.d.Gateway.RecommendAtOnce(atOnce)
		var stood atomic.Int32
		w.build(discord.Config{Alone: func(ctx context.Context, _ string, _ func(context.Context) error) error {
			stood.Add(1) // others run them all
			<-ctx.Done()
			return nil
		}}, w.store)
		var longest atomic.Int64
		w.adapter.SetAfter(func(d time.Duration) <-chan time.Time {
			for old := longest.Load(); int64(d) > old && !longest.CompareAndSwap(old, int64(d)); old = longest.Load() {
			}
			return time.After(0)
		})
		w.start()
		for end := time.Now().Add(time.Minute); stood.Load() < 1000 && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		if got := time.Duration(longest.Load()); stood.Load() != 1000 || got > most || got < most*9/10 {
			t.Errorf("%d at once: %d shards are stood for within %s, want 1000 within %s", atOnce, stood.Load(), got, most)
		}
		w.stop()
	}
}
