package features_test

import (
	"context"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
)

// Writes count what must be on disk before a request is answered.
type writes struct{ n int }

type writtenStore struct {
	bot.Store
	*writes
}

func (s writtenStore) Update(ctx context.Context, ch bot.ChannelID, request string, fn func(*bot.Room) error) error {
	changes := false
	err := s.Store.Update(ctx, ch, request, func(r *bot.Room) error {
		err := fn(r)
		changes = err == nil && !r.Refused && (len(r.Append)+len(r.Posts)+len(r.Timers) > 0 || r.File != nil)
		return err
	})
	if changes {
		s.n++
	}
	return err
}

type writtenNotes struct {
	bot.Notes
	*writes
}

func (w writtenNotes) Put(ctx context.Context, shelf, key string, value []byte) error {
	w.n++
	return w.Notes.Put(ctx, shelf, key, value)
}

func (w writtenNotes) Append(ctx context.Context, journal, key string, line []byte) (uint64, bool, error) {
	w.n++
	return w.Notes.Append(ctx, journal, key, line)
}

func (w writtenNotes) Change(ctx context.Context, fn func(bot.Rows) error) error {
	puts := 0
	err := w.Notes.Change(ctx, func(rows bot.Rows) error { return fn(putRows{rows, &puts}) })
	if puts > 0 {
		w.n++
	}
	return err
}

type putRows struct {
	bot.Rows
	puts *int
}

func (r putRows) Put(shelf, key string, value []byte) error {
	*r.puts++
	return r.Rows.Put(shelf, key, value)
}

// Who moves waits for the disk once until the answer is there; who is refused, or only
// looks, doesn't.
func TestWaitsOfARequest(t *testing.T) {
	var w writes
	world := newWorld(t, pictures(t), func(c *host.Config) {
		c.Store, c.Notes = writtenStore{c.Store, &w}, writtenNotes{c.Notes, &w}
	})
	running(t, world, parlour, 6)
	for _, c := range []struct {
		who, line string
		refused   bool
		waits     int
	}{
		{"ann", "/pass", false, 1},
		{"ann", "/pass", true, 0},
		{"bob", "/exchange F", false, 1},
		{"ann", "/play zzz 8h", true, 0},
		{"ann", "/rack", false, 0},
		{"ann", "/board text", false, 0},
		{"ann", "/unseen", false, 0},
		{"ann", "/history", false, 0},
	} {
		before := w.n
		r := world.does(people[c.who], c.line)
		if n := w.n - before; r.Refused != c.refused || n != c.waits {
			t.Errorf("%s's %s: refused %t, %d waits; want %t and %d: %s", c.who, c.line, r.Refused, n, c.refused, c.waits, r.Text)
		}
	}
}
