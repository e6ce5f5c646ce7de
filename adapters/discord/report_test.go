package discord_test

import (
	"testing"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/discord/standin"
	"github.com/rackmate/rackmate/game"
)

// The menu of a message reports it, whoever wrote it, to those who manage the
// server, with its address.
func TestReportMessage(t *testing.T) {
	w := newWorld(t)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	w.ann.Gives(w.channel, "pass").Answer()
	ours := w.channel.Posts(1)[0]
	theirs := w.d.Writes(w.bob, w.channel, "Something rude")
	for _, c := range []struct {
		name  string
		on    standin.Message
		block bool
	}{{"ours", ours, false}, {"Bob's", theirs, true}} {
		got := w.eve.OpensMenuOn(w.channel, c.on, discord.ReportMenu).Answer()
		if !got.Private() || !got.Says("Thank you.") || (len(got.Labels()) == 1) != c.block {
			t.Errorf("%s: told %q, with %q", c.name, got.Content, got.Labels())
		}
		desk := w.ann.Gives(w.channel, "order").Answer()
		if see := w.ann.Presses(desk, desk.Labels()[0]).Answer(); !c.block && !see.Says("/"+w.channel.ID+"/"+c.on.ID) {
			t.Errorf("%s: the report says %q", c.name, see.Content)
		}
	}
}
