package moderation_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game/gametest"
)

// A long list of blocked people shows the latest that fit into a message, with as many buttons as
// allowed and the number of the others. A person who has blocked no one has no row.
func TestLongBlockListIsCut(t *testing.T) {
	w := featuretest.New(t)
	ann := bot.User{ID: "test:ann", Name: "Ann"}
	if w.Does(ann, "/block"); len(featuretest.StoredRows(t, w.Config.Notes, "blocks")) != 0 {
		t.Errorf("whoever has blocked nobody has a row")
	}
	for i := range 100 {
		req := w.Request(ann, "/block")
		req.People = []bot.User{{ID: bot.PlayerID(fmt.Sprint("test:", i+1)), Name: fmt.Sprint("Nr", i+1, ".")}}
		if r := w.Host.Handle(t.Context(), req); r.Refused {
			t.Fatal(r.Text)
		}
		r := w.Does(ann, "/block")
		lines := strings.Split(r.Text.String(), "\n")[1:]
		if len(r.Buttons) != min(i+1, bot.MostButtons) || !strings.HasPrefix(lines[0], fmt.Sprint("Nr", i+1, ".")) {
			t.Errorf("of %d there are %d buttons, and first %s", i+1, len(r.Buttons), lines[0])
		}
		last, cut := lines[len(lines)-1], i == 99
		if cut && last != fmt.Sprintf("and %d more.", i+2-len(lines)) || i < 50 && (len(lines) != i+1 || !strings.HasPrefix(last, "Nr1.")) {
			t.Errorf("of %d there are %d lines, and last %s", i+1, len(lines), last)
		}
	}
}

// A player can't join the table of a person who has blocked them or was blocked by them;
// the refusal doesn't reveal the former. Other players and robots can join.
func TestNoSeatAtBlockersTable(t *testing.T) {
	ann, bob, cat := bot.User{ID: "test:ann", Name: "Ann"}, bot.User{ID: "test:bob", Name: "Bob"}, bot.User{ID: "test:cat", Name: "Cat"}
	for _, c := range []struct {
		name          string
		blocker, whom bot.User
		joins         bot.User
		line, told    string // the refusal; "" if they sit down
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

// A home keeps two hundred reports. One more replaces the oldest handled one.
func TestOldestReportIsReplaced(t *testing.T) {
	w := featuretest.New(t)
	for i := range 200 {
		row := fmt.Sprintf(`{"v":1,"at":"2026-03-01T12:00:00.%03dZ","by":{"id":"test:eve"},"about":{"id":"test:cat"},"channel":"test:parlour","done":%t}`, i, i == 5 || i == 7)
		gametest.Must(t, w.Config.Notes.Put(t.Context(), "reports", fmt.Sprintf("test:house\x00%016x", i), []byte(row)))
	}
	req := w.Request(bot.User{ID: "test:ann", Name: "Ann"}, "/report")
	req.Home, req.People = "test:house", []bot.User{{ID: "test:bob", Name: "Bob"}}
	featuretest.Wants(t, w.Host.Handle(t.Context(), req), false, "Thank you")
	rows := featuretest.StoredRows(t, w.Config.Notes, "reports")
	_, handled := rows["reports test:house|0000000000000005"]
	if said := fmt.Sprint(rows); len(rows) != 200 || handled || !strings.Contains(said, "test:bob") {
		t.Errorf("%d reports are kept, the oldest handled one among them: %t", len(rows), handled)
	}
}

// An invitation notifies the invited player unless one of the two has blocked the other by
// then.
func TestBlockedInvitationIsSilent(t *testing.T) {
	for _, c := range []struct {
		blocker, whom string
		called        bool
	}{
		{"cat", "bob", true},
		{"bob", "cat", true},
		{"ann", "bob", false},
		{"bob", "ann", false},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := featuretest.New(t)
			does := func(who, line, whom string) {
				req := w.Request(bottest.People[who], line)
				req.People = []bot.User{bottest.People[whom]}
				w.Insist(req)
			}
			does("ann", "/new @bob", "bob")
			does(c.blocker, "/block", c.whom)
			w.Run()
			synctest.Wait()
			if posts := w.Posts.Take(); len(posts) != 1 || posts[0].Text.Calls() != c.called {
				t.Errorf("%s has blocked %s, and there is posted %+v", c.blocker, c.whom, posts)
			}
		})
	}
}
