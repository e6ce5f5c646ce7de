package ladder_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game/gametest"
)

// The card of a finished game has the series between its two players, from their second game on,
// and says the same before and after the game is counted.
func TestResultShowsSeries(t *testing.T) {
	log := featuretest.GameOver(t)
	synctest.Test(t, func(t *testing.T) {
		var all []feature.Feature
		w := newWorld(t, func(c *host.Config) {
			list := c.Features
			c.Features = func(h feature.Registry) []feature.Feature {
				all = list(h)
				return all
			}
		})
		gametest.Must(t, w.Config.Notes.Put(t.Context(), "homes", string(featuretest.Parlour), []byte("test:house")))
		result := func(id int) (said string) {
			t.Helper()
			at, err := table.Variants(nil).Replay(featuretest.Parlour, bot.TableID(id), log)
			gametest.Must(t, err)
			for _, f := range all {
				if f.Result != nil {
					line, err := f.Result(t.Context(), at)
					gametest.Must(t, err)
					said += line.String()
				}
			}
			return said
		}
		defer w.Run()()
		for n, want := range []string{"", "Their 2nd game: 2 to 0 for ", "Their 3rd game: 3 to 0 for "} {
			w.counted(featuretest.Parlour, log)
			before := result(n + 1)
			w.Host.Rouse("")
			time.Sleep(time.Hour)
			synctest.Wait()
			if after := result(n + 1); before != after || !strings.HasPrefix(after, want) || want == "" && after != "" {
				t.Errorf("game %d: before it is counted %q, after %q, want %q", n+1, before, after, want)
			}
		}
	})
}
