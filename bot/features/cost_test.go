package features_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/game"
)

// A counted store counts the transactions that write.
type counted struct {
	bot.Store
	n *atomic.Int64
}

func (c counted) Update(ctx context.Context, ch bot.ChannelID, request string, fn func(*bot.Room) error) error {
	writes := false
	defer func() {
		if writes {
			c.n.Add(1)
		}
	}()
	return c.Store.Update(ctx, ch, request, func(r *bot.Room) error {
		err := fn(r)
		writes = err == nil && store.Changes(r) && !store.Refuses(r)
		return err
	})
}

type countedNotes struct {
	bot.Notes
	n *atomic.Int64
}

func (c countedNotes) Put(ctx context.Context, shelf, key string, value []byte) error {
	c.n.Add(1)
	return c.Notes.Put(ctx, shelf, key, value)
}

func (c countedNotes) Change(ctx context.Context, fn func(bot.Rows) error) error {
	rows := &countedRows{}
	defer func() {
		if rows.put {
			c.n.Add(1)
		}
	}()
	return c.Notes.Change(ctx, func(r bot.Rows) error {
		rows.Rows, rows.put = r, false
		return fn(rows)
	})
}

type countedRows struct {
	bot.Rows
	put bool
}

func (c *countedRows) Put(shelf, key string, value []byte) error {
	c.put = true
	return c.Rows.Put(shelf, key, value)
}

// A command that changes the table takes one transaction, for which its answer waits; one that is
// refused or only looks takes none. Package bolt's tests check that such a receipt waits.
func TestTransactionsPerCommand(t *testing.T) {
	var n atomic.Int64
	w := newWorld(t, pictures(t), func(c *host.Config) {
		c.Store, c.Notes = counted{c.Store, &n}, countedNotes{c.Notes, &n}
	})
	w.Passes(parlour, 6)
	for _, c := range []struct {
		who, line string
		refused   bool
		want      int64
	}{
		{"ann", "/pass", false, 1},
		{"ann", "/pass", true, 0}, // it is Bob's turn
		{"ann", "/play zzz 8h", true, 0},
		{"ann", "/board picture", false, 0},
		{"ann", "/rack", false, 0},
		{"ann", "/board text", false, 0},
		{"ann", "/unseen", false, 0},
		{"ann", "/history", false, 0},
		{"ann", "/new", true, 0},
		{"bob", "/exchange F", false, 1},
		{"ann", "/pass", false, 1},
		{"bob", "/pass", false, 1},
	} {
		n.Store(0)
		req := w.Request(people[c.who], c.line)
		first := w.Host.Handle(t.Context(), req)
		if first.Refused != c.refused || n.Load() != c.want {
			t.Errorf("%s's %s: refused %t, %d transactions; want %t and %d (%s)", c.who, c.line, first.Refused, n.Load(), c.refused, c.want, first.Text)
		}
		if again := w.Host.Handle(t.Context(), req); again.Text.String() != first.Text.String() || n.Load() != c.want {
			t.Errorf("%s's %s again: %s; %d transactions", c.who, c.line, again.Text, n.Load())
		}
	}
	// A request that was refused stays refused, even if it could be carried out now.
	late := w.Request(people["bob"], "/pass")
	before := w.Host.Handle(t.Context(), late)
	if !before.Refused {
		t.Fatalf("Bob passes twice: %s", before.Text)
	}
	w.Does(people["ann"], "/pass")
	if after := w.Host.Handle(t.Context(), late); !after.Refused || after.Text.String() != before.Text.String() {
		t.Errorf("a refused request that comes again: %s", after.Text)
	}
}

// forgetful can't read a table's events by its number, only a channel's latest table.
type forgetful struct{ bot.Store }

func (forgetful) Events(context.Context, bot.TableID, int) (bot.ChannelID, []game.Event, error) {
	return "", nil, errors.New("it is not to be asked")
}

// A change of a table, or a refusal, is answered from the change itself, without reading the table
// again.
func TestAnswersDontRereadTable(t *testing.T) {
	w := newWorld(t)
	w.Passes(parlour, 2)
	w.Host.Store = forgetful{w.Host.Store}
	for _, c := range []struct {
		who, line string
		want      string
	}{
		{"ann", "/pass", "You pass."},
		{"ann", "/pass", "turn"},
		{"bob", "/pass", "You pass."},
		{"bob", "/new seats:3", "table"},
	} {
		req := w.Request(people[c.who], c.line)
		if req.Command == "new" {
			req.Channel += "-2"
		}
		if r := w.Host.Handle(t.Context(), req); !strings.Contains(r.Text.String(), c.want) {
			t.Errorf("%s's %s: %s", c.who, c.line, r.Text)
		}
	}
}
