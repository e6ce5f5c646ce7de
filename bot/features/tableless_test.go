package features_test

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
)

// Every command, typed without a table, a game or a channel, with and without plausible arguments,
// gets an answer and logs no error.
func TestCommandsWithoutATable(t *testing.T) {
	w := newWorld(t, pictures(t))
	read := 0 // of the log
	plausible := map[string]string{
		"word": "HORN", "at": "8H", "tiles": "A", "player": "Ann", "who": "Ann", "name": "Ann", "text": "hello", "line": "hello",
		"words": "HORN", "order": "sort", "list": "en", "board": "1", "game": "1", "round": "1", "code": "AAAA-AAAA",
	}
	for _, c := range w.Host.Commands() {
		for _, args := range []map[string]string{nil, plausible} {
			for _, ch := range []bot.ChannelID{"test:nowhere", ""} {
				given := map[string]string{}
				for _, o := range c.Options {
					v, ok := args[o.Name]
					if !ok && args != nil && len(o.Choices) > 0 {
						v, ok = o.Choices[0].Value, true
					}
					if ok {
						given[o.Name] = v
					}
				}
				req := bot.Request{ID: c.Name + string(ch), Channel: ch, User: bottest.People["fay"], Command: c.Name, Args: given}
				w.Host.Handle(t.Context(), req)
				log := w.Log.String()
				if log, read = log[read:], len(log); strings.Contains(log, "level=ERROR") {
					t.Errorf("/%s %v in %q: %s", c.Name, given, ch, log[:min(len(log), 700)])
				}
			}
		}
	}
}
