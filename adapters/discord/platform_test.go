package discord_test

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/adapters/platformtest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game/gametest"
)

func TestPlatform(t *testing.T) {
	platformtest.Run(t, func(t *testing.T, h bot.Host, n bot.Notes) *platformtest.Place {
		d := discordtest.New(t)
		channel := d.Guild("club").Channel("general")
		users := map[bot.PlayerID]*discordtest.User{}
		person := func(name string) bot.User {
			u := d.User(name)
			users[player(u)] = u
			return bot.User{ID: player(u), Name: name}
		}
		p := &platformtest.Place{
			Channel: bot.ChannelID("discord:" + channel.ID), Ann: person("Ann"), Bob: person("Bob"), Registered: true,
			Await: func(holds func() bool) bool {
				for end := time.Now().Add(time.Minute); !holds() && time.Now().Before(end); {
					time.Sleep(time.Millisecond)
				}
				return holds()
			},
		}
		var stop func()
		start := func() {
			a, err := discord.New(discord.Config{
				Host: h, Notes: n, Token: discordtest.Token, API: d.URL, Now: d.Now, Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
			})
			gametest.Must(t, err)
			ctx, cancel := context.WithCancel(context.Background())
			var running sync.WaitGroup
			running.Go(func() {
				if err := a.Run(ctx); err != nil {
					t.Errorf("Run: %v", err)
				}
			})
			stop = func() { cancel(); running.Wait(); a.Wait() }
			p.Adapter = a
			d.Wait("the bot to be there", func() bool { return len(d.Gateway.Shards()) > 0 && d.HasCommands() })
		}
		start()
		t.Cleanup(func() { stop() })
		p.Restart = func() {
			stop()
			d.Wait("the bot to be gone", func() bool { return len(d.Gateway.Shards()) == 0 })
			start()
		}
		p.Type = func(who bot.User, line string) {
			words := strings.Fields(strings.TrimPrefix(line, "/"))
			c, _ := h.Commands().Find(words[0])
			var options []string
			for i, value := range words[1:] {
				options = append(options, c.Options[i].Name, value)
			}
			users[who.ID].Gives(channel, words[0], options...)
		}
		visible := func(who bot.User) []discordtest.Message {
			u := users[who.ID]
			return slices.Concat(u.Sees(channel), u.Sees(u.DM()))
		}
		p.Press = func(who bot.User, label string) {
			for _, m := range slices.Backward(visible(who)) {
				if slices.Contains(m.Labels(), label) {
					users[who.ID].Presses(m, label)
					return
				}
			}
			t.Errorf("%s sees no button %q", who.Name, label)
		}
		p.Sees = func(who bot.User) (all []platformtest.Seen) {
			for _, m := range visible(who) {
				s := platformtest.Seen{Words: m.Content, Buttons: m.Labels(), Picture: len(m.Files) > 0}
				for _, ping := range m.Pings {
					if s.Calls = append(s.Calls, bot.PlayerID("discord:"+ping)); strings.HasPrefix(ping, "@") {
						s.Calls[len(s.Calls)-1] = ""
					}
				}
				all = append(all, s)
			}
			return all
		}
		return p
	})
}
