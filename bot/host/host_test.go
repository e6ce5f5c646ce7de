package host_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

// TestRepeatAfterNextTable checks that a request that is repeated after its channel's next table has
// begun gets its first answer and changes nothing there.
func TestRepeatAfterNextTable(t *testing.T) {
	w := newWorld(t)
	ann, bob := bottest.People["ann"], bottest.People["bob"]
	does := func(who bot.User, line string) (bot.Request, string) {
		req := w.Request(who, line)
		return req, featuretest.ReplySaid(w.Host.Handle(t.Context(), req))
	}
	var reqs []bot.Request
	var first []string
	for _, step := range []struct {
		who  bot.User
		line string
	}{{ann, "/new seats:2"}, {bob, "/join"}, {bob, "/play zzz 8h"}, {ann, "/pass"}, {bob, "/pass"}} {
		req, said := does(step.who, step.line)
		reqs, first = append(reqs, req), append(first, said)
	}
	for who := range 2 { // one of them resigns, so that the table is free
		s, _ := w.Replayed(featuretest.Parlour)
		ask := w.Does([]bot.User{ann, bob}[who], "/resign")
		if s.Phase == game.Playing && len(ask.Buttons) > 0 {
			req, _ := bot.Request{ID: fmt.Sprint("yes", who), Channel: featuretest.Parlour, User: []bot.User{ann, bob}[who]}.Press(ask.Buttons[0].ID)
			w.Host.Handle(t.Context(), req)
		}
	}
	if r := w.Does(ann, "/new seats:2"); r.Refused {
		t.Fatalf("no next table: %s", r.Text)
	}
	before := len(featuretest.Events(t, w.Config.Store, featuretest.Parlour))
	for i, req := range reqs {
		if again := featuretest.ReplySaid(w.Host.Handle(t.Context(), req)); again != first[i] {
			t.Errorf("/%s again:\n%s\nfirst:\n%s", req.Command, again, first[i])
		}
	}
	if after := len(featuretest.Events(t, w.Config.Store, featuretest.Parlour)); after != before {
		t.Errorf("repeats made %d events %d at the next table", before, after)
	}
}

// TestManyCommandsAtOnce sends two hundred commands at once to one table, each twice, through two hosts
// over one store. The log has no gap, and contains each carried-out request once.
func TestManyCommandsAtOnce(t *testing.T) {
	t.Run("memory", func(t *testing.T) { manyAtOnce(t, memory.New()) })
	t.Run("bolt", func(t *testing.T) {
		db, err := bolt.Open(filepath.Join(t.TempDir(), "tables"), time.Now)
		gametest.Must(t, err)
		defer db.Close()
		manyAtOnce(t, db)
	})
}

func manyAtOnce(t *testing.T, store bot.Store) {
	log := bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "single", []string{"bag:" + strings.Repeat("ERS", 20), "ann:HORNSA?", "bob:FARMQI?", "cat:QITAXES", "dan:ZOOVEXY"})
	f := log[0].Fact.(game.Opened)
	f.Rules.ScorelessTurns = 0
	log[0].Fact = f
	featuretest.Put(t, store, featuretest.Parlour, log)
	one := newWorld(t, func(c *host.Config) { c.Store = store })
	hosts := []*host.Host{one.Host, host.New(one.Config)}

	players := []bot.User{bottest.People["ann"], bottest.People["bob"], bottest.People["cat"], bottest.People["dan"], bottest.People["eve"]}
	lines := []string{"/pass", "/pass", "/exchange e", "/play horn 8h", "/challenge", "/try qi 8h", "/rack", "/exchange s"}
	var all sync.WaitGroup
	var mu sync.Mutex
	replies := map[string][]bot.Reply{}
	for i := range 200 {
		req := bot.Request{ID: fmt.Sprint("n", i), Channel: featuretest.Parlour, User: players[i%len(players)]}
		req.Command, req.Args, _ = features.Commands().ParseLine(lines[i%len(lines)], nil)
		if req.Command == "pass" {
			req.Args["sure"] = "true"
		}
		for _, h := range hosts {
			all.Go(func() {
				r := h.Handle(t.Context(), req)
				mu.Lock()
				defer mu.Unlock()
				replies[req.ID] = append(replies[req.ID], r)
			})
		}
	}
	all.Wait()

	got := featuretest.Events(t, store, featuretest.Parlour)
	if _, err := game.Replay(got); err != nil {
		t.Fatal(err) // a gap, or tiles that weren't there
	}
	caused := map[string]int{}
	for _, e := range got[len(log):] {
		caused[e.Cause]++
	}
	for id, n := range caused {
		if n != 1 {
			t.Errorf("request %s is in the log %d times", id, n)
		}
	}
	if len(caused) < 5 {
		t.Errorf("only %d of 200 requests did anything", len(caused))
	}
	for id, rs := range replies {
		if command := lines[mustAtoi(id[1:])%len(lines)]; command == "/rack" || strings.HasPrefix(command, "/try") {
			continue
		}
		if len(rs) != 2 || !reflect.DeepEqual(rs[0], rs[1]) {
			t.Errorf("request %s was answered\n%v\n%v", id, rs[0].Text, rs[1].Text)
		}
		if rs[0].Refused == (caused[id] > 0) {
			t.Errorf("request %s: refused is %v, and it is in the log %d times", id, rs[0].Refused, caused[id])
		}
	}
}

func mustAtoi(s string) (n int) {
	fmt.Sscan(s, &n)
	return n
}

// A failing store fails on demand.
type failing struct {
	bot.Store
	update, table, events error
	panics                bool
}

func (f *failing) Update(ctx context.Context, ch bot.ChannelID, request string, fn func(*bot.Room) error) error {
	if f.panics {
		return f.Store.Update(ctx, ch, request, func(r *bot.Room) error {
			if err := fn(r); err != nil {
				return err
			}
			panic("index out of range")
		})
	}
	if f.update != nil {
		return f.update
	}
	return f.Store.Update(ctx, ch, request, fn)
}

func (f *failing) Table(ctx context.Context, ch bot.ChannelID) (bot.TableID, []game.Event, error) {
	if f.table != nil {
		return 0, nil, f.table
	}
	return f.Store.Table(ctx, ch)
}

func (f *failing) Events(ctx context.Context, id bot.TableID, n int) (bot.ChannelID, []game.Event, error) {
	if f.events != nil {
		return "", nil, f.events
	}
	return f.Store.Events(ctx, id, n)
}

func TestStoreFails(t *testing.T) {
	disk := errors.New("input/output error on /var/lib/rackmate")
	for name, c := range map[string]struct {
		line    string
		fail    failing
		changed bool // by the same request, before the store fails
	}{
		"changing":    {"/pass", failing{update: disk}, false},
		"looking":     {"/board", failing{table: disk}, false},
		"a panic":     {"/pass", failing{panics: true}, false},
		"asked again": {"/pass", failing{events: disk}, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.Passes(featuretest.Parlour, 2)
			before := len(featuretest.Events(t, w.Config.Store, featuretest.Parlour))
			req := w.Request(bottest.People["ann"], c.line)
			if c.changed {
				w.Host.Handle(t.Context(), req)
			}
			c.fail.Store = w.Config.Store
			w.Host.Store = &c.fail
			r := w.Host.Handle(t.Context(), req)
			text := r.Text.String()
			if strings.Contains(text, "disk") || strings.Contains(text, "/var") || strings.Contains(text, "index") {
				t.Errorf("people read %q", text)
			}
			if r.Refused == c.changed || strings.Contains(text, "nothing was changed") == c.changed {
				t.Errorf("refused %v: %s", r.Refused, text)
			}
			if after := len(featuretest.Events(t, w.Config.Store, featuretest.Parlour)); (after > before) != c.changed {
				t.Errorf("%d events became %d", before, after)
			}
			if log := w.Log.String(); !strings.Contains(log, "level=ERROR") || !c.changed && !strings.Contains(log, "request="+bot.Request{ID: "r1"}.Reference()) {
				t.Errorf("the operator reads\n%s", log)
			}
		})
	}
}

// A person who leaves before they are answered causes no failure of the host.
func TestAbandonedCommandIsNoFailure(t *testing.T) {
	w := newWorld(t)
	w.Passes(featuretest.Parlour, 2)
	ctx, leave := context.WithCancel(t.Context())
	leave()
	before := len(featuretest.Events(t, w.Config.Store, featuretest.Parlour))
	r := w.Host.Handle(ctx, w.Request(bottest.People["ann"], "/pass"))
	if !r.Refused || strings.Contains(r.Text.String(), "went wrong") {
		t.Errorf("the answer is %q", r.Text)
	}
	if log := w.Log.String(); strings.Contains(log, "level=ERROR") {
		t.Errorf("the operator reads\n%s", log)
	}
	if after := len(featuretest.Events(t, w.Config.Store, featuretest.Parlour)); after != before {
		t.Errorf("%d events became %d", before, after)
	}
}

func TestNoRandomnessNoTable(t *testing.T) {
	w := newWorld(t, func(c *host.Config) { c.Random = strings.NewReader("short") })
	if r := w.Does(bottest.People["ann"], "/new"); !r.Refused || len(featuretest.Events(t, w.Config.Store, featuretest.Parlour)) > 0 {
		t.Errorf("%s", r.Text)
	}
	if !strings.Contains(w.Log.String(), io.ErrUnexpectedEOF.Error()) {
		t.Errorf("the log:\n%s", w.Log.String())
	}
}

// TestNamesFitIntoSentences checks that any name fits.
func TestNamesFitIntoSentences(t *testing.T) {
	for given, want := range map[string]string{
		"Ann":                     "Ann",
		"":                        "Somebody",
		" \t\n":                   "Somebody",
		"Dr. Ann\n\n@everyone":    "Dr. Ann @everyone",
		"a\u202eb":                "a b",
		strings.Repeat("ÄÖ", 100): strings.Repeat("ÄÖ", 15) + "Ä…",
	} {
		w := newWorld(t)
		if r := w.Does(bot.User{ID: "test:x", Name: given}, "/new"); r.Refused {
			t.Fatal(r.Text)
		}
		if got := featuretest.Events(t, w.Config.Store, featuretest.Parlour)[0].Fact.(game.Opened).Host.Name; got != want {
			t.Errorf("%q became %q, want %q", given, got, want)
		}
	}
}

// TestRenamedPlayerKeepsSeat checks that people who rename themselves keep their seats.
func TestRenamedPlayerKeepsSeat(t *testing.T) {
	w := newWorld(t)
	w.Passes(featuretest.Parlour, 0)
	if r := w.Does(bot.User{ID: bottest.People["ann"].ID, Name: "Annabel"}, "/pass"); r.Refused {
		t.Error(r.Text)
	}
}

// TestTableKeepsListAndTiles checks that a table keeps what it was opened with, whatever the host
// offers now.
func TestTableKeepsListAndTiles(t *testing.T) {
	list := func(name string, a *lexicon.Alphabet, words string) *lexicon.Lexicon {
		l, err := lexicon.Build(name, a, strings.NewReader(words))
		gametest.Must(t, err)
		return l
	}
	dutch, err := game.NewTileSet("dutch", []game.Kind{{Text: "A", Count: 9, Value: 1, Vowel: true}, {Text: "IJ", Count: 9, Value: 4, Vowel: true}, {Text: "N", Count: 9, Value: 1}}, game.Kind{Text: "?", Count: 2})
	gametest.Must(t, err)
	english := featuretest.Equipment(t).Tiles.Alphabet()
	w := newWorld(t, func(c *host.Config) {
		c.Lexicons = []*lexicon.Lexicon{list("nl", dutch.Alphabet(), "AIJN\nNIJN\n"), bottest.Small(t), list("en-clean", english, "HORN\n")}
		c.Platforms = func() []bot.Platform { return []bot.Platform{{Name: "test", Lexicon: "en-clean"}} }
	})
	// Only lists spelled with the host's tiles are offered.
	var offered []string
	for _, c := range w.Host.Complete(t.Context(), bot.Request{Channel: featuretest.Parlour, Command: "new"}, "lexicon") {
		offered = append(offered, c.Value)
	}
	if got := strings.Join(offered, " "); got != "small en-clean" {
		t.Errorf("offered: %s", got)
	}
	if r := w.Does(bottest.People["ann"], "/new lexicon:nl"); !r.Refused {
		t.Error("a Dutch list with English tiles")
	}
	if r := w.Does(bottest.People["ann"], "/new"); r.Refused {
		t.Fatal(r.Text)
	}
	if got := featuretest.Events(t, w.Config.Store, featuretest.Parlour)[0].Fact.(game.Opened).Lexicon.Name; got != "en-clean" {
		t.Errorf("the platform's list is %s", got)
	}
	// A Dutch table from an earlier version.
	log := bottest.Dealt(t, "", "classic", "void", []string{"bag:", "ann:HORN", "bob:HORN"})
	f := log[0].Fact.(game.Opened)
	f.Equipment.Tiles, f.Lexicon = dutch, game.LexiconID{Name: "nl", Hash: "of an older version"}
	log[0].Fact = f
	tiles := gametest.Tiles(t, f.Equipment, "NN[IJ]A?")
	d := log[len(log)-1].Fact.(game.Dealt)
	d.Racks = []game.Tiles{tiles, tiles}
	log[len(log)-1].Fact = d
	featuretest.Put(t, w.Config.Store, "test:dutch", log)
	req := bot.Request{ID: "dutch", Channel: "test:dutch", User: bottest.People["ann"], Command: "play", Args: map[string]string{"word": "nijn", "at": "8h"}}
	r := w.Host.Handle(t.Context(), req)
	if want := "Your rack: A ?"; !strings.HasPrefix(r.Text.String(), want) {
		t.Errorf("%s, want %s", r.Text, want)
	}
	req.ID, req.User, req.Args = "phony", bottest.People["bob"], map[string]string{"word": "ann", "at": "j8"}
	if r := w.Host.Handle(t.Context(), req); !r.Refused || !strings.Contains(r.Text.String(), "J8 needs an N on J10") && !strings.Contains(r.Text.String(), "already there") {
		t.Errorf("%s", r.Text)
	}
}

// TestTextsFitPlatforms tries long names, long words and long games.
func TestTextsFitPlatforms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.Run()
		long := func(who string) bot.User {
			return bot.User{ID: bottest.People[who].ID, Name: strings.Repeat(who+" ", 40)}
		}
		for i, line := range []string{"/new challenge:triple rules:club seats:4", "/join", "/join", "/join"} {
			if r := w.Does(long([]string{"ann", "bob", "cat", "dan"}[i]), line); r.Refused {
				t.Fatal(r.Text)
			}
		}
		log := featuretest.Events(t, w.Config.Store, featuretest.Parlour)
		s, err := game.Replay(log)
		if err != nil || s.Phase != game.Playing {
			t.Fatal(err, s.Phase)
		}
		// Four players, and the end is far away.
		for i := range 150 {
			s, _ = game.Replay(featuretest.Events(t, w.Config.Store, featuretest.Parlour))
			if s.Phase != game.Playing {
				break
			}
			seat := s.Seats[s.Turn]
			line := "/exchange " + s.Equipment.Tiles.Print(seat.Rack)
			if i%5 == 4 {
				line = shortPlay(t, s)
			}
			if r := w.Does(seat.Person, line); r.Refused {
				if r = w.Does(seat.Person, "/pass"); r.Refused {
					t.Fatal(r.Text)
				}
			}
		}
		synctest.Wait()
		for _, m := range w.Posts.Take() {
			if n := len([]rune(m.Text.String())); n > 2000 {
				t.Errorf("a post of %d characters:\n%s", n, m.Text)
			}
		}
		history := w.Does(bottest.People["eve"], "/history")
		lines := strings.Count(history.Text.String(), "\n") + 1
		if len(history.Files) != 1 || strings.Count(string(history.Files[0].Data), "\n") < lines {
			t.Errorf("%d lines of history, %d files", lines, len(history.Files))
		}
		for _, r := range []bot.Reply{history, w.Does(bottest.People["eve"], "/board text"), w.Does(bottest.People["eve"], "/unseen"), w.Does(bottest.People["eve"], "/check "+strings.Repeat("pneumonoultramicroscopicsilicovolcanoconiosis ", 40)), w.Does(bottest.People["eve"], "/help"), w.Does(bottest.People["eve"], "/help new")} {
			if n := len([]rune(r.Text.String())); n > 2000 {
				t.Errorf("a reply of %d characters:\n%s", n, r.Text)
			}
		}
	})
}

// shortPlay returns some play of two letters that fits, or a pass.
func shortPlay(t *testing.T, s game.State) string {
	set := s.Equipment.Tiles
	rack := s.Seats[s.Turn].Rack
	for i := range len(rack) {
		for l := range set.Alphabet().Len() {
			first := set.Alphabet().Text(lexicon.Letter(l + 1))
			word, err := game.ParseSpelling(set, first+set.Alphabet().Text(rack.At(i).Letter()))
			if err != nil {
				continue
			}
			if spots := s.Rules.Spots(s.Equipment, &s.Board, rack, word, nil); len(spots) > 0 {
				return fmt.Sprintf("/play %s%s %s", first, set.Alphabet().Text(rack.At(i).Letter()), spots[0].Move.At.At(spots[0].Move.Dir))
			}
		}
	}
	return "/pass"
}
