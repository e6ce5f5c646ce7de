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
	"github.com/rackmate/rackmate/bot/feature/daily"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/puzzle"
)

// from runs a test from a time on.
func from(t *testing.T, when string, run func(t *testing.T)) {
	start, err := time.Parse(time.RFC3339, when)
	gametest.Must(t, err)
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(start))
		run(t)
	})
}

// latest is the last of the day's messages.
func (w *world) latest() bot.Message {
	w.T.Helper()
	posted, _ := w.messages()
	if len(posted) == 0 {
		w.T.Fatal("nothing was posted")
	}
	return posted[len(posted)-1]
}

// A day's game is played round by round, alone: whatever somebody plays, the best play goes
// on the board. What counts is how much of the best total they made.
func TestDailyGame(t *testing.T) {
	featuretest.InSpring(t, func(t *testing.T) {
		w := newWorld(t)
		w.Run()
		featuretest.Wants(t, w.Manages(bottest.People["mod"], "settings for:channel daily:game zone:Europe/Berlin"), false, "A game is posted here each day at 9:00, Europe/Berlin", "The first is open until 10 Mar 08:00 UTC")
		synctest.Wait()
		if said := w.latest().Text.String(); !strings.Contains(said, "Daily game 68, open until") {
			t.Errorf("the message says %s", said)
		}
		ann, bob := bottest.People["ann"], bottest.People["bob"]
		featuretest.Wants(t, w.Does(ann, "daily"), false, "Round 1 of ")
		first := w.Does(bob, "daily").Text.String()
		rounds, err := strconv.Atoi(featuretest.Between(first, "Round 1 of ", ","))
		if err != nil || rounds < 3 {
			t.Fatalf("there are %d rounds: %s", rounds, first)
		}
		// What isn't legal costs no round.
		featuretest.Wants(t, w.Does(ann, "daily qqq 8h"), true)
		featuretest.Wants(t, w.Does(ann, "daily"), false, "Round 1 of ")
		if r := w.Tries(ann, 0); !strings.Contains(r.Text.String(), "Round 2 of ") {
			t.Errorf("after a round: %s", r.Text)
		}
		// The same request twice is one round; a button of a round before is refused.
		skip := w.Request(ann, "daily do:skip")
		second := w.Host.Handle(t.Context(), skip)
		featuretest.Wants(t, second, false, "You skipped that round. The best play was ", "Round 3 of ")
		if again := w.Host.Handle(t.Context(), skip); again.Text.String() != second.Text.String() {
			t.Errorf("the same request again: %s; first %s", again.Text, second.Text)
		}
		featuretest.Wants(t, w.Does(ann, "daily at:2 do:skip"), true, "You have played that round already")
		featuretest.Wants(t, w.Does(ann, "daily"), false, "Round 3 of ", "So far you have ")
		for range rounds - 2 {
			featuretest.Wants(t, w.Does(ann, "daily do:skip"), false, "You skipped that round")
		}
		featuretest.Wants(t, w.Does(ann, "daily do:skip"), true, "You have played all rounds of this game")
		done := w.Does(ann, "daily").Text.String()
		if !strings.Contains(done, fmt.Sprintf("You have played all %d rounds: ", rounds)) {
			t.Errorf("at the end: %s", done)
		}
		shared := w.Does(ann, "daily do:share")
		if p := shared.Picture; p == nil || !strings.Contains(p.Alt.String(), "% of the best total in ") {
			t.Errorf("the picture to share is %+v", p)
		}
		share := shared.Text.String()
		if said := share[strings.IndexByte(share, '\n')+1:]; len([]rune(said)) > 280 || !strings.HasPrefix(said, "Rackmate game 68 (small) ") {
			t.Errorf("what is shared: %s", said)
		}
		// Bob has seen nothing of it: his first round is the same as before.
		if again := w.Does(bob, "daily").Text.String(); again != first {
			t.Errorf("Bob's game has changed to %s", again)
		}
		w.Tries(bob, 3)
		page, err := w.Host.Dailies().DailyToday(t.Context(), w.Request(ann, "daily"))
		if err != nil || !strings.HasPrefix(page, "g68-small~") {
			t.Errorf("the page is %q (%v)", page, err)
		}
		open, err := w.opens(page, bob)
		if err != nil || !open.Game || open.Left != rounds-1 || len(open.Tries) != 1 || !open.Sight.Own.Pass || len(open.Plays) != 0 {
			t.Errorf("Bob's page is %+v (%v)", open, err)
		}
		if mine, err := w.opens(page, ann); err != nil || mine.Left != 0 || mine.Over || len(mine.Plays) != 0 || len(mine.Sight.Own.Rack) != 0 {
			t.Errorf("Ann's page is %+v (%v)", mine, err)
		}

		// What Bob lays is scored on his second board, with his second rack.
		for _, play := range w.Plays(bob)[:1] {
			if d, err := w.Host.Dailies().DailyDraft(t.Context(), page, w.Request(bob, "daily "+play)); err != nil || d.Problem != "" || d.Score == 0 {
				t.Errorf("%s in Bob's second round is %+v (%v)", play, d, err)
			}
		}

		time.Sleep(24 * time.Hour)
		synctest.Wait()
		said := w.latest().Text.String()
		for _, part := range []string{"Game 68: the best plays came to ", " % of that.", "1. ", "2. ", "Daily game 69"} {
			if !strings.Contains(said, part) {
				t.Errorf("the next message lacks %q: %s", part, said)
			}
		}
		if median := featuretest.Between(said, "The median is ", "\n"); !strings.HasSuffix(median, " %.") {
			t.Errorf("the median of a game is %q", median)
		}
		over, err := w.opens(page, bob)
		if err != nil || !over.Over || len(over.Plays) != rounds || len(over.Results) != 2 {
			t.Fatalf("once it is over the page is %+v (%v)", over, err)
		}
		total := 0
		for _, p := range over.Plays {
			total += p.Score
		}
		for _, r := range over.Results {
			if sum := sumOf(r.Tries); r.Score != sum || r.Percent != 100*sum/total {
				t.Errorf("%s has %d, %d %%; counted again %d of %d", r.Name, r.Score, r.Percent, sum, total)
			}
		}
		proof, err := puzzle.ParseProof(w.Does(ann, "daily do:proof").Files[0].Data)
		if err != nil || proof.Form != puzzle.DayGame || strings.Count(proof.Position, ";") != rounds-1 {
			t.Errorf("the proof is %+v (%v)", proof, err)
		}
		// From the next day on there are boards again.
		featuretest.Wants(t, w.Manages(bottest.People["mod"], "settings for:channel daily:board"), false, "A board is posted here each day at 9:00", "Today's stays open until")
		featuretest.Wants(t, w.Does(ann, "daily"), false, "Daily game 69")
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		featuretest.Wants(t, w.Does(ann, "daily"), false, "Board 70, open until")
		featuretest.Wants(t, w.Does(ann, "daily do:skip"), true, "Only rounds of a daily game")
		if r, err := daily.Recount(t.Context(), w.Config.Notes, nil); err != nil || r.Differences != 0 {
			t.Errorf("a recount finds %+v (%v)", r, err)
		}
	})
}

func sumOf(tries []bot.DailyTry) (sum int) {
	for _, t := range tries {
		sum += t.Score
	}
	return sum
}

// A week's game is open from Monday to Monday, and one message is posted of it. Set in the
// middle of a week that had a board a day, the first begins on Monday.
func TestDailyWeekGame(t *testing.T) {
	featuretest.InSpring(t, func(t *testing.T) {
		w := newWorld(t)
		w.Run()
		ann := bottest.People["ann"]
		featuretest.Wants(t, w.Manages(bottest.People["mod"], "settings for:channel daily:week zone:Europe/Berlin"), false, "A game is posted here each Monday at 9:00", "The first is open until 16 Mar 08:00 UTC")
		synctest.Wait()
		if said := w.latest().Text.String(); !strings.Contains(said, "Game of the week 68, open until 16 Mar 08:00 UTC") {
			t.Errorf("the message says %s", said)
		}
		w.Tries(ann, 0)
		time.Sleep(5 * 24 * time.Hour)
		featuretest.Wants(t, w.Does(ann, "daily"), false, "Round 2 of ")
		featuretest.Wants(t, w.Does(ann, "daily do:skip"), false, "Round 3 of ")
		time.Sleep(2 * 24 * time.Hour)
		synctest.Wait()
		if posted, _ := w.messages(); len(posted) != 2 || !strings.Contains(posted[1].Text.String(), "Game 68: the best plays came to ") || !strings.Contains(posted[1].Text.String(), "Game of the week 75") {
			t.Fatalf("after a week there are %d messages: %s", len(posted), w.latest().Text)
		}
		featuretest.Wants(t, w.Does(ann, "daily"), false, "Round 1 of ")
		w.Tries(ann, 0)
		// Back to a board a day, from the next Monday on; and in the middle of that week to
		// weeks again.
		featuretest.Wants(t, w.Manages(bottest.People["mod"], "settings for:channel daily:board"), false, "Today's stays open until 23 Mar 08:00 UTC")
		time.Sleep(8 * 24 * time.Hour)
		synctest.Wait()
		featuretest.Wants(t, w.Does(ann, "daily"), false, "Board 83, open until 25 Mar 08:00 UTC")
		featuretest.Wants(t, w.Manages(bottest.People["mod"], "settings for:channel daily:21:00"), false, "each day at 21:00")
		featuretest.Wants(t, w.Manages(bottest.People["mod"], "settings for:channel daily:week"), false, "each Monday at 21:00")
		time.Sleep(3 * 24 * time.Hour)
		synctest.Wait()
		posted, _ := w.messages()
		if last := posted[len(posted)-1]; last.Number != 83 {
			t.Errorf("in between there is a message of day %d", last.Number)
		}
		time.Sleep(4 * 24 * time.Hour)
		synctest.Wait()
		if last := w.latest(); !strings.Contains(last.Text.String(), "Game of the week 89, open until 6 Apr 19:00 UTC") {
			t.Errorf("the week begins with %s", last.Text)
		}
		if r, err := daily.Recount(t.Context(), w.Config.Notes, nil); err != nil || r.Differences != 0 {
			t.Errorf("a recount finds %+v (%v)", r, err)
		}
	})
}

// The 29th of February is a day like others, and an hour that a clock shows twice begins one
// day.
func TestDailyCalendar(t *testing.T) {
	for _, c := range []struct {
		from, zone, hour string
		days             []int // that are posted in the four days after
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

// cgp is a page's board and a rack in CGP.
func cgp(d bot.Daily, rack string) string {
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

// While a board is open nobody who has tries left has it solved by other commands: there is
// no hint for it and no review, and it can't be analysed, with whatever rack.
func TestDailyIsSolvedAlone(t *testing.T) {
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
		key, err := w.Host.Dailies().DailyToday(t.Context(), w.Request(ann, "daily"))
		gametest.Must(t, err)
		open, err := w.opens(key, ann)
		gametest.Must(t, err)
		rack := strings.Join(open.Sight.Own.Rack, "")
		analyst := w.Host.Analyst()
		ask := func(who bot.User, rack string) error {
			_, err := analyst.Analyse(t.Context(), bot.Request{Channel: featuretest.Parlour, User: who}, bot.Question{CGP: cgp(open, rack), List: "small"})
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
		// Who has used all tries may look.
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
