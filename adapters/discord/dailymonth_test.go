package discord_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestDailyPostsOneMessageADay posts daily boards day by day: one message a day, which is edited once
// after one person has played.
func TestDailyPostsOneMessageADay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	later := func(d time.Duration) {
		w.d.Advance(d)
		w.host.Rouse("")
		w.host.Rouse(discord.Platform)
	}
	now := w.d.Now().UTC()
	later(time.Date(now.Year(), now.Month(), now.Day()+1, 12, 0, 0, 0, time.UTC).Sub(now)) // after the hour of the daily board
	w.ann.Gives(w.channel, "settings", "for", "channel", "daily", "9:00", "zone", "Europe/Berlin").Answer()
	tries := func() {
		t.Helper()
		for word := range strings.FieldsSeq(strings.ToLower(gametest.SmallList)) {
			req := bot.Request{ID: "plays", Channel: bot.ChannelID("discord:" + w.channel.ID), User: bot.User{ID: game.PlayerID("discord:" + w.ann.ID)}, Command: "daily", Args: map[string]string{"word": word}}
			for _, at := range w.host.Complete(t.Context(), req, "at") {
				if said := w.ann.Gives(w.channel, "daily", "word", word, "at", at.Value).Answer(); said.Says("left") || said.Says("found the best play") {
					return
				}
			}
		}
		t.Fatal("there is nothing to play")
	}
	days := gametest.Rounds(2, 10) // thirty would take 30 messages and 30 edits, and more than a minute
	for day := 1; day <= days; day++ {
		board := w.channel.Posts(day)[day-1]
		tries()
		later(6 * time.Minute)
		w.once(board, "somebody has played", func(m discordtest.Message) bool { return m.Says("1 person has played") })
		if day < days {
			later(24*time.Hour - 6*time.Minute)
		}
	}
	edits := len(w.d.Requests("PATCH /channels/" + w.channel.ID + "/messages/"))
	if n := len(w.channel.Posts(days)); n != days || edits != days {
		t.Errorf("%d days have %d messages and %d edits", days, n, edits)
	} else {
		t.Logf("%d messages, %d edits", n, edits)
	}
}

// TestTryButtonAsksForPlay checks that Try a play, under the daily board, asks for a play and
// submits it as a try.
func TestTryButtonAsksForPlay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	board := w.ann.Gives(w.channel, "daily").Answer()
	form := w.ann.Presses(board, "Try a play")
	if _, inputs := form.Form(); !slices.Equal(inputs, []string{"word", "at"}) {
		t.Fatalf("it asks for %q", inputs)
	}
	if got := w.ann.Fills(form, "word", "qqq", "at", "8h").Answer(); got.Says("open until") {
		t.Errorf("a play is answered with the board: %q", got.Content)
	}
}
