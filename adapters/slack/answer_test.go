package slack_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
)

// TestSlowPictureDoesntDelayText checks that a picture that takes longer than a moment doesn't delay the
// text.
func TestSlowPictureDoesntDelayText(t *testing.T) {
	for _, c := range []struct {
		name    string
		ask     func(w *world, who string) slacktest.Message
		answers int
	}{
		{"typed, the whole takes the words' place", func(w *world, who string) slacktest.Message { return w.slash(who, "/board", "picture") }, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, slacktest.Options{Looks: 2})
			first, _ := w.deal("")
			ready := make(chan time.Time)
			w.restartWith(func(d time.Duration) <-chan time.Time {
				if d == slack.Moment {
					return over()
				}
				return ready
			})
			had := len(w.s.Private(first))
			if words := c.ask(w, first); words.Shows() || !strings.Contains(words.Said(), "s turn") {
				t.Errorf("meanwhile the answer says: %s", words.Said())
			}
			close(ready)
			w.await("the picture", func() bool {
				all := w.s.Private(first)
				return len(all) == had+c.answers && all[len(all)-1].Shows()
			})
		})
	}
}
