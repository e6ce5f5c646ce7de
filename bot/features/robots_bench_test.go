package features_test

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/game/robot"
	"github.com/rackmate/rackmate/lexicon"
)

// english returns the shipped list.
func english(t testing.TB) *lexicon.Lexicon {
	englishOpened.Do(func() { englishList = gametest.ShippedList(t, "en") })
	return englishList
}

var (
	englishOpened sync.Once
	englishList   *lexicon.Lexicon
)

// inEnglish sets up a quiet host with the shipped list.
func inEnglish(t testing.TB) func(*host.Config) {
	x := english(t)
	m := mind(x)
	return func(c *host.Config) {
		c.Lexicons, c.DefaultLexicon = []*lexicon.Lexicon{x}, "en"
		c.Mind = func(*lexicon.Lexicon) *robot.Mind { return m }
		c.Log = slog.New(slog.DiscardHandler)
		c.Thinkers = max(1, runtime.NumCPU()-1)
	}
}

// aGame returns the log of a game between two robots.
func aGame(t testing.TB, rules game.Rules) []game.Event {
	var log []game.Event
	var s game.State
	do := func(p game.Person, a game.Action) {
		events, err := game.Decide(s, p, a, game.Env{Dict: english(t), Now: time.Now(), Cause: fmt.Sprint(s.Number), Secret: game.Secret{9}})
		gametest.Must(t, err)
		for _, e := range events {
			s = s.Apply(e)
		}
		log = append(log, events...)
	}
	people := []game.Person{{ID: "test:ann", Name: "Ann"}, {ID: "test:bob", Name: "Other"}}
	do(people[0], game.Open{Rules: rules, Equipment: gametest.Equipment(t), Lexicon: game.LexiconID{Name: "en", Hash: english(t).Hash()}, Seats: 2})
	do(people[1], game.Join{})
	m := mind(english(t))
	for s.Phase == game.Playing {
		a, err := m.Choose(t.Context(), robot.Yardsticks()[0], robot.See(s, s.Turn), 0, 1)
		gametest.Must(t, err)
		do(s.Seats[s.Turn].Person, a)
	}
	return log
}

// percentiles reports percentiles of durations.
func percentiles(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1e6, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds())/1e6, "p99-ms")
}

// BenchmarkComplete measures the completion of /play's square, for the longest word that can be
// played at each turn of a game, under rules that refuse invalid words and under rules that let
// them be challenged.
func BenchmarkComplete(b *testing.B) {
	for _, challenge := range []game.ChallengeRule{game.Void, game.Single} {
		b.Run(challenge.String(), func(b *testing.B) {
			rules := game.Classic()
			rules.Challenge = challenge
			log := aGame(b, rules)
			w := newWorld(b, inEnglish(b))
			var all []bot.Request
			var s game.State
			for n, e := range log {
				if s = s.Apply(e); s.Phase != game.Playing || s.Seats[s.Turn].Rack == "" {
					continue
				}
				g, err := movegen.New(english(b), s.Equipment, s.Rules)
				gametest.Must(b, err)
				longest := ""
				for _, p := range g.Plays(&s.Board, s.Seats[s.Turn].Rack) {
					m := p.Move()
					tally, err := s.Rules.Tally(s.Equipment, &s.Board, m)
					gametest.Must(b, err)
					if word := s.Equipment.Tiles.Print(tally.Words[0].Tiles); len(word) > len(longest) {
						longest = word
					}
				}
				req := bot.Request{Channel: bot.ChannelID(fmt.Sprint("test:", n)), User: s.Seats[s.Turn].Person, Command: "play", Args: map[string]string{"word": longest}}
				put(b, w.Config.Store, req.Channel, log[:n+1])
				if longest != "" {
					all = append(all, req)
				}
			}
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				began := time.Now()
				if len(w.Host.Complete(b.Context(), all[i%len(all)], "at")) == 0 {
					b.Fatal(all[i%len(all)])
				}
				took = append(took, time.Since(began))
			}
			percentiles(b, took)
		})
	}
}

// BenchmarkHandleWhileRobotsThink measures a move at one table while robots of all levels think at
// fifty others, and while none do.
func BenchmarkHandleWhileRobotsThink(b *testing.B) {
	log := aGame(b, game.Classic())
	log = log[:len(log)/2]
	s, err := game.Replay(log)
	gametest.Must(b, err)
	levels := robot.Levels()
	for _, others := range []int{0, 50} {
		b.Run(fmt.Sprint(others), func(b *testing.B) {
			w := newWorld(b, inEnglish(b))
			for _, l := range levels { // build what each level knows once
				if _, err := w.Config.Mind(nil).Choose(b.Context(), l, robot.See(s, s.Turn), 1, 1); err != nil {
					b.Fatal(err)
				}
			}
			ctx, cancel := context.WithCancel(b.Context())
			var all sync.WaitGroup
			all.Go(func() { w.Host.RunTimers(ctx) })
			defer all.Wait()
			defer cancel()
			var channels []bot.ChannelID
			for i := range others {
				ch := bot.ChannelID(fmt.Sprint("test:thinks-", i))
				req := bot.Request{ID: fmt.Sprint("t", i), Channel: ch, User: people["ann"], Command: "new", Args: map[string]string{"robots": levels[i%len(levels)].Name}}
				if r := w.Host.Handle(ctx, req); r.Refused {
					b.Fatal(r.Text)
				}
				channels = append(channels, ch)
			}
			var took, used []time.Duration
			for i := 0; b.Loop(); i++ {
				b.StopTimer()
				for k, ch := range channels {
					// A pass in the robot's turn is refused, so robots always have the turn.
					w.Host.Handle(ctx, bot.Request{ID: fmt.Sprint("p", i, ":", k), Channel: ch, User: people["ann"], Command: "pass", Args: map[string]string{"sure": "true"}})
				}
				req := bot.Request{ID: fmt.Sprint("r", i), Channel: bot.ChannelID(fmt.Sprint("test:", i)), User: s.Seats[s.Turn].Person, Command: "pass", Args: map[string]string{"sure": "true"}}
				put(b, w.Config.Store, req.Channel, log)
				b.StartTimer()
				began, before := time.Now(), cpuTime(b)
				if r := w.Host.Handle(ctx, req); r.Refused {
					b.Fatal(r.Text)
				}
				took, used = append(took, time.Since(began)), append(used, cpuTime(b)-before)
			}
			percentiles(b, took)
			// Processor time while a command waits includes the robots' thinking but not other
			// programs.
			slices.Sort(used)
			b.ReportMetric(float64(used[len(used)*99/100].Nanoseconds())/1e6, "p99-cpu-ms")
		})
	}
}
