package ladder_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game/gametest"
)

// The end of a game that counts has the ratings, before it is counted as after; who left
// the leaderboards is the only one to see theirs.
func TestEndingHasRatings(t *testing.T) {
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
		if len(featuretest.Kept(t, w.Config.Notes, "results")) != 1 {
			t.Fatal("it isn't counted")
		}
		for i, p := range w.Sees(bottest.People["eve"]).Ending.Players {
			if p != early[i] {
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
