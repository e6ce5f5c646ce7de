package play_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// TestCompletionsWhileTyping checks the completions offered while people type.
func TestCompletionsWhileTyping(t *testing.T) {
	w := featuretest.New(t)
	featuretest.Put(t, w.Config.Store, featuretest.Parlour, bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "void", []string{"bag:EEEEEEEE", "ann:HORNSA?", "bob:FARMQI?"}))
	offers := func(who, command, option string, args map[string]string) string {
		var out []string
		for _, c := range w.Host.Complete(t.Context(), bot.Request{Channel: featuretest.Parlour, User: bottest.People[who], Command: command, Args: args}, option) {
			out = append(out, c.Value+"="+c.Label.String())
		}
		return strings.Join(out, "\n")
	}
	if got := offers("ann", "play", "at", map[string]string{"word": "horn"}); !strings.HasPrefix(got, "8E=8E across · 14\n8F=8F across · 14\n") || strings.Count(got, "\n") != 7 {
		t.Errorf("squares for HORN:\n%s", got)
	}
	if got := offers("ann", "play", "at", map[string]string{"word": "horn", "at": "h"}); strings.Count(got, "\n") != 3 {
		t.Errorf("squares for HORN in column H:\n%s", got)
	}
	for _, none := range []string{
		offers("ann", "play", "at", nil), offers("ann", "play", "at", map[string]string{"word": "horm"}), offers("ann", "play", "at", map[string]string{"word": "??"}),
		offers("eve", "play", "at", map[string]string{"word": "horn"}), offers("ann", "challenge", "words", nil), offers("ann", "play", "colour", nil),
	} {
		if none != "" {
			t.Errorf("offers %s", none)
		}
	}
	if got := offers("eve", "help", "command", map[string]string{"command": "ch"}); got != "challenge=challenge: Challenge the latest play: all its words, or the ones you name\ncheck=check: Look words up in the word list" {
		t.Errorf("commands: %s", got)
	}
	if r := w.Does(bottest.People["ann"], "/play horn 8h"); r.Refused {
		t.Fatal(r.Text)
	}
	if got := offers("bob", "play", "at", map[string]string{"word": "farms"}); !strings.Contains(got, "also HORNS") {
		t.Errorf("squares for FARMS:\n%s", got)
	}
	if got := offers("bob", "challenge", "words", nil); got != "HORN=HORN" {
		t.Errorf("words to challenge: %s", got)
	}
	w.Host.Store = tableless{w.Config.Store}
	if got := offers("bob", "play", "at", map[string]string{"word": "farms"}); got != "" {
		t.Errorf("offers without a store: %s", got)
	}
	broken := w.Config
	broken.Lexicons = []*lexicon.Lexicon{nil}
	w.Host = host.New(broken)
	if got := offers("bob", "new", "lexicon", nil); got != "" || !strings.Contains(w.Log.String(), "completion panicked") {
		t.Errorf("a panic offers %q", got)
	}
}

// A tableless store can't read tables.
type tableless struct{ bot.Store }

// Table fails.
func (tableless) Table(context.Context, bot.ChannelID) (bot.TableID, []game.Event, error) {
	return 0, nil, errors.New("disk")
}
