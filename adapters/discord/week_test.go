package discord_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestWeekInOneChannel checks that a week of one channel, with a league of eight, three games a day
// and the daily board, leaves at most two messages a day beside the games' own boards, and that each
// turn rings once.
func TestWeekInOneChannel(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(w *world) { w.whole = true })
	week := featuretest.Week{
		T: t, Host: w.host, Store: w.store, Channel: bot.ChannelID("discord:" + w.channel.ID), Home: "discord:" + w.guild.ID,
		Later: func(d time.Duration) {
			for step := min(d, 10*time.Minute); d > 0; d -= step {
				w.d.Advance(step)
				w.host.Rouse("")
				w.host.Rouse(discord.Platform)
				w.settled()
			}
		},
	}
	for n := range 12 {
		u := w.d.User(fmt.Sprint("Player ", n+1))
		week.People = append(week.People, bot.User{ID: player(u), Name: u.Name})
	}
	days := gametest.Rounds(3, 7)
	week.Plays(days)
	played, turns := week.Counts()
	rings, beside := 0, []string{}
	for _, m := range w.channel.Posts(0) {
		thread := w.d.Thread(m)
		if thread == nil {
			beside = append(beside, m.Content)
			continue
		}
		for _, call := range thread.Posts(0) {
			if strings.Contains(call.Content, "it's your turn") {
				rings += len(call.Pings)
			}
		}
	}
	t.Logf("%d days have %d games with %d turns, %d rings, and %d messages beside the boards", days, played, turns, rings, len(beside))
	if len(beside) > 2*days {
		t.Errorf("beside the boards there are %d messages:\n%s", len(beside), strings.Join(beside, "\n---\n"))
	}
	if rings != turns {
		t.Errorf("%d turns rang %d times", turns, rings)
	}
}
