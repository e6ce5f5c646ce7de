package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestTranscripts plays the transcripts of what the host itself posts.
func TestTranscripts(t *testing.T) { featuretest.Transcripts(t) }

// twoPlay makes Ann and Bob play with a clock.
func twoPlay(w *featuretest.World) {
	w.Does(bottest.People["ann"], "/new seats:2 rules:club challenge:void clock:10m")
	w.Does(bottest.People["bob"], "/join")
}

// A command that fails because the store does says so, and repeated it is answered as if nothing
// had happened.
func TestCommandsAtEachFault(t *testing.T) {
	featuretest.LinesAtEachFault(t, twoPlay, bottest.People["bob"], []string{"/board", "/rack sort", "/settings", "/pass", "/exchange e", "/resign", "/data export", "/data delete", "/games", "/new", "/history", "/try me 8h", "/unseen", "/export", "/leave", "/help play"})
}

// The same holds for the adapters' other calls: each answers, or returns an error.
func TestAdapterCallsAtEachFault(t *testing.T) {
	bob := bottest.People["bob"]
	at := bot.Request{ID: "asked", Channel: featuretest.Parlour, User: bob, Home: "test:house"}
	said := func(v any, err error) (string, error) {
		b, wrong := json.Marshal(v)
		return string(b), errors.Join(err, wrong)
	}
	for name, does := range map[string]func(ctx context.Context, h *host.Host) (string, error){
		"sight": func(ctx context.Context, h *host.Host) (string, error) { return said(h.Sight(ctx, at)) },
		"draft": func(ctx context.Context, h *host.Host) (string, error) {
			req := at
			req.Command, req.Args = "try", map[string]string{"word": "me", "at": "8h"}
			return said(h.Draft(ctx, req))
		},
		"picture": func(ctx context.Context, h *host.Host) (string, error) {
			p, err := h.Picture(ctx, bot.Posted{Channel: featuretest.Parlour, Table: 1, Number: 5}, false)
			if err != nil {
				return "", err
			}
			return p.Alt.String(), nil
		},
		"games": func(ctx context.Context, h *host.Host) (string, error) { return said(h.Games(ctx, bob.ID)) },
		"blocks": func(ctx context.Context, h *host.Host) (string, error) {
			return said(h.Blocks(ctx, bob.ID, "test:ann"))
		},
		"may say": func(ctx context.Context, h *host.Host) (string, error) {
			no, err := h.MaySay(ctx, "test:house", bob.ID)
			return no.String(), err
		},
		"count data": func(ctx context.Context, h *host.Host) (string, error) { return said(h.CountData(ctx, bob.ID)) },
		"count rows": func(ctx context.Context, h *host.Host) (string, error) {
			return said(h.CountRowsAt(ctx, func(string) bool { return true }))
		},
		"channels": func(ctx context.Context, h *host.Host) (string, error) { return said(h.ChannelsOf(ctx, "test:house")) },
		"check":    func(ctx context.Context, h *host.Host) (string, error) { return said(h.CheckKept(ctx)) },
		"a member leaves": func(ctx context.Context, h *host.Host) (string, error) {
			err := h.MemberLeft(ctx, "test:house", bob.ID)
			return "left", err
		},
		"the channel goes": func(ctx context.Context, h *host.Host) (string, error) {
			if err := h.ChannelGone(ctx, featuretest.Parlour); err != nil {
				return "", err
			}
			return said(h.Games(ctx, bob.ID))
		},
		"the home goes": func(ctx context.Context, h *host.Host) (string, error) {
			err := h.HomeGone(ctx, "test:house")
			return "gone", err
		},
		"bob is forgotten": func(ctx context.Context, h *host.Host) (string, error) {
			if err := h.Forget(ctx, bob); err != nil {
				return "", err
			}
			return said(h.CountData(ctx, bob.ID))
		},
		"places are forgotten": func(ctx context.Context, h *host.Host) (string, error) {
			if _, err := h.ForgetPlaces(ctx, func(place string) bool { return place == string(featuretest.Parlour) }); err != nil {
				return "", err
			}
			return said(h.CountRowsAt(ctx, func(place string) bool { return place == string(featuretest.Parlour) }))
		},
	} {
		t.Run(name, func(t *testing.T) {
			featuretest.AtEachFault(t, twoPlay, func(w *featuretest.World) (string, error) { return does(t.Context(), w.Host) }, featuretest.Pictures(t))
		})
	}
}

// headlines returns the first lines of the messages to a channel. What is drawn, and thus how many
// events a turn has, may depend on which timer fires.
func headlines(all []bot.Message, ch bot.ChannelID) (lines []string) {
	for _, m := range all {
		if m.Channel == ch {
			first, _, _ := strings.Cut(m.Text.String(), "\n")
			lines = append(lines, first)
		}
	}
	return lines
}

// Whichever store call fails while posts are delivered and timers fire, all news arrives in order.
func TestPostsArriveAtEachFault(t *testing.T) {
	step := gametest.Rounds(3, 1)
	want := featuretest.SameAtEachFault(t, step, func(t *testing.T, f *featuretest.Fault, at int) (ends string) {
		w := newWorld(t, f.Befalls)
		ann, bob, cat := bottest.People["ann"], bottest.People["bob"], bottest.People["cat"]
		does := func(ch bot.ChannelID, who bot.User, line string) {
			req := w.Request(who, line)
			req.Channel = ch
			w.Insist(req)
		}
		does(featuretest.Parlour, ann, "/new seats:2")
		does(featuretest.Parlour, bob, "/join")
		does("test:club", ann, "/new variant:duplicate seats:2 turn:5m")
		does("test:club", cat, "/join")
		does("test:club", ann, "/pass")
		f.Arm(at)
		stop := w.Run()
		time.Sleep(time.Minute)
		does(featuretest.Parlour, ann, "/pass")
		does(featuretest.Parlour, bob, "/pass")
		does("test:club", cat, "/pass")
		time.Sleep(8 * time.Minute)
		stop()
		all := w.Posts.Take()
		posted := []string{fmt.Sprint(slices.Compact(featuretest.Numbers(all, featuretest.Parlour)))}
		posted = append(posted, slices.Compact(headlines(all, "test:club"))...)
		return strings.Join(posted, "\n")
	})
	if turns := "\nTurn 1: nobody had a valid play. 2 of 2 submitted.\nTurn 2: nobody had a valid play. 0 of 2 submitted."; !strings.HasSuffix(want, turns) {
		t.Errorf("where nothing fails there is posted\n%s", want)
	}
}

// A busyStore has a room that others keep locked.
type busyStore struct{ bot.Store }

func (busyStore) Update(context.Context, bot.ChannelID, string, func(*bot.Room) error) error {
	return fmt.Errorf("update: %w", bot.ErrBusy)
}

// A person who waits in vain for a locked room is asked to try again, and no error is logged.
func TestLockedRoomAsksToRetry(t *testing.T) {
	w := newWorld(t, func(c *host.Config) { c.Store = busyStore{c.Store} })
	if r := w.Does(bottest.People["ann"], "/new"); !r.Refused || !strings.Contains(r.Text.String(), "Try again in") {
		t.Errorf("Ann is told %q", r.Text)
	}
	if log := w.Log.String(); strings.Contains(log, "level=ERROR") {
		t.Errorf("the log has %s", log)
	}
}
