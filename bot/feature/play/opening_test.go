package play_test

import (
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game"
)

// A newcomer can read a table's opening: it fits three short lines on a phone and has no names of
// rules. Below, in small type, is the digest of the draws; what it is for is behind a button.
func TestOpeningIsShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t)
		w.Run()
		if r := w.Does(bottest.People["ann"], "/new"); r.Refused {
			t.Fatal(r.Text)
		}
		synctest.Wait()
		m := w.Posts.Take()[0]
		text, lines := m.Text.WithoutSmall().String(), 0
		digest := game.Digest(featuretest.Events(t, w.Config.Store, featuretest.Parlour)[0].Fact.(game.Opened).Secret.Commitment())
		if small := m.Text.SmallLines().String(); small != "Fair draws: "+digest {
			t.Errorf("in small type it says %q, want the digest %s", small, digest)
		}
		for _, line := range strings.Split(text, "\n") {
			lines += 1 + (len([]rune(line))-1)/45 // characters in 328 pixels at 15 pixels
		}
		if lines > 3 {
			t.Errorf("that is %d lines of a phone: %s", lines, text)
		}
		if bad := regexp.MustCompile(`[0-9a-f]{64}|SHA-256|single challenge|the word list`).FindString(text + m.Line.String()); bad != "" {
			t.Errorf("%q is in %s", bad, text)
		}
		b := m.Buttons[len(m.Buttons)-1]
		req, ok := w.Request(bottest.People["eve"], "/help").Press(b.ID)
		if b.Label.String() != "Fair draws" || !ok {
			t.Fatalf("the last button is %+v", b)
		}
		if r := w.Host.Handle(t.Context(), req); !strings.Contains(r.Text.String(), digest) {
			t.Errorf("fair draws: %s", r.Text)
		}
	})
}
