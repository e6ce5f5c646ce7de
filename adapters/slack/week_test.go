package slack_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestWeekInOneChannel checks that a week of one channel, with a league of eight, three games a day
// and the daily board, leaves at most two messages a day beside the games' own boards, and that each
// turn rings once.
func TestWeekInOneChannel(t *testing.T) {
	t.Parallel()
	w := newWorld(t, slacktest.Options{Ready: time.Millisecond})
	w.stop()
	w.whole = true
	w.start()
	week := featuretest.Week{
		T: t, Host: w.host, Store: w.db, Channel: bot.ChannelID("slack:" + slacktest.Team + "/" + games), Home: "slack:" + slacktest.Team,
		Later: func(d time.Duration) {
			for step := min(d, 10*time.Minute); d > 0; d -= step {
				w.later(step)
				w.host.Rouse("")
				w.host.Rouse(slack.Platform)
				w.settled()
			}
		},
	}
	for n := range 12 {
		id := fmt.Sprintf("U0P%02d", n+1)
		w.s.Invent(id, games)
		week.People = append(week.People, bot.User{ID: bot.PlayerID("slack:" + slacktest.Team + "/" + id), Name: id})
	}
	days := gametest.Rounds(3, 7)
	week.Plays(days)
	played, turns := week.Counts()
	rings, beside, boards := 0, []string{}, map[string]bool{}
	all := w.s.Messages(games)
	for _, m := range all {
		if boards[m.Thread] = true; m.Thread != "" && strings.Contains(m.Said(), "it's your turn") {
			rings += strings.Count(m.Said(), "<@")
		}
	}
	for _, m := range all {
		if m.Thread == "" && !boards[m.TS] {
			beside = append(beside, m.Said())
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
