package discord_test

import (
	"context"
	"slices"
	"testing"

	"github.com/rackmate/rackmate/adapters/discord"
)

// Shards are run by whoever is elected to each, and by nobody else.
func TestShardsAreElected(t *testing.T) {
	w := newDiscord(t)
	w.d.Gateway.Recommend(3)
	stood := make(chan string, 3)
	w.build(discord.Config{Alone: func(ctx context.Context, job string, run func(context.Context) error) error {
		stood <- job
		if job == "discord shard 1/3" { // another process has it
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
