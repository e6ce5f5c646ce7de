package ladder_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/feature/ladder"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// gifts returns the log of a game without a tile on the board: both passed, and Bob ended it.
func gifts(t *testing.T, reason game.EndReason) []game.Event {
	log := bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "single", []string{"bag:EEEEEEEE", "ann:HORNSA?", "bob:FARMQI?"})
	add := func(f game.Fact) {
		log = append(log, game.Event{Number: len(log), At: log[0].At, Cause: fmt.Sprint("c", len(log)), Fact: f})
	}
	add(game.Passed{Seat: 0})
	add(game.Passed{Seat: 1})
	if reason == game.ResignationEnd {
		add(game.Resigned{Seat: 1})
	}
	add(game.Ended{Reason: reason, Racks: make([]game.Tiles, 2), Adjust: []int{0, 0}, Winners: []int{0}})
	return log
}

// Seven games without a tile give the winner no rating and no record. They cost Bob, who resigned
// them, rating from the fourth in a week on, even after a recount.
func TestGiftedGamesDontCount(t *testing.T) {
	for _, c := range []struct {
		name   string
		reason game.EndReason
		games  int
		apart  time.Duration
		loses  bool
	}{
		{"seven resigned at once", game.ResignationEnd, 7, time.Hour, true},
		{"three resigned", game.ResignationEnd, 3, time.Hour, false},
		{"one every three days", game.ResignationEnd, 7, 72 * time.Hour, false},
		{"ended by agreement", game.AgreementEnd, 7, time.Hour, false},
		{"passed to the end", game.ScorelessEnd, 7, time.Hour, false},
		{"lost by a challenge", game.TripleEnd, 7, time.Hour, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				w.Run()
				for i := range c.games {
					log := gifts(t, c.reason)
					for k := range log {
						log[k].At = time.Now()
					}
					w.counted(bot.ChannelID(fmt.Sprint("test:channel", i)), log)
					time.Sleep(c.apart)
				}
				synctest.Wait()
				check := func() {
					t.Helper()
					rows := featuretest.StoredRows(t, w.Config.Notes, "players", "versus", "scopes", "bests")
					for row := range rows {
						if row != "players test:bob" {
							t.Errorf("%s is kept: %s", row, rows[row])
						}
					}
					if loses := strings.Contains(rows["players test:bob"], `"ratings"`); loses != c.loses {
						t.Errorf("Bob loses rating: %t, want %t: %s", loses, c.loses, rows["players test:bob"])
					}
				}
				check()
				_, err := ladder.Recount(t.Context(), w.Config.Notes)
				gametest.Must(t, err)
				check()
			})
		})
	}
}

// One person can't win rating from themselves by a second account, once the two are linked, nor a
// record, even in a game that was played out.
func TestGamesAgainstOneselfDontCount(t *testing.T) {
	log := featuretest.GameOver(t)
	for _, linked := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			if linked {
				gametest.Must(t, w.Host.Same(t.Context(), bottest.People["ann"].ID, bottest.People["bob"].ID))
			}
			w.Run()
			w.counted(featuretest.Parlour, log)
			time.Sleep(time.Hour)
			synctest.Wait()
			rows := featuretest.StoredRows(t, w.Config.Notes, "players", "versus", "bests", "results")
			if counts := len(rows) > 0; counts == linked {
				t.Errorf("linked %t: %v is kept", linked, rows)
			}
		})
	}
}

// played returns a log as if other people had played the game, at the present time.
func played(log []game.Event, by map[string]string) []game.Event {
	log = slices.Clone(log)
	to := map[game.PlayerID]game.Person{}
	for i := range log {
		log[i].At = time.Now()
		for _, who := range log[i].People() { // by ids that no one has, so that two people can swap
			if name, ok := by[strings.TrimPrefix(string(who.ID), "test:")]; ok && to[who.ID].ID == "" {
				to[who.ID] = bottest.People[name]
			}
		}
	}
	for i := range log {
		for from := range to {
			log[i] = log[i].Rename(from, game.Person{ID: "x" + from})
		}
		for from, person := range to {
			log[i] = log[i].Rename("x"+from, person)
		}
	}
	return log
}

// passedOut returns the log of a game in which the players pass after some turns until it is over.
func passedOut(t *testing.T, turns int) []game.Event {
	log, s := featuretest.Underway(t, turns)
	for s.Phase == game.Playing || s.Phase == game.Closing {
		events, err := game.Decide(s, s.Seats[s.Turn].Person, game.Pass{}, game.Env{Dict: bottest.Small(t), Now: time.Now(), Cause: fmt.Sprint("pass", s.Number)})
		gametest.Must(t, err)
		for _, e := range events {
			s = s.Apply(e)
		}
		log = append(log, events...)
	}
	return log
}

// Games that someone could win at will change no rating, and set no record.
func TestFarmedGamesDontCount(t *testing.T) {
	over := featuretest.GameOver(t)
	for _, c := range []struct {
		name   string
		log    []game.Event
		by     map[string]string
		counts bool
	}{
		{"a few plays, then passes to the end", passedOut(t, 4), nil, false},
		{"one play, then passes to the end", passedOut(t, 1), nil, false},
		{"passed to the end late in the game", passedOut(t, 200), nil, true},
		{"resigned after a few plays", featuretest.Resigned(t, 4), nil, false},
		{"against a robot", over, map[string]string{"bob": "robot"}, false},
		{"between people", over, map[string]string{"bob": "cat"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				w.Run()
				for i := range 7 {
					w.counted(bot.ChannelID(fmt.Sprint("test:channel", i)), played(c.log, c.by))
					time.Sleep(72 * time.Hour)
				}
				synctest.Wait()
				rows := featuretest.StoredRows(t, w.Config.Notes, "players", "versus", "scopes", "bests")
				counts := strings.Contains(fmt.Sprint(rows), `"ratings"`) || len(featuretest.StoredRows(t, w.Config.Notes, "bests")) > 0
				if counts != c.counts {
					t.Errorf("counts is %t, want %t: %v", counts, c.counts, rows)
				}
			})
		})
	}
}

// Games of variants, and games that their table excludes, change no rating.
func TestVariantGamesAreUnrated(t *testing.T) {
	unrated := func(r *game.Rules) { r.Unrated = true }
	cases := map[string]func(*game.Rules){"rated:no": unrated}
	for _, v := range game.Variants() {
		if v.Name != "" {
			cases[v.Name] = func(r *game.Rules) { r.Variant = v.Name }
		}
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				w.Run()
				log := played(featuretest.GameOver(t), nil)
				opened := log[0].Fact.(game.Opened)
				change(&opened.Rules)
				log[0].Fact = opened
				w.counted(featuretest.Parlour, log)
				time.Sleep(time.Hour)
				synctest.Wait()
				if rows := fmt.Sprint(featuretest.StoredRows(t, w.Config.Notes, "players")); strings.Contains(rows, `"ratings"`) {
					t.Errorf("it is rated: %s", rows)
				}
			})
		})
	}
}

// The games that a person gives up early count together over all their accounts.
func TestLinkedAccountsShareResignations(t *testing.T) {
	for _, linked := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			if linked {
				gametest.Must(t, w.Host.Same(t.Context(), bottest.People["cat"].ID, bottest.People["bob"].ID))
			}
			w.Run()
			log := gifts(t, game.ResignationEnd)
			for i, who := range []string{"bob", "bob", "bob", "cat"} {
				w.counted(bot.ChannelID(fmt.Sprint("test:channel", i)), played(log, map[string]string{"bob": who}))
				time.Sleep(time.Hour)
			}
			synctest.Wait()
			check := func() {
				t.Helper()
				rows := featuretest.StoredRows(t, w.Config.Notes, "players")
				if loses := strings.Contains(rows["players test:cat"], `"ratings"`); loses != linked {
					t.Errorf("linked %t: the second account has %s", linked, rows["players test:cat"])
				}
			}
			check()
			_, err := ladder.Recount(t.Context(), w.Config.Notes)
			gametest.Must(t, err)
			check()
		})
	}
}

// Rating thrown to one account and passed on by it to another, and pairs that keep to themselves,
// are marked for the managers of a place, and for no one else.
func TestSuspiciousPairsAreMarked(t *testing.T) {
	late := featuretest.Resigned(t, 16) // Ann resigns, or Bob
	loser := "bob"
	for _, e := range late {
		if f, ok := e.Fact.(game.Resigned); ok && f.Seat == 0 {
			loser = "ann"
		}
	}
	winner := map[string]string{"ann": "bob", "bob": "ann"}[loser]
	over := featuretest.GameOver(t)
	type batch struct {
		log   []game.Event
		by    map[string]string
		games int
		apart time.Duration
	}
	throws := func(from, to string, games int) batch {
		return batch{late, map[string]string{loser: from, winner: to}, games, 20 * time.Hour}
	}
	for _, c := range []struct {
		name  string
		games []batch
		want  []string
	}{
		{"thrown through a third account", []batch{throws("cat", "dan", 4), throws("dan", "ann", 4)},
			[]string{"Cat gave up 4 of 4 games against Dan", "Dan gave up 4 of 4 games against Ann"}},
		{"seven games in a week", []batch{{over, nil, 7, time.Hour}}, []string{"Ann and Bob played 7 games in the last 7 days"}},
		{"six games in a week", []batch{{over, nil, 6, time.Hour}}, nil},
		{"seven games in two weeks", []batch{{over, nil, 7, 48 * time.Hour}}, nil},
		{"resigned two of two", []batch{throws("cat", "dan", 2)}, nil},
		{"resigned two of four", []batch{throws("cat", "dan", 2), {over, map[string]string{"ann": "cat", "bob": "dan"}, 2, time.Hour}}, nil},
		{"resigned early", []batch{{gifts(t, game.ResignationEnd), nil, 3, time.Hour}}, []string{"Bob gave up 3 of 3 games against Ann"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				gametest.Must(t, w.Config.Notes.Put(t.Context(), "homes", string(featuretest.Parlour), []byte("test:house")))
				w.Run()
				n := 0
				for _, g := range c.games {
					for range g.games {
						ch := bot.ChannelID(fmt.Sprint("test:channel", n))
						gametest.Must(t, w.Config.Notes.Put(t.Context(), "homes", string(ch), []byte("test:house")))
						w.counted(ch, played(g.log, g.by))
						n++
						time.Sleep(g.apart)
					}
				}
				synctest.Wait()
				said := w.Manages(bottest.People["mod"], "/top").Text.String()
				for _, line := range c.want {
					if !strings.Contains(said, line) {
						t.Errorf("the manager isn't told %q: %s", line, said)
					}
				}
				if _, marks, _ := strings.Cut(said, "Only managers"); strings.Count(marks, "\n") != len(c.want) {
					t.Errorf("the manager is told %s, want %q", said, c.want)
				}
				if said := w.Does(bottest.People["mod"], "/top").Text.String(); strings.Contains(said, "Only managers") {
					t.Errorf("others are told too: %s", said)
				}
				time.Sleep(31 * 24 * time.Hour)
				if said := w.Manages(bottest.People["mod"], "/top").Text.String(); strings.Contains(said, "Only managers") {
					t.Errorf("a month later the manager is told %s", said)
				}
			})
		})
	}
}

// A manager can't call off a rated game of their own that they are losing.
func TestManagerCantCancelOwnGame(t *testing.T) {
	log, _ := featuretest.Underway(t, 16)
	w := newWorld(t)
	featuretest.Put(t, w.Config.Store, featuretest.Parlour, log)
	w.Manages(bottest.People["ann"], "/end")
	if s, _ := w.Replayed(featuretest.Parlour); s.Phase == game.Over {
		t.Error("the game is over")
	}
	r := w.Manages(bottest.People["mod"], "/end")
	press, _ := bot.Request{ID: "press", Channel: featuretest.Parlour, User: bottest.People["mod"], Manager: true}.Press(r.Buttons[0].ID)
	w.Host.Handle(t.Context(), press)
	if s, _ := w.Replayed(featuretest.Parlour); s.Phase != game.Over {
		t.Error("another manager can't end the game")
	}
}
