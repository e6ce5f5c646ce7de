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
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/bot/text"
)

// A hundred moves a minute in one workspace keep to the tiers of Slack's methods, and
// all posts but the latest of each channel are folded in the end, their pictures gone.
func TestTiers(t *testing.T) {
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
		return over()
	}
	s := slacktest.New(slacktest.Options{Tiers: true, Now: now})
	defer s.Close()
	a, err := slack.New(slack.Config{
		Host: commandsOnly{}, Notes: memory.New().Notes(slack.Platform), AppToken: slacktest.AppToken, BotToken: slacktest.BotToken, API: s.URL, Now: now, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	a.SetAfter(pass)
	const channels, moves = 25, 200
	var all []string
	for n := range channels {
		all = append(all, fmt.Sprintf("C9%02d", n))
		s.Channel(all[n])
	}
	for n := range moves {
		<-pass(600 * time.Millisecond)
		m := bot.Message{
			Key: fmt.Sprint("move-", n), Channel: bot.ChannelID("slack:" + slacktest.Team + "/" + all[n%channels]), Kind: "result", Text: text.Plain(fmt.Sprint("Move ", n)),
			Line: text.Plain("moved"), Picture: &bot.Picture{Alt: text.Plain("a board"), PNG: []byte(fmt.Sprint("picture ", n))},
		}
		if err := a.Post(context.Background(), m); err != nil {
			t.Fatal(err)
		}
	}
	a.Wait()
	if refused := s.Limited(); len(refused) > 0 {
		t.Errorf("calls were refused: %v", refused)
	}
	shown := 0
	for _, ch := range all {
		messages := s.Messages(ch)
		for i, m := range messages {
			if folded := m.Said() == "moved\n"; folded != (i < len(messages)-1) {
				t.Errorf("message %d of %d in %s says %q", i, len(messages), ch, m.Said())
			}
			if m.Shows() {
				shown++
			}
		}
	}
	if n := s.Files(); shown != channels || n != channels {
		t.Errorf("%d posts show a picture, of %d files; want one a channel, %d", shown, n, channels)
	}
	for _, c := range s.Complaints() {
		t.Errorf("Slack complains: %s", c)
	}
}
