package variants_test

import (
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// duplicateTable returns a game of duplicate with the rack AEHNORT and that many players.
func duplicateTable(tb testing.TB, at time.Time, players int) []game.Event {
	tb.Helper()
	eq := featuretest.Equipment(tb)
	rules := gametest.Duplicate(3 * time.Minute)
	facts := []game.Fact{game.Opened{Rules: rules, Equipment: eq, Lexicon: game.LexiconID{Name: "small", Hash: bottest.Small(tb).Hash()}, Seats: rules.MaxPlayers, Host: player(0)}}
	for i := range players {
		facts = append(facts, game.Joined{Person: player(i)})
	}
	facts = append(facts, game.Started{}, game.RackDrawn{Drew: gametest.Tiles(tb, eq, "AEHNORT")}, game.TurnOpened{Until: at.Add(3 * time.Minute)})
	var events []game.Event
	for i, f := range facts {
		events = append(events, game.Event{Number: i, At: at, Cause: fmt.Sprint("cause", i), Fact: f})
	}
	return events
}

func player(i int) bot.User {
	return bot.User{ID: game.PlayerID(fmt.Sprint("test:p", i)), Name: fmt.Sprint("Player ", i)}
}

// TestSubmissionsAreSecret plays two games that differ only in one player's submission.
// Until the turn is scored, no one else can tell them apart; the rack is public.
func TestSubmissionsAreSecret(t *testing.T) {
	var heard [2][]string
	var own [2]string
	for i, play := range []string{"8H HORN", "8G EAT"} {
		synctest.Test(t, func(t *testing.T) {
			w := featuretest.New(t)
			log := duplicateTable(t, time.Now(), 3)
			featuretest.Put(t, w.Config.Store, featuretest.Parlour, log)
			w.Run()
			at, word, _ := strings.Cut(play, " ")
			w.Does(player(0), "/submit "+word+" "+at)
			synctest.Wait()
			hear := func(s string) { heard[i] = append(heard[i], s) }
			for _, who := range []bot.User{player(1), player(2), bottest.People["eve"]} {
				for _, line := range []string{
					"/board", "/board text", "/unseen", "/history", "/help", "/rack", "/export", "/try not 8h", "/check horn eat",
					"/join", "/leave", "/start", "/games", "/replay", "/challenge", "/new variant:duplicate",
				} {
					r := w.Does(who, line)
					if strings.HasPrefix(line, "/rack") && who.ID != bottest.People["eve"].ID && !strings.Contains(r.Text.String(), "A E H N O R T") {
						t.Errorf("%s is not shown the rack: %s", who.Name, r.Text)
					}
					hear(line + "\n" + featuretest.ReplySaid(r))
					synctest.Wait() // what one line posts arrives before the next line
				}
			}
			synctest.Wait()
			for _, m := range w.Posts.Take() {
				hear(featuretest.MessageSaid(m))
			}
			hear(w.Log.String())
			own[i] = w.Does(player(0), "/rack").Text.String()
		})
	}
	if a, b := strings.Join(heard[0], "\n"), strings.Join(heard[1], "\n"); a != b {
		t.Fatalf("others can tell what was submitted:\n%s\nor\n%s", a, b)
	}
	if own[0] == own[1] || !strings.Contains(own[0], "HORN") {
		t.Errorf("the player is told %q and %q", own[0], own[1])
	}
}

// TestTurnEndsAfterRestart checks that a host that was down at a turn's deadline scores
// the turn once when it is back.
func TestTurnEndsAfterRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t)
		for _, who := range []string{"ann", "bob"} {
			line := "/join"
			if who == "ann" {
				line = "/new variant:duplicate turn:3m"
			}
			if r := w.Does(bottest.People[who], line); r.Refused {
				t.Fatal(r.Text)
			}
		}
		stop := w.Run()
		w.Does(bottest.People["ann"], "/start")
		synctest.Wait()
		stop()
		w.Does(bottest.People["ann"], "/pass")
		time.Sleep(time.Hour) // no host runs the timers
		if r := w.Does(bottest.People["bob"], "/pass"); !r.Refused {
			t.Errorf("a submission after the time was taken: %s", r.Text)
		}
		w.Host = host.New(w.Config)
		w.Run()
		synctest.Wait()
		scored := 0
		for _, e := range featuretest.Events(t, w.Config.Store, featuretest.Parlour) {
			if _, ok := e.Fact.(game.TurnScored); ok {
				scored++
			}
		}
		if scored != 1 {
			t.Errorf("the turn was scored %d times", scored)
		}
	})
}

// TestTurnStartsWhenShown checks that a turn's time starts when its message arrives,
// however late, and that the message names the deadline.
func TestTurnStartsWhenShown(t *testing.T) {
	for name, away := range map[string]time.Duration{"at once": 0, "a little late": 5 * time.Second, "late": 2 * time.Minute, "after its time": 20 * time.Minute} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := featuretest.New(t)
				back := time.Now().Add(away)
				w.Posts.Fail = func(bot.Message) error {
					if time.Now().Before(back) {
						return &bot.PostError{RetryAfter: time.Until(back), Err: errors.New("away")}
					}
					return nil
				}
				w.Does(bottest.People["ann"], "/new variant:duplicate turn:3m")
				w.Does(bottest.People["bob"], "/join")
				w.Does(bottest.People["ann"], "/start")
				w.Run()
				time.Sleep(away + 10*time.Second)
				synctest.Wait()
				told := w.Posts.Take()
				last := told[len(told)-1]
				end := back.Add(3 * time.Minute)
				if away < 9*time.Second {
					end = end.Add(-away)
				}
				if i := slices.IndexFunc(last.Text, func(s text.Span) bool { return s.Time.Equal(end.UTC().Truncate(time.Millisecond)) }); i < 0 {
					t.Errorf("it doesn't say until %s: %s", end.UTC(), last.Text)
				}
				time.Sleep(time.Until(end) - time.Second)
				if r := w.Does(bottest.People["ann"], "/pass"); r.Refused {
					t.Errorf("a second before the end: %s", r.Text)
				}
				time.Sleep(10 * time.Second)
				synctest.Wait()
				turns := 0
				for _, e := range featuretest.Events(t, w.Config.Store, featuretest.Parlour) {
					if _, ok := e.Fact.(game.TurnScored); ok {
						turns++
					}
				}
				if turns != 1 {
					t.Errorf("%d turns are scored, want 1", turns)
				}
			})
		})
	}
}

// TestCountIsEditedInPlace checks that a turn's message shows the number of submissions. It is edited in
// place, once for submissions within a few seconds, and not after the turn ends.
func TestCountIsEditedInPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const players = 100
		w := featuretest.New(t)
		log := duplicateTable(t, time.Now(), players)
		featuretest.Put(t, w.Config.Store, featuretest.Parlour, log, bot.Post{Channel: featuretest.Parlour, From: len(log) - 1, To: len(log)})
		w.Run()
		synctest.Wait()
		first := w.Posts.Take()
		if len(first) != 1 || !strings.Contains(first[0].Text.String(), "0 of 100 have submitted") {
			t.Fatalf("posted %v", first)
		}
		for i := range players - 1 {
			w.Does(player(i), "/submit horn 8h")
			time.Sleep(100 * time.Millisecond)
		}
		synctest.Wait()
		edits := w.Posts.Take()
		if len(edits) == 0 || len(edits) > 3 {
			t.Errorf("changed %d times in ten seconds", len(edits))
		}
		time.Sleep(5 * time.Second)
		synctest.Wait()
		edits = append(edits, w.Posts.Take()...)
		for _, m := range edits {
			if !m.Edit || m.Key != first[0].Key || m.Kind != "" || m.To != nil || strings.Contains(m.Text.String(), "HORN") {
				t.Errorf("changed to %+v", m)
			}
		}
		if last := edits[len(edits)-1].Text.String(); !strings.Contains(last, "99 of 100 have submitted") {
			t.Errorf("at last it says %s", last)
		}
		w.Does(player(0), "/submit not 8h") // replaces the submission
		w.Does(player(players-1), "/pass")  // ends the turn
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := w.Posts.Take(); len(got) != 1 || got[0].Edit || !strings.Contains(got[0].Text.String(), "0 of 100 have submitted") {
			t.Errorf("after the turn: %v", got)
		}
	})
}

// TestLateCountRevealsNothing checks that an update that waited while the platform was away, and
// whose turn has ended since, reveals nothing of a later turn before that turn's own post.
func TestLateCountRevealsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const players = 3
		w := featuretest.New(t)
		var away atomic.Bool
		w.Posts.Fail = func(bot.Message) error {
			if away.Load() {
				return errors.New("away")
			}
			return nil
		}
		log := duplicateTable(t, time.Now(), players)
		featuretest.Put(t, w.Config.Store, featuretest.Parlour, log, bot.Post{Channel: featuretest.Parlour, From: len(log) - 1, To: len(log)})
		w.Run()
		synctest.Wait()
		w.Posts.Take()
		away.Store(true)
		for range 2 { // two turns; a third one without a play would end the game
			for i := range players {
				w.Does(player(i), "/pass")
				time.Sleep(6 * time.Second)
			}
		}
		away.Store(false)
		time.Sleep(time.Hour)
		synctest.Wait()
		latest := len(log)
		for _, m := range w.Posts.Take() {
			if m.Edit && m.Number != latest {
				t.Errorf("the message %s is changed while the latest is of event %d", m.Key, latest)
			}
			if m.Number < latest {
				t.Errorf("event %d is told after event %d", m.Number, latest)
			}
			latest = max(latest, m.Number)
		}
		if latest == len(log) {
			t.Error("nothing was told after the outage")
		}
	})
}

// BenchmarkSubmissions measures one submission among 150 players, in the first and in the
// 25th turn, over the store on disk. One player never submits, so no turn is scored.
func BenchmarkSubmissions(b *testing.B) {
	const players = 150
	for _, turns := range []int{0, 24} {
		b.Run(fmt.Sprintf("turn %d", turns+1), func(b *testing.B) {
			db, err := bolt.Open(filepath.Join(b.TempDir(), "rackmate.db"), time.Now)
			gametest.Must(b, err)
			defer db.Close()
			start := time.Now()
			log := duplicateTable(b, start, players)
			add := func(f game.Fact) {
				log = append(log, game.Event{Number: len(log), At: start, Cause: fmt.Sprint("cause", len(log)), Fact: f})
			}
			pass := game.Move{Kind: game.PassTurn}
			for range turns {
				for seat := range players {
					add(game.Submitted{Seat: seat, Move: pass})
				}
				add(game.TurnScored{By: game.Nobody, Move: pass, Scores: make([]int, players)})
				add(game.TurnOpened{Until: start.Add(3 * time.Minute)})
			}
			w := featuretest.New(b, func(c *host.Config) {
				c.Store, c.Notes = db, db.Notes("host")
				c.Log = slog.New(slog.DiscardHandler)
			})
			featuretest.Put(b, db, featuretest.Parlour, log)
			n := 0
			for b.Loop() {
				req := bot.Request{ID: fmt.Sprint("s", n), Channel: featuretest.Parlour, User: player(n % (players - 1)), Command: "submit", Args: map[string]string{"word": "horn", "at": "8h"}}
				if r := w.Host.Handle(b.Context(), req); r.Refused {
					b.Fatal(r.Text)
				}
				n++
			}
		})
	}
}

// Duplicate has a leaderboard of its own: the share of the best total, by place and season.
// A season ends with its quarter, and the all-time list remains.
func TestDuplicateLeaderboard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t)
		at := func(home string, i int, line string) string {
			req := w.Request(player(i), line)
			req.Home = home
			return w.Host.Handle(t.Context(), req).Text.String()
		}
		plays := func(says ...string) {
			t.Helper()
			log := duplicateTable(t, time.Now(), len(says))
			featuretest.Put(t, w.Config.Store, featuretest.Parlour, log, bot.Post{Channel: featuretest.Parlour, From: len(log) - 1, To: len(log)})
			stop := w.Run()
			synctest.Wait()
			for i, says := range says {
				at("test:house", i, says)
			}
			for range 6 { // no one finds another play
				time.Sleep(10 * time.Second)
				synctest.Wait()
				for i := range says {
					at("test:house", i, "/pass")
				}
			}
			time.Sleep(10 * time.Second)
			synctest.Wait()
			stop()
		}
		shows := func(home, want string) {
			t.Helper()
			if got := at(home, 0, "/top duplicate"); got != want {
				t.Errorf("in %s it shows\n%s\nwant\n%s", home, got, want)
			}
		}
		const (
			quarter = "Duplicate, this quarter of the year: how much of the best total each has scored\n"
			first   = " 1. 100.0 %  Player 0 (1)\n 2.  42.9 %  Player 1 (1)" // NOT scores 6 of HORN's 14
		)
		plays("/submit horn 8h", "/submit not 8h")
		shows("test:house", quarter+first+"\nAnd ever:\n"+first)
		shows("test:other", "No duplicate results yet. A game counts if two people played it to the end. /new variant:duplicate opens one.")
		time.Sleep(100 * 24 * time.Hour)
		shows("test:house", "And ever:\n"+first)
		plays("/submit not 8h", "/submit horn 8h", "/submit horn 8h")
		shows("test:house", quarter+" 1. 100.0 %  Player 1 (1)\n 2. 100.0 %  Player 2 (1)\n 3.  42.9 %  Player 0 (1)\n"+
			"And ever:\n 1. 100.0 %  Player 2 (1)\n 2.  71.4 %  Player 0 (2)\n 3.  71.4 %  Player 1 (2)")
	})
}
