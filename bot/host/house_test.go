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

// Two features can't have the same name, and none has none: their rows would be each
// other's.
func TestFeaturesHaveNamesOfTheirOwn(t *testing.T) {
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
				config.Features = func(h feature.House) []feature.Feature {
					for _, name := range c.names {
						h.Open(name)
					}
					return nil
				}
			})
		}()
	}
}

// A hall is a feature whose command is completed by values that begin otherwise than their
// labels.
type hall struct{}

func (hall) Commands() []feature.Command {
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

// What is typed is the beginning of a value; the beginning of its label only where labels
// are what people know: of few choices, or where the option says so.
func TestCompletionByLabels(t *testing.T) {
	w := newWorld(t, func(c *host.Config) {
		c.Features = func(feature.House) []feature.Feature { return []feature.Feature{hall{}} }
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

// A bill notes how often each command changed the store.
type bill struct {
	bot.Unobserved
	changes map[string]int
}

func (b bill) Spent(name string, c bot.Cost) { b.changes[name] = c.Commits }

// A command is charged for each change of the store that it makes, and for none where it
// makes none.
func TestChangesAreCharged(t *testing.T) {
	b := bill{changes: map[string]int{}}
	w := newWorld(t, func(c *host.Config) { c.Observer = b })
	for _, c := range []struct {
		who, line string
		want      int
	}{
		{"ann", "/new seats:3", 2}, // the table, and that she opened it
		{"bob", "/join", 1},
		{"cat", "/join", 1},
		{"bob", "/rack", 0},
		{"bob", "/settings ping:dm", 1},
		{"bob", "/note a bench is kept", 1},
	} {
		req := w.Request(bottest.People[c.who], c.line)
		w.Host.Handle(t.Context(), req)
		if n := b.changes[req.Command]; n != c.want {
			t.Errorf("%s is charged for %d changes, want %d", c.line, n, c.want)
		}
	}
	s, _ := w.Replayed(featuretest.Parlour)
	pass := w.Request(s.Seats[s.Turn].Person, "/pass")
	for i, want := range []int{1, 0} {
		w.Host.Handle(t.Context(), pass)
		if n := b.changes["pass"]; n != want {
			t.Errorf("the same pass is charged for %d changes when it comes for the %d. time, want %d", n, i+1, want)
		}
	}
	w.Host.Handle(t.Context(), w.Request(s.Seats[s.Turn].Person, "/nudge"))
	if n := b.changes["nudge"]; n != 2 { // the timer, and that there was a nudge
		t.Errorf("a nudge is charged for %d changes", n)
	}
}
