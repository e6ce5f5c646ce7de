package features_test

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot/features/featuretest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/imaging"
)

// inHouse handles a typed command in a channel of a home.
func (w *world) inHouse(ch bot.ChannelID, home string, who bot.User, line string) bot.Reply {
	w.T.Helper()
	req := w.Request(who, line)
	req.Channel, req.Home, req.Manager = ch, home, who.ID == people["mod"].ID
	r := w.Host.Handle(w.T.Context(), req)
	synctest.Wait()
	return r
}

// TestPlaces has those who manage a server set how it plays, and looks at the
// tables that people open there.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		name    string
		server  string // what is set for the server
		channel string // and for the channel
		new     string // and asked for
		says    string // in the invitation
		without string // and this isn't
		refused string // what the answer says where there is none
	}{
		{name: "nothing set", says: "classic rules, challenges are free, words from small", without: "a turn"},
		{name: "the server", server: "rules:club", says: "club rules"},
		{name: "the channel before the server", server: "rules:club challenge:void", channel: "rules:family", says: "family rules, only valid words"},
		{name: "the table before both", server: "rules:club", channel: "rules:family", new: "rules:rulebook", says: "rulebook rules"},
		{name: "taken back", server: "rules:club", channel: "rules:default", says: "club rules"},
		{name: "a pace", server: "pace:3d", says: "3 days a turn, a late player's game can be claimed"},
		{name: "all of a pace", server: "pace:12h bank:1d weekend:free late:forfeit", says: "12 hours a turn, plus 1 day for each player's whole game, weekends in UTC don't count, a late player loses"},
		{name: "a pace of its own", server: "pace:3d bank:1d late:pass", new: "pace:1d", says: "1 day a turn, plus 1 day for each player's whole game, a late turn is passed"},
		{name: "no pace in this channel", server: "pace:3d bank:1d late:pass weekend:free", channel: "pace:none", says: "classic rules", without: "a turn"},
		{name: "no pace at this table", server: "pace:3d bank:1d late:pass weekend:free", new: "pace:none", says: "classic rules", without: "a turn"},
		{name: "what is for paces alone", server: "late:pass bank:1d", says: "classic rules", without: "a turn"},
		{name: "what is for paces, and a pace", server: "late:pass", new: "pace:5d", says: "5 days a turn, a late turn is passed"},
		{name: "asked for without a pace", server: "late:pass", new: "late:claim", refused: "no turn is ever late"},
		{name: "a variant that has no pace", server: "pace:3d", new: "variant:duplicate", says: "duplicate", without: "a turn may"},
		{name: "no games", server: "games:refused", refused: "Games can't be played in this channel"},
		{name: "no games but here", server: "games:refused", channel: "games:allowed", says: "classic rules"},
		{name: "no games but elsewhere", server: "games:allowed", channel: "games:refused", refused: "Games can't be played in this channel"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				w.Run()
				for scope, line := range map[string]string{"server": c.server, "channel": c.channel} {
					if line == "" {
						continue
					}
					if r := w.inHouse(parlour, "test:house", people["mod"], "/settings for:"+scope+" "+line); r.Refused {
						t.Fatalf("%s: %s", line, r.Text)
					}
				}
				r := w.inHouse(parlour, "test:house", people["ann"], "/new "+c.new)
				if r.Refused != (c.refused != "") || c.refused != "" && !strings.Contains(r.Text.String(), c.refused) {
					t.Fatalf("/new %s: %s", c.new, r.Text)
				}
				said := ""
				for _, m := range w.Posts.Take() {
					said += m.Text.String()
				}
				if !strings.Contains(said, c.says) || c.without != "" && strings.Contains(said, c.without) {
					t.Errorf("the invitation: %s\nwant %q, and not %q", said, c.says, c.without)
				}
			})
		})
	}
}

// People who don't manage a place change nothing of it, and neither do values and
// servers that don't exist.
func TestPlacesAreTheManagers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.Run()
		before := kept(t, w.Config.Notes, "house")
		for _, c := range []struct{ who, home, line, want string }{
			{"ann", "test:house", "/settings for:server pace:3d", "Only those who manage"},
			{"ann", "test:house", "/settings for:channel away:99", "Only those who manage"},
			{"ann", "test:house", "/settings for:channel abandoned:anyone", "Only those who manage"},
			{"ann", "test:house", "/settings for:server rules:default", "Only those who manage"},
			{"mod", "test:house", "/settings for:server pace:2d", "pace"},
			{"mod", "test:house", "/settings for:server pace:3d late:never", "late"},
			{"mod", "test:house", "/settings for:server away:400", "as a number of days"},
			{"mod", "test:house", "/settings for:server away:some", "as a number of days"},
			{"mod", "test:house", "/settings for:server lexicon:klingon", "no word list"},
			{"mod", "test:house", "/settings for:server theme:pink", "theme"},
			{"mod", "test:house", "/settings for:server theme:dark", "No boards are drawn"}, // by this host
			{"mod", "test:house", "/settings for:street rules:club", "for can't be"},
			{"mod", "", "/settings for:server rules:club", "no server here"},
		} {
			channel := parlour
			if c.home == "" {
				channel = "test:dm"
			}
			if r := w.inHouse(channel, c.home, people[c.who], c.line); !r.Refused || !strings.Contains(r.Text.String(), c.want) {
				t.Errorf("%s: %s: %s", c.who, c.line, r.Text)
			}
		}
		if after := kept(t, w.Config.Notes, "house"); !maps.Equal(before, after) {
			t.Errorf("set: %v", after)
		}
	})
}

// TestUsualValuesCanBeSet sets each setting of a server to what it is shown to be.
func TestUsualValuesCanBeSet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, pictures(t), inLanguages(t))
		shown := regexp.MustCompile(`(?m)^(\w+) (\S+) · `).FindAllStringSubmatch(w.inHouse(parlour, "test:house", people["mod"], "/settings for:server").Text.String(), -1)
		if len(shown) < 10 {
			t.Fatalf("%d settings are shown", len(shown))
		}
		for _, s := range shown {
			line := "/settings for:server " + s[1] + ":" + s[2]
			if r := w.inHouse(parlour, "test:house", people["mod"], line); r.Refused {
				t.Errorf("%s: %s", line, r.Text)
			}
		}
	})
}

// What is set for a channel is set for the threads that tables are opened in
// beside it, whatever is looked up there later.
func TestThreadsHaveTheirChannelsSettings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sc := featuretest.NewScene(t)
		sc.Play(strings.Join([]string{
			"> mod: /settings for:server pace:1d away:10",
			"> mod: /settings for:channel pace:3d away:20",
			"> ann: /new thread:true",
		}, "\n"))
		if sc.Channel == parlour {
			t.Fatal("there is no thread")
		}
		s, _ := replayed(t, &world{sc.World}, sc.Channel)
		if s.Pace.Turn != 3*24*time.Hour {
			t.Errorf("the pace in the thread is %v", s.Pace.Turn)
		}
		r := (&world{sc.World}).inHouse(sc.Channel, "test:house", people["ann"], "/settings for:channel")
		if text := r.Text.String(); !strings.Contains(text, "away 20 · set for this channel") || !strings.Contains(text, "pace 3d · set for this channel") {
			t.Errorf("in the thread: %s", text)
		}
	})
}

func TestTheThemeOfAPlace(t *testing.T) {
	renderers := map[imaging.Theme]*imaging.Renderer{}
	for _, theme := range imaging.Themes() {
		renderers[theme] = bottest.Renderer(t, theme)
	}
	w := newWorld(t, func(c *host.Config) {
		c.Platforms = func() []bot.Platform { return []bot.Platform{{Name: "test", Dark: "dark"}} }
		c.Renderer = func(theme imaging.Theme) *imaging.Renderer { return renderers[theme] }
	})
	put(t, w.Config.Store, parlour, dealt(t, bottest.Small(t).Hash(), "classic", "single", []string{"bag:EEEEEEEE", "ann:HORNSA?", "bob:FARMQI?"}))
	set := func(scope, value string) {
		t.Helper()
		req := w.Request(people["mod"], fmt.Sprintf("/settings for:%s theme:%s", scope, value))
		req.Home, req.Manager = "test:house", true
		if r := w.Host.Handle(t.Context(), req); r.Refused {
			t.Fatal(r.Text)
		}
	}
	board := func(dark bool) []byte {
		req := w.Request(people["ann"], "/board picture")
		req.Dark = dark
		return w.Host.Handle(t.Context(), req).Picture.PNG
	}
	light, dark := board(false), board(true)
	if bytes.Equal(light, dark) {
		t.Fatal("dark is light")
	}
	set("server", "cb")
	safe := board(true)
	if bytes.Equal(safe, light) || bytes.Equal(safe, dark) || !bytes.Equal(safe, board(false)) {
		t.Error("the server's theme isn't the board's, for everybody")
	}
	set("channel", "dark")
	if !bytes.Equal(board(false), dark) {
		t.Error("the channel's theme isn't the board's")
	}
	set("channel", "auto")
	if !bytes.Equal(board(false), light) || !bytes.Equal(board(true), dark) {
		t.Error("a channel that goes by the screen has the server's theme")
	}
	set("channel", "default")
	if !bytes.Equal(board(false), safe) {
		t.Error("a channel's theme that is taken back isn't the server's")
	}
	set("server", "default")
	if !bytes.Equal(board(false), light) || !bytes.Equal(board(true), dark) {
		t.Error("when it is taken back the theme is not as it was")
	}
}

// TestAbandonedGames has people try to end a game in which nobody has moved for
// some days. Bob is to move, Ann waits, Eve plays elsewhere.
func TestAbandonedGames(t *testing.T) {
	for _, c := range []struct {
		name, set, pace string
		wait            time.Duration
		who             string
		ends            bool
	}{
		{"a stranger", "", "", 27 * day, "eve", false},
		{"the player who waits", "", "", 27 * day, "ann", false},
		{"a manager", "", "", 0, "mod", true},
		{"a manager, where all may", "abandoned:anyone", "", 0, "mod", true},
		{"the player who waits, where players may, too early", "abandoned:players", "", 7*day - time.Hour, "ann", false},
		{"the player who waits, where players may", "abandoned:players", "", 7 * day, "ann", true},
		{"the player to move", "abandoned:anyone", "", 27 * day, "bob", false},
		{"a stranger, where players may", "abandoned:players", "", 27 * day, "eve", false},
		{"a stranger, too early", "abandoned:anyone", "", 14*day - time.Hour, "eve", false},
		{"a stranger, where anyone may", "abandoned:anyone", "", 14 * day, "eve", true},
		{"the player who waits, where anyone may", "abandoned:anyone", "", 7 * day, "ann", true},
		{"a turn that isn't late yet", "abandoned:players", "pace:7d bank:7d", 20 * day, "ann", false},
		{"one that has been late for a week", "abandoned:players", "pace:7d bank:7d", 21 * day, "ann", true},
		{"what the host passes is no move", "abandoned:players", "pace:3d late:pass", 10 * day, "cat", true},
		{"one who is away", "abandoned:players", "away:5", 11 * day, "ann", false},
		{"one who was away", "abandoned:players", "away:5", 12 * day, "ann", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				down := w.up()
				defer func() { down() }()
				const home = "test:house"
				do := func(who, line string) bot.Reply {
					t.Helper()
					return w.inHouse(parlour, home, people[who], line)
				}
				if c.set != "" {
					do("mod", "/settings for:server "+c.set)
				}
				away := strings.HasPrefix(c.pace, "away")
				options := c.pace
				if away {
					options = ""
				}
				do("ann", "/new seats:3 order:random "+options)
				do("bob", "/join")
				do("cat", "/join")
				// Whoever is to move is to be Bob.
				for range 3 {
					s, _ := replayed(t, w, parlour)
					if up := s.Seats[s.Turn].Person; up.ID == people["bob"].ID {
						break
					} else if r := w.inHouse(parlour, home, up, "/pass"); r.Refused {
						t.Fatal(r.Text)
					}
				}
				if away {
					do("bob", "/away 5")
				}
				if c.pace == "" { // nothing is due
					down()
				}
				time.Sleep(c.wait)
				if c.pace == "" {
					down = w.up()
				}
				synctest.Wait()
				r := do(c.who, "/end")
				for _, b := range r.Buttons {
					req, _ := bot.Request{ID: "yes", Channel: parlour, Home: home, User: people[c.who], Manager: c.who == "mod"}.Press(b.ID)
					r = w.Host.Handle(t.Context(), req)
				}
				s, _ := replayed(t, w, parlour)
				if ended := s.End != nil && s.End.By.ID == people[c.who].ID; ended != c.ends {
					t.Errorf("ended: %t; %s", ended, r.Text)
				}
				if c.ends && s.End != nil && len(s.End.Winners) > 0 {
					t.Errorf("%v win", s.End.Winners)
				}
			})
		})
	}
}

const day = 24 * time.Hour

// A button to end an abandoned game does nothing when they play again.
func TestAGameThatIsPlayedAgainIsNotEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.inHouse(parlour, "test:house", people["mod"], "/settings for:server abandoned:anyone")
		put(t, w.Config.Store, parlour, dealt(t, bottest.Small(t).Hash(), "classic", "single", []string{"bag:EEEEEEEE", "ann:HORNSA?", "bob:FARMQI?"}))
		time.Sleep(15 * day)
		asked := w.inHouse(parlour, "test:house", people["eve"], "/end")
		if len(asked.Buttons) != 1 {
			t.Fatal(asked.Text)
		}
		w.inHouse(parlour, "test:house", people["ann"], "/pass")
		req, _ := bot.Request{ID: "yes", Channel: parlour, Home: "test:house", User: people["eve"]}.Press(asked.Buttons[0].ID)
		if r := w.Host.Handle(t.Context(), req); !r.Refused {
			t.Errorf("ended: %s", r.Text)
		}
		if s, _ := replayed(t, w, parlour); s.Phase != game.Playing {
			t.Errorf("the game is in phase %v", s.Phase)
		}
	})
}
