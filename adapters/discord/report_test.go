package discord_test

import (
	"testing"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/game"
)

// TestMessageMenuReports checks that a message's menu reports it with its address to the
// managers of the server, no matter who wrote it.
func TestMessageMenuReports(t *testing.T) {
	w := newWorld(t)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	w.ann.Gives(w.channel, "pass", "sure", "true").Answer()
	ours := w.channel.Posts(1)[0]
	theirs := w.d.Writes(w.bob, w.channel, "Something rude")
	for _, c := range []struct {
		name  string
		on    discordtest.Message
		block bool
	}{{"ours", ours, false}, {"Bob's", theirs, true}} {
		got := w.eve.OpensMenuOn(w.channel, c.on, discord.ReportMenu).Answer()
		if !got.Private() || !got.Says("Thank you.") || (len(got.Labels()) == 1) != c.block {
			t.Errorf("%s: told %q, with %q", c.name, got.Content, got.Labels())
		}
		desk := w.ann.Gives(w.channel, "reports").Answer()
		if see := w.ann.Presses(desk, desk.Labels()[0]).Answer(); !c.block && !see.Says("/"+w.channel.ID+"/"+c.on.ID) {
			t.Errorf("%s: the report says %q", c.name, see.Content)
		}
	}
}

// TestReportReachesManagers checks that a report reaches the managers of the server by
// direct message, even without a table: once until they have read it, and a new manager
// when they use the bot. No one else can read the message.
func TestReportReachesManagers(t *testing.T) {
	w := newWorld(t)
	w.bob.ManagesNothing()
	w.eve.ManagesNothing()
	lobby := w.guild.Channel("lobby")
	report := func(note, answer string) {
		t.Helper()
		if got := w.eve.Gives(lobby, "report", "who", w.bob.ID, "note", note).Answer(); !got.Says(answer) {
			t.Errorf("%s: answered %q, want %q", note, got.Content, answer)
		}
	}
	w.d.Fail(discordtest.Fault{Request: "GET /guilds/" + w.guild.ID, Times: 1, Status: 403, Code: 50001})
	report("nobody is known", "please tell them yourself")
	w.ann.Gives(lobby, "help").Answer()
	met := w.ann.DM().Posts(1)[0]
	if !met.Says("Something was reported") || !met.Says("<#"+lobby.ID+">") || met.Says("Bob") || met.Says("known") {
		t.Errorf("Ann is told %q", met.Content)
	}
	report("she hasn't looked", "have been told")
	w.ann.Gives(lobby, "reports").Answer()
	report("she has looked", "have been told")
	second := w.ann.DM().Posts(2)[1]
	if got := w.bob.Gives(lobby, "reports").Answer(); !got.Says("Only moderators") {
		t.Errorf("Bob, who manages nothing, is told %q", got.Content)
	}
	if got := w.ann.Presses(second, "Stop telling me").Answer(); !got.Says("any more") {
		t.Errorf("answered %q", got.Content)
	}
	w.ann.Gives(lobby, "reports").Answer()
	report("she wants none", "please tell them yourself")
	w.ann.Presses(w.ann.Presses(second, "Stop telling me").Answer(), "Tell me again").Answer()
	report("she wants it again", "have been told")
	w.ann.DM().Posts(3)
	told := 0
	for _, m := range w.ann.Sees(w.ann.DM()) {
		if m.Says("Something was reported") {
			told++
		}
	}
	if told != 3 {
		t.Errorf("Ann was told %d times, want 3", told)
	}
}

// TestReportReachesOwner checks that a report from a server whose managers have never used
// the bot reaches its owner, who can decline.
func TestReportReachesOwner(t *testing.T) {
	w := newWorld(t)
	w.guild.BelongsTo(w.ann)
	report := func(by, about *discordtest.User, answer string) {
		t.Helper()
		if got := by.Gives(w.channel, "report", "who", about.ID).Answer(); !got.Says(answer) {
			t.Errorf("answered %q, want %q", got.Content, answer)
		}
	}
	w.bob.ManagesNothing()
	w.eve.ManagesNothing()
	report(w.eve, w.bob, "have been told")
	told := w.ann.DM().Posts(1)[0]
	if !told.Says("Something was reported") {
		t.Errorf("Ann is told %q", told.Content)
	}
	report(w.eve, w.ann, "please tell them yourself")
	w.ann.Presses(told, "Stop telling me").Answer()
	report(w.bob, w.eve, "please tell them yourself")
}
