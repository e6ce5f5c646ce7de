package features_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game/gametest"
)

// plausible holds what a stranger might type for an option without choices.
var plausible = map[string]string{
	"word": "HORN", "at": "8H", "tiles": "A", "draw": "2v5c", "who": "Ann", "name": "Cup", "text": "hello", "words": "HORN QI", "code": "AAAA-AAAA",
	"board": "1", "game": "1", "round": "1", "table": "1", "turn": "3", "score": "412-377", "drop": "1", "until": "14d", "days": "3", "uses": "5",
}

// typings returns lines that a stranger might type for a command in a language: without options, with
// each option and each of its choices alone, and with all options.
func typings(c bot.Command, to *text.Locale) (lines []string) {
	begins := "/" + cmp.Or(c.NameIn(to), c.Name)
	lines = append(lines, begins)
	all := begins
	for _, o := range c.Options {
		var values []string
		for _, choice := range o.Choices {
			values = append(values, cmp.Or(o.ChoiceIn(choice, to), choice.Value))
		}
		if len(values) == 0 {
			values = []string{cmp.Or(plausible[o.Name], "3"), "?"}
		}
		for _, v := range values {
			lines = append(lines, fmt.Sprintf("%s %s:%s", begins, cmp.Or(o.NameIn(to), o.Name), v))
		}
		all += fmt.Sprintf(" %s:%s", cmp.Or(o.NameIn(to), o.Name), values[0])
	}
	return append(lines, all)
}

// Every command, typed by a stranger in each language without a table, a game or a channel, gets an
// answer, and logs neither an error nor a panic.
func TestCommandsWithoutTable(t *testing.T) {
	locales, err := sentences.Load(data.Sentences())
	gametest.Must(t, err)
	w := newWorld(t, pictures(t), func(c *host.Config) { c.Locales = locales })
	read, typed, understood := 0, 0, 0 // read is the length of the log that was read
	for i, to := range locales.All() {
		for _, c := range w.Host.Commands() {
			for n, line := range typings(c, to) {
				command, args, refused := w.Host.Commands().ParseLine(line, to)
				if typed++; refused != nil {
					continue
				}
				understood++
				ch := []bot.ChannelID{"test:nowhere", ""}[(n+i)%2]
				stranger := bot.User{ID: bot.PlayerID(fmt.Sprintf("test:stranger%d", typed)), Name: "Fay"}
				req := bot.Request{ID: fmt.Sprint("r", typed), Channel: ch, User: stranger, Locale: to.Code(), Command: command, Args: args, Manager: n%3 == 0}
				if args["who"] != "" {
					req.People = []bot.User{bottest.People["ann"]}
				}
				reply := w.Host.Handle(t.Context(), req)
				log := w.Log.String()
				if log, read = log[read:], len(log); strings.Contains(log, "level=ERROR") || strings.Contains(log, "panic") {
					t.Errorf("%s in %q: %s", line, ch, log[:min(len(log), 700)])
				}
				if reply.Text == nil && reply.Picture == nil && len(reply.Files) == 0 {
					t.Errorf("%s in %q: no answer: %+v", line, ch, reply)
				}
			}
		}
	}
	if languages := len(locales.All()); languages < 7 || typed < 1500 || understood < typed*3/4 {
		t.Errorf("%d of %d lines in %d languages were understood", understood, typed, languages)
	}
	t.Logf("%d of %d lines in %d languages were understood", understood, typed, len(locales.All()))
}
