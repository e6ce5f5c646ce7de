package slack_test

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/slack/internal/standin"
)

// Somebody alone plays a robot: it answers in the channel, and nothing is sent
// to it, nor is it mentioned.
func TestRobot(t *testing.T) {
	w := newWorld(t, standin.Options{})
	w.slash(ann, "/new", "robots:beginner")
	w.post("it's your turn")
	w.slash(ann, "/pass", "")
	w.await("the robot's answer", func() bool {
		all := said(w.s.Messages(games))
		return strings.Count(all, "Beginner (robot) ") >= 3 && strings.Count(all, "it's your turn") >= 1
	})
	if got := w.slash(ann, "/hint", ""); !strings.Contains(got.Said()+got.Text, "find") && !strings.Contains(got.Said()+got.Text, "exchange") {
		t.Errorf("a hint: %q", got.Said()+got.Text)
	}
	if got := w.slash(ann, "/pattern", "q*"); !strings.Contains(got.Said()+got.Text, "QUIZ") {
		t.Errorf("a pattern: %q", got.Said()+got.Text)
	}
	if c := w.s.Complaints(); len(c) > 0 {
		t.Errorf("complaints: %v", c)
	}
}
