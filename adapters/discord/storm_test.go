package discord_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/bot/bottest"
)

// A storm is one private message: answers by the form and other buttons change it, and when
// the three minutes are over it says so by itself.
func TestStormChangesItsMessage(t *testing.T) {
	w := newDiscord(t)
	w.small = bottest.Sevens(t)
	w.build(discord.Config{}, w.store)
	w.timers.set(func(d time.Duration) <-chan time.Time {
		switch {
		case d == discord.Patience:
			d = time.Minute
		case d > time.Minute && d <= 4*time.Minute: // the storm's end, by Discord's clock
			d = 5 * time.Millisecond
		}
		return time.After(d)
	})
	w.start()
	w.d.Gateway.Connected(1, 1, 0)

	begun := w.ann.Gives(w.channel, "storm")
	m := begun.Answer()
	if !m.Private() || !m.Says("Which word do these make: ") {
		t.Fatalf("the storm begins with %q", m.Content)
	}
	word := func(m discordtest.Message) string {
		_, letters, _ := strings.Cut(strings.ReplaceAll(m.Content, "*", ""), "Which word do these make: ")
		letters, _, _ = strings.Cut(letters, "?")
		return bottest.OnlyWord(t, w.small, letters)
	}
	for n := 1; n <= 3; n++ {
		w.d.Advance(2 * time.Second)
		got := w.ann.Fills(w.ann.Presses(m, "Answer"), "word", word(m)).Answer()
		if got.ID != m.ID || !got.Says(word(m)+"** is right") {
			t.Errorf("answer %d is in the message %s, the storm's is %s: %q", n, got.ID, m.ID, got.Content)
		}
		m = got
	}
	// What else is asked stands beside it.
	if got := w.ann.Gives(w.channel, "storm", "do", "results").Answer(); got.ID == m.ID {
		t.Errorf("the best here: %q", got.Content)
	}
	w.d.Advance(2 * time.Second)
	if got := w.ann.Presses(m, "Skip").Answer(); got.ID != m.ID || !got.Says("3 right, 0 in a row") {
		t.Errorf("skipped: %q", got.Content)
	}
	w.d.Advance(3 * time.Minute)
	if !w.d.Wait("the end of the storm", func() bool { m = begun.Now(); return strings.Contains(m.Content, "Time's up: 3 words") }) {
		t.Fatalf("the message says %q", m.Content)
	}
	w.d.Advance(2 * time.Second)
	if got := w.ann.Presses(m, "Another storm").Answer(); got.ID != m.ID || !got.Says("0 right, 0 in a row") {
		t.Errorf("another one: %q", got.Content)
	}
}
