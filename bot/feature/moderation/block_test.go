package moderation_test

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features/featuretest"
)

// Nobody sits down at the table of somebody who has blocked them, or whom they have
// blocked: the first isn't said. Others do, and the host's robots too.
func TestNoSeatAtABlockersTable(t *testing.T) {
	ann, bob, cat := bot.User{ID: "test:ann", Name: "Ann"}, bot.User{ID: "test:bob", Name: "Bob"}, bot.User{ID: "test:cat", Name: "Cat"}
	for _, c := range []struct {
		name          string
		blocker, whom bot.User
		joins         bot.User
		line, told    string // "": sits down
	}{
		{"whom the host has blocked", ann, bob, bob, "/join", "You can't sit down at this table."},
		{"who has blocked the host", bob, ann, bob, "/join", "You've blocked Ann."},
		{"a third person", ann, bob, cat, "/join", ""},
		{"who has blocked another player", bob, cat, bob, "/join", ""},
		{"a robot", ann, bob, ann, "/join robot:easy", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := featuretest.New(t)
			req := w.Request(c.blocker, "/block")
			req.People = []bot.User{c.whom}
			if got := w.Host.Handle(t.Context(), req); !strings.Contains(got.Text.String(), "You won't hear from") {
				t.Fatalf("/block: %s", got.Text)
			}
			w.Does(ann, "/new seats:3")
			got := w.Does(c.joins, c.line).Text.String()
			if c.told != "" && !strings.Contains(got, c.told) || c.told == "" && (strings.Contains(got, "can't sit down") || strings.Contains(got, "blocked")) {
				t.Errorf("%s: %q", c.line, got)
			}
			want := 2
			if c.told != "" {
				want = 1
			}
			s, _ := w.Replayed(featuretest.Parlour)
			if n := len(s.Seats); n != want {
				t.Errorf("%d people at the table, want %d", n, want)
			}
		})
	}
}
