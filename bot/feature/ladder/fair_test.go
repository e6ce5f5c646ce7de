package ladder_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/feature/ladder"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// gifts returns the log of a game without a tile on the board: both passed, and Bob ended it.
func gifts(t *testing.T, reason game.EndReason) []game.Event {
	log := bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "single", []string{"bag:EEEEEEEE", "ann:HORNSA?", "bob:FARMQI?"})
	add := func(f game.Fact) {
		log = append(log, game.Event{Number: len(log), At: log[0].At, Cause: fmt.Sprint("c", len(log)), Fact: f})
	}
	add(game.Passed{Seat: 0})
	add(game.Passed{Seat: 1})
	if reason == game.ResignationEnd {
		add(game.Resigned{Seat: 1})
	}
	add(game.Ended{Reason: reason, Racks: make([]game.Tiles, 2), Adjust: []int{0, 0}, Winners: []int{0}})
	return log
}

// Seven games without a tile give the winner no rating and no record. They cost Bob, who resigned
// them, rating from the fourth in a week on, even after a recount.
func TestGiftsDoNotCount(t *testing.T) {
	for _, c := range []struct {
		name   string
		reason game.EndReason
		games  int
		apart  time.Duration
		loses  bool
	}{
		{"seven resigned at once", game.ResignationEnd, 7, time.Hour, true},
		{"three resigned", game.ResignationEnd, 3, time.Hour, false},
		{"one every three days", game.ResignationEnd, 7, 72 * time.Hour, false},
		{"ended by agreement", game.AgreementEnd, 7, time.Hour, false},
		{"passed to the end", game.ScorelessEnd, 7, time.Hour, false},
		{"lost by a challenge", game.TripleEnd, 7, time.Hour, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				w.Run()
				for i := range c.games {
					log := gifts(t, c.reason)
					for k := range log {
						log[k].At = time.Now()
					}
					w.counted(bot.ChannelID(fmt.Sprint("test:channel", i)), log)
					time.Sleep(c.apart)
				}
				synctest.Wait()
				check := func() {
					t.Helper()
					rows := featuretest.Kept(t, w.Config.Notes, "players", "versus", "scopes", "bests")
					for row := range rows {
						if row != "players test:bob" {
							t.Errorf("%s is kept: %s", row, rows[row])
						}
					}
					if loses := strings.Contains(rows["players test:bob"], `"ratings"`); loses != c.loses {
						t.Errorf("Bob loses rating: %t, want %t: %s", loses, c.loses, rows["players test:bob"])
					}
				}
				check()
				_, err := ladder.Recount(t.Context(), w.Config.Notes)
				gametest.Must(t, err)
				check()
			})
		})
	}
}

// One person can't win rating from themselves by a second account, once the two are linked, nor a
// record, even in a game that was played out.
func TestOneselfDoesNotCount(t *testing.T) {
	log := featuretest.GameOver(t)
	for _, linked := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			if linked {
				gametest.Must(t, w.Host.Same(t.Context(), bottest.People["ann"].ID, bottest.People["bob"].ID))
			}
			w.Run()
			w.counted(featuretest.Parlour, log)
			time.Sleep(time.Hour)
			synctest.Wait()
			rows := featuretest.Kept(t, w.Config.Notes, "players", "versus", "bests", "results")
			if counts := len(rows) > 0; counts == linked {
				t.Errorf("linked %t: %v is kept", linked, rows)
			}
		})
	}
}
