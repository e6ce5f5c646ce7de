package slack_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game/gametest"
)

// commandsOnly is a host that only lists its commands.
type commandsOnly struct{ bot.Host }

func (commandsOnly) Commands() bot.Commands { return features.Commands() }

func (commandsOnly) LocaleFor(context.Context, bot.Request) *text.Locale { return nil }

func (commandsOnly) MemberRenamed(context.Context, string, bot.User) error { return nil }

// TestProcessesShareChannelRate checks that all processes together post at most one message a
// second in a channel, even if each of its threads belongs to another process.
func TestProcessesShareChannelRate(t *testing.T) {
	s := slacktest.New(slacktest.Options{})
	defer s.Close()
	notes := memory.New().Notes(slack.Platform)
	var mu sync.Mutex
	clock := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	now := func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return clock
	}
	pass := func(d time.Duration) <-chan time.Time {
		mu.Lock()
		defer mu.Unlock()
		clock = clock.Add(d)
		over := make(chan time.Time, 1)
		over <- clock
		return over
	}
	process := func() *slack.Adapter {
		a, err := slack.New(slack.Config{
			Host: commandsOnly{}, Notes: notes, AppToken: slacktest.AppToken, BotToken: slacktest.BotToken, API: s.URL, Now: now, Log: slog.New(slog.DiscardHandler),
			Shared: true,
		})
		gametest.Must(t, err)
		a.SetAfter(pass)
		return a
	}
	both := []*slack.Adapter{process(), process()}
	began := now()
	for n := range 6 {
		ch := bot.ChannelID(fmt.Sprintf("slack:%s/%s/1700000000.00010%d", slacktest.Team, games, n%2))
		gametest.Must(t, both[n%2].Post(t.Context(), bot.Message{Key: fmt.Sprint("k", n), Channel: ch, Text: text.Text{{Text: "Hello"}}}))
		if took := now().Sub(began); took < time.Duration(n)*time.Second {
			t.Errorf("message %d was posted after %s", n+1, took)
		}
	}
}

// TestEachProcessConnects checks that each process has a connection of its own, so that
// nothing waits when one ends.
func TestEachProcessConnects(t *testing.T) {
	s := slacktest.New(slacktest.Options{})
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	for range 2 {
		a, err := slack.New(slack.Config{
			Host: commandsOnly{}, Notes: memory.New().Notes(slack.Platform), AppToken: slacktest.AppToken, BotToken: slacktest.BotToken, API: s.URL, Now: time.Now,
			Log: slog.New(slog.DiscardHandler), Shared: true,
			Alone: func(context.Context, string, func(context.Context) error) error { return nil }, // another process has each job
		})
		gametest.Must(t, err)
		running.Go(func() { gametest.Must(t, a.Run(ctx)) })
	}
	if !s.Await(func() bool { return s.Connected() == 2 }) {
		t.Errorf("there are %d connections", s.Connected())
	}
	cancel()
	running.Wait()
}
