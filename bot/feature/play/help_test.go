package play_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game"
)

// The help on fair draws shows the digest once a table is open, a warning if nobody else influenced
// the draws, and the secret when the game is over.
func TestHelpOnFairDraws(t *testing.T) {
	for name, c := range map[string]struct {
		prepare                func(*featuretest.World)
		digest, nobody, secret bool
	}{
		"no table":              {func(*featuretest.World) {}, false, false, false},
		"an open table":         {lobby, true, false, false},
		"a game of one":         {func(w *featuretest.World) { w.Must("ann", "/new variant:solitaire") }, true, true, false},
		"somebody joined later": {func(w *featuretest.World) { w.Must("ann", "/new seats:2"); w.Must("bob", "/join") }, true, false, false},
		"a game that is over":   {over, true, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := featuretest.New(t)
			c.prepare(w)
			said := w.Does(bottest.People["eve"], "/help draws").Text.String()
			var secret game.Secret
			if log := featuretest.Events(t, w.Config.Store, featuretest.Parlour); len(log) > 0 {
				secret = log[0].Fact.(game.Opened).Secret
			}
			for what, want := range map[string]bool{
				game.Digest(secret.Commitment()): c.digest, "Nobody sat down at this table after": c.nobody, fmt.Sprintf("%x", secret): c.secret,
			} {
				if strings.Contains(said, what) != want {
					t.Errorf("%q is said: %t, want %t, in\n%s", what, !want, want, said)
				}
			}
		})
	}
}

// TestHelpHidesForbiddenLookUps checks that players who can't look words up aren't shown how.
func TestHelpHidesForbiddenLookUps(t *testing.T) {
	for rules, check := range map[string]bool{"club": false, "classic": true} {
		w := featuretest.New(t)
		w.Must("ann", "/new seats:2 rules:"+rules)
		w.Must("bob", "/join")
		if said := featuretest.Shown(w.Does(bottest.People["ann"], "/help").Text); strings.Contains(said, "/check") != check {
			t.Errorf("by %s rules it says\n%s", rules, said)
		}
	}
}
