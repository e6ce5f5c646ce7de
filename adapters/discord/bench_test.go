package discord_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/lexicon"
)

// BenchmarkCompletion completes "/play at:" in the middle of a game with the English list,
// from the request to the answer, over HTTP. Discord's client shows completions while the
// person types, so slow ones matter: p99-ms is the 99th percentile in milliseconds. It
// should be below 100.
func BenchmarkCompletion(b *testing.B) {
	english := gametest.ShippedList(b, "en")
	for _, challenge := range []game.ChallengeRule{game.Void, game.Double} {
		b.Run(challenge.String(), func(b *testing.B) {
			w, feed := newFeeder(b, english)
			word := middle(b, w.store, "discord:3", english, challenge)
			body := fmt.Appendf(nil, `{"id":"1","application_id":%q,"type":4,"token":"t","channel_id":"3","user":{"id":"4","username":"Ann"},"data":{"name":"play","type":1,"options":[{"name":"word","value":%q},{"name":"at","value":"","focused":true}]}}`, discordtest.ApplicationID, word)
			var times []time.Duration
			for b.Loop() {
				began := time.Now()
				status, answer := feed(body)
				times = append(times, time.Since(began))
				var got struct {
					Data struct{ Choices []discordtest.Choice }
				}
				if err := json.Unmarshal([]byte(answer), &got); status != 200 || err != nil || len(got.Data.Choices) == 0 {
					b.Fatalf("%s: %d %s", word, status, answer)
				}
			}
			slices.Sort(times)
			b.ReportMetric(times[len(times)*99/100].Seconds()*1000, "p99-ms")
		})
	}
}

// middle stores a game in which the best play was made twelve times, and returns a good
// word for Ann, who is to move.
func middle(tb testing.TB, store bot.Store, ch bot.ChannelID, list *lexicon.Lexicon, challenge game.ChallengeRule) (word string) {
	tb.Helper()
	eq, rules := gametest.Equipment(tb), game.Classic()
	rules.Challenge = challenge
	gen, err := movegen.New(list, eq, rules)
	gametest.Must(tb, err)
	ann, bob := game.Person{ID: "discord:4", Name: "Ann"}, game.Person{ID: "discord:5", Name: "Bob"}
	var s game.State
	var log []game.Event
	do := func(who game.Person, a game.Action) {
		tb.Helper()
		events, err := game.Decide(s, who, a, game.Env{Dict: list, Now: time.Now().UTC(), Cause: fmt.Sprintf("cause-%d", len(log)), Secret: game.Secret{1}})
		if err != nil {
			tb.Fatalf("%T: %v", a, err)
		}
		for _, e := range events {
			s = s.Apply(e)
		}
		log = append(log, events...)
	}
	best := func() game.Move {
		plays := gen.Plays(&s.Board, s.Seats[s.Turn].Rack)
		if len(plays) == 0 {
			tb.Fatal("there is no play")
		}
		play := slices.MaxFunc(plays, func(a, b movegen.Play) int { return int(a.Score - b.Score) })
		return play.Move()
	}
	do(ann, game.Open{Rules: rules, Equipment: eq, Lexicon: game.LexiconID{Name: list.Name(), Hash: list.Hash()}, Seats: 2})
	do(bob, game.Join{})
	for s.Turns < 12 || s.Seats[s.Turn].Person != ann {
		do(s.Seats[s.Turn].Person, game.Play{Move: best()})
	}
	err = store.Update(tb.Context(), ch, "middle", func(r *bot.Room) error {
		r.Append, r.Seated = log, []game.PlayerID{ann.ID, bob.ID}
		return nil
	})
	gametest.Must(tb, err)
	var typed movegen.Play
	for _, p := range gen.Plays(&s.Board, s.Seats[s.Turn].Rack) {
		if p.Score > typed.Score && !slices.Contains([]byte(p.Move().Tiles), byte(game.NoTile)) {
			typed = p
		}
	}
	return eq.Tiles.Print(typed.Move().Tiles)
}
