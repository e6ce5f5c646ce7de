package pace_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game"
)

const day = 24 * time.Hour

// notified returns the names that messages notify.
func notified(ms []bot.Message) (all string) {
	for _, m := range ms {
		for _, s := range m.Text {
			if s.Notify {
				all += s.Text + " "
			}
		}
	}
	return all
}

// A game that begins, or in which a player takes a seat, during that player's absence stops
// their clock like the games they were in when they left.
func TestGameStartingInAbsenceStopsClock(t *testing.T) {
	ways := map[string]func(do func(who, line string)){
		"with the last seat taken": func(do func(who, line string)) {
			do("ann", "/new seats:3 pace:1d")
			do("bob", "/join")
			do("bob", "/away 5")
			do("cat", "/join")
		},
		"with /start": func(do func(who, line string)) {
			do("ann", "/new pace:1d")
			do("bob", "/join")
			do("bob", "/away 5")
			do("ann", "/start")
		},
		"by a vote": func(do func(who, line string)) {
			do("ann", "/new order:voted pace:1d")
			do("bob", "/join")
			do("bob", "/away 5")
			do("ann", "/start")
			do("ann", "/vote any")
			do("bob", "/vote any")
		},
		"opened while away": func(do func(who, line string)) {
			do("bob", "/away 5")
			do("bob", "/new seats:2 pace:1d")
			do("ann", "/join")
		},
		"as a rematch": func(do func(who, line string)) {
			do("ann", "/new seats:2 pace:1d rules:family")
			do("bob", "/join")
			for _, who := range []string{"ann", "bob", "ann", "bob"} {
				do(who, "/pass")
			}
			do("bob", "/away 5")
			do("bob", "/rematch")
			do("ann", "/rematch")
		},
		"in an adopted seat": func(do func(who, line string)) {
			do("ann", "/new seats:3 pace:1d")
			do("cat", "/join")
			do("dan", "/join")
			do("mod", "/unseat @dan")
			do("bob", "/away 5")
			do("bob", "/adopt")
		},
	}
	for name, begin := range ways {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				w.Run()
				loose := func(who, line string) bot.Reply {
					req := w.Request(bottest.People[who], line)
					req.Manager = who == "mod"
					if name, ok := strings.CutPrefix(line, "/unseat @"); ok {
						req.People = []bot.User{bottest.People[name]}
					}
					r := w.Host.Handle(t.Context(), req)
					synctest.Wait()
					return r
				}
				begin(func(who, line string) {
					t.Helper()
					if r := loose(who, line); r.Refused && !strings.HasPrefix(line, "/pass") {
						t.Fatalf("%s: %s: %s", who, line, r.Text)
					}
				})
				until := time.Now().Add(5 * day)
				s, _ := w.Replayed(featuretest.Parlour)
				if s.Phase == game.Over { // the passes came in the other order
					t.Fatal("the game is over")
				}
				seat, _ := s.SeatOf(bottest.People["bob"].ID)
				if at, away := s.Seats[seat].AwayUntil(time.Now()); !away || at.Sub(until).Abs() > time.Minute {
					t.Fatalf("Bob is away until %v (%t), want %v", at, away, until)
				}
				for range 2 {
					if up := s.Seats[s.Turn].Person.Name; up != "Bob" {
						loose(strings.ToLower(up), "/pass")
						s, _ = w.Replayed(featuretest.Parlour)
					}
				}
				if got := notified(w.Posts.Take()); strings.Contains(got, "Bob") && name != "in an adopted seat" && name != "as a rematch" {
					t.Errorf("notified: %s", got)
				}
				if at, ok := s.Deadline(); !ok || at.Sub(until.Add(day)).Abs() > time.Minute {
					t.Errorf("Bob has time until %v, want %v", at, until.Add(day))
				}
				time.Sleep(5*day + time.Minute)
				synctest.Wait()
				if got := notified(w.Posts.Take()); got != "Bob " {
					t.Errorf("when Bob is back there were notified: %s", got)
				}
			})
		})
	}
}

// A player who has moved in the game is there, whatever they announced before.
func TestMoveEndsAbsence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.Does(bottest.People["bob"], "/away 5")
		w.Does(bottest.People["bob"], "/new seats:2 pace:1d order:random")
		w.Does(bottest.People["ann"], "/join")
		s, _ := w.Replayed(featuretest.Parlour)
		if s.Seats[s.Turn].Person.ID != bottest.People["bob"].ID {
			w.Does(bottest.People["ann"], "/pass")
		}
		if r := w.Does(bottest.People["bob"], "/pass"); r.Refused {
			t.Fatal(r.Text)
		}
		w.Run() // the timer that checks for absences fires too late
		synctest.Wait()
		s, _ = w.Replayed(featuretest.Parlour)
		seat, _ := s.SeatOf(bottest.People["bob"].ID)
		if at, away := s.Seats[seat].AwayUntil(time.Now()); away {
			t.Errorf("Bob is away until %v", at)
		}
	})
}

// Each place sets how long players may be away, and the limit holds for the games there.
func TestEachPlaceLimitsAbsence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.Run()
		const strict, kind = "test:strict", "test:kind"
		do := func(ch bot.ChannelID, home, who, line string) bot.Reply {
			t.Helper()
			return w.InHouse(ch, home, bottest.People[who], line)
		}
		do("test:s", strict, "mod", "/settings for:server away:7")
		do("test:k", kind, "mod", "/settings for:server away:60")
		for ch, home := range map[bot.ChannelID]string{"test:s": strict, "test:k": kind} {
			do(ch, home, "ann", "/new seats:2 pace:3d")
			do(ch, home, "bob", "/join")
		}
		away := func(ch bot.ChannelID) bool {
			s, _ := w.Replayed(ch)
			seat, _ := s.SeatOf(bottest.People["bob"].ID)
			_, away := s.Seats[seat].AwayUntil(time.Now())
			return away
		}
		if r := do("test:s", strict, "bob", "/away 8"); !r.Refused || !strings.Contains(r.Text.String(), "for 7 days a year") {
			t.Errorf("eight days of seven: %s", r.Text)
		}
		if r := do("test:k", kind, "bob", "/away 40"); r.Refused || !strings.Contains(r.Text.String(), "In 1 game elsewhere your clocks keep running") {
			t.Errorf("forty days of sixty: %s", r.Text)
		}
		if away("test:s") || !away("test:k") {
			t.Errorf("away: %t where 7 days are allowed, %t where 60 are", away("test:s"), away("test:k"))
		}
		if r := do("test:k", kind, "bob", "/away back"); r.Refused || away("test:k") {
			t.Errorf("back: %s", r.Text)
		}
		if r := do("test:s", strict, "bob", "/away 5"); r.Refused || !away("test:s") {
			t.Errorf("five days of seven: %s", r.Text)
		}
		if r := do("test:s", strict, "bob", "/away"); !strings.Contains(r.Text.String(), "You have 2 days") {
			t.Errorf("what is left: %s", r.Text)
		}
		// A game that begins in the strict place, during an absence longer than it allows,
		// goes on.
		do("test:k", kind, "bob", "/away 30")
		do("test:s2", strict, "ann", "/new seats:2 pace:3d")
		do("test:s2", strict, "bob", "/join")
		if away("test:s2") {
			t.Error("away in a game for longer than its place allows")
		}
	})
}

// A player with linked identities on two platforms is away on both.
func TestAwayOnLinkedPlatforms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.Run("discord")
		elsewhere := bot.User{ID: "discord:bob", Name: "Bobby"}
		do := func(ch bot.ChannelID, who bot.User, line string) bot.Reply {
			t.Helper()
			return w.InHouse(ch, "", who, line)
		}
		code := featuretest.LinkCode(t, do(featuretest.Parlour, bottest.People["bob"], "/link"))
		do("discord:c", elsewhere, "/link "+code)
		do("discord:c", bottest.People["ann"], "/new seats:2 pace:1d")
		do("discord:c", elsewhere, "/join")
		do(featuretest.Parlour, bottest.People["ann"], "/new seats:2 pace:1d")
		do(featuretest.Parlour, bottest.People["bob"], "/join")
		both := func() (away [2]bool) {
			for i, ch := range []bot.ChannelID{featuretest.Parlour, "discord:c"} {
				s, _ := w.Replayed(ch)
				seat, ok := s.SeatOf([]game.PlayerID{bottest.People["bob"].ID, elsewhere.ID}[i])
				if !ok {
					t.Fatal("Bob doesn't sit in ", ch)
				}
				_, away[i] = s.Seats[seat].AwayUntil(time.Now())
			}
			return away
		}
		if r := do(featuretest.Parlour, bottest.People["bob"], "/away 5"); !strings.Contains(r.Text.String(), "2 games") || both() != [2]bool{true, true} {
			t.Errorf("away: %s, %v", r.Text, both())
		}
		if r := do("discord:c", elsewhere, "/away"); !strings.Contains(r.Text.String(), "You're away") {
			t.Errorf("on the other surface: %s", r.Text)
		}
		if r := do("discord:c", elsewhere, "/away back"); !strings.Contains(r.Text.String(), "2 games") || both() != [2]bool{} {
			t.Errorf("back: %s, %v", r.Text, both())
		}
	})
}
