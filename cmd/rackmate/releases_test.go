package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/bot/store/postgres/pgtest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

// TestReleasesBesideThis starts earlier releases on a file or database with everything that this
// program writes. Each must either refuse it with a clear sentence and change nothing, or serve it
// so that everything it didn't change itself is still there when this program comes back.
func TestReleasesBesideThis(t *testing.T) {
	if !gametest.Long() {
		t.Skip("it builds other releases: with -long")
	}
	written := map[string]map[int]everything{}
	for _, kind := range []string{"file", "database"} {
		written[kind] = map[int]everything{record.Dialect: everythingIn(t, kind, record.Dialect), 1: everythingIn(t, kind, 1)}
	}
	for _, line := range releases(t) {
		commit, what, _ := strings.Cut(line, " ")
		t.Run(commit, func(t *testing.T) {
			program := release(t, commit)
			t.Logf("%s: %s", commit, what)
			for kind, of := range written {
				t.Run(kind, func(t *testing.T) {
					if served := besideRelease(t, program, of[record.Dialect]); !served {
						// It may serve a store without events that it can't read.
						besideRelease(t, program, of[1])
					}
				})
			}
		})
	}
}

// releases returns the commits that hosts ran, oldest first, each with its description.
func releases(t *testing.T) (all []string) {
	t.Helper()
	list, err := os.ReadFile("testdata/releases.txt")
	gametest.Must(t, err)
	for line := range strings.Lines(string(list)) {
		if !strings.HasPrefix(line, "#") {
			all = append(all, strings.TrimSpace(line))
		}
	}
	return all
}

// release builds the program of a commit.
func release(t *testing.T, commit string) (program string) {
	t.Helper()
	if err := exec.Command("git", "cat-file", "-e", commit+"^{commit}").Run(); err != nil {
		t.Skipf("this copy of the repository doesn't have commit %s, so that it can't be built: git fetch --unshallow gets it (%v)", commit, err)
	}
	source := t.TempDir()
	program = filepath.Join(source, "rackmate-"+commit)
	for _, step := range []*exec.Cmd{
		exec.Command("git", "-C", "../..", "archive", "-o", filepath.Join(source, "source.tar"), commit),
		exec.Command("tar", "-x", "-C", source, "-f", filepath.Join(source, "source.tar")),
		exec.Command("go", "build", "-C", source, "-trimpath", "-buildvcs=false", "-o", program, "./cmd/rackmate"),
	} {
		if out, err := step.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", step.Args, err, out)
		}
	}
	return program
}

// An everything value is a file or database with all that this program writes in a dialect and
// those below it, and which it has served since. Ann has entered its room and is its keeper.
type everything struct {
	data    string
	dialect int
	ann     *visitor
	records records
}

// everythingIn creates such a file or database.
func everythingIn(t *testing.T, kind string, dialect int) everything {
	t.Helper()
	data := filepath.Join(t.TempDir(), "rackmate.db")
	if kind == "database" {
		data = pgtest.Shared(t).Database(t)
	}
	s := &server{t: t, data: data}
	s.start()
	ann := s.enter("Ann")
	s.stop()
	writeEverything(t, data, ann, dialect)
	// Let expired rows go before others get a copy.
	s.start()
	does(t, ann)
	if status, err := ann.post("/api/recovery", struct{}{}, nil); err != nil || status != http.StatusOK {
		t.Fatalf("a recovery code: status %d, %v", status, err)
	}
	s.stop()
	return everything{data, dialect, ann, recordsIn(t, data)}
}

// copied returns a copy for a release.
func (e everything) copied(t *testing.T) (data string) {
	t.Helper()
	if isURL(e.data) {
		pg := pgtest.Shared(t)
		data = pg.Database(t)
		for _, statement := range []string{"drop database " + pgtest.Name(data), "create database " + pgtest.Name(data) + " template " + pgtest.Name(e.data)} {
			gametest.Must(t, pg.SQL(statement))
		}
		return data
	}
	data = filepath.Join(t.TempDir(), "rackmate.db")
	for _, suffix := range []string{"", keySuffix} {
		b, err := os.ReadFile(e.data + suffix)
		if err == nil {
			err = os.WriteFile(data+suffix, b, 0o600)
		}
		gametest.Must(t, err)
	}
	return data
}

// does makes a person change rows of many shelves.
func does(t *testing.T, who *visitor) {
	t.Helper()
	for _, line := range []string{
		"/settings ping:silent", "/settings theme:dark for:channel", "/games", "/new seats:2",
		"/away 2", "/club join", "/stats", "/data", "/daily", "/league", "/tournament", "/words add qat", "/order", "good morning",
	} {
		var out struct{ Reply said }
		status, err := who.post("/api/say", map[string]string{"stream": "general", "id": who.nextID(), "text": line}, &out)
		if err != nil || status != http.StatusOK {
			t.Fatalf("%s: status %d, %v: %s", line, status, err, who.s.log)
		}
		if out.Reply.Refused {
			t.Logf("%s: %s", line, out.Reply)
		}
	}
}

// besideRelease starts another release on a copy of everything, and reports whether it served it.
func besideRelease(t *testing.T, program string, e everything) (served bool) {
	t.Helper()
	data := e.copied(t)
	other := &server{t: t, data: data, program: program}
	if err := other.begin(); err != nil {
		told := other.log.String()
		if !strings.Contains(told, "newer rackmate") {
			t.Errorf("it ends with %v, and says %q", err, told)
		}
		is := recordsIn(t, data)
		if lost, more := is.lack(e.records), e.records.lack(is); len(lost)+len(more) > 0 {
			t.Errorf("it refused, and has changed something: %v, %v", lost, more)
		}
		t.Logf("of dialect %d: it refuses: %s", e.dialect, strings.TrimSpace(told))
		return false
	}
	ann := *e.ann
	ann.s = other
	does(t, &ann)
	other.stop()
	after := &server{t: t, data: data}
	after.start()
	after.stop()
	if status, _, text := command(t, "", "check", data); status != 0 {
		t.Errorf("check: %s", text)
	}
	if lost := recordsIn(t, data).lack(e.records); len(lost) > 0 {
		t.Errorf("it was served, and these are lost: %s", strings.Join(lost, "\n"))
	}
	t.Logf("of dialect %d: it serves it, and %d records are there", e.dialect, len(e.records.all))
	return true
}

// newerKind is a kind of timer that no host knows.
const newerKind = "of a newer host"

// writeEverything writes rows of every shelf, every kind of fact, tables in each language, with
// each list and each option of /new, and each setting of people and channels.
func writeEverything(t *testing.T, data string, who *visitor, dialect int) {
	t.Helper()
	db, err := openDatabase(t.Context(), data, 0, time.Now)
	gametest.Must(t, err)
	defer db.Close()
	logs, err := filepath.Glob("../../game/record/testdata/v*.jsonl")
	if err != nil || len(logs) == 0 {
		t.Fatal(err)
	}
	for i, file := range logs {
		text, err := os.ReadFile(file)
		gametest.Must(t, err)
		lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
		if slices.ContainsFunc(lines, func(event []byte) bool { return record.DialectOf(event) > dialect }) {
			continue
		}
		events, err := record.UnmarshalLog(lines)
		gametest.Must(t, err)
		gametest.Must(t, db.Update(t.Context(), bot.ChannelID(fmt.Sprint("web:stored-", i)), "", func(r *bot.Room) error {
			r.Append = events
			r.Timers = []bot.Timer{{At: time.Now().Add(1000 * time.Hour), Kind: newerKind}}
			return nil
		}))
	}
	c := &serveConfig{}
	config, err := c.hostConfig(slog.New(slog.DiscardHandler))
	gametest.Must(t, err)
	config.Store, config.Notes = db, db.Notes(hostNotes)
	config.Platforms = func() []bot.Platform { return []bot.Platform{{Name: "web"}} }
	h := host.New(config)
	people, err := db.Notes("web").Keys(t.Context(), "people")
	if err != nil || len(people) != 1 {
		t.Fatal(people, err)
	}
	me := bot.User{ID: bot.PlayerID("web:" + people[0]), Name: who.name}
	gametest.Must(t, web.SetKeeper(t.Context(), db.Notes(web.Platform), who.name, true))
	shelves := writeShelves(t, db, me)
	n, done := 0, map[string]int{}
	do := func(ch bot.ChannelID, command string, args map[string]string) {
		n++
		r := h.Handle(t.Context(), bot.Request{ID: fmt.Sprint("everything ", n), Channel: ch, Home: "web:room", Manager: true, User: me, Command: command, Args: args})
		if !r.Refused {
			done[command]++
		}
	}
	planned := bot.ChannelID("web:planned")
	do(planned, "new", map[string]string{"seats": "2"})
	h.Handle(t.Context(), bot.Request{ID: "everything joined", Channel: planned, Home: "web:room", User: bot.User{ID: "web:dora", Name: "Dora"}, Command: "join"})
	writePlan(t, db, planned)
	for _, cmd := range features.Commands() {
		if cmd.Name != "settings" && cmd.Name != "new" {
			continue
		}
		for _, o := range cmd.Options {
			choices := slices.Clone(o.Choices)
			for _, typed := range []string{"yes", "22-7", "Europe/Berlin", "10m+5s", "2"} {
				choices = append(choices, bot.Choice{Value: typed})
			}
			if o.Completes {
				choices = append(choices, h.Complete(t.Context(), bot.Request{Channel: "web:general", Command: cmd.Name, Args: map[string]string{}}, o.Name)...)
			}
			for i, choice := range choices {
				if dialect < 2 && o.Name == "clock" && choice.Value != "on" {
					continue // clocks with an increment came with dialect 2
				}
				ch := bot.ChannelID(fmt.Sprint("web:", cmd.Name, "-", o.Name, "-", i))
				do(ch, cmd.Name, map[string]string{o.Name: choice.Value})
				if cmd.Name == "settings" {
					do(ch, cmd.Name, map[string]string{o.Name: choice.Value, "for": "channel"})
				}
			}
		}
	}
	for _, l := range config.Languages {
		do(bot.ChannelID("web:language-"+l.Code), "new", map[string]string{"language": l.Code})
	}
	for _, l := range config.Lexicons {
		do(bot.ChannelID("web:list-"+l.Name()), "new", map[string]string{"lexicon": l.Name()})
	}
	t.Logf("written: %v, and rows of %d shelves", done, shelves)
	if done["new"] < 60 || done["settings"] < 40 {
		t.Errorf("only %v were carried out", done)
	}
}

// adapterRows holds rows as the adapters write them, by platform, shelf and key. The room has its
// own rows about the people who entered.
var adapterRows = map[string]map[string]map[string]string{
	"discord": {
		"servers":  {"100": "2026-07-01T12:00:00Z"},
		"left":     {"user/200": "2026-07-01T12:00:00Z"},
		"session":  {"0/1": `{"id":"a","seq":7,"url":"wss://127.0.0.1:1","intents":1}`},
		"last":     {"300": `{"v":1,"key":"k","id":"400","call":"401"}`},
		"blocked":  {"300": "2026-07-01T12:00:00Z"},
		"direct":   {"200": "500"},
		"closed":   {"200": "2026-07-01T12:00:00Z"},
		"opened":   {"600": "700"},
		"tags":     {"800": `{"v":1}`},
		"launches": {"300": `{"v":1,"instance":"i","at":"2026-07-01T12:00:00Z","meant":{"200":{"table":1,"at":"2026-07-01T12:00:00Z"}}}`},
	},
	"slack": {
		"last":          {"slack:T1/C1": `{"v":1,"key":"k","ts":"1.2","file":"F1","live":"turn","table":1,"board":true,"board_key":"b"}`},
		"aside":         {"slack:T1/C1 r1": "1.2"},
		"direct":        {"slack:T1/U1": "D1"},
		"homes":         {"slack:T1/C1": "slack:T1"},
		"blocked":       {"slack:T1/C1": "2026-07-01T12:00:00Z"},
		"bookmarks":     {"slack:T1/C1": `{"v":1}`},
		"installations": {"slack:T1": "sealed"},
	},
}

// writeShelves writes the rows of the shelves that TestOldRowsCanBeRead reads, about a person in the
// room and others, and the adapters' rows.
func writeShelves(t *testing.T, db database, me bot.User) (shelves int) {
	t.Helper()
	b, err := os.ReadFile("../../bot/features/testdata/shelves.json")
	gametest.Must(t, err)
	var stored map[string]map[string]string
	gametest.Must(t, json.Unmarshal(b, &stored))
	here := strings.NewReplacer(
		"test:ann", string(me.ID), "test:home", "web:room", "test:house", "web:room", "test:parlour", "web:general", "test:", "web:",
		// These times haven't come, whenever the test runs.
		"2000-", "2096-", "2026-", "2096-",
	)
	// Any host drops these at once: a plan without a game, for which writePlan writes one that
	// stays, and a person to be erased.
	delete(stored, "plans")
	delete(stored, "leaving")
	for shelf, rows := range stored {
		for key, value := range rows {
			gametest.Must(t, db.Notes(hostNotes).Put(t.Context(), shelf, here.Replace(key), []byte(here.Replace(value))))
		}
	}
	for platform, stored := range adapterRows {
		for shelf, rows := range stored {
			for key, value := range rows {
				gametest.Must(t, db.Notes(platform).Put(t.Context(), shelf, key, []byte(value)))
			}
		}
	}
	return len(stored)
}

// writePlan writes a plan in a channel's game, for the player who isn't to move.
func writePlan(t *testing.T, db database, ch bot.ChannelID) {
	t.Helper()
	var key string
	gametest.Must(t, db.Update(t.Context(), ch, "", func(r *bot.Room) error {
		s, err := game.Replay(r.Events)
		if err != nil || s.Phase != game.Playing || len(s.Seats) != 2 {
			return fmt.Errorf("two are to play: %d seats, phase %v, %v", len(s.Seats), s.Phase, err)
		}
		key = fmt.Sprintf("%s\x00%016x\x00%s", ch, r.Table, s.Seats[1-s.Turn].Person.ID)
		return nil
	}))
	gametest.Must(t, db.Notes(hostNotes).Put(t.Context(), "plans", key, []byte(`{"v":1,"id":"r2","name":"Cat","word":"RE","at":"J8"}`)))
}

// A kept value is a record as it is stored.
type kept struct {
	of    string // identity without the value
	value string
}

type records struct{ all []kept }

func recordsIn(t *testing.T, data string) records {
	t.Helper()
	db, err := openData(t.Context(), data)
	gametest.Must(t, err)
	defer db.Close()
	return recordsOf(t, db)
}

func recordsOf(t *testing.T, db database) (all records) {
	t.Helper()
	gametest.Must(t, db.Records(context.Background(), func(r store.Record) error {
		var k kept
		switch r := r.(type) {
		case store.Table:
			k.of, k.value = fmt.Sprint("table ", r.ID, " in ", r.Channel), string(bytes.Join(r.Events, []byte("\n")))
		case store.Note:
			k.of, k.value = fmt.Sprintf("note %s %q %q", r.Adapter, r.Shelf, r.Key), string(r.Value)
		case store.Timer:
			if r.Kind != newerKind {
				return nil // it may have fired
			}
			k.of, k.value = fmt.Sprint("timer ", r.ID), fmt.Sprint(r.At.UTC(), r.Kind, r.Table)
		default:
			return nil
		}
		all.all = append(all.all, k)
		return nil
	}))
	return all
}

// lack returns what others has and r lacks: a record, the start of a table, or a field of a row.
func (r records) lack(others records) (lost []string) {
	is := map[string]string{}
	for _, k := range r.all {
		is[k.of] = k.value
	}
	for _, k := range others.all {
		now, there := is[k.of]
		var was, has map[string]json.RawMessage
		switch {
		case !there:
			lost = append(lost, k.of)
		case strings.HasPrefix(now, k.value):
		case json.Unmarshal([]byte(k.value), &was) == nil && json.Unmarshal([]byte(now), &has) == nil:
			for field := range was {
				if spoken := strings.HasPrefix(k.of, `note web "people"`) && field == "silent"; has[field] == nil && !spoken {
					lost = append(lost, k.of+": its field "+field)
				}
			}
		}
	}
	return lost
}
