package play_test

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
)

// A look at the rack tells the player that nobody can play any more if hints are allowed, the bag
// is empty and the game goes on, and otherwise doesn't.
func TestRackSaysNobodyCanPlay(t *testing.T) {
	for name, c := range map[string]struct {
		deal  string
		lines []string
		looks string
		told  bool
		host  func(*host.Config)
	}{
		"nothing fits":                    {"family void bag: ann:HORNQ bob:QV", []string{"ann: /play horn 8h"}, "bob", true, nil},
		"nothing fits, but there's a bag": {"family void bag:QQQQQ ann:HORNV bob:QV", []string{"ann: /play horn 8h"}, "bob", false, nil},
		"the last play can be challenged": {"family single bag: ann:HORN bob:QVQVQVQ", []string{"ann: /play horn 8h"}, "bob", false, nil},
		"hints aren't allowed":            {"club void bag: ann:HORNQ bob:QV", []string{"ann: /play horn 8h"}, "bob", false, nil},
		"no word has been played":         {"family void bag: ann:QVQV bob:QVQV", nil, "ann", false, nil},
		"a game that robots don't know":   {"family void variant:solitaire bag: ann:HORNQVV", []string{"ann: /play horn 8h"}, "ann", false, nil},
		"a host without robots":           {"family void bag: ann:HORNQ bob:QV", []string{"ann: /play horn 8h"}, "bob", false, func(c *host.Config) { c.Mind = nil }},
		"who looks has given up":          {"family void bag: ann:HORNQ bob:QV cat:QV", []string{"ann: /play horn 8h", "bob: /resign"}, "bob", false, nil},
		"another has given up":            {"family void bag: ann:HORNQ bob:QV cat:QV", []string{"ann: /play horn 8h", "bob: /resign"}, "cat", true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := featuretest.New(t)
			if c.host != nil {
				w = featuretest.New(t, c.host)
			}
			tiles := strings.Fields(c.deal)
			featuretest.Put(t, w.Config.Store, featuretest.Parlour, bottest.Dealt(t, bottest.Small(t).Hash(), tiles[0], tiles[1], tiles[2:]))
			for _, line := range c.lines {
				who, line, _ := strings.Cut(line, ": ")
				req := w.Request(bottest.People[who], line)
				if line == "/resign" { // as its button does
					req.Table = 1
				}
				if r := w.Host.Handle(t.Context(), req); r.Refused {
					t.Fatalf("%s: %s", line, r.Text)
				}
			}
			r := w.Does(bottest.People[c.looks], "/rack")
			if told := strings.Contains(r.Text.String(), "Nobody can play a word any more"); told != c.told {
				t.Errorf("%s is told %q", c.looks, r.Text)
			}
		})
	}
}
