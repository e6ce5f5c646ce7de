package slack_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game/gametest"
)

// busy returns a workspace with Slack's rate limits, channels in it and the adapter; pass
// advances the clock, like the adapter's waits.
func busy(t testing.TB, channels int) (s *slacktest.Slack, a *slack.Adapter, all []string, pass func(time.Duration) <-chan time.Time) {
	var mu sync.Mutex
	clock := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	now := func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return clock
	}
	pass = func(d time.Duration) <-chan time.Time {
		mu.Lock()
		defer mu.Unlock()
		clock = clock.Add(d)
		return over()
	}
	s = slacktest.New(slacktest.Options{Tiers: true, Now: now})
	t.Cleanup(s.Close)
	a, err := slack.New(slack.Config{
		Host: commandsOnly{}, Notes: memory.New().Notes(slack.Platform), AppToken: slacktest.AppToken, BotToken: slacktest.BotToken, API: s.URL, Now: now, Log: slog.New(slog.DiscardHandler),
	})
	gametest.Must(t, err)
	a.SetAfter(pass)
	for n := range channels {
		all = append(all, fmt.Sprintf("C9%02d", n))
		s.Channel(all[n])
	}
	return s, a, all, pass
}

// busyMoves returns the number of moves in the channels of a busy workspace, which take
// more than a minute.
func busyMoves(channels int) int { return channels * gametest.Rounds(5, 8) }

// TestRateLimitsAreKept checks that a hundred moves a minute in one workspace stay within Slack's rate
// limits, and that in the end all posts except the latest of each channel are folded and
// their pictures deleted.
func TestRateLimitsAreKept(t *testing.T) {
	t.Parallel()
	const channels = 25
	moves := busyMoves(channels)
	s, a, all, pass := busy(t, channels)
	for n := range moves {
		<-pass(600 * time.Millisecond)
		m := bot.Message{
			Key: fmt.Sprint("move-", n), Channel: bot.ChannelID("slack:" + slacktest.Team + "/" + all[n%channels]), Kind: "result", Text: text.Plain(fmt.Sprint("Move ", n)),
			Line: text.Plain("moved"), Picture: &bot.Picture{Alt: text.Plain("a board"), PNG: fmt.Append(nil, "picture ", n)},
		}
		gametest.Must(t, a.Post(context.Background(), m))
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

// TestRateLimitsAreKeptByBoards checks the same for games with one board each, at 60 and at 110 moves a
// minute: in the end each channel has its final board with a call for each move in its thread,
// and nothing was deleted but pictures.
func TestRateLimitsAreKeptByBoards(t *testing.T) {
	for _, aMinute := range []int{60, 110} {
		t.Run(fmt.Sprint(aMinute), func(t *testing.T) {
			t.Parallel()
			const channels = 25
			moves := busyMoves(channels)
			s, a, all, pass := busy(t, channels)
			players := []bot.User{{ID: "slack:" + slacktest.Team + "/U0ANN", Name: "Ann"}, {ID: "slack:" + slacktest.Team + "/U0BOB", Name: "Bob"}}
			for n := range moves {
				<-pass(time.Minute / time.Duration(aMinute))
				whole := text.Plain(fmt.Sprint("Move ", n, " was made."))
				m := bot.Message{
					Key: fmt.Sprint("move-", n), Channel: bot.ChannelID("slack:" + slacktest.Team + "/" + all[n%channels]), Table: bot.TableID(1 + n%channels), Number: n + 1,
					Live: "board", Text: text.Lines(whole, text.Say("{who}, it's your turn.", text.Mention(players[n/channels%2]))), Whole: whole,
					Line: text.Plain("moved"), Picture: &bot.Picture{Alt: text.Plain("a board"), PNG: fmt.Append(nil, "picture ", n)},
				}
				gametest.Must(t, a.Post(context.Background(), m.In(nil)))
			}
			a.Wait()
			if refused := s.Limited(); len(refused) > 0 {
				t.Errorf("calls were refused: %v", refused)
			}
			for i, ch := range all {
				messages := s.Messages(ch)
				if len(messages) != moves/channels {
					t.Errorf("%s has %d messages: %s", ch, len(messages), said(messages))
					continue
				}
				last := fmt.Sprint("Move ", moves-channels+i, " ")
				if board, call := messages[0], messages[len(messages)-1]; !board.Shows() || !strings.Contains(board.Said(), last) || call.Shows() || !strings.Contains(call.Said(), "it's your turn") {
					t.Errorf("%s has the board %q and the call %q", ch, board.Said(), call.Said())
				}
			}
			if n := s.Files(); n != channels {
				t.Errorf("%d files are left, want one a channel, %d", n, channels)
			}
			calls := 0
			for method, times := range s.Requests() {
				if strings.Contains(method, ".") {
					calls += times
				}
			}
			if a, deleted := float64(calls)/float64(moves), s.Calls("chat.delete"); a > 5 || deleted > 0 {
				t.Errorf("%.1f calls a move, want at most 5, and %d messages were deleted", a, deleted)
			}
			for _, c := range s.Complaints() {
				t.Errorf("Slack complains: %s", c)
			}
		})
	}
}
