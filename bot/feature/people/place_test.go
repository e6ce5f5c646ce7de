package people_test

import (
	"bytes"
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot/features/featuretest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/imaging"
)

// TestManagerChangesSettings changes a server's settings as its manager, and checks the tables that people
// open there.
func TestManagerChangesSettings(t *testing.T) {
	for _, c := range []struct {
		name    string
		server  string // settings of the server
		channel string // settings of the channel
		new     string // options of /new
		says    string // text in the invitation
		without string // text that it must not contain
		refused string // answer if the table is refused
	}{
		{name: "nothing set", says: "wants to play: words from small", without: "a turn"},
		{name: "the server", server: "rules:club", says: "club rules"},
		{name: "the channel before the server", server: "rules:club challenge:void", channel: "rules:family", says: "family rules, only valid words"},
		{name: "the table before both", server: "rules:club", channel: "rules:family", new: "rules:rulebook", says: "rulebook rules"},
		{name: "taken back", server: "rules:club", channel: "rules:default", says: "club rules"},
		{name: "a pace", server: "pace:3d", says: "3 days a turn, a late player's game can be claimed"},
		{name: "all of a pace", server: "pace:12h bank:1d weekend:free late:forfeit", says: "12 hours a turn, plus 1 day for each player's whole game, weekends in UTC don't count, a late player loses"},
		{name: "a pace of its own", server: "pace:3d bank:1d late:pass", new: "pace:1d", says: "1 day a turn, plus 1 day for each player's whole game, a late turn is passed"},
		{name: "no pace in this channel", server: "pace:3d bank:1d late:pass weekend:free", channel: "pace:none", says: "wants to play: words", without: "a turn"},
		{name: "no pace at this table", server: "pace:3d bank:1d late:pass weekend:free", new: "pace:none", says: "wants to play: words", without: "a turn"},
		{name: "what is for paces alone", server: "late:pass bank:1d", says: "wants to play: words", without: "a turn"},
		{name: "what is for paces, and a pace", server: "late:pass", new: "pace:5d", says: "5 days a turn, a late turn is passed"},
		{name: "asked for without a pace", server: "late:pass", new: "late:claim", refused: "no turn is ever late"},
		{name: "a variant that has no pace", server: "pace:3d", new: "variant:duplicate", says: "duplicate", without: "a turn may"},
		{name: "no games", server: "games:refused", refused: "Games can't be played in this channel"},
		{name: "no games but here", server: "games:refused", channel: "games:allowed", says: "wants to play: words"},
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
					if r := w.InHouse(featuretest.Parlour, "test:house", bottest.People["mod"], "/settings for:"+scope+" "+line); r.Refused {
						t.Fatalf("%s: %s", line, r.Text)
					}
				}
				r := w.InHouse(featuretest.Parlour, "test:house", bottest.People["ann"], "/new "+c.new)
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

// Only managers can change a place, and unknown values and servers are rejected.
func TestOnlyManagersChangePlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.Run()
		before := featuretest.StoredRows(t, w.Config.Notes, "house")
		for _, c := range []struct{ who, home, line, want string }{
			{"ann", "test:house", "/settings for:server pace:3d", "Only managers of this"},
			{"ann", "test:house", "/settings for:channel away:99", "Only managers of this"},
			{"ann", "test:house", "/settings for:channel abandoned:anyone", "Only managers of this"},
			{"ann", "test:house", "/settings for:server rules:default", "Only managers of this"},
			{"mod", "test:house", "/settings for:server pace:2d", "pace"},
			{"mod", "test:house", "/settings for:server pace:3d late:never", "late"},
			{"mod", "test:house", "/settings for:server away:400", "as a number of days"},
			{"mod", "test:house", "/settings for:server away:some", "as a number of days"},
			{"mod", "test:house", "/settings for:server lexicon:klingon", "Unknown word list"},
			{"mod", "test:house", "/settings for:server theme:pink", "theme"},
			{"mod", "test:house", "/settings for:server theme:dark", "No boards are drawn"}, // this host draws none
			{"mod", "test:house", "/settings for:street rules:club", "for can't be"},
			{"mod", "", "/settings for:server rules:club", "no server here"},
		} {
			channel := featuretest.Parlour
			if c.home == "" {
				channel = "test:dm"
			}
			if r := w.InHouse(channel, c.home, bottest.People[c.who], c.line); !r.Refused || !strings.Contains(r.Text.String(), c.want) {
				t.Errorf("%s: %s: %s", c.who, c.line, r.Text)
			}
		}
		if after := featuretest.StoredRows(t, w.Config.Notes, "house"); !maps.Equal(before, after) {
			t.Errorf("set: %v", after)
		}
	})
}

// A channel's settings apply to the tables in its threads, whatever is looked up there
// later.
func TestThreadsUseChannelSettings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sc := featuretest.NewScene(t)
		sc.Play(strings.Join([]string{
			"> mod: /settings for:server pace:1d away:10",
			"> mod: /settings for:channel pace:3d away:20",
			"> ann: /new thread:true",
		}, "\n"))
		if sc.Channel == featuretest.Parlour {
			t.Fatal("there is no thread")
		}
		s, _ := sc.Replayed(sc.Channel)
		if s.Pace.Turn != 3*24*time.Hour {
			t.Errorf("the pace in the thread is %v", s.Pace.Turn)
		}
		r := sc.InHouse(sc.Channel, "test:house", bottest.People["ann"], "/settings for:channel")
		if text := r.Text.String(); !strings.Contains(text, "away 20 · set for this channel") || !strings.Contains(text, "pace 3d · set for this channel") {
			t.Errorf("in the thread: %s", text)
		}
	})
}

func TestThemeOfPlace(t *testing.T) {
	renderers := map[imaging.Theme]*imaging.Renderer{}
	for _, theme := range imaging.Themes() {
		renderers[theme] = bottest.Renderer(t, theme)
	}
	w := newWorld(t, func(c *host.Config) {
		c.Platforms = func() []bot.Platform { return []bot.Platform{{Name: "test", Dark: "dark"}} }
		c.Renderer = func(theme imaging.Theme) *imaging.Renderer { return renderers[theme] }
	})
	featuretest.Put(t, w.Config.Store, featuretest.Parlour, bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "single", []string{"bag:EEEEEEEE", "ann:HORNSA?", "bob:FARMQI?"}))
	set := func(scope, value string) {
		t.Helper()
		req := w.Request(bottest.People["mod"], fmt.Sprintf("/settings for:%s theme:%s", scope, value))
		req.Home, req.Manager = "test:house", true
		if r := w.Host.Handle(t.Context(), req); r.Refused {
			t.Fatal(r.Text)
		}
	}
	board := func(dark bool) []byte {
		req := w.Request(bottest.People["ann"], "/board picture")
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
