package discord_test

import (
	"slices"
	"testing"
)

// TestSetup sets a server up from the reply to a manager's first table, without a typed character.
func TestSetup(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.bob.ManagesNothing()
	other := w.guild.Channel("talk")
	if got := w.bob.Gives(w.channel, "new", "seats", "2").Answer(); slices.Contains(got.Labels(), "Set up") {
		t.Errorf("Bob doesn't manage the server, and reads %q", got.Content)
	}
	w.bob.Gives(w.channel, "leave").Answer()
	offer := w.ann.Gives(w.channel, "new", "seats", "2").Answer()
	choices := w.now(w.ann.Presses(offer, "Set up").Answer())
	if !choices.Says(`America/New\_York`) {
		t.Errorf("an American's zone isn't said: %q", choices.Content)
	}
	choices = w.now(w.ann.Chooses(choices, "Only in this channel").Answer())
	if !choices.Says("Games are played only in this channel now.") {
		t.Fatalf("the place: %q", choices.Content)
	}
	if got := w.ann.Chooses(choices, "9:00").Answer(); !got.Says(`A board is posted here each day at 9:00, America/New\_York.`) {
		t.Errorf("the hour: %q", got.Content)
	}
	if got := w.bob.Gives(other, "new", "seats", "2").Answer(); !got.Says("Games can't be played in this channel") {
		t.Errorf("elsewhere: %q", got.Content)
	}
	if got := w.eve.Gives(w.channel, "new", "robots", "beginner").Answer(); slices.Contains(got.Labels(), "Set up") {
		t.Errorf("it is offered again: %q", got.Content)
	}
}
