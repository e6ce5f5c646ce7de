package features_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// BenchmarkDailyAnswer compares an answer to a daily board with a /try at a table: it may take at
// most one and a half times as long.
func BenchmarkDailyAnswer(b *testing.B) {
	g := script(b, benchGame(b), 2, game.Classic())
	w := newWorld(b)
	n := 0
	for _, step := range g.steps { // as many tiles as on a daily board
		if n = step.end; n >= 25 {
			break
		}
	}
	log := g.events[:n]
	s, err := game.Replay(log)
	if err != nil || s.Phase != game.Playing {
		b.Fatal(err, s.Phase)
	}
	featuretest.Put(b, w.Config.Store, featuretest.Parlour, log)
	mover := s.Seats[s.Turn].Person
	find := func(line string, who bot.User) bot.Request {
		for _, word := range strings.Fields(strings.ToLower(gametest.SmallList)) {
			for _, c := range w.Host.Complete(b.Context(), w.Request(who, line+" "+word), "at") {
				req := w.Request(who, line+" "+word+" "+c.Value)
				if r := w.Host.Handle(b.Context(), req); !r.Refused {
					return req
				}
			}
		}
		b.Fatalf("there is no play for /%s", line)
		return bot.Request{}
	}
	try, answer := find("try", mover), find("daily", bottest.People["ann"])
	once := func(req bot.Request, fresh bool) time.Duration {
		began := time.Now()
		req.ID = fmt.Sprint("bench ", w.IDs)
		if w.IDs++; fresh {
			req.User = bot.User{ID: bot.PlayerID(fmt.Sprint("test:", w.IDs)), Name: "somebody"}
		}
		if r := w.Host.Handle(b.Context(), req); r.Refused {
			b.Fatal(r.Text)
		}
		return time.Since(began)
	}
	var tries, answers time.Duration
	for b.Loop() {
		tries += once(try, false)
		answers += once(answer, true)
	}
	b.ReportMetric(float64(answers)/float64(tries), "answers/try")
}
