package slack_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestCallsPerMove checks the number of rate-limited Web API calls per move, if the app has
// the scopes of its manifest. The answer by response_url and the upload of the picture's
// bytes come on top; they aren't limited.
func TestCallsPerMove(t *testing.T) {
	const live = "for:channel board:live" // the default of a channel on Slack; see slack.Adapter.Platform
	for _, c := range []struct {
		name     string
		settings string
		homes    bool
		http     bool
		scopes   []string
		most     float64 // calls per move
	}{
		// Upload in two, edit, call; the previous picture is deleted; the mover's card.
		{"a live board", live, false, false, nil, 6},
		{"a live board over HTTP", live, false, true, nil, 3},
		{"folded boards", "", false, false, nil, 6},
		{"folded boards over HTTP", "", false, true, nil, 3},
		{"home pages that were opened long ago", live, true, false, nil, 6},
		{"open home pages", live, true, false, nil, 8},
		{"without cards", "dm:off", false, true, nil, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			changes := []func(*slack.Config){}
			if c.http {
				changes = append(changes, overHTTP, func(c *slack.Config) { c.OAuth.URL = "https://play.example.org" })
			}
			// Waiting advances the clock, which makes files ready.
			var passed atomic.Int64
			now := func() time.Time { return time.Now().Add(time.Duration(passed.Load())) }
			w := newWorld(t, slacktest.Options{Scopes: c.scopes, Ready: 120 * time.Millisecond, Now: now}, changes...)
			w.restartWith(func(d time.Duration) <-chan time.Time {
				if ample(d) {
					return time.After(time.Minute)
				}
				passed.Add(int64(d))
				return over()
			})
			for _, who := range []string{ann, bob} {
				if c.settings == live && who == ann || c.settings != "" && c.settings != live {
					w.slash(who, "/settings", c.settings)
				}
				if c.homes {
					gametest.Must(t, w.s.OpenHome(who))
				}
			}
			w.deal("")
			if strings.Contains(c.name, "long ago") {
				w.later(time.Hour)
			}
			play := func() {
				t.Helper()
				n, who := w.state().Number, w.turn()
				if text := best(w.state()); text != "" {
					w.slash(who, "/play", text)
				} else {
					s := w.state()
					w.slash(who, "/exchange", s.Equipment.Tiles.Text(s.Seats[s.Turn].Rack.At(0)))
				}
				if w.state().Number == n {
					t.Fatal("nothing was done")
				}
				w.settled()
			}
			w.settled()
			play()
			play() // both are known now
			w.settled()
			before := w.s.Requests()
			moves := gametest.Rounds(2, 4)
			for range moves {
				play()
			}
			total, after := 0, w.s.Requests()
			var each []string
			for _, method := range slices.Sorted(maps.Keys(after)) {
				if n := after[method] - before[method]; method == "fetched" {
					continue // requests by Slack
				} else if n > 0 {
					if strings.Contains(method, ".") {
						total += n
					}
					each = append(each, fmt.Sprintf("%s %.1f", method, float64(n)/float64(moves)))
				}
			}
			a := float64(total) / float64(moves)
			t.Logf("%.1f calls a move: %s", a, strings.Join(each, ", "))
			if a > c.most {
				t.Errorf("%.1f calls a move, want at most %.1f", a, c.most)
			}
		})
	}
}
