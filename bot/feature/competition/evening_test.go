package competition_test

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// A recount holds a player's totals, counted from the games.
type recount struct{ points, spread, firsts, games int }

// TestEveningTournament plays a tournament of one evening, directed by pressing what
// the message offers, with processes that stop at random. Standings, spreads and first
// moves must match a recount from the games alone. A round costs the channel two messages
// and each player one.
func TestEveningTournament(t *testing.T) {
	n, rounds := gametest.Rounds(8, 32), gametest.Rounds(3, 6)
	synctest.Test(t, func(t *testing.T) {
		l := featuretest.NewMortal(t, n, 7)
		director := bot.User{ID: "test:director", Name: "Director"}
		l.Asks(l.Request(director, fmt.Sprintf("tournament new name:Evening rounds:%d pace:3d wait:3d", rounds)))
		for _, u := range l.People {
			l.Asks(l.Request(u, "tournament join"))
		}
		l.Luck.Turns(true)
		r := l.Presses(director, l.Asks(l.Request(director, "tournament")), "Close registration")
		seen := map[bot.TableID]bool{}
		score := map[string]*recount{}
		for _, u := range l.People {
			score[u.Name] = &recount{}
		}
		for round := 1; round <= rounds; round++ {
			r = l.Presses(director, r, fmt.Sprintf("Pair round %d", round))
			l.Presses(director, r, fmt.Sprintf("Start round %d", round))
			for range 10 {
				l.Settle()
				if l.Random.IntN(3) == 0 {
					l.Restart()
				}
			}
			time.Sleep(2 * time.Minute) // time for work that a stopped process left behind
			l.Settle()
			firsts := map[string]int{}
			for name, s := range score {
				firsts[name] = s.firsts
			}
			for _, u := range l.People {
				l.Presses(u, l.Asks(l.Request(u, "tournament")), "Sit down")
			}
			l.Settle()
			games := 0
			for _, u := range l.People {
				for _, g := range l.Games(u) {
					if seen[g.Table] {
						continue
					}
					seen[g.Table] = true // a game goes on although its result came by hand
					games++
					_, log, err := l.Config.Store.Table(t.Context(), g.Channel)
					gametest.Must(t, err)
					s, err := game.Replay(log)
					gametest.Must(t, err)
					if s.Phase != game.Playing {
						t.Fatalf("round %d: the game of %s is in phase %v", round, u.Name, s.Phase)
					}
					first, second := s.Seats[s.First].Person, s.Seats[1-s.First].Person
					if firsts[first.Name] > firsts[second.Name] {
						t.Errorf("round %d: %s moves first again, not %s", round, first.Name, second.Name)
					}
					winner, loser, spread := first, second, 50
					if l.Random.IntN(2) == 0 {
						winner, loser = second, first
					}
					if l.Random.IntN(4) == 0 { // played on a real board
						spread = 1 + l.Random.IntN(200)
						l.Asks(l.Request(director, fmt.Sprintf("tournament result name:%s score:%d-%d", winner.Name, 300+spread, 300)))
					} else {
						l.Resigns(loser, g)
					}
					score[first.Name].firsts++
					score[winner.Name].points += 2
					score[winner.Name].spread += spread
					score[loser.Name].spread -= spread
					score[first.Name].games++
					score[second.Name].games++
					if l.Random.IntN(4) == 0 {
						l.Restart()
					}
				}
			}
			if games != n/2 {
				t.Fatalf("round %d: %d games", round, games)
			}
			time.Sleep(2 * time.Minute)
			l.Settle()
			r = l.Asks(l.Request(director, "tournament"))
		}
		l.Luck.Turns(false)
		time.Sleep(2 * time.Minute)
		l.Settle()
		l.Presses(director, l.Asks(l.Request(director, "tournament")), "End")
		l.Settle()
		rows := featuretest.CSV(t, l.Asks(l.Request(l.People[0], "tournament export as:csv")), "-standings.csv")
		if len(rows) != n {
			t.Fatalf("%d stand in the standings", len(rows))
		}
		var order []recount
		for _, row := range rows {
			want := score[strings.TrimPrefix(row[2], "'")]
			if want == nil || want.games != rounds {
				t.Fatalf("%q has %+v", row, want)
			}
			order = append(order, *want)
			if got, _ := strconv.ParseFloat(row[5], 64); int(2*got) != want.points {
				t.Errorf("%q: %d halves in a recount", row, want.points)
			}
			if got, _ := strconv.Atoi(strings.TrimPrefix(strings.TrimPrefix(row[9], "'"), "+")); got != want.spread {
				t.Errorf("%q: a spread of %d in a recount", row, want.spread)
			}
		}
		if !slices.IsSortedFunc(order, func(a, b recount) int {
			return cmp.Or(cmp.Compare(b.points, a.points), cmp.Compare(b.spread, a.spread))
		}) {
			t.Errorf("the places aren't by points and spread: %v", order)
		}
		channel, private := map[string]bool{}, map[string]int{}
		for _, m := range l.Posts.Take() {
			switch {
			case m.To != nil && m.Kind == "tournament round":
				private[m.Key]++
			case m.Standing == "games": // one more message, once for the channel
			case m.To == nil && m.Channel == featuretest.Parlour && m.Standing != "":
				channel[m.Standing] = true
			case m.To == nil && m.Channel == featuretest.Parlour:
				channel[m.Key] = true
			}
		}
		if len(channel) != 1 {
			t.Errorf("the channel has %d messages: %v", len(channel), channel)
		}
		if len(private) != 0 {
			t.Errorf("%d private messages of rounds, to players whom their tables call", len(private))
		}
	})
}
