package slack_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestMessageMenuReports checks that a message's menu reports it with its address to the
// managers of the workspace, no matter who wrote it.
func TestMessageMenuReports(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.deal("")
	post := w.post("it's your turn")
	for author, says := range map[string]string{"": "Thank you.", cat: "block them"} {
		before := len(w.s.Private(bob))
		gametest.Must(t, w.s.ShortcutOf(bob, post, "report", author))
		if got := w.answer(bob, before); !strings.Contains(got.Said(), says) {
			t.Errorf("told %q", got.Said())
		}
	}
	desk := w.slash(ann, "/rackmate", "order")
	gametest.Must(t, w.s.Press(ann, desk, slacktest.Labels(desk.Blocks)[0], nil))
	w.await("the report, with the message's address", func() bool {
		return strings.Contains(said(w.s.Private(ann)), "/"+games+"-"+post.TS)
	})
}

// TestReportReachesAdmins checks that a report reaches the workspace's admins by direct
// message, once until they have read it, even after a crash. It doesn't quote the reported
// message.
func TestReportReachesAdmins(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.slash(ann, "/rackmate", "help")
	w.s.Fail("chat.postMessage", slacktest.Fault{Error: "internal_error"})
	for _, says := range []string{"have been told", "have been told"} {
		if got := w.slash(bob, "/rackmate", "report <@"+cat+"> rude"); !strings.Contains(got.Said(), says) {
			t.Errorf("answered %q", got.Said())
		}
	}
	w.restart(time.Hour)
	w.await("a direct message to Ann", func() bool { return len(w.s.Direct(ann)) > 0 })
	told := w.s.Direct(ann)[0]
	if got := told.Said(); !strings.Contains(got, "Something was reported") || !strings.Contains(got, "/rackmate reports") || strings.Contains(got, cat) {
		t.Errorf("Ann is told %q", got)
	}
	w.press(ann, told, "Stop telling me", nil)
	if n := len(w.s.Direct(ann)); n != 1 {
		t.Errorf("Ann has %d direct messages: %s", n, said(w.s.Direct(ann)))
	}
}
