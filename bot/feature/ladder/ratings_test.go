package ladder_test

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/feature/ladder"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game/gametest"
)

// The summary of a game shows ratings before and after the game is counted. A player who
// left the leaderboards sees their own rating; others don't.
func TestSummaryShowsRatings(t *testing.T) {
	log := featuretest.GameOver(t)
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		featuretest.Put(t, w.Config.Store, featuretest.Parlour, log)
		gametest.Must(t, w.Config.Store.Update(t.Context(), featuretest.Parlour, "", func(r *bot.Room) error {
			r.Timers = append(r.Timers, bot.Timer{At: time.Now(), Kind: "record"})
			return nil
		}))
		early := w.Sees(bottest.People["eve"]).Ending.Players
		for _, p := range early {
			if gain := p.Change > 0; p.Rating == 0 || p.Change == 0 || gain != p.Won || p.Rating != 1500+p.Change {
				t.Errorf("before it is counted: %+v", p)
			}
		}
		stop := w.Run()
		synctest.Wait()
		if len(featuretest.StoredRows(t, w.Config.Notes, "results")) != 1 {
			t.Fatal("it isn't counted")
		}
		for i, p := range w.Sees(bottest.People["eve"]).Ending.Players {
			if !reflect.DeepEqual(p, early[i]) {
				t.Errorf("once it is counted: %+v, want %+v", p, early[i])
			}
		}
		w.Does(bottest.People["bob"], "/top me:out")
		seen, own := w.Sees(bottest.People["ann"]).Ending.Players, w.Sees(bottest.People["bob"]).Ending.Players
		if seen[0].Rating == 0 || seen[1].Rating != 0 || seen[1].Change != 0 || own[1].Rating == 0 {
			t.Errorf("with Bob hidden Ann sees %+v, Bob %+v", seen, own)
		}
		stop()
		synctest.Wait()
	})
}

// A draw between equals changes no rating; otherwise it costs the player rated higher.
func TestRatingsAfterADraw(t *testing.T) {
	w := newWorld(t)
	drawn := map[string]map[string]any{"": {"pool": "open/small"}, "ann": {"wins": 0, "ties": 1}, "bob": {"place": 1, "ties": 1}}
	w.ended(1, featuretest.Spring, "ann", "bob", 300, 300, drawn)
	recounted := func() (ann, bob int) {
		t.Helper()
		_, err := ladder.Recount(t.Context(), w.Config.Notes)
		gametest.Must(t, err)
		var values []int
		for _, who := range []string{"ann", "bob"} {
			page, err := profileOf(w.World, bottest.People[who])
			gametest.Must(t, err)
			m := regexp.MustCompile(`(\d+) ± \d+ after`).FindStringSubmatch(page)
			if m == nil {
				t.Fatalf("%s's page has no rating:\n%s", who, page)
			}
			value, _ := strconv.Atoi(m[1])
			values = append(values, value)
		}
		return values[0], values[1]
	}
	if ann, bob := recounted(); ann != 1500 || bob != 1500 {
		t.Errorf("new players who drew are rated %d and %d", ann, bob)
	}
	w.ended(2, featuretest.Spring.AddDate(0, 0, 1), "ann", "bob", 300, 200, map[string]map[string]any{"": {"pool": "open/small"}})
	high, low := recounted()
	w.ended(3, featuretest.Spring.AddDate(0, 0, 2), "ann", "bob", 300, 300, drawn)
	if ann, bob := recounted(); high <= low || ann >= high || bob <= low {
		t.Errorf("ratings of %d and %d are %d and %d after a draw", high, low, ann, bob)
	}
}

// A recount rates games that were counted before results stored ratings, and leaves unrated
// games unrated.
func TestRecountRatesOldResults(t *testing.T) {
	w := newWorld(t)
	w.ended(1, featuretest.Spring, "ann", "bob", 300, 200, map[string]map[string]any{"": {"pool": "open/small"}})
	w.ended(2, featuretest.Spring.AddDate(0, 0, 1), "ann", "bob", 300, 200, nil)
	_, err := ladder.Recount(t.Context(), w.Config.Notes)
	gametest.Must(t, err)
	rows := featuretest.StoredRows(t, w.Config.Notes, "results")
	for key, row := range rows {
		var r struct {
			Pool  string
			Seats []struct{ From, To int }
		}
		gametest.Must(t, json.Unmarshal([]byte(row), &r))
		ann, bob := r.Seats[0], r.Seats[1]
		if r.Pool == "" {
			if strings.Contains(row, "from") || strings.Contains(row, "to\"") {
				t.Errorf("the unrated game has ratings: %s %s", key, row)
			}
		} else if ann.From != 1500 || ann.To <= 1500 || bob.From != 1500 || bob.To >= 1500 {
			t.Errorf("Ann's went from %d to %d, Bob's from %d to %d", ann.From, ann.To, bob.From, bob.To)
		}
	}
	if len(rows) != 2 {
		t.Errorf("there are %d results", len(rows))
	}
}
