package ladder_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/feature/ladder"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game/gametest"
)

// ended stores the result of a finished game of two players as if it had been counted. more
// adds fields to each player's seat by name, and to the result by "".
func (w *world) ended(n int, at time.Time, winner, loser string, points, others int, more map[string]map[string]any) {
	w.T.Helper()
	seat := func(name string, place, points int) map[string]any {
		s := map[string]any{"id": "test:" + name, "name": strings.ToUpper(name[:1]) + name[1:], "place": place, "games": 1, "wins": 2 - place, "points": points, "high": points}
		maps.Copy(s, more[name])
		return s
	}
	row := map[string]any{
		"v": 1, "table": n, "channel": string(featuretest.Parlour), "started": at, "ended": at,
		"seats": []any{seat(winner, 1, points), seat(loser, 2, others)},
	}
	maps.Copy(row, more[""])
	b, err := json.Marshal(row)
	if err == nil {
		err = w.Config.Notes.Put(w.T.Context(), "results", fmt.Sprintf("%013x/%016x", at.UnixMilli(), n), b)
	}
	gametest.Must(w.T, err)
}

// weeks returns the weekly summaries posted in a channel.
func (w *world) weeks(ch bot.ChannelID) (all []string) {
	for _, m := range w.Posts.All() {
		if m.Channel == ch && strings.HasPrefix(m.Text.String(), "The week in") {
			all = append(all, m.Text.String())
		}
	}
	return all
}

// Every wrong value gets one clear error.
func TestWeekSettingErrors(t *testing.T) {
	featuretest.InSpring(t, func(t *testing.T) {
		w := newWorld(t)
		for line, want := range map[string]string{
			"settings for:channel week:someday":        "isn't a day of the week",
			"settings for:channel week:mo":             "isn't a day of the week",
			"settings for:channel games:1 week:monday": "Set week by itself",
			"settings week:monday":                     "is for a whole place",
			"settings for:server week:monday":          "choose",
		} {
			featuretest.Wants(t, w.Manages(bottest.People["mod"], line), true, want)
		}
		featuretest.Wants(t, w.Does(bottest.People["ann"], "settings for:channel week:monday"), true, "Only managers of this")
		featuretest.Wants(t, w.Manages(bottest.People["mod"], "settings for:channel week:off"), false, "isn't posted here")
	})
}

// Where only the daily board has a time zone, the week's summary comes by the same clock.
func TestWeekUsesDailyZone(t *testing.T) {
	featuretest.InSpring(t, func(t *testing.T) {
		w := newWorld(t)
		set := func(line, zone string) bot.Reply {
			req := w.Request(bottest.People["mod"], line)
			req.Manager, req.Zone = true, zone
			return w.Host.Handle(t.Context(), req)
		}
		featuretest.Wants(t, set("settings for:channel daily:9", "Europe/Berlin"), false, "9:00, Europe/Berlin")
		at, err := time.LoadLocation("Europe/Berlin")
		gametest.Must(t, err)
		now := time.Now().In(at)
		want := time.Date(now.Year(), now.Month(), now.Day(), 9, 0, 0, 0, at).UTC().Format("15:04 UTC")
		featuretest.Wants(t, set("settings for:channel week:monday", ""), false, want)
	})
}

// A week with games gets one summary, and a week without games none.
func TestWeekWithGamesGetsSummary(t *testing.T) {
	featuretest.InSpring(t, func(t *testing.T) {
		w := newWorld(t)
		stop := w.Run()
		req := w.Request(bottest.People["mod"], "settings for:channel week:Monday")
		req.Manager, req.Zone = true, "Europe/Berlin"
		featuretest.Wants(t, w.Host.Handle(t.Context(), req), false, "next at 16 Mar 08:00 UTC")
		play := func(word string, score int) map[string]any {
			return map[string]any{"word": word, "size": len(word), "score": score, "table": 1}
		}
		w.ended(1, featuretest.Spring.AddDate(0, 0, 1), "ann", "bob", 321, 318, map[string]map[string]any{
			"ann": {"best": play("QUARTZ", 66), "longest": play("TRAINED", 60)}, "bob": {"phony": play("ZZZ", 34), "best": play("OX", 40), "longest": play("NOTARIES", 30)},
		})
		w.ended(2, featuretest.Spring.AddDate(0, 0, 2), "bob", "cat", 400, 200, nil)
		w.ended(3, featuretest.Spring.AddDate(0, 0, -20), "cat", "ann", 300, 299, nil) // before the week
		gametest.Must(t, w.Config.Notes.Put(t.Context(), "scopes", "channel test:parlour\x00test:bob", []byte(`{"v":1,"total":{"games":9}}`)))
		time.Sleep(time.Until(time.Date(2026, 3, 16, 7, 59, 0, 0, time.UTC)))
		synctest.Wait()
		if all := w.weeks(featuretest.Parlour); len(all) != 0 {
			t.Errorf("the week isn't over, and there is %q", all)
		}
		// The process stops, and restarts an hour after the week's end.
		stop()
		time.Sleep(time.Hour)
		w.Run()
		time.Sleep(time.Minute)
		synctest.Wait()
		all := w.weeks(featuretest.Parlour)
		if len(all) != 1 {
			t.Fatalf("there are %d messages: %q", len(all), all)
		}
		for _, line := range []string{
			"The week in 2 games", "Best play: QUARTZ for 66, by Ann", "Longest word: NOTARIES, by Bob", "Boldest phony: ZZZ for 34, by Bob",
			"Closest game: Ann 321, Bob 318", "Highest losing score: 318, by Bob", "Back after a month or more: Bob",
		} {
			if !strings.Contains(all[0], line) {
				t.Errorf("the week lacks %q:\n%s", line, all[0])
			}
		}
		if strings.Contains(all[0], "record") || strings.Contains(all[0], "Cat,") {
			t.Errorf("the week has too much:\n%s", all[0])
		}
		// Two weeks pass without a game, then one with a game of a hidden player.
		time.Sleep(14 * 24 * time.Hour)
		featuretest.Wants(t, w.Does(bot.User{ID: "test:dan", Name: "Dan"}, "top me:out"), false)
		w.ended(4, time.Now(), "dan", "ann", 500, 100, nil)
		time.Sleep(7 * 24 * time.Hour)
		synctest.Wait()
		if all := w.weeks(featuretest.Parlour); len(all) != 1 {
			t.Errorf("there are %d messages: %q", len(all), all)
		}
		// Daylight saving time has begun, and the local hour is still nine.
		featuretest.Wants(t, w.Manages(bottest.People["mod"], "settings for:channel week:tue"), false, "7 Apr 07:00 UTC")
	})
}

// The summary covers the channel's server, or the channel if it has no server. It names
// broken records if there were games before, and returning players.
func TestWeekSummarisesServer(t *testing.T) {
	const garden, alone = bot.ChannelID("test:garden"), bot.ChannelID("test:alone")
	featuretest.InSpring(t, func(t *testing.T) {
		w := newWorld(t)
		for _, ch := range []bot.ChannelID{featuretest.Parlour, garden} {
			gametest.Must(t, w.Config.Notes.Put(t.Context(), "homes", string(ch), []byte("test:house")))
		}
		n := 0
		ended := func(ch bot.ChannelID, home string, days int, winner, loser string, points int, word string) {
			n++
			w.ended(n, featuretest.Spring.AddDate(0, 0, days), winner, loser, points, points-100, map[string]map[string]any{
				"":     {"channel": string(ch), "home": home},
				winner: {"best": map[string]any{"word": word, "size": len(word), "score": points / 10, "table": n}, "longest": map[string]any{"word": word, "size": len(word), "score": points / 10, "table": n}},
			})
		}
		ended(featuretest.Parlour, "test:house", -45, "ann", "dan", 410, "TRAINED")
		ended(featuretest.Parlour, "test:house", -20, "bob", "cat", 300, "OX")
		ended(featuretest.Parlour, "test:house", 1, "bob", "dan", 400, "QUEENS")
		ended(garden, "test:house", 2, "dan", "bob", 420, "QUARTZ")
		ended(featuretest.Parlour, "test:house", 3, "ann", "eve", 300, "HORN")
		ended(featuretest.Parlour, "test:house", 4, "bob", "dan", 300, "HORN")
		ended("test:elsewhere", "test:inn", 3, "fay", "eve", 600, "NOTARIES")
		ended(alone, "", 2, "hal", "ida", 450, "PAINTERS")
		ended(featuretest.Parlour, "test:house", 8, "cat", "eve", 200, "STRANGER") // after the week
		_, err := ladder.Recount(t.Context(), w.Config.Notes)
		gametest.Must(t, err)
		w.Run()
		for _, ch := range []bot.ChannelID{featuretest.Parlour, alone} {
			req := w.Request(bottest.People["mod"], "settings for:channel week:monday")
			req.Channel, req.Manager = ch, true
			featuretest.Wants(t, w.Host.Handle(t.Context(), req), false, "next at")
		}
		time.Sleep(7 * 24 * time.Hour)
		synctest.Wait()
		for ch, want := range map[bot.ChannelID]string{
			featuretest.Parlour: `The week in 4 games
Best play: QUARTZ for 42, by Dan
Longest word: QUEENS, by Bob
Closest game: Bob 400, Dan 300
Highest losing score: 320, by Bob
A new record for a play: QUARTZ for 42, by Dan
A new record for a game: 420 points, by Dan
Back after a month or more: Dan and Ann`,
			alone: `The week in 1 game
Best play: PAINTERS for 45, by Hal
Longest word: PAINTERS, by Hal
Closest game: Hal 450, Ida 350
Highest losing score: 350, by Ida`,
		} {
			if got := w.weeks(ch); len(got) != 1 || got[0] != want {
				t.Errorf("%s is told\n%s\nwant\n%s", ch, strings.Join(got, "\n"), want)
			}
		}
	})
}

// A retried store runs each change twice, as a store does that lost a race.
type retried struct {
	bot.Notes
	meanwhile func()
}

var errAgain = errors.New("another was first")

func (r retried) Change(ctx context.Context, fn func(bot.Rows) error) error {
	if err := r.Notes.Change(ctx, func(rows bot.Rows) error { return errors.Join(fn(rows), errAgain) }); !errors.Is(err, errAgain) {
		return err
	}
	r.meanwhile()
	return r.Notes.Change(ctx, fn)
}

// A week's end during a busy store still posts this summary and the next. If the summary is
// turned off at that moment, nothing is posted or kept.
func TestWeekEndInBusyStore(t *testing.T) {
	for _, off := range []bool{false, true} {
		featuretest.InSpring(t, func(t *testing.T) {
			var setOff atomic.Bool
			w := newWorld(t, func(c *host.Config) {
				notes := c.Notes
				c.Notes = retried{notes, func() {
					if setOff.Load() {
						gametest.Must(t, notes.Put(t.Context(), "weeks", string(featuretest.Parlour), nil))
					}
				}}
			})
			w.ended(1, featuretest.Spring.AddDate(0, 0, 1), "ann", "bob", 321, 318, nil)
			w.ended(2, featuretest.Spring.AddDate(0, 0, 8), "ann", "bob", 321, 318, nil)
			w.Run()
			featuretest.Wants(t, w.Manages(bottest.People["mod"], "settings for:channel week:monday"), false, "next at")
			want, kept := 2, 1
			if off {
				want, kept = 0, 0
				setOff.Store(true)
			}
			time.Sleep(15 * 24 * time.Hour)
			synctest.Wait()
			if got := w.weeks(featuretest.Parlour); len(got) != want {
				t.Errorf("set off meanwhile: %t: there are %d messages, want %d: %q", off, len(got), want, got)
			}
			if rows := featuretest.StoredRows(t, w.Config.Notes, "weeks"); len(rows) != kept {
				t.Errorf("set off meanwhile: %t: there are the rows %v", off, rows)
			}
		})
	}
}
