package host_test

import (
	"context"
	"maps"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/text"
)

// Two features can't have the same name, and none can be unnamed: they would share their rows.
func TestFeatureNamesAreUnique(t *testing.T) {
	for _, c := range []struct {
		names []string
		fails bool
	}{
		{[]string{"chess", "draughts"}, false},
		{[]string{"chess", "chess"}, true},
		{[]string{""}, true},
	} {
		func() {
			defer func() {
				if failed := recover() != nil; failed != c.fails {
					t.Errorf("a host with features %q fails: %t", c.names, failed)
				}
			}()
			newWorld(t, func(config *host.Config) {
				config.Features = func(h feature.Registry) []feature.Feature {
					for _, name := range c.names {
						h.Open(name)
					}
					return nil
				}
			})
		}()
	}
}

// hall lists a command completed by values whose labels begin differently.
func hall() []feature.Command {
	of := func(context.Context, bot.Request) []bot.Choice {
		return []bot.Choice{{Value: "north", Label: text.Plain("Upstairs")}, {Value: "south", Label: text.Plain("Under the stairs")}}
	}
	return []feature.Command{{
		Command: bot.Command{Name: "enter", Help: "Enter a hall", Options: []bot.Option{
			{Name: "door", Help: "By which door", Kind: bot.Pick},
			{Name: "hall", Help: "Which one", Kind: bot.Pick, ByLabel: true},
			{Name: "floor", Help: "Which floor", Kind: bot.Pick, Choices: of(nil, bot.Request{})},
		}},
		Complete: map[string]feature.Completer{"door": of, "hall": of},
	}}
}

// Completion matches the beginning of values, and of labels only if people know these: with few
// choices, or if the option says so.
func TestCompletionByLabels(t *testing.T) {
	w := newWorld(t, func(c *host.Config) {
		c.Features = func(feature.Registry) []feature.Feature { return []feature.Feature{{Commands: hall}} }
	})
	for typed, want := range map[string]map[string]int{
		"":    {"door": 2, "hall": 2, "floor": 2},
		"no":  {"door": 1, "hall": 1, "floor": 1},
		"u":   {"door": 0, "hall": 2, "floor": 2},
		"UPS": {"door": 0, "hall": 1, "floor": 1},
	} {
		got := map[string]int{}
		for option := range want {
			got[option] = len(w.Host.Complete(t.Context(), bot.Request{Channel: featuretest.Parlour, User: bottest.People["ann"], Command: "enter", Args: map[string]string{option: typed}}, option))
		}
		if !maps.Equal(got, want) {
			t.Errorf("for %q there are offered %v, want %v", typed, got, want)
		}
	}
}
