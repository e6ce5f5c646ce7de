package slack_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestDailyPostsOneMessageADay posts daily boards: one message a day, which is edited once after one
// person has played.
func TestDailyPostsOneMessageADay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, slacktest.Options{})
	later := func(d time.Duration) {
		w.later(d)
		w.host.Rouse("")
	}
	now := w.now().UTC()
	later(time.Date(now.Year(), now.Month(), now.Day()+1, 12, 0, 0, 0, time.UTC).Sub(now)) // after the hour of the daily board
	w.slash(ann, "/rm", "settings for:channel daily:9:00 zone:Europe/Berlin")
	posted := func() (boards []slacktest.Message) {
		for _, m := range w.s.Messages(games) {
			if strings.Contains(m.Said(), "Daily board") {
				boards = append(boards, m)
			}
		}
		return boards
	}
	tries := func() {
		t.Helper()
		who := bot.User{ID: game.PlayerID("slack:" + slacktest.Team + "/" + ann)}
		for word := range strings.FieldsSeq(strings.ToLower(gametest.SmallList)) {
			req := bot.Request{ID: "plays", Channel: bot.ChannelID("slack:" + slacktest.Team + "/" + games), User: who, Command: "daily", Args: map[string]string{"word": word}}
			for _, at := range w.host.Complete(t.Context(), req, "at") {
				if said := w.slash(ann, "/rm", "daily "+word+" "+at.Value).Said(); strings.Contains(said, "left") || strings.Contains(said, "found the best play") {
					return
				}
			}
		}
		t.Fatal("there is nothing to play")
	}
	days := gametest.Rounds(2, 30)
	for day := 1; day <= days; day++ {
		w.await(fmt.Sprintf("the board of day %d", day), func() bool { return len(posted()) >= day })
		tries()
		later(6 * time.Minute)
		w.await("the board to say that somebody has played", func() bool {
			all := posted()
			return strings.Contains(all[len(all)-1].Said(), "1 person has played")
		})
		if day < days {
			later(24*time.Hour - 6*time.Minute)
		}
	}
	if n, edits := len(posted()), w.s.Calls("chat.update"); n != days || edits != days {
		t.Errorf("%d days have %d messages and %d edits", days, n, edits)
	} else {
		t.Logf("%d messages, %d edits", n, edits)
	}
}

// TestDailyFormShowsBoard checks that the form for a try shows the board of the day and its
// rack.
func TestDailyFormShowsBoard(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	gametest.Must(t, w.s.Press(ann, w.slash(ann, "/rm", "daily"), "Try a play", nil))
	form := w.form(ann, "Daily")
	w.await("the board", func() bool {
		form, _ = w.s.View(form.ID, ann)
		return slices.ContainsFunc(form.Blocks, func(b map[string]any) bool { return b["type"] == "image" })
	})
	if !strings.Contains(form.Text(), "Your rack: *") || fields(form) != 2 || strings.Contains(form.Text(), "/rackmate") {
		t.Errorf("the form says %s", form.Text())
	}
	if mistakes, err := w.s.Submit(form, map[string]any{"word": "zzzzz"}); err != nil || mistakes["word"] == "" {
		t.Errorf("mistakes are %v (%v)", mistakes, err)
	}
}
