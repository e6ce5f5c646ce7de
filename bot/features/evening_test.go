package features_test

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// asks has somebody ask for something until it is answered, as a platform does whose
// answer was lost.
func (l *leagueWorld) asks(req bot.Request) bot.Reply {
	l.T.Helper()
	var r bot.Reply
	for range 30 {
		if r = l.Host.Handle(l.T.Context(), req); !r.Refused {
			return r
		}
		time.Sleep(20 * time.Second)
		l.settle()
	}
	l.T.Fatalf("%s, %s %v: %s", req.User.Name, req.Command, req.Args, r.Text)
	return r
}

// presses presses a button of a reply.
func (l *leagueWorld) presses(who bot.User, r bot.Reply, label string) bot.Reply {
	l.T.Helper()
	for _, b := range r.Buttons {
		if b.Label.String() == label {
			l.IDs++
			req, ok := bot.Request{ID: fmt.Sprintf("b%d", l.IDs), Channel: parlour, User: who}.Press(b.ID)
			if !ok {
				l.T.Fatalf("%s is no button", b.ID)
			}
			return l.asks(req)
		}
	}
	l.T.Fatalf("%s: no button %s under %s", who.Name, label, replySaid(r))
	return r
}

// csvOf are the rows of a CSV file that a reply has.
func csvOf(t testing.TB, r bot.Reply, name string) (rows [][]string) {
	t.Helper()
	for _, f := range bot.FilesIn(nil, r.Files) {
		if !strings.HasSuffix(f.Name, name) {
			continue
		}
		rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(f.Data), "\ufeff"))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return rows[1:]
	}
	t.Fatalf("no file %s", name)
	return nil
}

// A recount is what somebody recounts.
type recount struct{ points, spread, firsts, games int }

// A tournament of an evening, directed by pressing what its message says to do next, with
// processes that end at random moments: standings, spreads and first moves are as somebody
// recounts them who saw the games alone, and a round costs the channel two messages and
// each player one.
func TestTournamentOfAnEvening(t *testing.T) {
	n, rounds := 8, 3
	if gametest.Long() {
		n, rounds = 32, 6
	}
	synctest.Test(t, func(t *testing.T) {
		l := mortalWorld(t, n, 7)
		director := bot.User{ID: "test:director", Name: "Director"}
		l.asks(l.Request(director, fmt.Sprintf("tournament new name:Evening rounds:%d pace:3d wait:3d", rounds)))
		for _, u := range l.people {
			l.asks(l.Request(u, "tournament join"))
		}
		l.luck.turns(true)
		r := l.presses(director, l.asks(l.Request(director, "tournament")), "Close registration")
		seen := map[bot.TableID]bool{}
		score := map[string]*recount{}
		for _, u := range l.people {
			score[u.Name] = &recount{}
		}
		for round := 1; round <= rounds; round++ {
			r = l.presses(director, r, fmt.Sprintf("Pair round %d", round))
			l.presses(director, r, fmt.Sprintf("Start round %d", round))
			for range 10 {
				l.settle()
				if l.rng.IntN(3) == 0 {
					l.restart()
				}
			}
			time.Sleep(2 * time.Minute) // what a process left that ended
			l.settle()
			firsts := map[string]int{}
			for name, s := range score {
				firsts[name] = s.firsts
			}
			for _, u := range l.people {
				l.presses(u, l.asks(l.Request(u, "tournament")), "Sit down")
			}
			l.settle()
			games := 0
			for _, u := range l.people {
				for _, g := range l.games(u) {
					if seen[g.Table] {
						continue
					}
					seen[g.Table] = true // the table goes on where the result came by hand
					games++
					_, log, err := l.Config.Store.Table(t.Context(), g.Channel)
					if err != nil {
						t.Fatal(err)
					}
					s, err := game.Replay(log)
					if err != nil {
						t.Fatal(err)
					}
					if s.Phase != game.Playing {
						t.Fatalf("round %d: the game of %s is in phase %v", round, u.Name, s.Phase)
					}
					first, second := s.Seats[s.First].Person, s.Seats[1-s.First].Person
					if firsts[first.Name] > firsts[second.Name] {
						t.Errorf("round %d: %s moves first again, not %s", round, first.Name, second.Name)
					}
					winner, loser, spread := first, second, 50
					if l.rng.IntN(2) == 0 {
						winner, loser = second, first
					}
					if l.rng.IntN(4) == 0 { // on a real board
						spread = 1 + l.rng.IntN(200)
						l.asks(l.Request(director, fmt.Sprintf("tournament result name:%s score:%d-%d", winner.Name, 300+spread, 300)))
					} else {
						l.resigns(loser, g)
					}
					score[first.Name].firsts++
					score[winner.Name].points += 2
					score[winner.Name].spread += spread
					score[loser.Name].spread -= spread
					score[first.Name].games++
					score[second.Name].games++
					if l.rng.IntN(4) == 0 {
						l.restart()
					}
				}
			}
			if games != n/2 {
				t.Fatalf("round %d: %d games", round, games)
			}
			time.Sleep(2 * time.Minute)
			l.settle()
			r = l.asks(l.Request(director, "tournament"))
		}
		l.luck.turns(false)
		time.Sleep(2 * time.Minute)
		l.settle()
		l.presses(director, l.asks(l.Request(director, "tournament")), "End")
		l.settle()
		rows := csvOf(t, l.asks(l.Request(l.people[0], "tournament export as:csv")), "-standings.csv")
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
			case m.To == nil && m.Channel == parlour && m.Standing != "":
				channel[m.Standing] = true
			case m.To == nil && m.Channel == parlour:
				channel[m.Key] = true
			}
		}
		if len(channel) != 2*rounds+2 { // the invitation and who won besides
			t.Errorf("the channel has %d messages: %v", len(channel), channel)
		}
		if len(private) != n*rounds {
			t.Errorf("%d private messages of rounds, want %d", len(private), n*rounds)
		}
	})
}
