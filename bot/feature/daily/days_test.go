package daily_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/feature/analysis"
	"github.com/rackmate/rackmate/bot/feature/daily"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game/gametest"
)

// from runs a test that starts at the given time.
func from(t *testing.T, when string, run func(t *testing.T)) {
	start, err := time.Parse(time.RFC3339, when)
	gametest.Must(t, err)
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(start))
		run(t)
	})
}

// latest returns the last of the day messages.
func (w *world) latest() bot.Message {
	w.T.Helper()
	posted, _ := w.messages()
	if len(posted) == 0 {
		w.T.Fatal("nothing was posted")
	}
	return posted[len(posted)-1]
}

// The 29th of February is an ordinary day, and an hour that the clock shows twice begins one day.
func TestLeapDayAndRepeatedHour(t *testing.T) {
	for _, c := range []struct {
		from, zone, hour string
		days             []int // posted in the four days after
	}{
		{"2028-02-27T12:00:00Z", "Europe/Berlin", "9:00", []int{788, 789, 790, 791, 792}},
		{"2026-10-23T12:00:00Z", "Europe/Berlin", "2:30", []int{296, 297, 298, 299, 300}}, // it is 2:30 twice on the 25th
		{"2026-03-27T12:00:00Z", "Europe/Berlin", "2:30", []int{86, 87, 88, 89, 90}},      // and never on the 29th
	} {
		from(t, c.from, func(t *testing.T) {
			w := newWorld(t)
			w.Run()
			featuretest.Wants(t, w.Manages(bottest.People["mod"], "settings for:channel daily:"+c.hour+" zone:"+c.zone), false, "A board is posted here each day")
			for range 4 {
				w.Tries(bottest.People["ann"], 0)
				time.Sleep(24 * time.Hour)
			}
			synctest.Wait()
			var days []int
			posted, _ := w.messages()
			for _, m := range posted {
				days = append(days, m.Number)
			}
			if fmt.Sprint(days) != fmt.Sprint(c.days) {
				t.Errorf("from %s at %s the days %v are posted, want %v", c.from, c.hour, days, c.days)
			}
			w.Tries(bottest.People["ann"], 0)
			featuretest.Wants(t, w.Does(bottest.People["ann"], "daily do:share"), false, "· 5 ↗")
		})
	}
}

// cgp returns a page's board and a rack in CGP notation.
func cgp(d daily.Page, rack string) string {
	var rows []string
	for row := range d.Sight.Size {
		line, free := "", 0
		for _, letter := range d.Sight.Board[row*d.Sight.Size:][:d.Sight.Size] {
			if letter == "" {
				free++
				continue
			}
			if free > 0 {
				line, free = line+strconv.Itoa(free), 0
			}
			line += letter
		}
		if free > 0 {
			line += strconv.Itoa(free)
		}
		rows = append(rows, line)
	}
	return strings.Join(rows, "/") + " " + rack + "/ 0/0 0"
}

// While a board is open nobody with tries left can have other commands solve it: no hint, no
// review, no analysis, whatever the rack.
func TestNoHelpWithOpenDaily(t *testing.T) {
	featuretest.InSpring(t, func(t *testing.T) {
		w := newWorld(t)
		w.Run()
		w.Manages(bottest.People["mod"], "settings for:channel daily:9:00 zone:Europe/Berlin")
		synctest.Wait()
		ann := bottest.People["ann"]
		for _, line := range []string{"hint", "review", "review 68", "check"} {
			req := w.Request(ann, line)
			req.Number = 68 // as from a button below the board
			if r := w.Host.Handle(t.Context(), req); !r.Refused && !strings.Contains(r.Text.String(), "/new") {
				t.Errorf("/%s: %s", line, r.Text)
			}
		}
		key, err := boardPages{w.World}.todayKey(t.Context(), w.Request(ann, "daily"))
		gametest.Must(t, err)
		open, err := w.opens(key, ann)
		gametest.Must(t, err)
		rack := strings.Join(open.Sight.Own.Rack, "")
		ask := func(who bot.User, rack string) error {
			_, err := featuretest.Ask[analysis.Analysis](w.World, "/analyse/ask", bot.Request{Channel: featuretest.Parlour, User: who}, analysis.Question{CGP: cgp(open, rack), List: "small"})
			return err
		}
		for _, c := range []struct {
			who  bot.User
			rack string
		}{{ann, rack}, {ann, rack[:3]}, {ann, ""}, {bot.User{}, rack[:3]}, {bot.User{}, rack}} {
			if err := ask(c.who, c.rack); err == nil || !strings.Contains(err.Error(), "That is today's ") {
				t.Errorf("%q analyses it with %q: %v", c.who.Name, c.rack, err)
			}
		}
		// After using all tries a person may look.
		for i, tried := 0, 0; tried < 6 && i < 40; i++ {
			if left, _ := w.opens(key, ann); left.Left == 0 {
				break
			}
			w.Tries(ann, i)
		}
		if left, _ := w.opens(key, ann); left.Left == 0 {
			if err := ask(ann, rack); err != nil {
				t.Errorf("she has no tries left: %v", err)
			}
		} else {
			t.Errorf("she has %d tries left", left.Left)
		}
		if err := ask(bottest.People["bob"], rack[:2]); err == nil {
			t.Error("Bob can analyse it")
		}
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		if err := ask(bottest.People["bob"], rack); err != nil {
			t.Errorf("the day is over: %v", err)
		}
	})
}
