package ladder_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/feature/ladder"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// counted puts a game that is over into a channel, to be counted when timers run.
func (w *world) counted(ch bot.ChannelID, log []game.Event) {
	w.T.Helper()
	gametest.Must(w.T, w.Config.Store.Update(w.T.Context(), ch, "", func(r *bot.Room) error {
		r.Append = log
		r.Timers = append(r.Timers, bot.Timer{At: time.Now(), Kind: "record"})
		return nil
	}))
}

// A page shows what somebody has won, of whom and how their rating went, until they take
// themselves off the leaderboards; and of nobody who has played nothing.
func TestProfilesAndStandings(t *testing.T) {
	log := featuretest.GameOver(t)
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		gametest.Must(t, w.Config.Notes.Put(t.Context(), "homes", string(featuretest.Parlour), []byte("test:house")))
		w.counted(featuretest.Parlour, log)
		stop := w.Run()
		time.Sleep(time.Hour)
		synctest.Wait()
		stop()
		ranks := w.Host.Standings()
		s, _ := w.Replayed(featuretest.Parlour)
		pool, all, err := ranks.Standings(t.Context(), "test:house")
		if winner := s.Seats[s.End.Winners[0]].Person.Name; err != nil || pool.String() != "open games, small" || len(all) != 2 || all[0].Name != winner || all[0].Won != 1 || all[0].Rating <= 1500 || all[1].Won != 0 || all[1].Rating >= 1500 {
			t.Errorf("%s has won, and the standings are %s, %+v, %v", winner, pool, all, err)
		}
		if pool, all, err := ranks.Standings(t.Context(), "test:inn"); err != nil || pool != nil || all != nil {
			t.Errorf("where nobody has played the standings are %s, %+v, %v", pool, all, err)
		}
		for seat, who := range s.Seats {
			other := s.Seats[1-seat]
			p, ok, err := ranks.Profile(t.Context(), who.Person.ID)
			if err != nil || !ok {
				t.Fatalf("%s has no profile: %v", who.Person.Name, err)
			}
			won := 0
			if s.End.Winners[0] == seat {
				won = 1
			}
			if p.Games != 1 || p.Won != won || p.Average != float64(who.Score) {
				t.Errorf("%s has %+v", who.Person.Name, p)
			}
			if len(p.Results) != 1 || p.Results[0].Score != who.Score || len(p.Results[0].Others) != 1 || p.Results[0].Others[0] != (bot.Opponent{ID: other.Person.ID, Name: other.Person.Name, Score: other.Score}) {
				t.Errorf("%s has the results %+v", who.Person.Name, p.Results)
			}
			if len(p.Ratings) != 1 || len(p.Ratings[0].Over) != 1 || (p.Ratings[0].Value > 1500) != (won == 1) {
				t.Errorf("%s has the ratings %+v", who.Person.Name, p.Ratings)
			}
			if len(p.Rivals) != 1 || p.Rivals[0].ID != other.Person.ID || p.Rivals[0].Won != won || p.Rivals[0].Lost != 1-won || len(p.Best) != 1 || p.Best[0].Score == 0 {
				t.Errorf("%s has the rivals %+v and best plays %+v", who.Person.Name, p.Rivals, p.Best)
			}
		}
		w.Does(bottest.People["bob"], "/top me:out")
		if p, ok, err := ranks.Profile(t.Context(), "test:bob"); ok || err != nil {
			t.Errorf("Bob, who is off the leaderboards, has %+v, %v", p, err)
		}
		if p, ok, err := ranks.Profile(t.Context(), "test:ann"); !ok || err != nil || p.Results[0].Others[0].Name != "" || len(p.Rivals) != 0 {
			t.Errorf("of Ann's games with Bob there is %+v, %v", p, err)
		}
		if p, ok, err := ranks.Profile(t.Context(), "test:eve"); ok || err != nil {
			t.Errorf("Eve, who has played nothing, has %+v, %v", p, err)
		}
	})
}

// The table of duplicate is of how much of the best each has scored, over all games that
// two or more have played.
func TestTopOfDuplicate(t *testing.T) {
	log := gametest.RandomDuplicate(t, 3, 3, gametest.Duplicate(time.Hour))
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		ann := bottest.People["ann"]
		if got := w.InHouse(featuretest.Parlour, "test:house", ann, "/top duplicate").Text.String(); !strings.HasPrefix(got, "Nobody is in the table of duplicate yet") {
			t.Errorf("of no game there is %q", got)
		}
		w.counted(featuretest.Parlour, log)
		stop := w.Run()
		time.Sleep(time.Hour)
		synctest.Wait()
		stop()
		s, _ := w.Replayed(featuretest.Parlour)
		best := 0
		for _, e := range log {
			if f, ok := e.Fact.(game.TurnScored); ok {
				best += f.Score
			}
		}
		said := w.InHouse(featuretest.Parlour, "test:house", ann, "/top duplicate").Text
		got, rows := said.String(), [][]text.Text{}
		for _, span := range said {
			if span.Table != nil {
				rows = append(rows, span.Table.Rows...)
			}
		}
		if len(rows) != len(s.Seats) {
			t.Fatalf("the table has %d rows", len(rows))
		}
		slices.SortFunc(s.Seats, func(a, b game.Seat) int { return b.Score - a.Score })
		for i, seat := range s.Seats {
			if want := fmt.Sprintf("%d. %5.1f %%  %s (1)", i+1, float64((1000*seat.Score+best/2)/best)/10, seat.Person.Name); !strings.Contains(got, want) {
				t.Errorf("%s isn't in\n%s", want, got)
			}
			if row := fmt.Sprint(rows[i][0], rows[i][1]); row != fmt.Sprintf("%d %s", i+1, seat.Person.Name) {
				t.Errorf("row %d of the table is of %s", i+1, row)
			}
		}
	})
}

// A game of duplicate counts for nobody where it was for nothing, wasn't played to its end,
// or gives nothing to compare.
func TestWhatDuplicateDoesNotCount(t *testing.T) {
	rules := gametest.Duplicate(time.Hour)
	rules.Duplicate.IdleTurns = 1 // so that games are short
	played := gametest.RandomDuplicate(t, 3, 3, rules)
	whole := func() []game.Event { return slices.Clone(played) }
	ends := func(with func(*game.Ended)) []game.Event {
		log := whole()
		last := &log[len(log)-1]
		f := last.Fact.(game.Ended)
		with(&f)
		last.Fact = f
		return log
	}
	before := func(facts ...game.Fact) []game.Event { // the end
		log := whole()
		end := log[len(log)-1]
		log = log[:len(log)-1]
		for _, f := range facts {
			log = append(log, game.Event{Number: len(log), At: end.At, Fact: f})
		}
		end.Number = len(log)
		return append(log, end)
	}
	unrated, poor := whole(), whole()
	opened := unrated[0].Fact.(game.Opened)
	opened.Rules.Unrated = true
	unrated[0].Fact = opened
	for i, e := range poor {
		if f, ok := e.Fact.(game.TurnScored); ok {
			f.Score = 0
			poor[i].Fact = f
		}
	}
	logs := map[string][]game.Event{
		"ordinary":  whole(),
		"one hint":  before(game.Hinted{Seat: 0}),
		"unrated":   unrated,
		"going on":  whole()[:len(played)-1],
		"forsaken":  ends(func(f *game.Ended) { f.Reason = game.ForsakenEnd }),
		"stopped":   ends(func(f *game.Ended) { f.Reason = game.StoppedEnd }),
		"all hints": before(game.Hinted{Seat: 0}, game.Hinted{Seat: 1}, game.Hinted{Seat: 2}),
		"alone":     gametest.RandomDuplicate(t, 4, 1, rules),
		"no play":   poor,
	}
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		for name, log := range logs {
			w.counted(bot.ChannelID("test:"+name), log)
		}
		stop := w.Run()
		synctest.Wait()
		stop()
		if due, _, err := w.Config.Store.Due(t.Context(), time.Now(), 100); err != nil || len(due) > 0 {
			t.Errorf("timers are left: %+v, %v", due, err)
		}
		rows := slices.Sorted(maps.Keys(featuretest.Kept(t, w.Config.Notes, "duplicate")))
		if want := []string{
			"duplicate channel test:one hint|p1", "duplicate channel test:one hint|p2",
			"duplicate channel test:ordinary|p0", "duplicate channel test:ordinary|p1", "duplicate channel test:ordinary|p2",
		}; !slices.Equal(rows, want) {
			t.Errorf("there are the rows %q, want %q", rows, want)
		}
		if counted := featuretest.Kept(t, w.Config.Notes, "duplicate counted"); len(counted) != 2 {
			t.Errorf("%d games are counted, want 2: %v", len(counted), counted)
		}
	})
}

// A page names the rivals whom somebody has met most often first, however those games went.
func TestRivals(t *testing.T) {
	w := newWorld(t)
	rows := map[string]string{
		"players test:ann":          `{"v":1,"name":"Ann","total":{"games":27}}`,
		"versus test:ann\x00test:a": `{"v":1,"losses":4}`,
		"versus test:ann\x00test:b": `{"v":1,"ties":3}`,
		"versus test:ann\x00test:c": `{"v":1,"wins":2}`,
		"versus test:ann\x00test:d": `{"v":1,"wins":5}`,
		"versus test:ann\x00test:e": `{"v":1,"losses":6}`,
		"versus test:ann\x00test:f": `{"v":1,"ties":7}`,
		"versus test:ann\x00test:g": `{"v":1,"ties":7}`,
	}
	for i, name := range []string{"Ada", "Ben", "Cleo", "Dora", "Emil", "Gus", "Fred"} {
		rows["players test:"+string(rune('a'+i))] = fmt.Sprintf(`{"v":1,"name":%q,"total":{"games":7}}`, name)
	}
	for key, row := range rows {
		shelf, key, _ := strings.Cut(key, " ")
		gametest.Must(t, w.Config.Notes.Put(t.Context(), shelf, key, []byte(row)))
	}
	p, _, err := w.Host.Standings().Profile(t.Context(), "test:ann")
	var names []string
	for _, r := range p.Rivals {
		names = append(names, r.Name)
	}
	if got := strings.Join(names, " "); err != nil || got != "Fred Gus Emil Dora Ada Ben Cleo" {
		t.Errorf("Ann's rivals are %s, %v", got, err)
	}
}

// The table of a quarter has the games of its three months, and who has won as often comes
// in the order of their averages.
func TestTablesOfATime(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	w := newWorld(t, func(c *host.Config) { c.Now = func() time.Time { return now } })
	house := map[string]map[string]any{"": {"home": "test:house"}}
	day := func(m time.Month, d int) time.Time { return time.Date(2026, m, d, 12, 0, 0, 0, time.UTC) }
	w.ended(1, day(1, 1), "eve", "mod", 300, 200, house)
	w.ended(2, day(4, 1), "ann", "cat", 300, 100, house)
	w.ended(3, day(4, 2), "cat", "ann", 120, 100, house)
	w.ended(4, day(4, 3), "bob", "cat", 250, 80, house)
	w.ended(5, day(12, 31), "fay", "dan", 300, 200, house)
	_, err := ladder.Recount(t.Context(), w.Config.Notes)
	gametest.Must(t, err)
	const winter, spring = " 1. Eve  1 of 1  300.0 a game\n 2. Mod  0 of 1  200.0 a game", " 1. Bob  1 of 1  250.0 a game\n 2. Ann  1 of 2  200.0 a game\n 3. Cat  1 of 3  100.0 a game"
	for _, c := range []struct {
		at   time.Time
		of   string
		want string
	}{
		{day(1, 31), "season", "The season, January to March 2026:\n" + winter},
		{day(3, 31), "season", "The season, January to March 2026:\n" + winter},
		{day(4, 30), "season", "The season, April to June 2026:\n" + spring},
		{day(6, 30), "season", "The season, April to June 2026:\n" + spring},
		{day(7, 1), "season", "Nobody is on the leaderboard for July to September 2026 yet."},
		{day(12, 31), "season", "The season, October to December 2026:\n 1. Fay  1 of 1"},
		{day(1, 31), "month", "Most games won in January 2026:\n" + winter},
		{day(2, 1), "month", "Nobody is on the leaderboard for February 2026 yet."},
		{day(4, 30), "month", "Most games won in April 2026:\n" + spring},
	} {
		now = c.at
		req := w.Request(bottest.People["ann"], "/top "+c.of)
		req.Home = "test:house"
		if got := w.Host.Handle(t.Context(), req).Text.String(); !strings.HasPrefix(got, c.want) {
			t.Errorf("/top %s at %s:\n%s\nwant\n%s", c.of, c.at.Format("2 January"), got, c.want)
		}
	}
}

// A table of ratings is of the games that a place plays most: of two that it plays as often,
// of the one whose name comes first.
func TestTopIsOfTheGamesPlayedMost(t *testing.T) {
	for _, c := range []struct{ pools, want string }{
		{"slow/small daily/small slow/small", "slow games, small"},
		{"daily/small slow/small daily/small open/small", "daily games, small"},
		{"slow/small open/small daily/small", "daily games, small"},
		{"open/small slow/small slow/small open/small daily/small", "open games, small"},
	} {
		w := newWorld(t)
		for i, pool := range strings.Fields(c.pools) {
			w.ended(i, featuretest.Spring.AddDate(0, 0, i), "ann", "bob", 300, 200, map[string]map[string]any{"": {"home": "test:house", "pool": pool}})
		}
		_, err := ladder.Recount(t.Context(), w.Config.Notes)
		gametest.Must(t, err)
		req := w.Request(bottest.People["ann"], "/top")
		req.Home = "test:house"
		if got := w.Host.Handle(t.Context(), req).Text.String(); !strings.HasPrefix(got, "Top players on this server, "+c.want+":\n 1. Ann") {
			t.Errorf("after %s there is\n%s\nwant %s", c.pools, got, c.want)
		}
	}
}

// Whatever fails once, the leaderboards come out as they are.
func TestLeaderboardsAtEachFault(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	prepare := func(plain *featuretest.World) {
		w := &world{plain}
		w.ended(1, at, "ann", "bob", 320, 300, nil)
		w.ended(2, at.Add(time.Hour), "bob", "ann", 280, 200, nil)
		if _, err := ladder.Recount(w.T.Context(), w.Config.Notes); err != nil {
			w.T.Fatal(err)
		}
	}
	ann := bottest.People["ann"]
	featuretest.LinesAtEachFault(t, prepare, ann, []string{"/stats", "/top channel", "/top server", "/top month", "/top season", "/top records", "/top duplicate", "/top me:out", "/top page:me", "/settings"})
	for name, does := range map[string]func(w *featuretest.World) (any, error){
		"profile": func(w *featuretest.World) (any, error) {
			p, ok, err := w.Host.Standings().Profile(t.Context(), ann.ID)
			return []any{p, ok}, err
		},
		"standings": func(w *featuretest.World) (any, error) {
			pool, all, err := w.Host.Standings().Standings(t.Context(), string(featuretest.Parlour))
			return []any{pool.String(), all}, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			featuretest.AtEachFault(t, prepare, func(w *featuretest.World) (string, error) {
				v, err := does(w)
				b, wrong := json.Marshal(v)
				return string(b), errors.Join(err, wrong)
			})
		})
	}
}
