package ladder_test

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
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
	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/language"
)

// counted stores a finished game in a channel with the timer that counts it.
func (w *world) counted(ch bot.ChannelID, log []game.Event) {
	w.T.Helper()
	gametest.Must(w.T, w.Config.Store.Update(w.T.Context(), ch, "", func(r *bot.Room) error {
		r.Append = log
		r.Timers = append(r.Timers, bot.Timer{At: time.Now(), Kind: "record"})
		return nil
	}))
}

// A profile shows a player's wins, opponents and rating curve until they leave the
// leaderboards. People without a game have no profile.
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
		s, _ := w.Replayed(featuretest.Parlour)
		winner := s.Seats[s.End.Winners[0]]
		in := func(home string) string {
			page, err := w.PageText("/top", bot.Visit{Request: bot.Request{Home: home}})
			gametest.Must(t, err)
			return page
		}
		if page := in("test:house"); !regexp.MustCompile(`(?s)By rating: open games, small\n1 \| ` + winner.Person.Name + ` \| 1[56]\d\d\? \| 1 \| 1\n2 \| \w+ \| 1[34]\d\d\? \| 0 \| 1\n`).MatchString(page) {
			t.Errorf("%s has won, and the standings are\n%s", winner.Person.Name, page)
		}
		if page := in("test:inn"); !strings.Contains(page, "Nobody is on the leaderboard yet") {
			t.Errorf("where nobody has played the standings are\n%s", page)
		}
		for seat, who := range s.Seats {
			other := s.Seats[1-seat]
			page, err := profileOf(w.World, who.Person)
			gametest.Must(t, err)
			won, rated := 0, `1[34]\d\d`
			if s.End.Winners[0] == seat {
				won, rated = 1, `1[56]\d\d`
			}
			for _, want := range []string{
				`(?m)^` + who.Person.Name + `\nGames: 1\nWon: ` + fmt.Sprintf(`%d \(%d\x{a0}%%\)\nAverage: %d\.0\n`, won, 100*won, who.Score),
				`## Rating, open games, small\n` + rated + ` ± \d+ after 1 game\n\[1500 ` + rated + `\]\n## Latest games\n\[.*` + who.Person.Name + fmt.Sprint(` `, who.Score) + `.*\] [-\d]+ · [-+]\d+ /g/`,
				`## Best plays\n- \w+ \d+ \(/g/.*\)\n## `,
				fmt.Sprintf(`## Opponents\n%s \| %d \| %d \| 0\n`, other.Person.Name, won, 1-won),
				fmt.Sprintf(`## Games\n[-\d]+ \| %d \| %s %d \| `, who.Score, other.Person.Name, other.Score),
			} {
				if !regexp.MustCompile(want).MatchString(page) {
					t.Errorf("the page of %s lacks %s:\n%s", who.Person.Name, want, page)
				}
			}
		}
		// The visitor's games with a player, from the visitor's side.
		with := func(visitor, who bot.User) string {
			everywhere := func(bot.ChannelID) bool { return true }
			page, err := w.PageText("/@{player}", bot.Visit{Request: bot.Request{User: visitor, People: []bot.User{who}}, Query: url.Values{"together": {""}}, Open: everywhere, Reads: everywhere})
			gametest.Must(t, err)
			return page
		}
		loser := s.Seats[1-s.End.Winners[0]]
		if page, want := with(loser.Person, winner.Person), fmt.Sprintf(`^Your games with %s\nWon: 0\nLost: 1\nTied: 0\n[-\d]+ \| %d \| %s %d \| `, winner.Person.Name, loser.Score, winner.Person.Name, winner.Score); !regexp.MustCompile(want).MatchString(page) {
			t.Errorf("%s's games with %s lack %s:\n%s", loser.Person.Name, winner.Person.Name, want, page)
		}
		if page := with(bottest.People["eve"], winner.Person); !strings.Contains(page, "You haven't finished a game together yet.") {
			t.Errorf("Eve has played nobody, and reads\n%s", page)
		}
		w.Does(bottest.People["bob"], "/top me:out")
		for _, who := range []string{"bob", "eve"} {
			if page, err := profileOf(w.World, bottest.People[who]); !errors.Is(err, bot.ErrNoTable) {
				t.Errorf("%s, who is off the leaderboards or has played nothing, has\n%s\n%v", who, page, err)
			}
		}
		if page, err := profileOf(w.World, bottest.People["ann"]); err != nil || !strings.Contains(page, "| somebody ") || strings.Contains(page, "Bob") || strings.Contains(page, "Opponents") {
			t.Errorf("of Ann's games with Bob there is\n%s\n%v", page, err)
		}
	})
}

// A player's own page shows their games against robots, which count for nothing and which nobody
// else sees there, even before any other game.
func TestOwnPageShowsRobotGames(t *testing.T) {
	log := slices.Clone(featuretest.GameOver(t))
	for i, e := range log {
		if joined, is := e.Fact.(game.Joined); is && joined.Person.Name == "Bob" {
			log[i].Fact = game.Joined{Person: game.Person{ID: game.RobotPrefix + "casual", Name: "Casual"}}
		}
	}
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		ann := bottest.People["ann"]
		own := func() string {
			t.Helper()
			page, err := w.PageText("/@{player}", bot.Visit{Request: bot.Request{User: ann, People: []bot.User{ann}}})
			gametest.Must(t, err)
			return page
		}
		if page := own(); !strings.Contains(page, "Your games against robots") {
			t.Errorf("of nothing there is\n%s", page)
		}
		w.counted(featuretest.Parlour, log)
		s, _ := w.Replayed(featuretest.Parlour)
		page := own()
		for _, want := range []string{
			`## Only you see this\nGames against robots: 1\nWon: \d \(\d+\x{a0}%\)\n`, `## Best play and longest word\n- \w+ \d+ \(/g/`,
			fmt.Sprintf(`## Latest games against robots\n\[Ann %d, Casual.* %d\] [-\d]+ /g/`, s.Seats[0].Score, s.Seats[1].Score),
		} {
			if !regexp.MustCompile(want).MatchString(page) {
				t.Errorf("the page lacks %s:\n%s", want, page)
			}
		}
		if page, err := profileOf(w.World, ann); !errors.Is(err, bot.ErrNoTable) {
			t.Errorf("others see\n%s\n%v", page, err)
		}
	})
}

// The duplicate leaderboard shows each player's share of the best total over all games of
// two or more players.
func TestDuplicateLeaderboard(t *testing.T) {
	log := gametest.RandomDuplicate(t, 3, 3, gametest.Duplicate(time.Hour))
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		ann := bottest.People["ann"]
		if got := w.InHouse(featuretest.Parlour, "test:house", ann, "/top duplicate").Text.String(); !strings.HasPrefix(got, "No duplicate results yet") {
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

// A duplicate game doesn't count if it is unrated, wasn't played to its end, or leaves
// nothing to compare.
func TestDuplicateGamesThatDontCount(t *testing.T) {
	rules := gametest.Duplicate(time.Hour)
	rules.Duplicate.IdleTurns = 1 // keep the games short
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
	before := func(facts ...game.Fact) []game.Event { // insert facts before the end
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
		"forsaken":  ends(func(f *game.Ended) { f.Reason = game.AbandonedEnd }),
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
		if due, _, err := w.Config.Store.DueTimers(t.Context(), time.Now(), 100); err != nil || len(due) > 0 {
			t.Errorf("timers are left: %+v, %v", due, err)
		}
		rows := slices.Sorted(maps.Keys(featuretest.StoredRows(t, w.Config.Notes, "duplicate")))
		if want := []string{
			"duplicate channel test:one hint|p1", "duplicate channel test:one hint|p2",
			"duplicate channel test:ordinary|p0", "duplicate channel test:ordinary|p1", "duplicate channel test:ordinary|p2",
		}; !slices.Equal(rows, want) {
			t.Errorf("there are the rows %q, want %q", rows, want)
		}
		if counted := featuretest.StoredRows(t, w.Config.Notes, "duplicate counted"); len(counted) != 2 {
			t.Errorf("%d games are counted, want 2: %v", len(counted), counted)
		}
	})
}

// A profile lists the most frequent opponents first, whatever the results.
func TestRivalsAreFrequentOpponents(t *testing.T) {
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
	page, err := profileOf(w.World, bottest.People["ann"])
	gametest.Must(t, err)
	_, rivals, _ := strings.Cut(page, "## Opponents\n")
	rivals, _, _ = strings.Cut(rivals, "## ")
	var names []string
	for line := range strings.Lines(rivals) {
		name, _, _ := strings.Cut(line, " | ")
		names = append(names, name)
	}
	if got := strings.Join(names, " "); got != "Fred Gus Emil Dora Ada Ben Cleo" {
		t.Errorf("Ann's rivals are %s", got)
	}
}

// The leaderboard of a quarter includes its three months, and orders players with equal
// wins by average score.
func TestLeaderboardOfQuarter(t *testing.T) {
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

// A leaderboard by rating uses the pool that its place plays most. If two are played
// equally often, the first by name wins.
func TestLeaderboardUsesMostPlayedPool(t *testing.T) {
	file, err := data.Language("en")
	gametest.Must(t, err)
	english, err := language.Parse(file)
	gametest.Must(t, err)
	for _, c := range []struct{ pools, want string }{
		{"slow/small daily/small slow/small", "slow games, small"},
		{"daily/small slow/small daily/small open/small", "daily games, small"},
		{"slow/small open/small daily/small", "daily games, small"},
		{"open/small slow/small slow/small open/small daily/small", "open games, small"},
		{"open/en-clean", "open games, English"},
	} {
		w := newWorld(t, func(c *host.Config) { c.Languages = []*language.Language{english} })
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

// A storage fault, at whichever point, doesn't change the leaderboards.
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
	for path, v := range map[string]bot.Visit{
		"/@{player}": {Request: bot.Request{People: []bot.User{ann}}},
		"/top":       {Request: bot.Request{Home: string(featuretest.Parlour)}},
	} {
		t.Run(path[1:2], func(t *testing.T) {
			featuretest.AtEachFault(t, prepare, func(w *featuretest.World) (string, error) { return w.PageText(path, v) })
		})
	}
}
