package discord_test

import (
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord/discordtest"
)

// TestPin pins a channel's list of games: Discord says which permission is missing, whether the
// message is gone, and that the channel is full.
func TestPin(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ann.Gives(w.channel, "settings", "more", "for:channel overview:on").Answer()
	m := w.channel.Posts(1)[0]
	if !m.Says("No game is on here") {
		t.Fatalf("instead of the list of games there is %q", m.Content)
	}
	if !m.Silent {
		t.Error("the list notifies people")
	}
	w.bob.ManagesNothing()
	if got := w.bob.Presses(m, "Pin").Answer(); !got.Says("Only managers of this channel can set that.") {
		t.Errorf("Bob doesn't manage the server, and reads %q", got.Content)
	}
	if got := w.ann.Presses(m, "Pin").Answer(); !got.Says("Grant me Pin Messages in this channel, then press Pin again.") {
		t.Errorf("without the permission: %q", got.Content)
	}
	w.d.Fail(discordtest.Fault{Request: "PUT /channels/", Times: 1, Status: 400, Code: 30003})
	if got := w.ann.Presses(m, "Pin").Answer(); !got.Says("as many pinned messages as Discord allows") {
		t.Errorf("where the channel is full: %q", got.Content)
	}
	if w.d.Message(m.ID).Pinned {
		t.Error("it is pinned without the permission")
	}
	w.channel.Grant(discordtest.ViewChannel | discordtest.SendMessages | discordtest.AttachFiles | discordtest.PinMessages)
	if got := w.ann.Presses(m, "Pin").Answer(); !got.Says("The list of games is pinned.") || !w.d.Message(m.ID).Pinned {
		t.Errorf("with the permission: %q", got.Content)
	}
	w.ann.Gives(w.channel, "settings", "more", "for:channel daily:9:00 zone:Europe/Berlin").Answer()
	w.settled()
	w.d.Advance(2 * time.Minute)
	w.ann.Gives(w.channel, "settings", "more", "for:channel overview:on").Answer()
	w.settled()
	m = w.d.Message(m.ID)
	if got := w.bob.Presses(m, "Today's board").Answer(); !got.Says("Your rack") || !got.Private() {
		t.Errorf("today's board: %q", got.Content)
	}
	w.d.Delete(m)
	if got := w.ann.Gives(w.channel, "settings", "more", "for:channel overview:pin").Answer(); !got.Says("That message isn't here any more.") {
		t.Errorf("once it is deleted: %q", got.Content)
	}
}
