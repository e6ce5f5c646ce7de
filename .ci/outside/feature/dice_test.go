package dice_test

import (
	"context"
	"crypto/rand"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"

	_ "example.org/rackmate-dice"
)

// posts collects a host's public and private messages.
type posts struct {
	mu  sync.Mutex
	all []string
}

func (p *posts) Post(_ context.Context, m bot.Message) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, m.Text.String())
	return nil
}

// TestDice checks that the feature's command, timer and row work in a host beside its own features,
// and that the row is exported and erased like the host's own.
func TestDice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		h := host.New(host.Config{
			Features: features.All, // including registered ones
			Order:    features.Order(), Store: store, Notes: store.Notes("host"), Platforms: func() []bot.Platform { return nil },
			Equipment: gametest.Equipment(t), Layouts: gametest.Layouts(t), Lexicons: []*lexicon.Lexicon{bottest.Small(t)}, DefaultLexicon: "small",
			Now: time.Now, Life: time.Hour, Random: rand.Reader, Log: slog.New(slog.DiscardHandler),
		})
		var said posts
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { h.RunTimers(ctx) })
		running.Go(func() { h.Deliver(ctx, "test", &said) })
		ann, bob := bot.User{ID: "test:ann", Name: "Ann"}, bot.User{ID: "test:bob", Name: "Bob"}
		n := 0
		do := func(who bot.User, line string) bot.Reply {
			t.Helper()
			n++
			req := bot.Request{ID: line + string(rune('a'+n)), Channel: "test:parlour", User: who}
			var refused text.Text
			if req.Command, req.Args, refused = h.Commands().ParseLine(line, nil); refused != nil {
				t.Fatalf("%s: %s", line, refused)
			}
			return h.Handle(t.Context(), req)
		}
		if r := do(ann, "/roll"); !r.Refused {
			t.Errorf("without a table, Ann is told %q", r.Text)
		}
		do(ann, "/new seats:2")
		do(bob, "/join")
		for _, want := range []string{"roll 1 of yours", "roll 2 of yours"} {
			if r := do(ann, "/roll"); r.Refused || !strings.Contains(r.Text.String(), want) {
				t.Errorf("Ann is told %q, want %q", r.Text, want)
			}
		}
		time.Sleep(time.Hour + time.Minute)
		synctest.Wait()
		said.mu.Lock()
		if all := strings.Join(said.all, "\n"); strings.Count(all, "There are dice here") != 1 {
			t.Errorf("said was %s", all)
		}
		said.mu.Unlock()

		row := func() []byte {
			b, err := store.Notes("host").Get(t.Context(), "dice", string(ann.ID))
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		if row() == nil {
			t.Fatal("nothing is kept of Ann's rolls")
		}
		if files, err := h.Export(t.Context(), ann); err != nil || len(files) != 1 {
			t.Errorf("Ann's data are %v, %v", files, err)
		}
		if err := h.Forget(t.Context(), ann); err != nil || row() != nil {
			t.Errorf("forgotten (%v), Ann has rolled %s", err, row())
		}
		stop()
		running.Wait()
	})
}
