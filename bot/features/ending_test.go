package features_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game/robot"
)

// The end of a game that counts has the ratings, before it is counted as after; who left
// the leaderboards is the only one to see theirs.
func TestEndingHasRatings(t *testing.T) {
	log := aGameOver(t)
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		put(t, w.Config.Store, parlour, log)
		if err := w.Config.Store.Update(t.Context(), parlour, "", func(r *bot.Room) error {
			r.Timers = append(r.Timers, bot.Timer{At: time.Now(), Kind: "record"})
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		early := w.sees(people["eve"]).Ending.Players
		for _, p := range early {
			if gain := p.Change > 0; p.Rating == 0 || p.Change == 0 || gain != p.Won || p.Rating != 1500+p.Change {
				t.Errorf("before it is counted: %+v", p)
			}
		}
		stop := w.Run()
		synctest.Wait()
		if len(kept(t, w.Config.Notes, "results")) != 1 {
			t.Fatal("it isn't counted")
		}
		for i, p := range w.sees(people["eve"]).Ending.Players {
			if p != early[i] {
				t.Errorf("once it is counted: %+v, want %+v", p, early[i])
			}
		}
		w.Does(people["bob"], "/top me:out")
		seen, own := w.sees(people["ann"]).Ending.Players, w.sees(people["bob"]).Ending.Players
		if seen[0].Rating == 0 || seen[1].Rating != 0 || seen[1].Change != 0 || own[1].Rating == 0 {
			t.Errorf("with Bob hidden Ann sees %+v, Bob %+v", seen, own)
		}
		stop()
		synctest.Wait()
	})
}

// A play that somebody would rather have made is judged as that of the game was; what isn't
// legal says why, and what isn't valid isn't judged.
func TestTryAgain(t *testing.T) {
	log := aGameOver(t)
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(c *host.Config) { c.URL = "https://play.example.org" })
		put(t, w.Config.Store, parlour, log)
		pages, d := features.Pages(w.Host), robot.Decisions(log)[2]
		judged, err := mind(w.Config.Lexicons[0]).Judge(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		best := judged.Best[0]
		set := d.View.Equipment.Tiles
		tally, err := d.View.Rules.Tally(d.View.Equipment, &d.View.Board, best.Move)
		if err != nil {
			t.Fatal(err)
		}
		try := func(word, at string, judge bool) bot.Tried {
			t.Helper()
			tried, err := pages.Try(t.Context(), bot.Request{Channel: parlour, Table: 1, User: people["eve"]}, bot.Attempt{Turn: d.Turn, Word: word, At: at, Judge: judge})
			if err != nil {
				t.Fatal(err)
			}
			return tried
		}
		word, at := set.Print(tally.Words[0].Tiles), best.Move.At.At(best.Move.Dir)
		if got := try(word, at, false); got.Score != best.Points || got.Judged != nil || got.Problem != "" {
			t.Errorf("the best play, not judged: %+v", got)
		}
		if got := try(word, at, true); got.Judged == nil || got.Judged.Made.Points != best.Points || got.Judged.Loss != 0 || len(got.Judged.Made.Squares) == 0 {
			t.Errorf("the best play: %+v", got)
		}
		if got := try("QQ", "1A", true); got.Problem == "" || got.Judged != nil {
			t.Errorf("a play that isn't legal: %+v", got)
		}
		if _, err := pages.Try(t.Context(), bot.Request{Channel: parlour, Table: 1}, bot.Attempt{Turn: 999}); err == nil || !strings.Contains(err.Error(), "no such turn") {
			t.Errorf("a turn that never was: %v", err)
		}
	})
}
