package web_test

import (
	"context"
	"testing"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
)

// writtenNotes counts writes.
type writtenNotes struct {
	bot.Notes
	n *int
}

func (w writtenNotes) Put(ctx context.Context, shelf, key string, value []byte) error {
	*w.n++
	return w.Notes.Put(ctx, shelf, key, value)
}

func (w writtenNotes) Change(ctx context.Context, fn func(bot.Rows) error) error {
	*w.n++
	return w.Notes.Change(ctx, fn)
}

// A message in an existing conversation causes two writes: the line itself, and its
// author's read mark.
func TestMessageTakesTwoWrites(t *testing.T) {
	n := 0
	s := openWith(t, func(c *web.Config) { c.Notes = writtenNotes{c.Notes, &n} })
	ann, bob := s.enter("Ann"), s.enter("Bob")
	direct := call[struct{ ID string }](ann, "direct", obj{"person": bob.ID})
	for _, who := range []*visitor{ann, bob} {
		who.say(direct.ID, "hello")
	}
	before := n // both have joined the conversation by now
	bob.say(direct.ID, "hello")
	if did := n - before; did != 2 {
		t.Errorf("a line is %d writes, want 2", did)
	}
}
