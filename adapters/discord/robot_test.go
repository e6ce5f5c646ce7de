package discord_test

import (
	"strings"
	"testing"
)

// TestPlayAgainstRobot lets a person play a robot: it answers in the channel, and is neither sent
// messages nor mentioned.
func TestPlayAgainstRobot(t *testing.T) {
	w := newWorld(t)
	if got := w.ann.Gives(w.channel, "new", "robots", "beginner").Answer(); !got.Says("Your rack") {
		t.Fatalf("told %q", got.Content)
	}
	w.ann.Gives(w.channel, "pass", "sure", "true").Answer() // refused while it is the robot's turn
	for _, m := range w.channel.Posts(2) {
		if strings.Contains(m.Content, "<@robot") {
			t.Errorf("a robot is mentioned: %q", m.Content)
		}
	}
	if got := w.ann.Gives(w.channel, "hint").Answer(); !got.Says("find") && !got.Says("Best play") && !got.Says("exchange") && !got.Says("to move") && !got.Says("turn") {
		t.Errorf("a hint: %q", got.Content)
	}
	if got := w.ann.Gives(w.channel, "pattern", "pattern", "q*").Answer(); !got.Says("QUIZ") {
		t.Errorf("a pattern: %q", got.Content)
	}
}

// TestRobotTurnsNotifyOnlyMentions checks that around a robot's turn only mentions cause notifications.
func TestRobotTurnsNotifyOnlyMentions(t *testing.T) {
	w := newWorld(t)
	w.ann.Gives(w.channel, "settings", "ping", "silent").Answer()
	w.ann.Gives(w.channel, "new", "robots", "beginner").Answer()
	w.ann.Gives(w.channel, "pass", "sure", "true").Answer()
	posts := w.channel.Posts(2)
	for _, m := range posts[1:] { // the first announces the game
		if len(m.Pings) == 0 && !m.Silent {
			t.Errorf("it calls nobody and sounds a bell: %q", m.Content)
		}
	}
	people := w.guild.Channel("people")
	w.bob.Gives(people, "new", "seats", "3").Answer()
	if people.Posts(1)[0].Silent {
		t.Error("a new table is announced in silence")
	}
}
