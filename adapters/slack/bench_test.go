package slack_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/game/gametest"
)

// BenchmarkSimultaneousPlays lets 300 duplicate players join at one instant, and submit at one, over
// Socket Mode with a file store: an operation is a turn, with the next board posted.
// slowest-ms is the longest wait for an acknowledgment, in milliseconds. Slack allows
// 3,000; none should exceed 1,000 on an idle machine.
func BenchmarkSimultaneousPlays(b *testing.B) {
	english := gametest.ShippedList(b, "en-clean")
	w := newWorldOf(b, english, slacktest.Options{})
	w.moveToFile()
	w.slash(ann, "/new", "variant:duplicate")
	w.post("wants to play")
	players := []string{ann}
	for i := range 299 {
		players = append(players, fmt.Sprintf("U9%03d", i))
		w.s.Invent(players[i+1], games)
	}
	var slowest time.Duration
	all := func(of []string, text string) {
		var mu sync.Mutex
		var g sync.WaitGroup
		for _, who := range of {
			g.Go(func() {
				began := time.Now()
				err := w.s.Slash(who, games, "/rackmate", text)
				mu.Lock()
				defer mu.Unlock()
				if slowest = max(slowest, time.Since(began)); err != nil {
					b.Error(err)
				}
			})
		}
		g.Wait()
		w.adapter.Wait()
	}
	all(players[1:], "join")
	w.await("all at the table", func() bool { return len(w.state().Seats) == len(players) })
	w.slash(ann, "/start", "")
	turn := 1
	w.post(fmt.Sprint("The rack for turn ", turn))
	plays := gametest.SlowPlays(b, english, w.state().Rules)
	for b.Loop() {
		text := "pass"
		if word, at := plays(w.state()); word != "" {
			text = "submit " + word + " " + at
		}
		all(players, text)
		turn++
		w.post(fmt.Sprint("The rack for turn ", turn))
	}
	b.ReportMetric(slowest.Seconds()*1000, "slowest-ms")
}
