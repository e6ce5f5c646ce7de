package robots_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot/features/featuretest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/robot"
)

// TestGamesWithRobots plays whole games against robots. Robots get no messages and appear
// in no list of players, each of their moves is made once, and the game's draws can be
// verified.
func TestGamesWithRobots(t *testing.T) {
	for _, line := range []string{"/new beginner", "/new beginner beginner rules:club", "/new robots:medium,easy challenge:void", "/new strong challenge:double", "/new medium variant:21x21", "/new robots:casual rules:rulebook order:random", "/new robots:casual rules:family", "/new tutor"} {
		t.Run(strings.TrimPrefix(line, "/new "), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := featuretest.New(t)
				w.Run()
				other := host.New(w.Config) // a second process over the same store
				ctx, cancel := context.WithCancel(t.Context())
				var all sync.WaitGroup
				all.Go(func() { other.RunTimers(ctx) })
				defer all.Wait()
				defer cancel()
				if r := w.Does(bottest.People["ann"], line); r.Refused {
					t.Fatal(r.Text)
				}
				var s game.State
				for turn := 0; ; turn++ {
					synctest.Wait()
					var err error
					if s, err = game.Replay(featuretest.Events(t, w.Config.Store, featuretest.Parlour)); err != nil {
						t.Fatal(err)
					}
					for _, m := range w.Posts.Take() {
						if m.To != nil && m.To.ID != "test:ann" || strings.Contains(fmt.Sprint(m.Players), "robot") {
							t.Errorf("a post to %s: %s", featuretest.To(m), m.Text)
						}
					}
					if s.Phase == game.Over {
						break
					}
					if seat, _ := s.SeatOf("test:ann"); s.Phase == game.Playing && s.Turn != seat || turn > 200 {
						t.Fatalf("turn %d: no robot moves", turn)
					} else if r := w.Does(bottest.People["ann"], featuretest.SomePlay(t, s, s.Seats[seat].Rack)); r.Refused {
						if r = w.Does(bottest.People["ann"], "/pass"); r.Refused {
							t.Fatal(r.Text)
						}
					}
				}
				if log := w.Log.String(); strings.Contains(log, "level=ERROR") || strings.Contains(log, "level=WARN") {
					t.Errorf("the log:\n%s", log)
				}
				log := featuretest.Events(t, w.Config.Store, featuretest.Parlour)
				for _, seat := range s.Seats {
					if playing, err := w.Config.Store.TablesPlayed(t.Context(), seat.Person.ID); err != nil || len(playing) > 0 {
						t.Errorf("%s plays at %v", seat.Person.Name, playing)
					}
				}
				moves := map[string]int{}
				for _, e := range log {
					switch e.Fact.(type) {
					case game.Played, game.Exchanged, game.Passed, game.Challenged, game.Accepted:
						moves[e.Cause]++
					}
				}
				for cause, n := range moves {
					if n > 1 {
						t.Errorf("%s made %d moves", cause, n)
					}
				}
				if _, err := features.Export(1, log); err != nil {
					t.Error(err)
				}
				grade, err := w.Config.Notes.Get(t.Context(), "grades", "test:ann\x00"+s.Lexicon.Name)
				if learns := line == "/new tutor"; err != nil || learns != (grade != nil) {
					t.Errorf("what the tutor noted: %s, %v", grade, err)
				}
			})
		})
	}
}

// When all people agree to end a game, the robots are asked too, and the last person to
// agree hears whose seats decide.
func TestRobotsAgreeToEnd(t *testing.T) {
	for _, c := range []struct {
		name, bag, racks string
		want             game.Phase
	}{
		{"nothing is decided", "EEEEEEEE", "RAINSTE", game.Playing},
		{"nobody can play any more", "", "VVVVVVV", game.Over},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := featuretest.New(t)
				w.Run()
				featuretest.Put(t, w.Config.Store, featuretest.Parlour, bottest.Dealt(t, bottest.Small(t).Hash(), "club", "single", []string{"bag:" + c.bag, "ann:" + c.racks, "bob:" + c.racks, "robot:" + c.racks}))
				if reply := w.Does(bottest.People["ann"], "/end"); reply.Refused {
					t.Errorf("before Bob agreed: %s", reply.Text)
				}
				reply := w.Does(bottest.People["bob"], "/end")
				synctest.Wait()
				s, err := game.Replay(featuretest.Events(t, w.Config.Store, featuretest.Parlour))
				gametest.Must(t, err)
				if s.Phase != c.want || reply.Refused != (c.want == game.Playing) {
					t.Errorf("Bob is told %q, and the game goes on: %t", reply.Text, s.Phase == game.Playing)
				}
			})
		})
	}
}

// A robot can take over a free seat at the request of a player in the game.
func TestRobotTakesFreeSeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t)
		w.Run()
		asks := func(who, line string) bot.Reply {
			req := w.Request(bottest.People[who], line)
			req.Home = "test:house"
			return w.Host.Handle(t.Context(), req)
		}
		asks("ann", "/new seats:3 challenge:void")
		asks("bob", "/join")
		asks("cat", "/join")
		if r := asks("ann", "/adopt robot:easy"); !r.Refused {
			t.Errorf("no seat is free, and Ann is told %s", r.Text)
		}
		gametest.Must(t, w.Host.MemberLeft(t.Context(), "test:elsewhere", bottest.People["bob"].ID))
		for range 2 { // reported twice
			gametest.Must(t, w.Host.MemberLeft(t.Context(), "test:house", bottest.People["bob"].ID))
		}
		if r := asks("eve", "/adopt robot:easy"); !r.Refused || !strings.Contains(r.Text.String(), "Only the players in this game") {
			t.Errorf("Eve doesn't play, and is told %s", r.Text)
		}
		if r := asks("ann", "/adopt robot:?"); len(r.Buttons) == 0 || len(r.Menus) != 1 {
			t.Errorf("Ann is asked %s", r.Text)
		}
		if r := asks("ann", "/adopt robot:easy"); r.Refused || !strings.Contains(r.Text.String(), "Easy (robot) takes over that seat") {
			t.Errorf("Ann is told %s", r.Text)
		}
		synctest.Wait()
		for range 6 {
			for _, who := range []string{"ann", "cat"} {
				asks(who, "/pass")
				synctest.Wait()
			}
		}
		if !slices.ContainsFunc(featuretest.Events(t, w.Config.Store, featuretest.Parlour), func(e game.Event) bool {
			_, played := e.Fact.(game.Played)
			return played // only the robot plays; the people pass
		}) {
			t.Error("the robot doesn't play")
		}
	})
}

// TestRobotMovesAfterRestart stops the host right after each of Ann's commands, before
// the robot can move, and then repeatedly after the robot has moved, before that is
// recorded.
func TestRobotMovesAfterRestart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tables")
	ann := bottest.People["ann"]
	lines := []string{"/new beginner challenge:void", "/pass", "/exchange e", "/pass", "/pass", "/pass"}
	for n, line := range lines {
		db, err := bolt.Open(file, time.Now)
		gametest.Must(t, err)
		w := featuretest.New(t, func(c *host.Config) { c.Store, c.Notes = db, db.Notes("host") })
		w.IDs = 10 * n
		if w.Does(ann, line).Refused {
			w.Does(ann, "/pass") // she has no E
		}
		db.Close()

		if db, err = bolt.Open(file, time.Now); err != nil {
			t.Fatal(err)
		}
		var store bot.Store = db
		if n%2 == 1 {
			store = notedLate{db}
		}
		w = featuretest.New(t, func(c *host.Config) { c.Store, c.Notes = store, db.Notes("host") })
		ctx, cancel := context.WithCancel(t.Context())
		called := make(chan bool, 100)
		w.Posts.Fail = func(m bot.Message) error {
			called <- strings.Contains(m.Text.String(), "Ann, it's your turn") || strings.Contains(m.Text.String(), "wins")
			return nil
		}
		var all sync.WaitGroup
		all.Go(func() { w.Host.Deliver(ctx, "test", &w.Posts) })
		all.Go(func() { w.Host.RunTimers(ctx) })
		for !<-called {
		}
		cancel()
		all.Wait()
		db.Close()
	}
	db, err := bolt.Open(file, time.Now)
	gametest.Must(t, err)
	defer db.Close()
	log := featuretest.Events(t, db, featuretest.Parlour)
	s, err := game.Replay(log)
	gametest.Must(t, err)
	turns := map[int]int{}
	for _, e := range log {
		switch f := e.Fact.(type) {
		case game.Played:
			turns[f.Seat]++
		case game.Passed:
			turns[f.Seat]++
		case game.Exchanged:
			turns[f.Seat]++
		}
	}
	if d := turns[1] - turns[0]; turns[0] < len(lines)-1 || d < 0 || d > 1 || s.Phase != game.Playing {
		t.Errorf("turns %v, phase %d", turns, s.Phase)
	}
}

// notedLate is a store that fails to record that timers have fired.
type notedLate struct{ bot.Store }

func (notedLate) RemoveTimers(context.Context, ...bot.Timer) error {
	return errors.New("the power went")
}

// Robots' names appear in the reader's language wherever they are shown, and are stored in
// English.
func TestRobotNamesInReadersLanguage(t *testing.T) {
	synctest.Test(t, testRobotsAreCalledInTheReaders)
}

func testRobotsAreCalledInTheReaders(t *testing.T) {
	locales, err := sentences.Load(data.Sentences())
	gametest.Must(t, err)
	w := featuretest.New(t, func(c *host.Config) { c.Locales = locales })
	w.Run()
	ann := bottest.People["ann"]
	asks := func(line string) bot.Reply {
		req := w.Request(ann, line)
		req.Locale, req.Home, req.Manager = "de", "test:house", true
		return w.Host.Handle(t.Context(), req)
	}
	var read strings.Builder // all text read
	take := func() {
		synctest.Wait()
		for _, m := range w.Posts.Take() {
			fmt.Fprintln(&read, m.Text, m.Line)
			for _, b := range m.Buttons {
				fmt.Fprintln(&read, b.Label)
			}
			if m.Picture != nil {
				fmt.Fprintln(&read, m.Picture.Alt)
			}
		}
		for _, line := range []string{"/history", "/board", "/rack"} {
			fmt.Fprintln(&read, asks(line).Text)
		}
		if sight, err := w.Host.Sight(t.Context(), bot.Request{Channel: featuretest.Parlour, User: ann, Locale: "de"}); err == nil {
			fmt.Fprintln(&read, sight.Scene)
		}
	}
	asks("/settings for:channel speak:de")
	asks("/new beginner beginner easy rules:rulebook seats:4")
	for turn := range 200 {
		take()
		s, err := game.Replay(featuretest.Events(t, w.Config.Store, featuretest.Parlour))
		gametest.Must(t, err)
		if s.Phase == game.Over {
			for i, name := range map[game.PlayerID]string{"robot:beginner": "Beginner (robot)", "robot:beginner:2": "Beginner 2 (robot)", "robot:easy": "Easy (robot)"} {
				if seat, ok := s.SeatOf(i); !ok || s.Seats[seat].Person.Name != name {
					t.Errorf("%s isn't kept as %s", i, name)
				}
			}
			break
		}
		if turn == 199 {
			t.Fatal("the game doesn't end")
		}
		seat, _ := s.SeatOf(ann.ID)
		if r := asks(featuretest.SomePlay(t, s, s.Seats[seat].Rack)); r.Refused {
			asks("/pass")
		}
	}
	for line := range strings.Lines(read.String()) {
		if strings.Contains(line, "(robot)") {
			t.Errorf("in English: %s", line)
		}
	}
	for _, name := range []string{"Anfänger (Roboter)", "Anfänger 2 (Roboter)", "Leicht (Roboter)"} {
		if !strings.Contains(read.String(), name) {
			t.Errorf("nobody is called %s", name)
		}
	}
	german, _ := locales.ByCode("de")
	for _, l := range robot.Levels() {
		tenth := bot.User{ID: game.RobotPrefix + game.PlayerID(l.Name) + ":10"}
		for _, to := range locales.All() {
			if name := text.PlainNameIn(to, tenth); len([]rune(name)) > bot.MaxName {
				t.Errorf("%s is long in %s", name, to.Code())
			}
		}
		if name := text.PlainNameIn(german, tenth); strings.EqualFold(strings.Fields(name)[0], l.Name) {
			t.Errorf("%s is called %s in German", l.Name, name)
		}
	}
}
