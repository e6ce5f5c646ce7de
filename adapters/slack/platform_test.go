package slack_test

import (
	"context"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/platformtest"
	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game/gametest"
)

func TestPlatform(t *testing.T) {
	platformtest.Run(t, func(t *testing.T, h bot.Host, n bot.Notes) *platformtest.Place {
		s := slacktest.New(slacktest.Options{})
		person := func(id, name string) bot.User {
			return bot.User{ID: bot.PlayerID("slack:" + slacktest.Team + "/" + id), Name: name}
		}
		idOf := func(who bot.User) string { return string(who.ID[strings.LastIndex(string(who.ID), "/")+1:]) }
		p := &platformtest.Place{
			Channel: bot.ChannelID("slack:" + slacktest.Team + "/" + games), Ann: person(ann, "Ann"), Bob: person(bob, "Bob"),
			Await: s.Await,
		}
		var stop func()
		start := func() {
			a, err := slack.New(slack.Config{
				Host: nudging{h, s}, Notes: n, AppToken: slacktest.AppToken, BotToken: slacktest.BotToken, API: s.URL, Now: time.Now,
				Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
			})
			gametest.Must(t, err)
			a.SetGap(0)
			ctx, cancel := context.WithCancel(context.Background())
			var running sync.WaitGroup
			running.Go(func() {
				if err := a.Run(ctx); err != nil {
					t.Errorf("Run: %v", err)
				}
			})
			stop = func() { cancel(); running.Wait(); a.Wait() }
			p.Adapter = a
			if !s.Await(func() bool { return s.Connected() == 1 }) {
				t.Fatal("no connection")
			}
		}
		start()
		t.Cleanup(func() {
			stop()
			s.Close()
			for _, c := range s.Complaints() {
				t.Errorf("Slack complains: %s", c)
			}
		})
		p.Restart = func() { stop(); s.Await(func() bool { return s.Connected() == 0 }); start() }
		var last slacktest.Command
		p.Type = func(who bot.User, line string) {
			last = s.Type(idOf(who), games, "/rackmate", strings.TrimPrefix(line, "/"))
			if _, err := s.Send("slash_commands", map[string]any(last)); err != nil {
				t.Error(err)
			}
		}
		p.Again = func() {
			if _, err := s.Send("slash_commands", map[string]any(last)); err != nil {
				t.Error(err)
			}
		}
		visible := func(who bot.User) []slacktest.Message {
			return slices.Concat(s.Messages(games), s.Direct(idOf(who)), s.Private(idOf(who)))
		}
		p.Press = func(who bot.User, label string) {
			for _, m := range slices.Backward(visible(who)) {
				if slices.Contains(slacktest.Labels(m.Blocks), label) {
					if err := s.Press(idOf(who), m, label, nil); err != nil {
						t.Error(err)
					}
					return
				}
			}
			t.Errorf("%s sees no button %q", who.Name, label)
		}
		p.Sees = func(who bot.User) (all []platformtest.Seen) {
			for _, m := range visible(who) {
				words := m.Said()
				seen := platformtest.Seen{Words: words, Buttons: slacktest.Labels(m.Blocks), Picture: m.Shows()}
				for _, call := range mentions.FindAllStringSubmatch(words, -1) {
					switch {
					case strings.HasPrefix(call[1], "!"):
						seen.Calls = append(seen.Calls, "")
					default:
						seen.Calls = append(seen.Calls, person(call[1][1:], "").ID)
					}
				}
				all = append(all, seen)
			}
			return all
		}
		return p
	})
}

// mentions matches mentions of people and of groups.
var mentions = regexp.MustCompile(`<(@\w+|!(?:channel|here|everyone|subteam)\b)[^>]*>`)

// A nudging is a host that makes the stand-in check its waits after each request.
type nudging struct {
	bot.Host
	s *slacktest.Slack
}

func (n nudging) Handle(ctx context.Context, req bot.Request) bot.Reply {
	defer n.s.Nudge()
	return n.Host.Handle(ctx, req)
}
