package webpage_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// Anybody can try another play at any turn of a finished game. Nonsense is refused in a sentence
// for the page.
func TestTryOtherPlays(t *testing.T) {
	w := featuretest.New(t)
	log := featuretest.GameOver(t)
	featuretest.Put(t, w.Config.Store, featuretest.Parlour, log)
	// The play that was made can be tried at its turn.
	i := slices.IndexFunc(log, func(e game.Event) bool { _, is := e.Fact.(game.Played); return is })
	before, err := game.Replay(log[:i])
	gametest.Must(t, err)
	line := strings.Fields(featuretest.SomePlay(t, before, before.Seats[before.Turn].Rack))
	if line[0] != "/play" {
		t.Fatalf("before the first play there is %q", line)
	}
	req := bot.Request{Channel: featuretest.Parlour, Table: 1, User: bottest.People["eve"]}
	tried, err := featuretest.Ask[view.Outcome](w, "/g/{key}/try", req, view.Attempt{Turn: 1, Word: line[1], At: line[2]})
	if err != nil || tried.Problem != "" || tried.Score <= 0 {
		t.Errorf("%s at %s: %+v, %v", line[1], line[2], tried, err)
	}
	var no *bot.PageError
	if tried, err := featuretest.Ask[view.Outcome](w, "/g/{key}/try", req, view.Attempt{Turn: 999, Word: "horn", At: "8h"}); !errors.As(err, &no) || !strings.Contains(no.Text.String(), "didn't have that turn") {
		t.Errorf("at a turn that there wasn't: %+v, %v", tried, err)
	}
}

// A watching is a context that runs begins when the caller starts to wait, and then ends.
type watching struct {
	context.Context
	begins func()
}

func (w watching) Done() <-chan struct{} {
	w.begins()
	over := make(chan struct{})
	close(over)
	return over
}

// Watchers of the pages get each channel whose table has changed.
func TestWatchersGetChangedChannels(t *testing.T) {
	w := featuretest.New(t)
	twoPlay(w)
	var heard []bot.ChannelID
	gametest.Must(t, w.Host.TablePages().Watch(watching{t.Context(), func() { w.Does(bottest.People["ann"], "/play horn 8h") }}, func(ch bot.ChannelID) { heard = append(heard, ch) }))
	w.Does(bottest.People["bob"], "/pass")
	if !slices.Contains(heard, featuretest.Parlour) || len(slices.Compact(heard)) != 1 {
		t.Errorf("heard are %q", heard)
	}
	if s, _ := w.Replayed(featuretest.Parlour); s.Seats[0].Score == 0 {
		t.Error("nothing was played")
	}
}

// If the platform opens the board itself, the message that calls a player to their turn links
// there; otherwise it has only the rack.
func TestCallLinksToBoard(t *testing.T) {
	for name, tt := range map[string]struct {
		platform bot.Platform
		want     string
	}{
		"its own board": {bot.Platform{Name: "test", Front: func(key string) string { return "https://test.example.org/activity#" + key }}, "Play My rack"},
		"none":          {bot.Platform{Name: "test"}, "My rack"},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := featuretest.New(t, withPages, func(c *host.Config) { c.Platforms = func() []bot.Platform { return []bot.Platform{tt.platform} } })
			twoPlay(w)
			key, err := w.Host.TablePages().Key(t.Context(), 1)
			gametest.Must(t, err)
			stop := w.Goes()
			w.Does(bottest.People["bob"], "/settings ping:dm dm:off")
			w.Does(bottest.People["ann"], "/play horn 8h")
			time.Sleep(time.Minute)
			stop()
			calls := 0
			for _, m := range w.Posts.Take() {
				if m.To == nil || m.To.ID != bottest.People["bob"].ID {
					continue
				}
				calls++
				var labels []string
				for _, b := range m.Buttons {
					labels = append(labels, b.Label.String())
					if b.Link != "" && b.Link != "https://test.example.org/activity#"+key {
						t.Errorf("%s: the button leads to %s", name, b.Link)
					}
				}
				if got := strings.Join(labels, " "); got != tt.want {
					t.Errorf("%s: below the call stand %q, want %q", name, got, tt.want)
				}
			}
			if calls != 1 {
				t.Errorf("%s: Bob is called %d times", name, calls)
			}
		})
	}
}

// Whichever store call fails, other plays are judged correctly.
func TestOtherPlaysAtEachFault(t *testing.T) {
	log := featuretest.GameOver(t)
	featuretest.AtEachFault(t, func(w *featuretest.World) { featuretest.Put(t, w.Config.Store, featuretest.Parlour, log) }, func(w *featuretest.World) (string, error) {
		tried, err := featuretest.Ask[view.Outcome](w, "/g/{key}/try", bot.Request{Channel: featuretest.Parlour, Table: 1}, view.Attempt{Turn: 1, Word: "qq", At: "8h"})
		if err != nil {
			return "", err
		}
		return tried.Problem, nil
	})
}
