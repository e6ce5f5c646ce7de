package web_test

import (
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// waits returns what the home shows about people who wait for an opponent.
func (v *visitor) waits() (out struct {
	Waiting bool
	Seeks   []struct{ Name string }
}) {
	v.site.t.Helper()
	decode(v.site.t, v.do("POST", "/api/games", obj{}), &out)
	return out
}

// Ann waits for any opponent, and Bob comes. They are paired at a table with a clock, and
// both are notified. No one waits afterwards.
func TestWaiterIsPaired(t *testing.T) {
	s := open(t)
	server := serve(t, s)
	ann, bob := s.enter("Ann"), s.enter("Bob")
	ears := ann.listen(server)
	next[greeting](ears, "hello")
	if out := call[obj](ann, "wait", obj{"id": newID()}); out["stream"] != nil {
		t.Fatalf("Ann plays with %v before anybody came", out)
	}
	if w := ann.waits(); !w.Waiting || len(w.Seeks) != 0 {
		t.Errorf("Ann is told %+v", w)
	}
	if w := bob.waits(); w.Waiting || len(w.Seeks) != 1 || w.Seeks[0].Name != "Ann" {
		t.Errorf("Bob is told %+v", w)
	}
	table := call[struct{ Stream string }](bob, "wait", obj{"id": newID()}).Stream
	if told := next[struct{ Stream string }](ears, "paired"); table == "" || told.Stream != table {
		t.Errorf("Ann is led to %q, Bob to %q", told.Stream, table)
	}
	if open := s.host.requests[0]; open.Command != "new" || open.User.ID != ann.user().ID || open.Args["clock"] != "15m" || open.Channel != bot.ChannelID("web:"+table) {
		t.Errorf("the table is opened by %+v", open)
	}
	if join := s.host.requests[1]; join.Command != "join" || join.User.ID != bob.user().ID || join.Args["sure"] != "yes" {
		t.Errorf("it is joined by %+v", join)
	}
	for _, v := range []*visitor{ann, bob} {
		if w := v.waits(); w.Waiting || len(w.Seeks) != 0 {
			t.Errorf("%s is told %+v after they were paired", v.Name, w)
		}
	}
}

// No one is paired with a person they blocked, or who stopped waiting or went away. A
// person who has been away for long is taken off the list.
func TestUnsuitableWaitersArentPaired(t *testing.T) {
	s := open(t)
	server := serve(t, s)
	ann, bob := s.enter("Ann"), s.enter("Bob")
	ears := ann.listen(server)
	next[greeting](ears, "hello")
	waits := func(v *visitor) {
		t.Helper()
		if out := call[obj](v, "wait", obj{"id": newID()}); out["stream"] != nil {
			t.Errorf("%s is led to %v", v.Name, out)
		}
	}
	stops := func(v *visitor) { t.Helper(); call[obj](v, "wait", obj{"id": newID(), "off": true}) }

	waits(ann)
	s.host.blocks = map[[2]bot.PlayerID]bool{{ann.user().ID, bob.user().ID}: true}
	if w := bob.waits(); len(w.Seeks) != 0 {
		t.Errorf("whom Ann blocked is told %+v", w)
	}
	waits(bob)
	stops(bob)
	s.host.blocks = nil

	stops(ann)
	waits(bob)
	stops(bob)

	waits(ann)
	bobs := bob.listen(server)
	next[greeting](bobs, "hello")
	ears.close()
	for p := next[presence](bobs, "person"); p.ID != ann.ID || p.Here; {
		p = next[presence](bobs, "person")
	}
	waits(bob)
	if !ann.waits().Waiting {
		t.Error("Ann is off the list as soon as she closes her window")
	}
	stops(bob)
	s.clock.pass(31 * time.Minute)
	waits(bob)
	if ann.waits().Waiting {
		t.Error("Ann waits although she has been away for half an hour")
	}

	// If a table can't be opened, the next person sees the reason.
	stops(bob)
	ears = ann.listen(server)
	next[greeting](ears, "hello")
	waits(ann)
	s.host.set(func(bot.Request) bot.Reply { return bot.Reply{Text: plain("Not now."), Refused: true} })
	if out := call[struct{ Reply message }](bob, "wait", obj{"id": newID()}); out.Reply.text() != "Not now." {
		t.Errorf("where no table can be opened Bob is told %q", out.Reply.text())
	}
}
