package competition_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// A leagueWorld is a world with a league.
type leagueWorld struct{ *featuretest.Mortal }

func newLeague(t *testing.T, people int, seed uint64, options string) *leagueWorld {
	l := &leagueWorld{featuretest.NewMortal(t, people, seed)}
	if r := l.Does(l.People[0], "league new name:Club "+options); r.Refused {
		t.Fatal(r.Text)
	}
	l.Settle()
	return l
}

func (l *leagueWorld) registers() {
	for _, u := range l.People {
		if r := l.Does(u, "league join"); r.Refused {
			l.T.Fatal(r.Text)
		}
	}
}

// standings returns a division's standings as a player sees them.
func (l *leagueWorld) standings(div int) string {
	return strings.ReplaceAll(featuretest.Shown(l.Does(l.People[0], fmt.Sprintf("league table division:%d", div)).Text), "−", "-")
}

// TestLeagueOverTwoSeasons plays two seasons with processes that stop at random and a platform that fails
// now and then. Everybody plays everybody once, at most three games at once. Points,
// spreads, first moves, promotions and the divisions of the next season must match a
// recount of the resignations.
func TestLeagueOverTwoSeasons(t *testing.T) {
	people, options, divisions := 13, "season:60", []int{7, 6}
	if gametest.Long() {
		people, options, divisions = 60, "season:180 sizes:large", []int{15, 15, 15, 15}
	}
	synctest.Test(t, func(t *testing.T) {
		l := newLeague(t, people, 1, options)
		l.registers()
		if r := l.Does(l.People[1], "league start"); !r.Refused {
			t.Error("anybody starts a season")
		}
		var before [][]string // the expected divisions
		for season := 1; season <= 2; season++ {
			if r := l.Does(l.People[0], "league start"); r.Refused {
				t.Fatal(r.Text)
			}
			l.Luck.Turns(true)
			c := l.playsOut()
			l.Luck.Turns(false)
			time.Sleep(time.Minute) // lets requests whose answer was lost come again
			l.Settle()
			pairs := 0
			for i, n := range divisions {
				pairs += n * (n - 1) / 2
				before = l.recounts(c, before, season, i+1, len(divisions))
			}
			if len(c.met) != pairs || c.games != pairs {
				t.Errorf("season %d: %d pairs met in %d games, want %d", season, len(c.met), c.games, pairs)
			}
			for _, u := range l.People {
				if d := c.firsts[u.Name] - c.seconds[u.Name]; d < -1 || d > 1 {
					t.Errorf("season %d: %s moves first %d times, second %d times", season, u.Name, c.firsts[u.Name], c.seconds[u.Name])
				}
			}
			before = before[len(before)-len(divisions):]
			l.registers() // for the next season
		}
		counts := map[string]int{}
		begun := map[bot.ChannelID]bool{}
		for _, m := range l.Posts.Take() {
			if m.Channel != featuretest.Parlour && m.To == nil && m.Kind == "" && !begun[m.Channel] {
				begun[m.Channel] = true
				if said := m.Text.String(); m.Live == "lobby" || !strings.Contains(said, " play: ") || !strings.Contains(said, "Fair draws") || strings.Contains(said, "rematch") {
					t.Errorf("a game that starts by itself begins with %q", said)
				}
			}
			if m.Channel == featuretest.Parlour && m.To == nil && (m.Standing == "" || counts[m.Standing] == 0) {
				counts[m.Kind]++
				counts[m.Standing]++ // later posts edit the same message
			}
		}
		if len(begun) == 0 {
			t.Error("no game was posted")
		}
		if counts["league open"] != 3 || counts["league begin"] != 0 || counts["league end"] != 0 || counts["league division"] != 2*len(divisions) {
			t.Errorf("the channel has %v", counts)
		}
	})
}

// TestConcurrentLooksAnnounceLeagueOnce runs looks at a league and its divisions side by side. Each
// start and end of a season is announced once, for each division too.
func TestConcurrentLooksAnnounceLeagueOnce(t *testing.T) {
	seeds := gametest.Rounds(uint64(4), 30)
	for seed := range seeds {
		synctest.Test(t, func(t *testing.T) {
			l := newLeague(t, 10, seed, "season:60")
			l.Luck.Dawdles()
			l.registers()
			if r := l.Does(l.People[0], "league start"); r.Refused {
				t.Fatal(r.Text)
			}
			l.playsOut()
			told, standing := map[string]int{}, map[string]string{}
			for _, m := range l.Posts.Take() {
				text := fmt.Sprint(m.To, " ", featuretest.Shown(m.Text))
				if m.Standing == "" {
					if told[text]++; told[text] > 1 && strings.HasPrefix(m.Kind, "league") {
						t.Errorf("seed %d: told again: %s", seed, text)
					}
				} else if standing[m.Standing] == text {
					t.Errorf("seed %d: %s is posted as it stands: %s", seed, m.Standing, text)
				} else {
					standing[m.Standing] = text
				}
			}
		})
	}
}

// A seasonCount counts a season from its games alone, by player name.
type seasonCount struct {
	won, lost, firsts, seconds map[string]int
	met                        map[string]int
	games                      int
}

// playsOut plays a season to its end by resignations.
func (l *leagueWorld) playsOut() seasonCount {
	l.T.Helper()
	c := seasonCount{map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, 0}
	seen := map[bot.TableID]bool{}
	l.Settle()
	for idle := 0; idle < 200; {
		if l.Random.IntN(4) == 0 {
			l.Restart()
		}
		l.Settle()
		var all []bot.Game
		for _, i := range l.Random.Perm(len(l.People)) {
			if all = l.Games(l.People[i]); len(all) > 3 {
				l.T.Fatalf("%s plays %d games at once", l.People[i].Name, len(all))
			}
			if len(all) > 0 {
				break
			}
		}
		if len(all) == 0 {
			idle++
			time.Sleep(time.Minute)
			continue
		}
		idle = 0
		g := all[l.Random.IntN(len(all))]
		_, log, err := l.Config.Store.Table(context.Background(), g.Channel)
		gametest.Must(l.T, err)
		s, err := game.Replay(log)
		gametest.Must(l.T, err)
		if seen[g.Table] {
			l.T.Fatalf("table %d goes on after its end", g.Table)
		}
		seen[g.Table] = true
		c.games++
		first, second := s.Seats[s.First].Person.Name, s.Seats[1-s.First].Person.Name
		c.firsts[first]++
		c.seconds[second]++
		pair := []string{first, second}
		slices.Sort(pair)
		c.met[strings.Join(pair, " ")]++
		loser := s.Seats[l.Random.IntN(2)].Person
		for _, seat := range s.Seats {
			if seat.Person.ID != loser.ID {
				c.won[seat.Person.Name]++
			}
		}
		c.lost[loser.Name]++
		l.Resigns(loser, g)
	}
	return c
}

// standingLine matches a line of a division's standings.
var standingLine = regexp.MustCompile(`^(\d+)\. (P\d\d): (\d+) of (\d+), ([+-]?\d+)(.*)$`)

// recounts compares a division's standings with the counts, and its players with the
// expected division. It returns the expected divisions of the next season, with this
// division's players added.
func (l *leagueWorld) recounts(c seasonCount, before [][]string, season, div, of int) [][]string {
	l.T.Helper()
	var names []string
	up, down := map[string]bool{}, map[string]bool{}
	for i, line := range strings.Split(strings.ReplaceAll(l.standings(div), "*", ""), "\n") {
		m := standingLine.FindStringSubmatch(line)
		if m == nil {
			if i > 0 {
				l.T.Errorf("season %d, division %d: %q", season, div, line)
			}
			continue
		}
		name := m[2]
		won, games := c.won[name], c.won[name]+c.lost[name]
		want := strings.ReplaceAll(fmt.Sprintf("%d of %d, %+d", won, games, 50*(2*won-games)), "+0", "0")
		if got := fmt.Sprintf("%s of %s, %s", m[3], m[4], m[5]); got != want {
			l.T.Errorf("season %d, division %d: %q, in a recount %s", season, div, line, want)
		}
		if n := len(names); n > 0 && c.won[names[n-1]] < won {
			l.T.Errorf("season %d, division %d: %s stands before %s", season, div, names[n-1], name)
		}
		names = append(names, name)
		up[name], down[name] = strings.Contains(m[6], "promoted"), strings.Contains(m[6], "relegated")
	}
	next := make([][]string, of) // this division's players only
	for i, name := range names {
		at := div
		switch {
		case div > 1 && i < 2:
			at--
		case div < of && i >= len(names)-2:
			at++
		}
		if up[name] != (at < div) || down[name] != (at > div) {
			l.T.Errorf("season %d, division %d: number %d is promoted %v, relegated %v", season, div, i+1, up[name], down[name])
		}
		next[at-1] = append(next[at-1], name)
	}
	if season > 1 { // division sizes don't change, so everybody is listed
		slices.Sort(names)
		want := before[div-1]
		slices.Sort(want)
		if !slices.Equal(names, want) {
			l.T.Errorf("season %d, division %d has %v, want %v", season, div, names, want)
		}
	}
	if div == 1 {
		before = append(before, make([][]string, of)...)
	}
	for i, some := range next {
		at := len(before) - of + i
		before[at] = append(before[at], some...)
	}
	return before
}

// pageShows checks that the league's page, linked from its messages, shows a state and a
// standing.
func (l *leagueWorld) pageShows(state, standing string) {
	l.T.Helper()
	var link string
	for _, b := range l.Does(l.People[0], "league").Buttons {
		if b.Link != "" {
			link = b.Link
		}
	}
	_, key, found := strings.Cut(link, "https://play.example.org/l/")
	if !found {
		l.T.Fatalf("no way leads to the page: %q", link)
	}
	is, err := l.PageText("/l/{key}", bot.Visit{Key: key})
	gametest.Must(l.T, err)
	if want := regexp.MustCompile(`(?s)^[^\n]*\n` + state + `.*## Season 1, division 1\n` + standing); !want.MatchString(is) || strings.Contains(is, "division 2") {
		l.T.Errorf("the page lacks %s:\n%s", want, is)
	}
	if _, err := l.PageText("/l/{key}", bot.Visit{Key: "1-" + strings.Repeat("a", 16)}); !errors.Is(err, bot.ErrNoTable) {
		l.T.Errorf("a key that was guessed: %v", err)
	}
}

// TestLeagueSeasonEnds checks that a game still running at the end of the season is lost by
// the player who used extra time, and may be played on without counting.
func TestLeagueSeasonEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLeague(t, 3, 2, "season:2 pace:5d registration:3")
		l.registers()
		for _, u := range l.People[:2] {
			l.Does(u, "league remind")
		}
		l.Does(l.People[1], "league leave")
		time.Sleep(2*24*time.Hour + time.Hour)
		l.Settle()
		reminded := 0
		for _, m := range l.Posts.Take() {
			if m.Kind == "league reminder" {
				reminded++
				if m.To.ID != l.People[1].ID {
					t.Errorf("%s is reminded", m.To.ID)
				}
			}
		}
		if reminded != 1 {
			t.Errorf("%d are reminded", reminded)
		}
		l.Does(l.People[1], "league join")
		time.Sleep(24 * time.Hour)
		l.Settle()
		i := slices.IndexFunc(l.People, func(u bot.User) bool { return len(l.Games(u)) == 3 })
		if i < 0 {
			t.Fatal("nobody plays three games")
		}
		busy := l.People[i]
		l.pageShows("Season 1, until ", `(1 [^\n]* \| 4 \| 1–3\n|[^\n]* \| 4 \| [^\n]*\n){3}## Games being played\n- [^\n]* · Watch this game\n`)
		time.Sleep(3 * 24 * time.Hour)
		l.Settle()
		late := 0
		for _, m := range l.Posts.Take() {
			if m.Kind == "league late" {
				late++
				if !strings.Contains(featuretest.Shown(m.Text), "used more time") {
					t.Error(featuretest.Shown(m.Text))
				}
			}
		}
		if late == 0 {
			t.Error("nobody is told that the season ended first")
		}
		if len(l.Games(busy)) != 3 {
			t.Error("games can't be played on")
		}
		before := l.standings(1)
		if !regexp.MustCompile(`[123]\. `).MatchString(before) || strings.Contains(before, "possible") {
			t.Error(before)
		}
		l.pageShows("Registration for season 2 ", `([^\n|]*\|[^\n|]*\|[^\n|]*\|[^\n|]*\|[^\n|]*\|[^\n|]*\n){3}## Cross table\n.*## Results\n`)
		g := l.Games(busy)[0]
		l.Resigns(busy, g)
		l.Settle()
		if after := l.standings(1); after != before {
			t.Errorf("what was played on counts:\n%s\nbecame\n%s", before, after)
		}
		if r := l.Does(l.People[0], "stats"); strings.Contains(featuretest.Shown(r.Text), "1 game") {
			t.Errorf("it is rated: %s", featuretest.Shown(r.Text))
		}
	})
}

// TestLeagueWithdrawal checks that withdrawing needs a confirmation, and voids the results
// if less than half of the games are over.
func TestLeagueWithdrawal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLeague(t, 6, 3, "")
		l.registers()
		l.Does(l.People[0], "league start")
		l.Settle()
		r := l.Does(l.People[2], "league leave")
		if len(r.Buttons) != 1 || !strings.Contains(featuretest.Shown(r.Text), "count for nobody") {
			t.Fatalf("%s", featuretest.ReplySaid(r))
		}
		req, _ := bot.Request{ID: "sure", Channel: featuretest.Parlour, User: l.People[2]}.Press(r.Buttons[0].ID)
		if r := l.Host.Handle(context.Background(), req); r.Refused {
			t.Fatal(r.Text)
		}
		l.Settle()
		if s := l.standings(1); !strings.Contains(s, "P02** withdrew") && !strings.Contains(s, "P02 withdrew") {
			t.Error(s)
		}
		if s := featuretest.Shown(l.Does(l.People[1], "league").Text); !strings.Contains(s, "is possible") {
			t.Error(s)
		}
		if rows := featuretest.CSV(t, l.Does(l.People[1], "league export"), "-standings.csv"); len(rows) != 6 || rows[0][0] != "1" {
			t.Errorf("as a file it stands at %v", rows)
		}
		if r := l.Does(l.People[1], "league export as:tsh"); r.Refused || len(r.Files) != 1 {
			t.Errorf("as TSH: %s", featuretest.Shown(r.Text))
		}
		if r := l.Does(l.People[1], "league export as:gcg"); !r.Refused {
			t.Errorf("games that are on are given away: %s", featuretest.Shown(r.Text))
		}
	})
}

// TestLeagueRefusals checks the answer to each impossible request.
func TestLeagueRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLeague(t, 2, 4, "")
		for line, want := range map[string]string{
			"league new name:Second":       "already",
			"league start":                 "needs 3 players",
			"league end":                   "No season is on",
			"league table":                 "no divisions yet",
			"league export":                "no divisions yet",
			"league leave":                 "You aren't in",
			"league remove":                "Remove whom",
			"league new season:1000":       "takes a number from 1 to 180",
			"league new pace:never-mind":   "pace",
			"league table division:nobody": "no divisions yet",
		} {
			if r := l.Does(l.People[0], line); !r.Refused || !strings.Contains(featuretest.Shown(r.Text), want) {
				t.Errorf("%s: %v %s", line, r.Refused, featuretest.Shown(r.Text))
			}
		}
		req := l.Request(l.People[0], "league")
		req.Channel = "test:elsewhere"
		if r := l.Host.Handle(context.Background(), req); !strings.Contains(featuretest.Shown(r.Text), "no league") {
			t.Errorf("elsewhere: %s", featuretest.Shown(r.Text))
		}
		plain := featuretest.New(t)
		if r := plain.Does(l.People[0], "league new"); !r.Refused || !strings.Contains(featuretest.Shown(r.Text), "thread") {
			t.Errorf("without threads: %s", featuretest.Shown(r.Text))
		}
	})
}

// TestLeagueLosesPlayersAndChannels checks that a player who is forgotten or leaves the server
// is out of the season, that a game whose thread was deleted opens again, and that a league
// whose channel was deleted ends.
func TestLeagueLosesPlayersAndChannels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := context.Background()
		l := newLeague(t, 6, 5, "")
		l.registers()
		l.Does(l.People[0], "league start")
		l.Settle()
		gone, deleted := l.People[3], l.Games(l.People[1])[0]
		gametest.Must(t, l.Host.ChannelGone(ctx, deleted.Channel))
		l.Settle()
		anew := l.Games(l.People[1])
		// Another player who was short of a game may have been quicker.
		if len(anew) < 2 || slices.ContainsFunc(anew, func(g bot.Game) bool { return g.Channel == deleted.Channel }) {
			t.Errorf("after a thread was deleted: %d games", len(anew))
		}
		// One of their five games is over; leaving resigns the three that are running.
		l.Resigns(gone, l.Games(gone)[0])
		l.Settle()
		gametest.Must(t, l.Host.Forget(ctx, gone))
		l.Settle()
		// They withdraw first: less than half was over, so none of their games counts.
		if s := l.standings(1); strings.Contains(s, gone.Name) || !strings.Contains(strings.ReplaceAll(s, "*", ""), "former player withdrew") {
			t.Errorf("after %s was forgotten:\n%s", gone.Name, s)
		}
		for _, u := range l.People {
			if n := len(l.Games(u)); n > 4 {
				t.Errorf("%s plays %d games", u.Name, n)
			}
		}
		gametest.Must(t, l.Host.ChannelGone(ctx, featuretest.Parlour))
		l.Settle()
		if r := l.Does(l.People[0], "league join"); !r.Refused {
			t.Error("a league goes on whose channel is gone")
		}
	})
}

// TestLeagueWithoutThreads checks that the channel learns when threads can't be opened, and
// that games begin once they can.
func TestLeagueWithoutThreads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLeague(t, 3, 6, "")
		l.registers()
		l.Closed.Store(true)
		l.Does(l.People[0], "league start")
		time.Sleep(3 * time.Hour)
		l.Settle()
		told := 0
		for _, m := range l.Posts.Take() {
			if m.Kind == "league stuck" {
				told++
			}
		}
		if told != 1 || len(l.Games(l.People[0])) != 0 {
			t.Errorf("told %d times, with %d games", told, len(l.Games(l.People[0])))
		}
		l.Closed.Store(false)
		time.Sleep(time.Hour)
		l.Settle()
		if n := len(l.Games(l.People[0])); n < 2 {
			t.Errorf("%d games begin later", n)
		}
	})
}

// TestRoomLeadsToLeague checks that a league's message in the room has a picture that can be drawn
// again, and leads to the league's page even on a host without a public address.
func TestRoomLeadsToLeague(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t, featuretest.Pictures(t), func(c *host.Config) {
			c.Platforms = func() []bot.Platform {
				return []bot.Platform{{Name: "test", Aside: featuretest.BesideThere, Boards: true}}
			}
		})
		w.Run()
		for _, does := range []string{"ann: league new name:Club", "ann: league join", "bob: league join", "cat: league join"} {
			name, line, _ := strings.Cut(does, ": ")
			if r := w.Does(bottest.People[name], "/"+line); r.Refused {
				t.Fatalf("%s: %s", does, r.Text)
			}
		}
		w.Does(bottest.People["ann"], "/league start")
		time.Sleep(time.Minute)
		synctest.Wait()
		posts := w.Posts.All()
		at := slices.IndexFunc(posts, func(m bot.Message) bool { return m.Kind == "league division" })
		if at < 0 {
			t.Fatal("the season isn't posted")
		}
		m := posts[at]
		at = slices.IndexFunc(m.Buttons, func(b bot.Button) bool { return strings.HasPrefix(b.Link, "/l/") })
		if at < 0 {
			t.Fatalf("no button leads to the page: %+v", m.Buttons)
		}
		page, err := w.PageText("/l/{key}", bot.Visit{Key: strings.TrimPrefix(m.Buttons[at].Link, "/l/")})
		if err != nil || !strings.Contains(page, "Watch this game") {
			t.Errorf("the page doesn't lead to the games that are on: %v\n%s", err, page)
		}
		p, err := w.Host.Picture(t.Context(), bot.Posted{Channel: m.Channel, Number: m.Number, Kind: m.Kind}, false)
		if err != nil || len(p.PNG) == 0 {
			t.Errorf("the picture can't be drawn again: %v", err)
		}
		if _, err := w.Host.Picture(t.Context(), bot.Posted{Channel: "test:elsewhere", Number: m.Number, Kind: m.Kind}, false); !errors.Is(err, bot.ErrNoPicture) {
			t.Errorf("another channel gets the picture: %v", err)
		}
	})
}
