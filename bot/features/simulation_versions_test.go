package features_test

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// This file makes some processes older than others, as while hosts are replaced one after another:
// they lack a feature whose timers and posts are in the store.

// bellKind is the kind of the timers and posts of the newest feature, which rings a minute after a
// game began.
const bellKind = "bell"

// withBell returns the features of a newer process.
func withBell(h feature.Registry) []feature.Feature {
	desk, _ := h.Open(bellKind)
	return append(features.All(h), feature.Feature{
		Timers: func(_ context.Context, s feature.Step) []bot.Timer {
			if s.Start.Phase == game.Playing || s.After.Phase != game.Playing {
				return nil
			}
			return []bot.Timer{{At: s.Last().At.Add(time.Minute), Kind: bellKind, Number: s.After.Number}}
		},
		Due: map[string]feature.Due{bellKind: {Do: func(ctx context.Context, timer bot.Timer) error {
			return feature.AtTable(ctx, desk, timer, func(r *feature.Room) error {
				r.Post(bot.Post{From: r.Table.Number, To: r.Table.Number, Kind: bellKind, At: r.Env.Now})
				return nil
			})
		}}},
		Posts: map[string]feature.Posting{bellKind: {Tell: func(_ context.Context, _ bot.Post, _, _ table.Table, m bot.Message) (bot.Message, error) {
			m.Text = text.Plain("Ding.")
			return m, nil
		}}},
	})
}

// upgrade stops the older processes in order. Newer ones take their places.
func (h *history) upgrade() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range h.processes {
		if p != nil && p.older {
			p.stop()
		}
	}
}

// checkBells checks that each bell rang once, and said what it says.
func (h *history) checkBells() {
	rung := map[string]int{}
	for _, m := range h.arrived {
		if m.Kind == bellKind {
			if rung[m.Key]++; m.Text.String() != "Ding." {
				h.fail("a bell at table %d says %q", m.Table, m.Text)
			}
		}
	}
	for p, n := range h.queued {
		if p.kind == bellKind && p.ch != h.damaged && rung[p.key] != n {
			h.fail("the bell %s was queued %d times, and rang %d times", p.key, n, rung[p.key])
		}
	}
}
