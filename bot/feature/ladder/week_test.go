package ladder_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game/gametest"
)

// ended puts a finished game of two among the results, as if it had been counted.
func (w *world) ended(n int, at time.Time, winner, loser string, points, others int, more map[string]map[string]any) {
	w.T.Helper()
	seat := func(name string, place, points int) map[string]any {
		s := map[string]any{"id": "test:" + name, "name": strings.ToUpper(name[:1]) + name[1:], "place": place, "games": 1, "points": points, "high": points}
		maps.Copy(s, more[name])
		return s
	}
	b, err := json.Marshal(map[string]any{
		"v": 1, "table": n, "channel": string(featuretest.Parlour), "started": at, "ended": at,
		"seats": []any{seat(winner, 1, points), seat(loser, 2, others)},
	})
	if err == nil {
		err = w.Config.Notes.Put(w.T.Context(), "results", fmt.Sprintf("%013x/%016x", at.UnixMilli(), n), b)
	}
	gametest.Must(w.T, err)
}

// told are the messages of weeks.
func (w *world) weeks() (all []string) {
	for _, m := range w.Posts.All() {
		if m.Channel == featuretest.Parlour && strings.HasPrefix(m.Text.String(), "The week in") {
			all = append(all, m.Text.String())
		}
	}
	return all
}

// What people type wrong has one clear answer each.
func TestWeekSettings(t *testing.T) {
	featuretest.InSpring(t, func(t *testing.T) {
		w := newWorld(t)
		for line, want := range map[string]string{
			"settings for:channel week:someday":        "is no day of the week",
			"settings for:channel week:mo":             "is no day of the week",
			"settings for:channel games:1 week:monday": "Set week by itself",
			"settings week:monday":                     "is for a whole place",
			"settings for:server week:monday":          "choose",
		} {
			featuretest.Wants(t, w.Manages(bottest.People["mod"], line), true, want)
		}
		featuretest.Wants(t, w.Does(bottest.People["ann"], "settings for:channel week:monday"), true, "Only those who manage")
		featuretest.Wants(t, w.Manages(bottest.People["mod"], "settings for:channel week:off"), false, "isn't posted here")
	})
}

// One message tells of the week's games, and none of a week without one.
func TestWeek(t *testing.T) {
	featuretest.InSpring(t, func(t *testing.T) {
		w := newWorld(t)
		stop := w.Run()
		req := w.Request(bottest.People["mod"], "settings for:channel week:Monday")
		req.Manager, req.Zone = true, "Europe/Berlin"
		featuretest.Wants(t, w.Host.Handle(t.Context(), req), false, "the next time at 16 Mar 08:00 UTC")
		play := func(word string, score int) map[string]any {
			return map[string]any{"word": word, "size": len(word), "score": score, "table": 1}
		}
		w.ended(1, featuretest.Spring.AddDate(0, 0, 1), "ann", "bob", 321, 318, map[string]map[string]any{
			"ann": {"best": play("QUARTZ", 66), "longest": play("TRAINED", 60)}, "bob": {"phony": play("ZZZ", 34), "best": play("OX", 40), "longest": play("NOTARIES", 30)},
		})
		w.ended(2, featuretest.Spring.AddDate(0, 0, 2), "bob", "cat", 400, 200, nil)
		w.ended(3, featuretest.Spring.AddDate(0, 0, -20), "cat", "ann", 300, 299, nil) // before
		gametest.Must(t, w.Config.Notes.Put(t.Context(), "players", "test:bob", []byte(`{"v":1,"name":"Bob","total":{"games":9}}`)))
		time.Sleep(time.Until(time.Date(2026, 3, 16, 7, 59, 0, 0, time.UTC)))
		synctest.Wait()
		if all := w.weeks(); len(all) != 0 {
			t.Errorf("the week isn't over, and there is %q", all)
		}
		// The process dies, and is back an hour after the week's end.
		stop()
		time.Sleep(time.Hour)
		w.Run()
		time.Sleep(time.Minute)
		synctest.Wait()
		all := w.weeks()
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
		// Two weeks without a game, then one with a game of somebody who isn't to be seen.
		time.Sleep(14 * 24 * time.Hour)
		featuretest.Wants(t, w.Does(bot.User{ID: "test:dan", Name: "Dan"}, "top me:out"), false)
		w.ended(4, time.Now(), "dan", "ann", 500, 100, nil)
		time.Sleep(7 * 24 * time.Hour)
		synctest.Wait()
		if all := w.weeks(); len(all) != 1 {
			t.Errorf("there are %d messages: %q", len(all), all)
		}
		// The clocks have changed: it is nine o'clock all the same.
		featuretest.Wants(t, w.Manages(bottest.People["mod"], "settings for:channel week:tue"), false, "7 Apr 07:00 UTC")
	})
}
