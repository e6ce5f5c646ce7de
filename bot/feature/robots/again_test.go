package robots_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/robot"
)

// An alternative play gets the same judgement as the play in the game. Illegal plays are
// explained, and phonies aren't judged.
func TestAlternativePlayIsJudged(t *testing.T) {
	log := featuretest.GameOver(t)
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t, func(c *host.Config) { c.URL = "https://play.example.org" })
		featuretest.Put(t, w.Config.Store, featuretest.Parlour, log)
		d := robot.Decisions(log)[2]
		judged, err := featuretest.Mind(w.Config.Lexicons[0]).Judge(t.Context(), d)
		gametest.Must(t, err)
		best := judged.Best[0]
		set := d.View.Equipment.Tiles
		tally, err := d.View.Rules.Tally(d.View.Equipment, &d.View.Board, best.Move)
		gametest.Must(t, err)
		try := func(word, at string, judge bool) view.Outcome {
			t.Helper()
			tried, err := featuretest.Ask[view.Outcome](w, "/g/{key}/try", bot.Request{Channel: featuretest.Parlour, Table: 1, User: bottest.People["eve"]}, view.Attempt{Turn: d.Turn, Word: word, At: at, Judge: judge})
			gametest.Must(t, err)
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
		if _, err := featuretest.Ask[view.Outcome](w, "/g/{key}/try", bot.Request{Channel: featuretest.Parlour, Table: 1}, view.Attempt{Turn: 999}); err == nil || !strings.Contains(err.Error(), "didn't have that turn") {
			t.Errorf("a turn that never was: %v", err)
		}
	})
}
