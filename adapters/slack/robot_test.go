package slack_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestPlayAgainstRobot lets a person play a robot: it answers in the channel, and is neither sent
// messages nor mentioned.
func TestPlayAgainstRobot(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.slash(ann, "/new", "robots:beginner")
	w.post("it's your turn")
	w.slash(ann, "/pass", "sure:yes")
	w.await("the robot's answer", func() bool {
		all := said(w.s.Messages(games))
		return strings.Count(all, "Beginner (robot) ") >= 3 && strings.Count(all, "it's your turn") >= 1
	})
	// Answers arrive among the racks sent in the meantime, and it may still be the robot's
	// turn.
	asks := func(command, text string, wants ...string) {
		gametest.Must(t, w.s.Slash(ann, games, command, text))
		w.await("the answer to "+command, func() bool {
			all := said(w.s.Private(ann))
			return slices.ContainsFunc(wants, func(want string) bool { return strings.Contains(all, want) })
		})
	}
	asks("/hint", "", "Best play", "find", "exchange", "It's Beginner (robot)'s turn")
	asks("/pattern", "q*", "QUIZ")
	if c := w.s.Complaints(); len(c) > 0 {
		t.Errorf("complaints: %v", c)
	}
}
