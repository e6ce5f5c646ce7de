package competition_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestSeasonLotsCanBeVerified checks that the digest in the message that opens a registration is that of the
// secret in the message that ends the season, and that the proof derives the season's seed from
// the secret and the registrations.
func TestSeasonLotsCanBeVerified(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLeague(t, 3, 1, "season:60")
		l.registers()
		featuretest.Wants(t, l.Does(l.People[0], "league start"), false)
		l.Settle()
		early := l.Does(l.People[0], "league export as:proof")
		l.playsOut()
		time.Sleep(time.Minute)
		l.Settle()
		said := map[string][]string{}
		for _, m := range l.Posts.Take() {
			said[m.Kind] = append(said[m.Kind], featuretest.Shown(m.Text))
		}
		after := func(kind, word string) string {
			t.Helper()
			m := regexp.MustCompile(word + `:? ` + "`?" + `([a-z0-9-]+)`).FindStringSubmatch(strings.Join(said[kind], "\n"))
			if m == nil {
				t.Fatalf("no %q in %q", word, said[kind])
			}
			return m[1]
		}
		digest, secret := after("league open", "pairings"), after("league division", "behind the pairings")
		b, err := hex.DecodeString(secret)
		gametest.Must(t, err)
		if got := game.Digest(fmt.Sprintf("%x", sha256.Sum256(b))); got != digest {
			t.Errorf("the secret's digest is %s, and %s was posted", got, digest)
		}
		featuretest.Wants(t, early, true, digest)
		r := l.Does(l.People[0], "league export as:proof")
		if len(r.Files) != 1 {
			t.Fatalf("no proof: %s", r.Text)
		}
		var proof struct {
			Posted, Secret, Seed string
			Requests             []string
		}
		gametest.Must(t, json.Unmarshal(r.Files[0].Data, &proof))
		seed := fmt.Sprintf("%x", sha256.Sum256([]byte(secret+"\n"+strings.Join(proof.Requests, "\n"))))
		if proof.Posted != digest || proof.Secret != secret || proof.Seed != seed || len(proof.Requests) != 3 {
			t.Errorf("the proof is %+v", proof)
		}
	})
}
