package daily_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/puzzle"
)

// A game that an earlier version began ends at the next hour of its place, with its results and a
// board; nobody can play it before. A place whose first week was yet to come gets a board at once.
func TestGameOfEarlierVersionEnds(t *testing.T) {
	for form, name := range map[string]string{"game": "Daily game 68", "week": "Game of the week 68", "week to come": ""} {
		t.Run(form, func(t *testing.T) {
			featuretest.InSpring(t, func(t *testing.T) {
				w := newWorld(t)
				put := func(shelf, key, row string) {
					t.Helper()
					gametest.Must(t, w.Config.Notes.Put(t.Context(), shelf, key, []byte(row)))
				}
				place := string(featuretest.Parlour)
				form, begun := strings.CutSuffix(form, " to come")
				ends := map[string]string{"game": "2026-03-10T08:00:00Z", "week": "2026-03-16T08:00:00Z"}[form]
				if begun = !begun; begun {
					put("daily-places", place, fmt.Sprintf(`{"v":1,"on":true,"hour":540,"zone":"Europe/Berlin","form":%q,"day":68,"ends":%q,"streak":{"run":3,"best":4},"ever":2}`, form, ends))
					put("daily-days", place+"\x00000068", fmt.Sprintf(`{"v":1,"form":%q,"list":"small","hash":%q,"opens":"2026-03-09T08:00:00Z","ends":%q,"posted":"2026-03-09T08:00:01Z"}`, form, w.Config.Lexicons[0].Hash(), ends))
					for who, scores := range map[string][2]int{"ann": {14, 10}, "bob": {30, 0}} {
						put("daily-answers", place+"\x00000068\x00test:"+who, fmt.Sprintf(`{"v":1,"name":%q,"list":"small","form":%q,"tries":[{"id":"r5","at":"2026-03-09T09:05:00Z","play":"8H HORN","score":%d,"most":40,"band":3},{"id":"r6","at":"2026-03-09T09:06:00Z","play":"","score":%d,"most":22,"band":4}]}`, who, form, scores[0], scores[1]))
					}
				} else {
					put("daily-places", place, `{"v":1,"on":true,"hour":540,"zone":"Europe/Berlin","form":"week","streak":{"run":0,"best":0}}`)
				}
				w.Run()
				synctest.Wait()
				if !begun {
					if posted, _ := w.messages(); len(posted) != 1 || !strings.Contains(posted[0].Text.String(), "Daily board 68") {
						t.Errorf("%d messages are posted at once", len(posted))
					}
					return
				}
				ann := bottest.People["ann"]
				featuretest.Wants(t, w.Does(ann, "daily horn 8h"), true, name+" is over", "10 Mar 08:00 UTC")
				featuretest.Wants(t, w.Does(ann, "daily do:skip"), true, "out of date")
				time.Sleep(24 * time.Hour)
				synctest.Wait()
				posted, _ := w.messages()
				if len(posted) != 1 {
					t.Fatalf("%d messages were posted by the next day", len(posted))
				}
				for _, part := range []string{name + " is over", "1. bob: 30", "2. ann: 24", "Daily board 69"} {
					if said := posted[0].Text.String(); !strings.Contains(said, part) {
						t.Errorf("the message lacks %q: %s", part, said)
					}
				}
				featuretest.Wants(t, w.Does(ann, "daily do:results"), false, name+" is over", "1. bob: 30")
				featuretest.Wants(t, w.Does(ann, "daily do:proof"), true, "The proof of "+name+" is no longer kept")
				featuretest.Wants(t, w.Tries(ann, 0), false)
				time.Sleep(24 * time.Hour)
				synctest.Wait()
				if posted, _ := w.messages(); len(posted) != 2 || !strings.Contains(posted[1].Text.String(), "Board 69: the best play was") {
					t.Errorf("the day after that there are %d messages", len(posted))
				}
			})
		})
	}
}

// A board's answer is revealed once no place has it open. Until then, the place whose day ended
// first learns only when the answer comes.
func TestAnswerWaitsForAllPlaces(t *testing.T) {
	featuretest.InSpring(t, func(t *testing.T) {
		w := newWorld(t)
		w.Run()
		ann := bottest.People["ann"]
		w.Manages(bottest.People["mod"], "settings for:channel daily:9:00 zone:Europe/Berlin")
		overseas := w.Request(bottest.People["mod"], "settings for:channel daily:9:00 zone:America/New_York")
		overseas.Channel, overseas.Manager = "test:overseas", true
		featuretest.Wants(t, w.Host.Handle(t.Context(), overseas), false, "America/New_York")
		synctest.Wait()
		page, err := boardPages{w.World}.todayKey(t.Context(), w.Request(ann, "daily"))
		gametest.Must(t, err)
		w.Tries(ann, 0)
		const answer = "Board 68: the best play was"
		told := func() (told bool) {
			posted, edited := w.messages()
			for _, m := range append(posted, edited...) {
				told = told || m.Channel == featuretest.Parlour && strings.Contains(m.Text.String(), answer)
			}
			return told
		}

		time.Sleep(24 * time.Hour) // it is 12:00 UTC, and the board is open overseas until 13:00
		synctest.Wait()
		w.Tries(bottest.People["bob"], 0)
		time.Sleep(10 * time.Minute) // enough for the message to count Bob
		synctest.Wait()
		const waits = "Board 68 is still open in another channel. Its answer comes at 10 Mar 13:00 UTC."
		if said := w.latest().Text.String(); told() || !strings.Contains(said, waits) {
			t.Errorf("the next message says %s", said)
		}
		featuretest.Wants(t, w.Does(ann, "daily do:results"), true, waits)
		featuretest.Wants(t, w.Does(ann, "daily do:proof"), true, waits)
		if d, err := w.opens(page, ann); err != nil || d.Over || len(d.Plays) > 0 || d.Proof {
			t.Errorf("its page is %+v (%v)", d, err)
		}

		time.Sleep(time.Hour)
		synctest.Wait()
		if !told() {
			t.Error("at 13:00 the answer isn't told")
		}
		featuretest.Wants(t, w.Does(ann, "daily do:results"), false, answer)
		if d, err := w.opens(page, ann); err != nil || !d.Over || len(d.Plays) == 0 {
			t.Errorf("then its page is %+v (%v)", d, err)
		}
	})
}

// A host with boards of an earlier version keeps making them that way as long as they may be open or
// promised. A new host, and both from then on, make boards of the latest version. Each day keeps the
// commitment that the day before it promised.
func TestVersionBeginsAfterPromisedBoards(t *testing.T) {
	for name, first := range map[string]puzzle.Day{"a new host": 0, "an older host": 71} {
		t.Run(name, func(t *testing.T) {
			featuretest.InSpring(t, func(t *testing.T) {
				w := newWorld(t)
				if first > 0 {
					gametest.Must(t, w.Config.Notes.Put(t.Context(), "daily-days", "test:elsewhere\x00000067", []byte(fmt.Sprintf(`{"v":1,"list":"small","hash":%q,"opens":"2026-03-08T08:00:00Z","ends":"2026-03-09T08:00:00Z","over":true}`, w.Config.Lexicons[0].Hash()))))
				}
				stop := w.Run()
				w.Manages(bottest.People["mod"], "settings for:channel daily:9:00 zone:Europe/Berlin")
				promised := ""
				for d := puzzle.Day(68); d <= 74; d++ {
					synctest.Wait()
					w.Tries(bottest.People["ann"], 0)
					digest := featuretest.TextBetween(w.latest().Text.String(), "fixed already: ", "\n")
					time.Sleep(24 * time.Hour)
					synctest.Wait()
					if d == 70 { // as if the host were updated again
						stop()
						w.Host = host.New(w.Config)
						stop = w.Run()
					}
					r := w.Does(bottest.People["ann"], "daily do:proof")
					if len(r.Files) != 1 {
						t.Fatalf("day %d has no proof: %s", d, r.Text)
					}
					proof, err := puzzle.ParseProof(r.Files[0].Data)
					gametest.Must(t, err)
					want := "rackmate daily 2"
					if d < first {
						want = "rackmate daily 1"
					}
					if proof.Number != d || proof.Format != want {
						t.Errorf("the proof of day %d is %s of day %d, want %s", d, proof.Format, proof.Number, want)
					}
					if d > 68 && promised != game.Digest(proof.Commitment) {
						t.Errorf("day %d was promised as %s, and its proof has %s", d, promised, proof.Commitment)
					}
					promised = digest
				}
			})
		})
	}
}
