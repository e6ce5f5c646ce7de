package webpage_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
)

func withPages(c *host.Config) { c.URL = "https://play.example.org" }

func twoPlay(w *featuretest.World) {
	featuretest.Put(w.T, w.Config.Store, featuretest.Parlour, bottest.Dealt(w.T, bottest.Small(w.T).Hash(), "classic", "single", []string{"bag:EEEEEEEE", "ann:HORNSA?", "bob:FARMQI?"}))
}

// A player's link works once, unaltered, and only while they have a seat.
func TestPassWorksOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t, withPages)
		twoPlay(w)
		ann := bottest.People["ann"]
		var key string
		fresh := func() string {
			t.Helper()
			address, pass, ok := strings.Cut(w.Does(ann, "/board page:yes").Buttons[0].Link, "#pass=")
			if !ok {
				t.Fatal("Ann gets no pass")
			}
			key = strings.TrimPrefix(address, "https://play.example.org/g/")
			return pass
		}
		enter := func(pass, want string) {
			t.Helper()
			who, err := w.Enter("/g/{key}", key, pass)
			var no *bot.PageError
			if want == "" {
				if err != nil || who != ann {
					t.Errorf("she enters as %v: %v", who, err)
				}
			} else if !errors.As(err, &no) || no.Text.String() != want {
				t.Errorf("she enters as %v: %v, want %q", who, err, want)
			}
		}
		pass := fresh()
		enter(pass[:len(pass)-2], "That link is incomplete. Press Play on the board again for a new one.")
		enter("", "That link is incomplete. Press Play on the board again for a new one.")
		enter(pass, "")
		enter(pass, "That link has already been used. Press Play on the board again for a new one.")
		time.Sleep(time.Hour) // used passes are dropped some time after they expire
		enter(fresh(), "")
		pass = fresh()
		w.Does(ann, "/pass")
		enter(pass, "")
		pass = fresh()
		asked := w.Does(ann, "/resign")
		req, _ := bot.Request{ID: "yes", Channel: featuretest.Parlour, User: ann}.Press(asked.Buttons[0].ID)
		w.Host.Handle(t.Context(), req)
		enter(pass, "You're out of that game. You can watch it here.")
		if _, err := w.Enter("/g/{key}", "none", pass); !errors.Is(err, bot.ErrNoTable) {
			t.Errorf("to no page she enters: %v", err)
		}
	})
}

// On a platform that opens the board itself, its button replaces the link.
func TestPlatformOpensBoard(t *testing.T) {
	front := func(c *host.Config) {
		c.Platforms = func() []bot.Platform {
			return []bot.Platform{{Name: "test", Front: func(key string) string { return "https://test.example.org/activity#" + key }}}
		}
	}
	w := featuretest.New(t, withPages, front)
	twoPlay(w)
	ann := bottest.People["ann"]
	labels := func(r bot.Reply) (all []string) {
		for _, b := range r.Buttons {
			all = append(all, b.Label.String())
		}
		return all
	}
	if got := labels(w.Does(ann, "/rack")); !slices.Contains(got, "Play") {
		t.Errorf("below the rack stand %q", got)
	}
	w = featuretest.New(t, front)
	twoPlay(w)
	if got, want := w.Does(ann, "/board page:yes").Text.String(), "The board can't be opened here just now. /play plays without it."; got != want {
		t.Errorf("where the host has no address it says %q, want %q", got, want)
	}
}

// Whichever store call fails, pages and their links are correct.
func TestPagesAtEachFault(t *testing.T) {
	featuretest.LinesAtEachFault(t, twoPlay, bottest.People["ann"], []string{"/board page:yes", "/board", "/rack"})
	for name, does := range map[string]func(w *featuretest.World, key string) (any, error){
		"page": func(w *featuretest.World, key string) (any, error) {
			return w.Host.TablePages().Page(t.Context(), key)
		},
		"picture": func(w *featuretest.World, _ string) (any, error) {
			return w.Host.TablePages().Picture(t.Context(), 1, false)
		},
	} {
		t.Run(name, func(t *testing.T) {
			featuretest.AtEachFault(t, twoPlay, func(w *featuretest.World) (string, error) {
				key, err := w.Host.TablePages().Key(t.Context(), 1)
				if err != nil {
					return "", err
				}
				v, err := does(w, key)
				if p, ok := v.(*bot.Picture); ok && p != nil {
					v = p.Alt.String()
				}
				return fmt.Sprint(v), err
			}, withPages, featuretest.Pictures(t))
		})
	}
}
