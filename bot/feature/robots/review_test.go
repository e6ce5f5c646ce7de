package robots_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot/features/featuretest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/robot"
)

// TestWorkerMakesReview checks that requests never judge moves. The review is sent to
// the players who asked, posted on request, and stored, so that it survives a restart.
func TestWorkerMakesReview(t *testing.T) {
	log := featuretest.Resigned(t, 4)
	moves := len(robot.Decisions(log))
	reviews := func(w *featuretest.World) (all []bot.Message) {
		for _, m := range w.Posts.Take() {
			if m.Kind == "review" {
				all = append(all, m)
			}
		}
		return all
	}
	const whole = "Points each player gave away"
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t)
		featuretest.Put(t, w.Config.Store, featuretest.Parlour, log)
		// No worker is running yet.
		for range 2 {
			if r := w.Does(bottest.People["ann"], "/review"); r.Refused || strings.Contains(r.Text.String(), whole) || !strings.Contains(r.Text.String(), "You'll get the review when it's ready") {
				t.Errorf("Ann, who waits, is told %s", r.Text)
			}
		}
		if r := w.Does(bottest.People["cat"], "/review 3"); r.Refused || strings.Contains(r.Text.String(), "You'll get the review") {
			t.Errorf("Cat, who did not play, is told %s", r.Text)
		}
		w.Run()
		synctest.Wait()
		got := reviews(w)
		if len(got) != 1 || featuretest.To(got[0]) != "test:ann" || !strings.HasPrefix(got[0].Text.String(), whole) {
			t.Fatalf("sent: %v", got)
		}
		told := w.Does(bottest.People["ann"], "/review")
		if told.Text.String() != got[0].Text.String() {
			t.Errorf("Ann asks again, and is told %s", told.Text)
		}
		if r := w.Does(bottest.People["cat"], "/review 3"); !strings.HasPrefix(r.Text.String(), "Turn 3: ") {
			t.Errorf("Cat asks again, and is told %s", r.Text)
		}
		if r := w.Does(bottest.People["cat"], "/review post:yes"); !r.Refused {
			t.Errorf("Cat shows everybody: %s", r.Text)
		}
		w.Does(bottest.People["bob"], "/review post:yes")
		synctest.Wait()
		if got := reviews(w); len(got) != 1 || got[0].To != nil || got[0].Text.String() != told.Text.String() {
			t.Errorf("everybody: %v", got)
		}
		synctest.Wait()

		// Another process without a worker can read the judged moves.
		if r := host.New(w.Config).Handle(t.Context(), w.Request(bottest.People["bob"], "/review")); r.Text.String() != told.Text.String() {
			t.Errorf("after a restart Bob is told %s", r.Text)
		}

		// A worker that was stopped halfway resumes there.
		rows, err := w.Config.Notes.Scan(t.Context(), "reviews", "", "", 2)
		if err != nil || len(rows) != 1 {
			t.Fatal(rows, err)
		}
		if strings.Contains(string(rows[0].Value), "test:") {
			t.Errorf("it names somebody: %s", rows[0].Value)
		}
		var kept map[string]any
		gametest.Must(t, json.Unmarshal(rows[0].Value, &kept))
		if kept["asked"] != nil || kept["everybody"] != nil || len(kept["turns"].([]any)) != moves {
			t.Errorf("%d moves, kept: %s", moves, rows[0].Value)
		}
		kept["turns"] = kept["turns"].([]any)[:3]
		half, _ := json.Marshal(kept)
		other := featuretest.New(t, func(c *host.Config) { c.Store, c.Notes = w.Config.Store, w.Config.Notes })
		gametest.Must(t, w.Config.Notes.Put(t.Context(), "reviews", rows[0].Key, half))
		other.IDs = 100
		r := host.New(w.Config).Handle(t.Context(), other.Request(bottest.People["bob"], "/review"))
		if !strings.Contains(r.Text.String(), "3 are done") {
			t.Errorf("in the middle Bob is told %s", r.Text)
		}
		time.Sleep(time.Second) // the first process hears of another's request with a delay
		synctest.Wait()
		if r := other.Does(bottest.People["bob"], "/review"); r.Text.String() != told.Text.String() {
			t.Errorf("gone on with, Bob is told %s", r.Text)
		}

		// Moves that another worker is judging are left to it. If it has stopped, this one
		// resumes a little later.
		kept["by"], kept["until"] = 1<<40, time.Now().Add(30*time.Second)
		half, _ = json.Marshal(kept)
		gametest.Must(t, w.Config.Notes.Put(t.Context(), "reviews", rows[0].Key, half))
		other.IDs = 200
		for _, want := range []string{"3 are done", told.Text.String()} {
			other.Does(bottest.People["bob"], "/review")
			synctest.Wait()
			if r := other.Does(bottest.People["bob"], "/review"); !strings.Contains(r.Text.String(), want) {
				t.Errorf("while another judges Bob is told %s, not %s", r.Text, want)
			}
			time.Sleep(31 * time.Second)
			synctest.Wait()
		}
		if log := w.Log.String(); strings.Contains(log, "level=ERROR") || strings.Contains(log, "level=WARN") {
			t.Errorf("the log:\n%s", log)
		}
	})
}
