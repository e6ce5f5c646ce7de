package host_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// A neighbour is a feature with extra buttons that hears who leaves a table.
type neighbour struct {
	house   feature.Registry
	buttons []bot.Button
	err     error
	parted  []bot.TableID
}

func (n *neighbour) hooks() feature.Feature {
	return feature.Feature{
		Buttons: func(context.Context, table.Table) ([]bot.Button, error) { return n.buttons, n.err },
		Leave: func(_ context.Context, l feature.Leaving) error {
			if l.What == feature.SeatLeft {
				n.parted = append(n.parted, l.Table)
				return n.err
			}
			return nil
		},
	}
}

// neighbourhood returns a world whose last feature is a neighbour.
func neighbourhood(t *testing.T) (*world, *neighbour) {
	n := &neighbour{}
	return newWorld(t, func(c *host.Config) {
		list := c.Features
		c.Features = func(h feature.Registry) []feature.Feature {
			n.house = h
			return append(list(h), n.hooks())
		}
	}), n
}

// played returns a game of Ann and Bob that is running, or over.
func played(t *testing.T, w *world, over bool) table.Table {
	t.Helper()
	g := bottest.Deal(t, "classic", "single", []string{"bag:EEEEEEEEEE", "ann:HORNSAT", "bob:FARMQIS"}, nil)
	g.Play("ann", "8H HORN")
	if over {
		g.Do("bob", game.Resign{})
	}
	featuretest.Put(t, w.Config.Store, featuretest.Parlour, g.Events)
	at, err := table.Variants(nil).Replay(featuretest.Parlour, 1, g.Events)
	gametest.Must(t, err)
	return at
}

// A feature's buttons are added to a game's while there is room; in a finished game they replace
// the last ones. A primary one comes first and is the only primary one.
func TestFeatureButtonsAreAdded(t *testing.T) {
	for name, over := range map[string]bool{"a game that is on": false, "a game that is over": true} {
		w, n := neighbourhood(t)
		at := played(t, w, over)
		shown := func(more int, style bot.Style) (labels []string, primary int) {
			t.Helper()
			n.buttons = nil
			for i := range more {
				n.buttons = append(n.buttons, bot.Button{ID: "1:0:0:more:", Label: text.Say("More {n}", i+1), Style: style})
			}
			var m bot.Message
			if err := n.house.Board(t.Context(), at, &m); !errors.Is(err, n.err) {
				t.Errorf("%s: %v", name, err)
			}
			for _, b := range m.Buttons {
				if labels = append(labels, b.Label.String()); b.Style == bot.Primary {
					primary++
				}
			}
			return labels, primary
		}
		alone, _ := shown(0, bot.Ordinary)
		for more := 1; more < bot.MostButtons; more++ {
			stay := min(len(alone), bot.MostButtons-more)
			want := slices.Clone(alone[:stay])
			for i := range more {
				want = append(want, fmt.Sprint("More ", i+1))
			}
			if stay < len(alone) && !over {
				want = alone
			}
			if got, _ := shown(more, bot.Ordinary); !slices.Equal(got, want) {
				t.Errorf("%s, with %d more: %q, want %q", name, more, got, want)
			}
		}
		if got, primary := shown(1, bot.Primary); got[0] != "More 1" || primary != 1 {
			t.Errorf("%s, with one to be pressed first: %q, of which %d are", name, got, primary)
		}
		n.err = errors.New("the shelf is gone")
		if got, _ := shown(1, bot.Ordinary); !slices.Equal(got, alone) {
			t.Errorf("%s, where the buttons can't be told: %q", name, got)
		}
	}
}

// A rack is shown even if a feature can't provide its buttons, and the error is logged.
func TestRackShowsWithoutFeatureButtons(t *testing.T) {
	for _, err := range []error{nil, errors.New("the shelf is gone")} {
		w, n := neighbourhood(t)
		played(t, w, false)
		n.err = err
		r := w.Does(bottest.People["bob"], "/rack")
		if logged := strings.Contains(w.Log.String(), "can't add buttons to a rack"); r.Refused || len(r.Tiles) != 7 || logged != (err != nil) {
			t.Errorf("with %v Bob is shown %d tiles, and it is logged: %t", err, len(r.Tiles), logged)
		}
	}
}

// News of a table waits while a public post about it isn't sent. Private posts, counts of what
// everybody has read, and another table's posts don't matter.
func TestNewsWaitsForPublicPost(t *testing.T) {
	for name, c := range map[string]struct {
		post func(at table.Table) bot.Post
		ch   bot.ChannelID // of the post, if not the table's
		old  bool          // about the table before
		want bool
	}{
		"of what happened":         {post: func(at table.Table) bot.Post { return bot.Post{To: at.Number} }, want: true},
		"for somebody":             {post: func(table.Table) bot.Post { return bot.Post{For: "test:ann"} }},
		"a count of what is new":   {post: func(at table.Table) bot.Post { return bot.Post{Kind: table.CountKind, To: at.News() - 1} }, want: true},
		"a count of what was read": {post: func(at table.Table) bot.Post { return bot.Post{Kind: table.CountKind, To: at.News()} }},
		"of another channel":       {post: func(at table.Table) bot.Post { return bot.Post{To: at.Number} }, ch: "test:attic"},
		"of the table before":      {post: func(at table.Table) bot.Post { return bot.Post{To: at.Number} }, old: true},
		"none":                     {post: func(table.Table) bot.Post { return bot.Post{For: "test:bob"} }},
	} {
		w, n := neighbourhood(t)
		at := played(t, w, false)
		ch := at.Channel
		if c.ch != "" {
			ch = c.ch
		}
		featuretest.Put(t, w.Config.Store, ch, at.Events, c.post(at))
		at.Channel, at.ID = featuretest.Parlour, 2
		if c.old {
			at.ID = 3
		}
		if c.ch != "" {
			at.ID = 1
		}
		if got, err := n.house.HasNews(t.Context(), at); err != nil || got != c.want {
			t.Errorf("with a post %s it waits: %t, %v", name, got, err)
		}
	}
}

// Waiting counts the due timers of a kind.
func TestWaitingCountsDueTimers(t *testing.T) {
	w, n := neighbourhood(t)
	gametest.Must(t, w.Config.Store.Update(t.Context(), featuretest.Parlour, "", func(r *bot.Room) error {
		for kind, after := range map[string]time.Duration{"thought": 0, "other": 0, "later thought": 0, "none": time.Hour} {
			r.Timers = append(r.Timers, bot.Timer{Kind: kind, At: w.Config.Now().Add(after - time.Second)})
		}
		r.Timers = append(r.Timers, bot.Timer{Kind: "thought", At: w.Config.Now().Add(-time.Minute)})
		return nil
	}))
	for kind, want := range map[string]int{"thought": 2, "other": 1, "none": 0, "nothing": 0} {
		if got, err := n.house.CountDue(t.Context(), kind); err != nil || got != want {
			t.Errorf("%d wait for %s (%v), want %d", got, kind, err, want)
		}
	}
}

// Features hear of each table that an erased person left; while one of them fails, the person isn't
// erased.
func TestFeaturesHearOfErasedPlayers(t *testing.T) {
	w, n := neighbourhood(t)
	played(t, w, false)
	n.err = errors.New("the shelf is gone")
	if err := w.Host.Forget(t.Context(), bottest.People["ann"]); !errors.Is(err, n.err) || !slices.Equal(n.parted, []bot.TableID{1}) {
		t.Errorf("Ann, who got up from %v, is forgotten: %v", n.parted, err)
	}
	n.err = nil
	if err := w.Host.Forget(t.Context(), bottest.People["ann"]); err != nil || !slices.Equal(n.parted, []bot.TableID{1, 1}) {
		t.Errorf("Ann, who got up from %v, is forgotten: %v", n.parted, err)
	}
	if named, err := w.Config.Store.TablesNaming(t.Context(), bottest.People["ann"].ID); err != nil || len(named) > 0 {
		t.Errorf("Ann is named at %v, %v", named, err)
	}
}
