package slack_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/game/gametest"
)

// A storm is one private message: answers by the form and other buttons change it, and when
// the three minutes are over it says so by itself.
func TestStormChangesItsMessage(t *testing.T) {
	w := newWorldOf(t, bottest.Sevens(t), slacktest.Options{})
	w.restartWith(func(d time.Duration) <-chan time.Time {
		if d > 2*time.Minute && d <= 4*time.Minute { // the storm's end, by the host's clock
			return time.After(5 * time.Millisecond)
		}
		return soon(d)
	})
	m := w.slash(ann, "/rm", "storm")
	latest := func() slacktest.Message {
		all := w.s.Private(ann)
		return all[len(all)-1]
	}
	word := func(m slacktest.Message) string {
		_, letters, _ := strings.Cut(strings.ReplaceAll(m.Said(), "*", ""), "Which word do these make: ")
		letters, _, _ = strings.Cut(letters, "?")
		return bottest.OnlyWord(t, w.lexicon, letters)
	}
	says := func(what string) {
		t.Helper()
		w.await(what, func() bool { return strings.Contains(latest().Said(), what) })
		if m = latest(); len(w.s.Private(ann)) != 1 {
			t.Errorf("there are %d private messages", len(w.s.Private(ann)))
		}
	}
	solve := func(word string) map[string]string {
		t.Helper()
		gametest.Must(t, w.s.Press(ann, m, "Answer", nil))
		var form slacktest.View
		w.await("the form", func() (open bool) { form, open = w.s.Top(ann); return open })
		mistakes, err := w.s.Submit(form, map[string]any{"word": word})
		gametest.Must(t, err)
		return mistakes
	}
	if !strings.Contains(m.Said(), "0 right, 0 in a row") {
		t.Fatalf("the storm begins with %s", m.Said())
	}
	for n, want := range []string{"1 right, 1 in a row", "2 right, 2 in a row"} {
		w.ahead.Add(int64(2 * time.Second))
		if mistakes := solve(word(m)); mistakes != nil {
			t.Errorf("answer %d: %v", n+1, mistakes)
		}
		says(want)
	}
	w.ahead.Add(int64(2 * time.Second))
	gametest.Must(t, w.s.Press(ann, m, "Skip", nil))
	says("2 right, 0 in a row")
	w.ahead.Add(int64(3 * time.Minute))
	says("Time's up: 2 words")
}
