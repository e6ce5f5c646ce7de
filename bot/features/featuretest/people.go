package featuretest

import (
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// InHouse handles a typed command in a channel of a home.
func (w *World) InHouse(ch bot.ChannelID, home string, who bot.User, line string) bot.Reply {
	w.T.Helper()
	req := w.Request(who, line)
	req.Channel, req.Home, req.Manager = ch, home, who.ID == bottest.People["mod"].ID
	r := w.Host.Handle(w.T.Context(), req)
	synctest.Wait()
	return r
}

// On handles a typed command in a channel, perhaps on another platform.
func (w *World) On(ch bot.ChannelID, who bot.User, line string) bot.Reply {
	w.T.Helper()
	req := w.Request(who, line)
	req.Channel = ch
	return w.Host.Handle(w.T.Context(), req)
}

// Replayed returns the state and the log of a channel's latest table.
func (w *World) Replayed(ch bot.ChannelID) (game.State, []game.Event) {
	w.T.Helper()
	log := Events(w.T, w.Config.Store, ch)
	s, err := game.Replay(log)
	gametest.Must(w.T, err)
	return s, log
}

// StoredRows returns all rows of some shelves.
func StoredRows(t *testing.T, notes bot.Notes, shelves ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, shelf := range shelves {
		rows, err := notes.Scan(t.Context(), shelf, "", "", 1_000_000)
		gametest.Must(t, err)
		for _, r := range rows {
			all[shelf+" "+strings.ReplaceAll(r.Key, "\x00", "|")] = string(r.Value)
		}
	}
	return all
}

// Private returns the messages for one person.
func Private(ms []bot.Message, who string) (all []string) {
	for _, m := range ms {
		if m.To != nil && m.To.Name == who {
			all = append(all, m.Text.String())
		}
	}
	return all
}

// Sees returns the table as a person sees it.
func (w *World) Sees(who bot.User) bot.Sight {
	w.T.Helper()
	s, err := w.Host.Sight(w.T.Context(), bot.Request{Channel: Parlour, User: who})
	gametest.Must(w.T, err)
	return s
}

// Spring is a Monday, three weeks before the clocks change in Europe, on which days have numbers.
var Spring = time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)

// InSpring runs a test that starts in Spring.
func InSpring(t *testing.T, run func(t *testing.T)) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(Spring))
		run(t)
	})
}

// Manages handles a typed command by a manager of the channel.
func (w *World) Manages(who bot.User, line string) bot.Reply {
	w.T.Helper()
	req := w.Request(who, line)
	req.Manager = true
	return w.Host.Handle(w.T.Context(), req)
}

// Plays lists the plays of the day that completion offers for some words, as people see them.
func (w *World) Plays(who bot.User) []string {
	w.T.Helper()
	return slices.Collect(w.offered(who))
}

// offered yields the plays of Plays, each computed on demand.
func (w *World) offered(who bot.User) iter.Seq[string] {
	return func(yield func(string) bool) {
		w.T.Helper()
		for word := range strings.FieldsSeq(strings.ToLower(gametest.SmallList)) {
			for _, c := range w.Host.Complete(w.T.Context(), w.Request(who, "daily "+word), "at") {
				if !yield(word + " " + c.Value) {
					return
				}
			}
		}
	}
}

// Tries tries plays of a person, from the given index on, until one is legal.
func (w *World) Tries(who bot.User, from int) bot.Reply {
	w.T.Helper()
	var before []string
	for play := range w.offered(who) {
		if len(before) < from {
			before = append(before, play)
		} else if r := w.Does(who, "daily "+play); !r.Refused {
			return r
		}
	}
	for _, play := range before {
		if r := w.Does(who, "daily "+play); !r.Refused {
			return r
		}
	}
	w.T.Fatalf("%s has no legal play from %d on, nor one of %v", who.Name, from, before)
	return bot.Reply{}
}

// Wants checks what a reply contains and whether it is a refusal.
func Wants(t *testing.T, r bot.Reply, refused bool, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(r.Text.String(), part) {
			t.Errorf("the answer lacks %q: %s", part, r.Text)
		}
	}
	if r.Refused != refused {
		t.Errorf("refused is %t: %s", r.Refused, r.Text)
	}
}

// EveryRules returns the rule sets, with every challenge rule if a set allows phonies, and one set
// with a vote on the order.
func EveryRules() []game.Rules {
	var all []game.Rules
	for _, r := range game.RuleSets() {
		if r.Games > 1 {
			continue // it continues at another table
		}
		r.Unrated = r.Hints
		if r.Clock.On = false; r.Challenge == game.Void {
			all = append(all, r)
			continue
		}
		for _, c := range game.ChallengeRules() {
			r.Challenge = c
			all = append(all, r)
		}
	}
	vote := game.Rulebook()
	vote.Order, vote.Clock.On, vote.Unrated = game.Voted, false, true
	return append(all, vote)
}

// TextBetween returns the text between two parts of a text.
func TextBetween(s, from, to string) string {
	_, s, _ = strings.Cut(s, from)
	s, _, _ = strings.Cut(s, to)
	return s
}
