package slack_test

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/slack/standin"
)

// The menu of a message reports it, whoever wrote it, to those who manage the
// workspace, with its address.
func TestReportMessage(t *testing.T) {
	w := newWorld(t, standin.Options{})
	w.deal("")
	post := w.post("it's your turn")
	for author, says := range map[string]string{"": "Thank you.", cat: "block them"} {
		before := len(w.s.Private(bob))
		if err := w.s.ShortcutOf(bob, post, "report", author); err != nil {
			t.Fatal(err)
		}
		if got := w.answer(bob, before); !strings.Contains(got.Said(), says) {
			t.Errorf("told %q", got.Said())
		}
	}
	desk := w.slash(ann, "/rackmate", "order")
	if err := w.s.Press(ann, desk, standin.Labels(desk.Blocks)[0], nil); err != nil {
		t.Fatal(err)
	}
	w.await("the report, with the message's address", func() bool {
		return strings.Contains(said(w.s.Private(ann)), "/"+games+"-"+post.TS)
	})
}
