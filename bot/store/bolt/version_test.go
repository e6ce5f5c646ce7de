package bolt_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

var write = flag.String("write", "", "write a data file of today's version to this .db.gz, for testdata")

// testdata has a data file of each version so far, furnished by furnish. They must stay readable
// for ever: never overwrite one, and add one with -write when the version increases.
func TestOldVersionsAreReadable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fresh := filepath.Join(dir, "fresh.db")
	furnish(t, fresh)
	if *write != "" {
		compress(t, *write, read(t, fresh))
	}
	t.Run("today's", func(t *testing.T) { inspect(t, fresh) })
	files, err := filepath.Glob("testdata/*.db.gz")
	if err != nil || len(files) < 1 {
		t.Fatalf("testdata has %d data files (%v), want one of each version", len(files), err)
	}
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			path := filepath.Join(dir, filepath.Base(file))
			gametest.Must(t, os.WriteFile(path, decompress(t, file), 0o600))
			inspect(t, path)
		})
	}
}

// games returns two short logs: a table that was closed, and a game that is written down here
// instead of being made by the rules, so that it never changes.
func games(t *testing.T) (closed, played []game.Event) {
	eq := gametest.Equipment(t)
	tiles := func(text string) game.Tiles { return gametest.Tiles(t, eq, text) }
	ann, bob := game.Person{ID: "ann", Name: "Ann"}, game.Person{ID: "bob", Name: "Bob 😀"}
	rules := game.Club()
	rules.DefaultSeats = 0     // that rule didn't exist then
	rules.Clock = game.Clock{} // there was no clock at first
	opened := game.Opened{
		Rules: rules, Equipment: eq, Lexicon: game.LexiconID{Name: "en", Hash: "f67eb9fb"},
		Secret: game.Secret{1, 2, 3, 255}, Host: ann, Seats: 2, Invited: []game.Person{bob},
	}
	horn, farm := gametest.Move(t, eq, "8G HoRN"), gametest.Move(t, eq, "G7 F.RM")
	facts := []game.Fact{
		opened, game.Joined{Person: ann}, game.Joined{Person: bob}, game.Started{},
		game.OrderDrawn{Seats: []int{0, 1}, Tiles: tiles("?C")},
		game.Dealt{First: 0, Racks: []game.Tiles{tiles("HRN?AEI"), tiles("FRMQUIZ")}},
		game.Played{Seat: 0, Move: horn, Words: []game.ScoredWord{{Tiles: horn.Tiles, At: horn.At, Dir: horn.Dir, Score: 12}}, Score: 12, Drew: tiles("SAT?")},
		game.Exchanged{Seat: 1, Put: tiles("QU"), Drew: tiles("AE")},
		game.Passed{Seat: 0},
		game.Played{Seat: 1, Move: farm, Words: []game.ScoredWord{{Tiles: tiles("FHRM"), At: farm.At, Dir: farm.Dir, Score: 9}}, Score: 9, Drew: tiles("OWE")},
		game.Challenged{By: 0, Player: 1, Words: []game.Tiles{tiles("FHRM")}, Invalid: []game.Tiles{tiles("FHRM")}},
		game.LastPlay{Until: start.Add(24 * time.Hour)},
		game.Resigned{Seat: 1},
		game.Ended{Reason: game.ResignationEnd, Racks: []game.Tiles{tiles("AEISAT?"), tiles("AEFIMRZ")}, Adjust: []int{0, 0}, Winners: []int{0}},
	}
	log := func(facts ...game.Fact) (events []game.Event) {
		for n, f := range facts {
			at := start.Add(time.Duration(n) * 61001 * time.Millisecond)
			events = append(events, game.Event{Number: n, At: at, Cause: fmt.Sprint("request-", n), Fact: f})
		}
		return events
	}
	return log(opened, game.Joined{Person: ann}, game.Closed{}), log(facts...)
}

// furnish creates a data file with something of everything.
func furnish(t *testing.T, path string) {
	db := open(t, path, atStart)
	defer db.Close()
	old, events := games(t)
	play(t, db, den, old)
	gametest.Must(t, db.Update(t.Context(), den, "request-7", func(r *bot.Room) error {
		r.Append = events
		r.Posts = []bot.Post{{From: 0, To: 7}, {From: 7, To: 14}, {From: 0, To: 14, For: "ann"}}
		r.Timers = []bot.Timer{{At: start.Add(time.Hour)}, {At: start.Add(time.Minute)}}
		r.Seated = []game.PlayerID{"ann", "bob"}
		r.File = &bot.Receipt{From: 0, To: 14}
		return nil
	}))
	posts, _, err := db.PendingPosts(t.Context(), "web", start)
	if err != nil || len(posts) != 2 {
		t.Fatal(posts, err)
	}
	_, _, err1 := add(t, db, "k1", "hello")
	_, _, err2 := add(t, db, "k2", "hello again")
	gametest.Must(t, errors.Join(
		err1, err2,
		db.Defer(t.Context(), posts[0], start.Add(time.Second)),
		db.Notes("web").Put(t.Context(), "seen", "ann", []byte("2")),
		db.Close(),
	))
}

// denLog is the log in a data file; until format 3 it was a journal.
const denLog = notes.Log("den")

// add adds an entry to it.
func add(t *testing.T, db *bolt.DB, key, entry string) (n uint64, added bool, err error) {
	err = db.Notes("web").Change(t.Context(), func(rows bot.Rows) (err error) {
		n, added, err = denLog.Add(rows, key, []byte(entry))
		return err
	})
	return n, added, err
}

// inspect checks what furnish stored.
func inspect(t *testing.T, path string) {
	db := open(t, path, atStart)
	ctx := t.Context()
	old, want := games(t)
	ch, events, err := db.Events(ctx, 1, -1)
	if err != nil || ch != den {
		t.Fatalf("table 1 is in %q, error %v", ch, err)
	}
	sameLog(t, "table 1", events, old)
	id, events, err := db.Table(ctx, den)
	if err != nil || id != 2 {
		t.Fatalf("the channel has table %d, error %v; want 2", id, err)
	}
	sameLog(t, "table 2", events, want)

	see := func(what string, got, want any, err error) {
		t.Helper()
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, error %v, want %+v", what, got, err, want)
		}
	}
	playing, err := db.TablesPlayed(ctx, "bob")
	see("where bob plays", playing, []bot.TableID{2}, err)
	named, err := db.TablesNaming(ctx, "bob")
	see("where bob is named", named, []bot.TableID{1, 2}, err)
	var receipt bot.Receipt
	err = db.Update(ctx, den, "request-7", func(r *bot.Room) error {
		if r.Receipt != nil {
			receipt = *r.Receipt
		}
		return nil
	})
	see("receipt", receipt, bot.Receipt{Table: 2, From: 0, To: 14}, err)

	posts, next, err := db.PendingPosts(ctx, "web", start)
	see("posts", posts, []bot.Post{{ID: 3, Channel: den, Table: 2, From: 0, To: 14, For: "ann"}}, err)
	see("next post", next, start.Add(time.Second), nil)
	posts, _, err = db.PendingPosts(ctx, "web", next)
	if len(posts) != 2 {
		t.Fatalf("posts a second later: %+v, %v", posts, err)
	}
	see("post postponed", posts[0], bot.Post{ID: 1, Channel: den, Table: 2, From: 0, To: 7, Tries: 1}, err)

	due, next, err := db.DueTimers(ctx, start.Add(time.Minute), 1000)
	see("timers", due, []bot.Timer{{ID: 2, At: start.Add(time.Minute), Channel: den, Table: 2}}, err)
	see("next timer", next, start.Add(time.Hour), nil)

	value, err := db.Notes("web").Get(ctx, "seen", "ann")
	see("note", string(value), "2", err)
	entries, err := denLog.Read(ctx, db.Notes("web"), 0, 9)
	see("entries", entries, []notes.Entry{{Number: 1, Data: []byte("hello")}, {Number: 2, Data: []byte("hello again")}}, err)
	n, added, err := add(t, db, "k1", "?")
	see("entry with a key that is there", fmt.Sprint(n, added), "1 false", err)
	n, added, err = add(t, db, "k3", "hello once more")
	see("another entry", fmt.Sprint(n, added), "3 true", err)

	// The store continues where it was.
	play(t, db, "web:new", want[:1])
	id, _, err = db.Table(ctx, "web:new")
	see("number of a new table", id, bot.TableID(3), err)
}

func compress(t *testing.T, path string, data []byte) {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(data)
	gametest.Must(t, errors.Join(err, w.Close(), os.WriteFile(path, b.Bytes(), 0o644)))
}

func decompress(t *testing.T, path string) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(read(t, path)))
	gametest.Must(t, err)
	data, err := io.ReadAll(r)
	gametest.Must(t, err)
	return data
}
