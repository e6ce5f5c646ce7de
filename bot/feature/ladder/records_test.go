package ladder_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot/features/featuretest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/feature/ladder"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// finished stores a number of finished games in channels of a store, with the timers that
// their ends set.
func finished(t *testing.T, store bot.Store, games int) {
	t.Helper()
	rules := featuretest.EveryRules()
	for i := range games {
		r := rules[i%len(rules)]
		r.Hints, r.Unrated = false, false
		log := gametest.RandomGame(t, uint64(i), 2+i%3, r)
		shift := time.Duration(i*29) * time.Hour
		for k := range log {
			log[k].At = log[k].At.Add(shift)
		}
		ch := bot.ChannelID(fmt.Sprint("test:channel", i%3))
		gametest.Must(t, store.Update(t.Context(), ch, "", func(r *bot.Room) error {
			r.Append = log
			for range 2 { // timers may fire twice
				r.Timers = append(r.Timers, bot.Timer{At: log[len(log)-1].At, Kind: "record"})
			}
			return nil
		}))
	}
}

func countedShelves() []string { return []string{"players", "versus", "scopes", "bests"} }

// Two hosts over one store count each game once, and a recount gives the same totals.
func TestGamesAreCountedOnce(t *testing.T) {
	db, err := bolt.Open(filepath.Join(t.TempDir(), "tables"), time.Now)
	gametest.Must(t, err)
	defer db.Close()
	const games = 24
	finished(t, db, games)
	clock := time.Now().AddDate(5, 0, 0)
	w := newWorld(t, func(c *host.Config) {
		c.Store, c.Notes, c.Now = db, db.Notes("host"), func() time.Time { return clock }
	})
	for i := range 3 {
		gametest.Must(t, w.Config.Notes.Put(t.Context(), "homes", fmt.Sprint("test:channel", i), []byte("test:house")))
	}
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for _, h := range []*host.Host{w.Host, host.New(w.Config)} {
		all.Go(func() { h.RunTimers(ctx) })
	}
	for deadline := time.Now().Add(3 * time.Minute); ; time.Sleep(time.Millisecond) {
		if due, _, err := db.DueTimers(t.Context(), clock, 1000); err != nil || time.Now().After(deadline) {
			t.Fatalf("%d timers are left: %v", len(due), err)
		} else if len(due) == 0 {
			break
		}
	}
	cancel()
	all.Wait()

	if n := len(featuretest.StoredRows(t, w.Config.Notes, "results")); n < games/2 {
		t.Fatalf("%d of %d games were counted; too many were over before everybody had a turn", n, games)
	}
	n, err := ladder.Recount(t.Context(), w.Config.Notes)
	if err != nil || n != len(featuretest.StoredRows(t, w.Config.Notes, "results")) {
		t.Fatalf("Recount: %d, %v", n, err)
	}
	inOrder := featuretest.StoredRows(t, w.Config.Notes, countedShelves()...)
	played := 0
	for key, value := range inOrder {
		if strings.HasPrefix(key, "bests home ") {
			fmt.Sscanf(value, `{"v":1,"games":%d,`, &played)
		}
	}
	early := 0
	for _, row := range featuretest.StoredRows(t, w.Config.Notes, "results") {
		if strings.Contains(row, `"early":true`) {
			early++
		}
	}
	if played != n-early {
		t.Errorf("the server has %d games, and %d results, %d of games that ended early", played, n, early)
	}

	// Counting the games one by one, in order of their ends, gives the same totals.
	again := newWorld(t, func(c *host.Config) { c.Now = w.Config.Now })
	finishedInOrder(t, w, again)
	if got := featuretest.StoredRows(t, again.Config.Notes, countedShelves()...); !maps.Equal(got, inOrder) {
		for key, want := range inOrder {
			if got[key] != want {
				t.Errorf("%s\n got %s\nwant %s", key, got[key], want)
			}
		}
		t.Errorf("%d rows, want %d", len(got), len(inOrder))
	}

	// A recount repairs damaged rows and keeps what people chose.
	for key := range inOrder {
		shelf, key, _ := strings.Cut(key, " ")
		if rand.IntN(2) == 0 && shelf != "players" {
			gametest.Must(t, w.Config.Notes.Put(t.Context(), shelf, strings.ReplaceAll(key, "|", "\x00"), []byte(`{"v":1}`)))
		}
	}
	gametest.Must(t, w.Config.Notes.Put(t.Context(), "scopes", "home test:house\x00test:nobody", []byte(`{"v":1}`)))
	if _, err := ladder.Recount(t.Context(), w.Config.Notes); err != nil {
		t.Fatal(err)
	}
	if got := featuretest.StoredRows(t, w.Config.Notes, countedShelves()...); !maps.Equal(got, inOrder) {
		t.Error("Recount didn't mend what was spoiled")
	}
}

// finishedInOrder copies one world's results into another and recounts them in order.
func finishedInOrder(t *testing.T, from, to *world) {
	t.Helper()
	for key, value := range featuretest.StoredRows(t, from.Config.Notes, "results", "homes") {
		shelf, key, _ := strings.Cut(key, " ")
		gametest.Must(t, to.Config.Notes.Put(t.Context(), shelf, key, []byte(value)))
	}
	if _, err := ladder.Recount(t.Context(), to.Config.Notes); err != nil {
		t.Fatal(err)
	}
}

// Games with robots, and games that hardly began, don't count.
func TestGamesThatDontCount(t *testing.T) {
	deal := func(change func(*game.Opened), who ...string) []game.Event {
		log := bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "single", append([]string{"bag:EEEEEEEE"}, who...))
		f := log[0].Fact.(game.Opened)
		if change != nil {
			change(&f)
		}
		log[0].Fact = f
		return log
	}
	robot := func(log []game.Event) []game.Event {
		log[2].Fact = game.Joined{Person: game.Person{ID: "robot:easy", Name: "Robot"}}
		return log
	}
	ends := func(log []game.Event, passes int) []game.Event {
		for i := range passes {
			log = append(log, game.Event{Number: len(log), At: log[0].At, Cause: fmt.Sprint("p", i), Fact: game.Passed{Seat: i % 2}})
		}
		return append(log,
			game.Event{Number: len(log), At: log[0].At, Cause: "r", Fact: game.Resigned{Seat: 1}},
			game.Event{Number: len(log) + 1, At: log[0].At, Cause: "r", Fact: game.Ended{Reason: game.ResignationEnd, Racks: make([]game.Tiles, 2), Adjust: []int{0, 0}, Winners: []int{0}}})
	}
	hinted := func(log []game.Event) []game.Event {
		return append(log, game.Event{Number: len(log), At: log[0].At, Cause: "r", Fact: game.Hinted{Seat: 0}})
	}
	for name, c := range map[string]struct {
		log   []game.Event
		games int
		rated bool
	}{
		"an ordinary game":      {featuretest.GameOver(t), 1, true},
		"one resigned early":    {ends(deal(nil, "ann:HORNSA?", "bob:FARMQI?"), 2), 1, false},
		"an unrated one":        {ends(deal(func(f *game.Opened) { f.Rules.Unrated, f.Rules.Hints = true, false }, "ann:HORNSA?", "bob:FARMQI?"), 2), 1, false},
		"one opened with hints": {ends(deal(func(f *game.Opened) { f.Rules.Unrated, f.Rules.Hints = true, true }, "ann:HORNSA?", "bob:FARMQI?"), 2), 0, false},
		"one with a hint taken": {ends(hinted(deal(nil, "ann:HORNSA?", "bob:FARMQI?")), 2), 0, false},
		"a variant":             {ends(deal(func(f *game.Opened) { f.Rules.Variant = "junior" }, "ann:HORNSA?", "bob:FARMQI?"), 2), 1, false},
		"one with a robot":      {ends(robot(deal(nil, "ann:HORNSA?", "bob:FARMQI?")), 2), 0, false},
		"one turn":              {ends(deal(nil, "ann:HORNSA?", "bob:FARMQI?"), 1), 0, false},
		"still being played":    {deal(nil, "ann:HORNSA?", "bob:FARMQI?"), 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				gametest.Must(t, w.Config.Store.Update(t.Context(), featuretest.Parlour, "", func(r *bot.Room) error {
					r.Append, r.Timers = c.log, []bot.Timer{{At: time.Now(), Kind: "record"}}
					return nil
				}))
				w.Run()
				synctest.Wait()
				if n := len(featuretest.StoredRows(t, w.Config.Notes, "results")); n != c.games {
					t.Errorf("%d games counted, want %d", n, c.games)
				}
				row := featuretest.StoredRows(t, w.Config.Notes, "players")["players test:ann"]
				if rated := bytes.Contains([]byte(row), []byte(`"ratings"`)); rated != c.rated {
					t.Errorf("rated is %v, want %v: %s", rated, c.rated, row)
				}
				if due, _, _ := w.Config.Store.DueTimers(t.Context(), time.Now(), 1000); len(due) > 0 {
					t.Errorf("the timer is still there: %+v", due)
				}
			})
		})
	}
}

// Stats count bingos, which are plays of all seven tiles, and phonies challenged off: the
// player's own and their opponents'.
func TestStatsCountBingosAndPhonies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sc := featuretest.NewScene(t)
		sc.Play(`
= deal classic single bag:EEEEEEEEEE ann:TRAINED bob:FARMSQ?
> ann: /play trained 8d
> bob: /play fqt d6
> ann: /challenge
> ann: /play dee j8
> bob: /challenge
> bob: /play farm f7
> ann: /pass
> bob: /pass
> ann: /pass
> bob: /pass
> ann: /pass
> bob: /pass
`)
		phonies := []string{"Phonies challenged off: 1 of their own, 1 of their opponents'.", "Opponents' phonies challenged off"}
		for name, want := range map[string][]string{
			"ann": append(phonies, "1 game, 1 won.", "1 bingo.", "Best play: TRAINED for 68.", "Longest word: TRAINED."),
			"bob": append(phonies, "1 game, 0 won.", "0 bingos."),
		} {
			r := sc.Does(bottest.People[name], "/stats")
			said := r.Text.String() + featuretest.AllText(r.Text, nil, nil, nil, nil)
			for _, part := range want {
				if !strings.Contains(said, part) {
					t.Errorf("%s's stats lack %q:\n%s", name, part, r.Text)
				}
			}
		}
	})
}

// Erasing a player leaves a former player in the results and records they shared, and keeps
// all of the others' data.
func TestFormerPlayersStayInResults(t *testing.T) {
	log := featuretest.GameOver(t)
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		for home, log := range map[string][]game.Event{"house": log, "inn": log} {
			ch := bot.ChannelID("test:" + home)
			gametest.Must(t, w.Config.Notes.Put(t.Context(), "homes", string(ch), []byte(home)))
			w.counted(ch, log)
		}
		w.Run()
		synctest.Wait()
		records := func(home string) string {
			return w.InHouse(bot.ChannelID("test:"+home), home, bottest.People["eve"], "/top records").Text.String()
		}
		before := records("house")
		if !strings.Contains(before, "by Ann") || !strings.Contains(before, "by Bob") {
			t.Fatalf("Ann and Bob don't both have records:\n%s", before)
		}
		gametest.Must(t, w.Host.Forget(t.Context(), bottest.People["bob"]))
		if got, want := records("house"), strings.ReplaceAll(before, "by Bob", "by former player"); got != want {
			t.Errorf("once Bob is forgotten the records are\n%s\nwant\n%s", got, want)
		}
		if got, err := profileOf(w.World, bottest.People["ann"]); err != nil || strings.Count(got, "| somebody ") != 2 || strings.Contains(got, "Bob") {
			t.Errorf("once Bob is forgotten Ann's page is\n%s\n%v", got, err)
		}
	})
}

// A game in a thread counts for the thread's parent channel.
func TestThreadGamesCountForChannel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.Run()
		const thread = bot.ChannelID("test:thread")
		req := w.Request(bottest.People["ann"], "/new seats:2 thread:true")
		req.Aside = func(context.Context, string) (bot.ChannelID, error) { return thread, nil }
		if r := w.Host.Handle(t.Context(), req); r.Refused {
			t.Fatal(r.Text)
		}
		w.On(thread, bottest.People["bob"], "/join")
		for range 2 {
			for _, who := range []string{"ann", "bob"} {
				w.On(thread, bottest.People[who], "/pass")
			}
		}
		resign, ok := bot.Request{ID: "press", Channel: thread, User: bottest.People["bob"]}.Press(w.On(thread, bottest.People["bob"], "/resign").Buttons[0].ID)
		if r := w.Host.Handle(t.Context(), resign); !ok || r.Refused {
			t.Fatal(r.Text)
		}
		w.counted(thread, featuretest.GameOver(t))
		time.Sleep(time.Minute)
		synctest.Wait()
		for _, ch := range []bot.ChannelID{featuretest.Parlour, thread} {
			if top := w.On(ch, bottest.People["eve"], "/top channel").Text.String(); !strings.Contains(top, "Ann") {
				t.Errorf("in %s: %s", ch, top)
			}
		}
	})
}
