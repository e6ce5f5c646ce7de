package ladder_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/feature/daily"
	"github.com/rackmate/rackmate/bot/feature/ladder"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game/gametest"
)

// badges returns the badges of every player, as a newly started host shows them.
func (w *world) badges(t *testing.T) map[string]string {
	t.Helper()
	h := host.New(w.Config)
	all := map[string]string{}
	for row := range featuretest.StoredRows(t, w.Config.Notes, "players", "daily-players") {
		_, id, _ := strings.Cut(row, " ")
		said := h.Handle(t.Context(), w.Request(bot.User{ID: bot.PlayerID(id), Name: id}, "stats")).Text.String()
		if _, badges, has := strings.Cut(said, "Badges: "); has {
			all[id], _, _ = strings.Cut(badges, "\n")
		}
	}
	return all
}

// A recount keeps badges and streaks whatever was played, and restores them if the counts
// behind them were damaged.
func TestBadgesAreRecounted(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 34))
	featuretest.InSpring(t, func(t *testing.T) {
		w := newWorld(t, func(c *host.Config) { c.Mind = featuretest.HalfKnown })
		w.Run()
		w.Manages(bottest.People["mod"], "settings for:channel daily:9:00 zone:Europe/Berlin")
		rules := featuretest.EveryRules()
		for i := range 12 {
			r := rules[random.IntN(len(rules))]
			r.Hints, r.Unrated = false, false
			log := gametest.RandomGame(t, random.Uint64(), 2+i%3, r)
			late := featuretest.Spring.Add(time.Duration(random.IntN(10*24)) * time.Hour).Sub(log[0].At) // spread the games over the days of the boards
			for k := range log {
				log[k].At = log[k].At.Add(late)
			}
			gametest.Must(t, w.Config.Store.Update(t.Context(), bot.ChannelID(fmt.Sprint("test:channel", i)), "", func(room *bot.Room) error {
				room.Append, room.Timers = log, append(room.Timers, bot.Timer{At: log[len(log)-1].At, Kind: "record"})
				return nil
			}))
		}
		for day := range 12 {
			for _, who := range []string{"ann", "bob", "cat"} {
				if who == "ann" || random.IntN(3) > 0 {
					w.Tries(bottest.People[who], random.IntN(20))
				}
			}
			time.Sleep(time.Until(featuretest.Spring.AddDate(0, 0, day+1)))
			synctest.Wait()
		}
		recount := func() (differences int) {
			t.Helper()
			if _, err := ladder.Recount(t.Context(), w.Config.Notes); err != nil {
				t.Fatal(err)
			}
			r, err := daily.Recount(t.Context(), w.Config.Notes, nil)
			gametest.Must(t, err)
			return r.Differences
		}
		before, streaks := w.badges(t), featuretest.StoredRows(t, w.Config.Notes, "daily-players", "daily-places")
		if ann := before[string(bottest.People["ann"].ID)]; !strings.Contains(ann, "seven days in a row") || len(before) < 4 {
			t.Errorf("Ann has the badges %q, of %v", ann, before)
		}
		if n := recount(); n != 0 {
			t.Errorf("a recount finds %d differences", n)
		}
		if after := w.badges(t); !maps.Equal(after, before) {
			t.Errorf("the badges are %v; before the recount they were %v", after, before)
		}
		if after := featuretest.StoredRows(t, w.Config.Notes, "daily-players", "daily-places"); !maps.Equal(after, streaks) {
			t.Errorf("the streaks are %v; before the recount they were %v", after, streaks)
		}
		for _, shelf := range []string{"players", "daily-players"} {
			for row := range featuretest.StoredRows(t, w.Config.Notes, shelf) {
				_, id, _ := strings.Cut(row, " ")
				gametest.Must(t, w.Config.Notes.Put(t.Context(), shelf, id, []byte(`{"v":1}`)))
			}
		}
		if spoiled := w.badges(t); len(spoiled) != 0 {
			t.Errorf("from nothing follow the badges %v", spoiled)
		}
		recount()
		if mended := w.badges(t); !maps.Equal(mended, before) {
			t.Errorf("the badges that come back are %v; they were %v", mended, before)
		}
	})
}
