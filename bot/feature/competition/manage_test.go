package competition_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game/gametest"
)

const day = 24 * time.Hour

// begun returns a league whose first season is on.
func begun(t *testing.T, people int, seed uint64, options string) *leagueWorld {
	l := newLeague(t, people, seed, options)
	l.registers()
	if r := l.Does(l.People[0], "league start"); r.Refused {
		t.Fatal(r.Text)
	}
	l.Settle()
	return l
}

// said returns the posts of a kind since the last call, to any recipient.
func (l *leagueWorld) said(kind string) (all []string) {
	for _, m := range l.Posts.Take() {
		if m.Kind == kind {
			all = append(all, featuretest.Shown(m.Text))
		}
	}
	return all
}

// TestLeagueCommandsAtEachFault lets each operation fail once while a league is begun,
// entered, left and managed.
func TestLeagueCommandsAtEachFault(t *testing.T) {
	opened := func(w *featuretest.World) {
		w.Must("ann", "/league new name:Club")
		w.Must("bob", "/league join")
	}
	filled := func(w *featuretest.World) {
		opened(w)
		w.Must("cat", "/league join")
		w.Must("dan", "/league join")
	}
	for _, c := range []struct {
		prepare func(*featuretest.World)
		who     string
		lines   []string
	}{
		{func(*featuretest.World) {}, "ann", []string{"/league", "/league new name:Club"}},
		{opened, "ann", []string{"/league", "/league new", "/league start", "/league stop", "/league end"}},
		{opened, "bob", []string{"/league", "/league join", "/league stop", "/league table", "/league export"}},
		{opened, "eve", []string{"/league join", "/league leave"}},
		{opened, "bob", []string{"/league leave"}},
		{filled, "ann", []string{"/league start"}},
	} {
		featuretest.LinesAtEachFault(t, c.prepare, bottest.People[c.who], c.lines, featuretest.Asides())
	}
}

// TestRepeatedLeagueRequests checks that a request repeated after a lost answer gets
// its first answer, whatever has happened in between.
func TestRepeatedLeagueRequests(t *testing.T) {
	for _, c := range []struct {
		name, line string
		begun      bool // the season
		by         int
		about      []int
		says       string
		starts     bool // the season starts before the request is repeated
	}{
		{"registering", "league join", false, 3, nil, "You're in for season 1", false},
		{"registering, and the season begins", "league join", false, 3, nil, "You're in for season 1", true},
		{"taking it back", "league leave", false, 2, nil, "Your registration is withdrawn.", false},
		{"taking it back, and the season begins", "league leave", false, 3, nil, "Your registration is withdrawn.", true},
		{"withdrawing", "league leave sure:yes", true, 2, nil, "You have withdrawn from season 1.", false},
		{"asking for a reminder", "league remind", false, 1, nil, "I'll write to you a day before", false},
		{"starting", "league start", false, 0, nil, "Season 1 of Club starts with 4 players.", false},
		{"ending", "league end sure:yes", true, 0, nil, "Season 1 ends now.", false},
		{"removing somebody who has registered", "league remove", false, 0, []int{3}, "P03 is withdrawn from Club.", false},
		{"removing somebody who plays", "league remove", true, 0, []int{3}, "P03 is withdrawn from Club.", false},
		{"stopping", "league stop", false, 0, nil, "Club is over.", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLeague(t, 4, 21, "")
				for _, u := range l.People {
					if u.ID != l.People[c.by].ID || c.line != "league join" {
						l.Does(u, "league join")
					}
				}
				if c.begun {
					l.Does(l.People[0], "league start")
				}
				l.Settle()
				line, sure := strings.CutSuffix(c.line, " sure:yes")
				req := l.Request(l.People[c.by], line)
				if sure {
					req.Args["sure"] = "yes"
				}
				for _, n := range c.about {
					req.People = append(req.People, l.People[n])
				}
				first := l.Host.Handle(t.Context(), req)
				featuretest.Wants(t, first, false, c.says)
				if c.starts {
					l.Does(l.People[0], "league start")
				}
				time.Sleep(time.Hour)
				l.Settle()
				featuretest.Wants(t, l.Host.Handle(t.Context(), req), false, c.says)
			})
		})
	}
}

// TestLeagueRemindersAtEachFault lets each operation fail once: a request still subscribes
// once, and the next unsubscribes once.
func TestLeagueRemindersAtEachFault(t *testing.T) {
	asks := func(t *testing.T, w *featuretest.World, id string) (string, error) {
		req := w.Request(bottest.People["bob"], "/league remind")
		req.ID = id
		return featuretest.Answered(w.Host.Handle(t.Context(), req))
	}
	for _, c := range []struct{ name, before string }{{"asked for", ""}, {"taken back", "before"}} {
		t.Run(c.name, func(t *testing.T) {
			featuretest.AtEachFault(t, func(w *featuretest.World) {
				w.Must("ann", "/league new name:Club")
				if c.before != "" {
					_, err := asks(t, w, c.before)
					gametest.Must(t, err)
				}
			}, func(w *featuretest.World) (string, error) { return asks(t, w, "the same") }, featuretest.Asides())
		})
	}
}

// TestLeagueStops checks that a league stopped during registration is over at once and
// frees its channel, and that one stopped during a season ends with it.
func TestLeagueStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLeague(t, 3, 7, "")
		featuretest.Wants(t, l.Does(l.People[1], "league stop"), true, "Only P00 and the managers of this place can do that.")
		featuretest.Wants(t, l.Does(l.People[0], "league stop"), false, "Club is over.")
		l.Settle()
		featuretest.Wants(t, l.Does(l.People[1], "league join"), true, "Club is over.")
		featuretest.Wants(t, l.Does(l.People[1], "league"), false, "Club is over.")
		featuretest.Wants(t, l.Does(l.People[1], "league leave"), true, "You aren't in Club.")
		featuretest.Wants(t, l.Does(l.People[1], "league new name:Other season:3"), false, "Registration for Other is open")
		l.registers()
		l.Does(l.People[1], "league start")
		l.Settle()
		featuretest.Wants(t, l.Does(l.People[1], "league stop"), false, "Other ends with this season.")
		time.Sleep(4 * day)
		l.Settle()
		if all := l.said("league division"); len(all) == 0 || !strings.Contains(all[len(all)-1], "**Other**: season 1 is over.") {
			t.Errorf("at the end of the season there is said %q", all)
		}
		featuretest.Wants(t, l.Does(l.People[0], "league"), false, "Other is over.")
	})
}

// TestLeagueSeasonIsEnded checks that the managers of a league can end its season early
// after a confirmation. The player who used more time loses a running game, and
// registration for the next season opens.
func TestLeagueSeasonIsEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := begun(t, 3, 8, "season:60")
		time.Sleep(time.Hour)
		l.Posts.Take()
		on := 0
		for _, u := range l.People {
			on += len(l.Games(u))
		}
		on /= 2 // each has two players
		r := l.Does(l.People[0], "league end")
		featuretest.Wants(t, r, false, "End season 1 now?")
		l.Settle()
		if all := l.said("league division"); len(all) > 0 {
			t.Errorf("before it is sure there is said %q", all)
		}
		featuretest.Wants(t, l.Presses(l.People[0], r, "End the season"), false, "Season 1 ends now.")
		time.Sleep(time.Hour)
		l.Settle()
		posts := l.Posts.Take()
		kinds := map[string]int{}
		for _, m := range posts {
			kinds[m.Kind]++
		}
		if kinds["league division"] != 1 || on == 0 || kinds["league late"] != on || kinds["league open"] != 1 {
			t.Errorf("when it has ended there is posted %v, and %d games were on", kinds, on)
		}
		featuretest.Wants(t, l.Does(l.People[1], "league"), false, "registration for season 2 is open")
	})
}

// TestLeagueRemovesPlayer checks that a removed player vanishes from registration, and
// leaves a season as if they had withdrawn.
func TestLeagueRemovesPlayer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLeague(t, 5, 9, "")
		l.registers()
		remove := func(by, whom bot.User) bot.Reply {
			req := l.Request(by, "league remove")
			req.People = []bot.User{whom}
			return l.Host.Handle(t.Context(), req)
		}
		featuretest.Wants(t, remove(l.People[1], l.People[4]), true, "Only P00")
		featuretest.Wants(t, remove(l.People[0], l.People[4]), false, "P04 is withdrawn from Club.")
		featuretest.Wants(t, remove(l.People[0], l.People[4]), true, "P04 isn't in Club.")
		featuretest.Wants(t, l.Does(l.People[0], "league"), false, "4 players have registered")
		l.Does(l.People[0], "league start")
		l.Settle()
		featuretest.Wants(t, remove(l.People[0], l.People[3]), false, "P03 is withdrawn from Club.")
		l.Settle()
		if s := strings.ReplaceAll(l.standings(1), "*", ""); !strings.Contains(s, "P03 withdrew") || strings.Contains(s, "P04") {
			t.Errorf("the division stands at\n%s", s)
		}
		featuretest.Wants(t, l.Does(l.People[3], "league leave"), true, "You have withdrawn from this season.")
		featuretest.Wants(t, l.Does(l.People[3], "league"), false, "You have withdrawn.")
		featuretest.Wants(t, l.Does(l.People[4], "league"), false, "You aren't in it.")
	})
}

// TestSeasonIsOneMessage checks that a season of one division is one message in its channel, from
// registration to the end, with the standings and the games being played. It keeps the digest. A
// resignation counts by the scores if they decide by more than a forfeit, otherwise as a forfeit.
func TestSeasonIsOneMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := begun(t, 4, 10, "season:30 pace:5d")
		l.Resigns(l.People[0], l.Games(l.People[0])[0])
		l.Settle()
		l.Resigns(l.People[1], l.Games(l.People[1])[0])
		time.Sleep(31 * day)
		l.Settle()
		digest := regexp.MustCompile("Fair pairings: `[^`]+`")
		standing, texts := map[string]bool{}, []string{}
		for _, m := range l.Posts.Take() {
			if m.Channel != featuretest.Parlour || m.To != nil || !strings.HasPrefix(m.Kind, "league") || m.Kind == "league open" && len(texts) > 0 {
				continue
			}
			standing[m.Standing] = true
			texts = append(texts, featuretest.Shown(m.Text))
			if digest.FindString(texts[0]) != digest.FindString(texts[len(texts)-1]) {
				t.Errorf("the digest has changed in %q", texts[len(texts)-1])
			}
		}
		if len(standing) != 1 || standing[""] {
			t.Errorf("the season has the messages %v", standing)
		}
		for i, want := range map[int][]string{
			0:              {"registration for season 1 is open"},
			1:              {"**Club**, season 1, until", "1. P0", "**Games being played**", " – P0"},
			len(texts) - 1: {"**Club**: season 1 is over.", " **Club**!", "1. P0", "The secret behind the pairings"},
		} {
			for _, part := range want {
				if !strings.Contains(texts[i], part) {
					t.Errorf("message %d of %d lacks %q:\n%s", i, len(texts), part, texts[i])
				}
			}
		}
		if rows := featuretest.CSV(t, l.Does(l.People[1], "league export"), "-games.csv"); len(rows) < 2 {
			t.Errorf("as a file the games are %v", rows)
		}
		if r := l.Does(l.People[1], "league export as:gcg"); r.Refused || len(r.Files) != 1 || !strings.HasSuffix(r.Files[0].Name, ".zip") {
			t.Errorf("as GCG: %s", featuretest.ReplySaid(r))
		}
		for _, as := range []string{"naspa", "tou"} {
			if r := l.Does(l.People[1], "league export as:"+as); r.Refused || len(r.Files) == 0 {
				t.Errorf("as %s: %s", as, featuretest.ReplySaid(r))
			}
		}
		featuretest.Wants(t, l.Does(l.People[1], "league export as:papyrus"), true, "papyrus")
	})
}

// TestDivisionMessageFollowsGames checks that a division's message is edited once after
// each game.
func TestDivisionMessageFollowsGames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := begun(t, 3, 12, "season:30 pace:5d")
		if all := l.said("league division"); len(all) != 1 || strings.Contains(all[0], "0 of 0") || strings.Contains(all[0], "possible") {
			t.Errorf("at the beginning there is said %q", all)
		}
		for _, played := range []int{1, 2} {
			l.Resigns(l.People[0], l.Games(l.People[0])[0])
			l.Settle()
			if all := l.said("league division"); len(all) != 1 || !strings.Contains(all[0], fmt.Sprintf("P00: 0 of %d", played)) {
				t.Errorf("after game %d there is said %q", played, all)
			}
		}
	})
}

// TestLeavingServerLeavesLeague checks that a player who leaves the server drops out
// of its league, and stays in other servers' leagues.
func TestLeavingServerLeavesLeague(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &leagueWorld{featuretest.NewMortal(t, 4, 11)}
		if r := l.InHouse(featuretest.Parlour, "test:house", bottest.People["eve"], "/league new name:Club"); !r.Refused {
			t.Fatal("anybody can begin a league on a server")
		}
		for _, line := range []string{"/league", "/league join", "/league stop"} {
			featuretest.Wants(t, l.InHouse(featuretest.Parlour, "test:house", bottest.People["eve"], line), true, "There's no league in this channel. Only managers of this place can begin a league here.")
		}
		featuretest.Wants(t, l.InHouse(featuretest.Parlour, "test:house", bottest.People["mod"], "/league join"), true, "There's no league in this channel. /league new begins one.")
		req := l.Request(bottest.People["mod"], "/league new name:Club")
		req.Home, req.Manager = "test:house", true
		featuretest.Wants(t, l.Host.Handle(t.Context(), req), false, "Registration for Club is open")
		l.registers()
		registered := func(want string) {
			t.Helper()
			l.Settle()
			featuretest.Wants(t, l.Does(l.People[0], "league"), false, want)
		}
		registered("4 players have registered")
		gametest.Must(t, l.Host.MemberLeft(t.Context(), "test:other", l.People[1].ID))
		registered("4 players have registered")
		gametest.Must(t, l.Host.MemberLeft(t.Context(), "test:house", l.People[1].ID))
		registered("3 players have registered")
	})
}

// TestLeagueIsClosedDuringSeason checks that nobody can join, or register for
// the next season, during a season.
func TestLeagueIsClosedDuringSeason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := begun(t, 3, 12, "")
		eve := bottest.People["eve"]
		featuretest.Wants(t, l.Does(eve, "league join"), true, "Season 1 is on until")
		featuretest.Wants(t, l.Does(eve, "league"), false, "You aren't in it.")
		featuretest.Wants(t, l.Does(l.People[0], "league start"), true, "Registration isn't open.")
		featuretest.Wants(t, l.Does(l.People[0], "league table division:9"), true, "division takes a number from 1 to 1")
	})
}

// TestLeagueRemindersToggle checks that the same command subscribes to reminders and
// unsubscribes.
func TestLeagueRemindersToggle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLeague(t, 3, 13, "registration:3")
		for i, want := range []string{"I'll write to you a day before", "You won't be reminded any more.", "I'll write to you"} {
			if r := l.Does(l.People[i/3], "league remind"); r.Refused || !strings.Contains(r.Text.String(), want) {
				t.Errorf("time %d: %s, want %q", i, r.Text, want)
			}
		}
		l.Does(l.People[0], "league remind")
		time.Sleep(2*day + time.Hour)
		l.Settle()
		if all := l.said("league reminder"); len(all) > 0 {
			t.Errorf("who took it back is reminded: %q", all)
		}
	})
}

// TestLeagueCompletions checks the completion of the league command's options.
func TestLeagueCompletions(t *testing.T) {
	w := featuretest.New(t, featuretest.Asides())
	for option, want := range map[string]string{
		"promoted": "1 2 3 4 5", "division": "1 2 3 4 5 6 7 8 9 10 11 12", "season": "14 28 42 60", "registration": "3 7 14", "lexicon": "small",
	} {
		var all []string
		for _, c := range w.Host.Complete(t.Context(), bot.Request{Channel: featuretest.Parlour, User: bottest.People["ann"], Command: "league", Args: map[string]string{option: ""}}, option) {
			all = append(all, c.Value)
		}
		if got := strings.Join(all, " "); got != want {
			t.Errorf("for %s there is offered %q, want %q", option, got, want)
		}
	}
	featuretest.Wants(t, w.Does(bottest.People["ann"], "/league new name:"+strings.Repeat("Long", 20)), true, "is too long for a name: 60 characters")
	featuretest.Wants(t, w.Does(bottest.People["ann"], "/league new lexicon:imaginary"), true, "lexicon can't be imaginary")
}

// TestLeagueShowsPlayersGames checks what a player sees of the league: the registrations
// and their deadline, and during a season their running games and how many are to come.
func TestLeagueShowsPlayersGames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLeague(t, 5, 21, "registration:7 season:14 games:1")
		shows := func(wants ...string) {
			t.Helper()
			buttons := l.Does(l.People[0], "league").Buttons
			_, key, _ := strings.Cut(buttons[len(buttons)-1].Link, "/l/")
			page, err := l.PageText("/l/{key}", bot.Visit{Key: key})
			gametest.Must(t, err)
			for _, want := range wants {
				if without, is := strings.CutPrefix(want, "-"); strings.Contains(page, without) == is {
					t.Errorf("the page has %q wrongly:\n%s", want, page)
				}
			}
		}
		stands := func(who bot.User, button string, parts ...string) {
			t.Helper()
			r := l.Does(who, "league")
			featuretest.Wants(t, r, false, parts...)
			if r.Buttons[0].Label.String() != button {
				t.Errorf("%s is first offered %s, want %s", who.Name, r.Buttons[0].Label, button)
			}
		}
		opened := time.Now()
		stands(l.People[1], "Register", "Nobody has registered.")
		l.registers()
		for _, u := range l.People {
			stands(u, "Cancel registration", "5 players have registered. You're one of them.")
		}
		stands(bottest.People["eve"], "Register", "5 players have registered.")
		shows("open until "+opened.Add(7*day).UTC().Format("2 Jan "), ": 5 players have registered.", "## Who plays")
		time.Sleep(day)
		began := time.Now()
		featuretest.Wants(t, l.Does(l.People[0], "league start"), false)
		l.Settle()
		shows("Season 1, until "+began.Add(14*day).UTC().Format("2 Jan "), "-Who plays")
		for _, u := range l.People {
			said := l.Does(u, "league").Text.String()
			on := strings.Count(said, "Against ")
			if on > 1 || !strings.Contains(said, fmt.Sprintf("%d games are still to come", 4-on)) {
				t.Errorf("of four games, one at a time, %s is told %s", u.Name, said)
			}
		}
	})
	synctest.Test(t, func(t *testing.T) {
		l := begun(t, 3, 22, "games:5")
		if said := l.Does(l.People[1], "league").Text.String(); strings.Count(said, "Against ") != 4 || strings.Contains(said, "to come") {
			t.Errorf("of four games, all of which are on, there is told %s", said)
		}
	})
}
