package host_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/url"
	"path/filepath"
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
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
	"go.etcd.io/bbolt"
)

// quixotina has a name and an id that occur nowhere else.
var quixotina = bot.User{ID: "test:q-7341", Name: "Quixotina"}

// quixOld is quixotina under an earlier name, with characters that JSON and URLs escape.
var quixOld = bot.User{ID: quixotina.ID, Name: `Quix<"é&Löwe>`}

// quixFirst is quixotina under a name that she changes in a running game.
var quixFirst = bot.User{ID: quixotina.ID, Name: "Dulcinea"}

// forms returns the ways in which a name or an id may be written.
func forms(text string) (all []string) {
	quoted, _ := json.Marshal(text)
	var b bytes.Buffer
	plain := json.NewEncoder(&b)
	plain.SetEscapeHTML(false)
	plain.Encode(text)
	base := []string{text, string(quoted[1 : len(quoted)-1]), strings.Trim(b.String(), "\"\n"), url.QueryEscape(text), url.PathEscape(text), html.EscapeString(text), hex.EncodeToString([]byte(text))}
	for _, s := range base {
		all = append(all, s, strings.ToLower(s), strings.ToUpper(s))
	}
	for i := range 3 { // base64, at any offset in a longer text
		s := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("x", i) + text))
		all = append(all, s[(8*i+5)/6:len(s)-1])
	}
	return all
}

// traces returns the rows of a data file, in any bucket, that mention a person.
func traces(t *testing.T, path string, who bot.User) (found []string) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true, Timeout: time.Second})
	gametest.Must(t, err)
	defer db.Close()
	rows := 0
	if err := db.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(bucket []byte, b *bbolt.Bucket) error {
			return b.ForEach(func(k, v []byte) error {
				rows++
				for _, trace := range append(forms(string(who.ID)), forms(who.Name)...) {
					if bytes.Contains(k, []byte(trace)) || bytes.Contains(v, []byte(trace)) {
						found = append(found, fmt.Sprintf("%s %q: %s", bucket, k, v))
						break
					}
				}
				return nil
			})
		})
	}); err != nil || rows == 0 {
		t.Fatalf("%d rows: %v", rows, err)
	}
	return found
}

// A keeper is an adapter that stores people's names.
type keeper struct {
	book   map[game.PlayerID]string
	forgot []string // the erased names
}

func (k *keeper) Kept(_ context.Context, who game.PlayerID) (map[string]any, error) {
	return map[string]any{"name in the address book": k.book[who]}, nil
}

func (k *keeper) Forget(_ context.Context, who, former bot.User) error {
	delete(k.book, who.ID)
	k.forgot = append(k.forgot, who.Name)
	return nil
}

// life makes quixotina do everything that leaves a trace.
func life(t *testing.T, w *world) {
	t.Helper()
	q, ann, bob, cat := quixotina, bottest.People["ann"], bottest.People["bob"], bottest.People["cat"]
	do := func(ch bot.ChannelID, who bot.User, line string, invited ...bot.User) bot.Reply {
		t.Helper()
		req := w.Request(who, line)
		req.Channel, req.Home, req.People = ch, "test:house", invited
		r := w.Host.Handle(t.Context(), req)
		if r.Refused {
			t.Fatalf("%s in %s: %s: %s", who.Name, ch, line, r.Text)
		}
		for _, b := range r.Buttons {
			if strings.HasPrefix(b.Label.String(), "Yes") && line == "/resign" {
				again, _ := bot.Request{ID: "yes" + req.ID, Channel: ch, User: who, Home: req.Home}.Press(b.ID)
				w.Host.Handle(t.Context(), again)
			}
		}
		synctest.Wait()
		return r
	}
	sit := func(ch bot.ChannelID, others ...bot.User) {
		do(ch, others[0], "/new", others[1:]...)
		for _, who := range others[1:] {
			do(ch, who, "/join")
		}
	}
	turns := func(ch bot.ChannelID) {
		for range 4 {
			s, _ := w.Replayed(ch)
			do(ch, s.Seats[s.Turn].Person, "/pass")
		}
	}
	// Two finished games, one that counts and one resigned too early to count; one unfinished; one
	// whose table waits; one to which she was only invited.
	for i, ch := range []bot.ChannelID{"test:a", "test:b"} {
		q := []bot.User{quixOld, q}[i] // in between she changes her name
		sit(ch, []bot.User{q, ann}[i], []bot.User{ann, q}[i])
		if i == 0 {
			// Nobody challenges letters that form no words, and six scoreless turns end the game.
			s, _ := w.Replayed(ch)
			letters := strings.ReplaceAll(s.Equipment.Tiles.Print(s.Seats[s.Turn].Rack), "?", "")
			for line := "/play " + letters + " 8h"; line != ""; line = featuretest.Fills(s) {
				do(ch, s.Seats[s.Turn].Person, line)
				s, _ = w.Replayed(ch)
			}
			turns(ch)
			for range 2 {
				s, _ := w.Replayed(ch)
				do(ch, s.Seats[s.Turn].Person, "/pass")
			}
			continue
		}
		turns(ch)
		do(ch, q, "/resign")
	}
	sit("test:c", quixFirst, bob, cat)
	do("test:c", q, "/rack")
	turns("test:c")
	do("test:d", q, "/new seats:4")
	do("test:e", bob, "/new", q, cat)
	// A rematch of what she played under her old name; a seat that she takes over; a game of others
	// that she ends as a manager; an absence.
	do("test:a", ann, "/rematch")
	do("test:f", bob, "/new", cat, bottest.People["dan"])
	do("test:f", cat, "/join")
	do("test:f", bottest.People["dan"], "/join")
	manages := func(who bot.User, line string, people ...bot.User) {
		t.Helper()
		req := w.Request(who, line)
		req.Channel, req.Home, req.Manager, req.People = "test:f", "test:house", true, people
		if r := w.Host.Handle(t.Context(), req); r.Refused {
			t.Fatalf("%s: %s", line, r.Text)
		} else if len(r.Buttons) > 0 {
			req, _ = bot.Request{ID: "yes" + req.ID, Channel: "test:f", Home: req.Home, User: who, Manager: true}.Press(r.Buttons[0].ID)
			w.Host.Handle(t.Context(), req)
		}
		synctest.Wait()
	}
	manages(bottest.People["mod"], "/unseat @dan", bottest.People["dan"])
	do("test:f", q, "/adopt")
	nudger := bob
	if s, _ := w.Replayed("test:f"); s.Seats[s.Turn].Person.ID == bob.ID {
		nudger = cat
	}
	do("test:f", nudger, "/nudge")
	do("test:f", q, "/away 3")
	do("test:f", q, "/away back")
	do("test:g", bob, "/new seats:2")
	do("test:g", cat, "/join")
	do("test:f", q, "/resign")
	manages(q, "/settings for:server pace:none")
	stopped := w.Request(q, "/end")
	stopped.Channel, stopped.Home, stopped.Manager = "test:g", "test:house", true
	asked := w.Host.Handle(t.Context(), stopped)
	stopped, _ = bot.Request{ID: "yes" + stopped.ID, Channel: "test:g", Home: stopped.Home, User: q, Manager: true}.Press(asked.Buttons[0].ID)
	w.Host.Handle(t.Context(), stopped)
	synctest.Wait()
	if s, _ := w.Replayed("test:g"); s.End == nil || s.End.By.ID != q.ID {
		t.Fatal("she has not ended the game of others")
	}
	do("test:a", q, "/settings dm:off")
	do("test:a", q, "/top me:out")
	// A plan for her next turn in the unfinished game.
	t3, _, err := w.Config.Store.Table(t.Context(), "test:c")
	gametest.Must(t, err)
	plan := fmt.Sprintf("test:c\x00%016x\x00%s", uint64(t3), q.ID)
	gametest.Must(t, w.Config.Notes.Put(t.Context(), "plans", plan, []byte(`{"v":1,"id":"p","name":"Quixotina","word":"HORN","at":"8H"}`)))
	do("test:c", q, "/note Quixotina thinks that the Q is out")
	code := featuretest.LinkCode(t, do("test:a", q, "/link"))
	do("test:a", bottest.People["dan"], "/link "+code)
	do("test:a", q, "/link")
	time.Sleep(time.Hour)
	synctest.Wait()
}

func TestForgottenPersonIsErasedEverywhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "tables")
		db, err := bolt.Open(path, time.Now)
		gametest.Must(t, err)
		book := &keeper{book: map[game.PlayerID]string{quixotina.ID: quixotina.Name}}
		ctx, cancel := context.WithCancel(t.Context())
		w := newWorld(t, func(c *host.Config) {
			c.Store, c.Notes = db, db.Notes("host")
			c.Platforms = func() []bot.Platform { return []bot.Platform{{Name: "test", Keeper: book, CurrentNames: true}} }
		})
		runs := make(chan error, 2)
		go func() { runs <- w.Host.RunTimers(ctx) }()
		go func() { runs <- w.Host.Deliver(ctx, "test", &w.Posts) }()
		life(t, w)

		q, ann := quixotina, bottest.People["ann"]
		before := w.Does(ann, "/stats").Text.String()
		exportSays(t, w.Does(q, "/data export"))

		ask := w.Does(q, "/data delete")
		if !strings.Contains(ask.Text.String(), "1 game") || len(ask.Buttons) == 0 {
			t.Errorf("the question: %s", ask.Text)
		}
		req, _ := bot.Request{ID: "forget-her", Channel: featuretest.Parlour, User: q}.Press(ask.Buttons[0].ID)
		first := w.Host.Handle(t.Context(), req)
		again := w.Host.Handle(t.Context(), req)
		if first.Refused || featuretest.ReplySaid(first) != featuretest.ReplySaid(again) {
			t.Errorf("%s\nand again: %s", first.Text, again.Text)
		}
		synctest.Wait()
		time.Sleep(time.Hour)
		synctest.Wait()

		if s, _ := w.Replayed("test:c"); s.Phase != game.Playing || !s.Seats[0].Out || s.Seats[0].Person.Name != "former player" {
			t.Errorf("the game of three: %v, %+v", s.Phase, s.Seats[0])
		}
		if s, _ := w.Replayed("test:d"); s.Phase != game.Over {
			t.Errorf("the table that waited is in phase %v", s.Phase)
		}
		_, log := w.Replayed("test:b")
		proof, err := record.NewProof(log)
		gametest.Must(t, err)
		if draws, err := proof.Check(); err != nil || draws == 0 {
			t.Errorf("the proof of a finished game: %d draws, %v", draws, err)
		}
		if after := w.Does(ann, "/stats").Text.String(); after != before {
			t.Errorf("what Ann did was\n%s\nand is now\n%s", before, after)
		}
		if _, err := ladder.Recount(t.Context(), w.Config.Notes); err != nil {
			t.Fatal(err)
		}
		if after := w.Does(ann, "/stats").Text.String(); after != before {
			t.Errorf("counted anew, what Ann did was\n%s\nand is now\n%s", before, after)
		}
		for _, line := range []string{"/top channel", "/top records", "/history"} {
			req := w.Request(ann, line)
			req.Channel, req.Home = "test:a", "test:house"
			if r := w.Host.Handle(t.Context(), req); strings.Contains(featuretest.ReplySaid(r), q.Name) {
				t.Errorf("%s: %s", line, r.Text)
			}
		}
		if len(book.book) > 0 || !slices.Contains(book.forgot, quixOld.Name) || !slices.Contains(book.forgot, quixFirst.Name) || !slices.Contains(book.forgot, quixotina.Name) {
			t.Errorf("the adapter still has %v, and was told to forget %q", book.book, book.forgot)
		}
		if text := w.Does(bottest.People["dan"], "/link undo").Text.String(); !strings.Contains(text, "aren't linked") {
			t.Errorf("who was linked with her: %s", text)
		}
		cancel()
		<-runs
		<-runs
		gametest.Must(t, db.Close())
		for _, row := range slices.Concat(traces(t, path, q), traces(t, path, quixOld), traces(t, path, quixFirst)) {
			t.Errorf("still there: %.300s", row)
		}
		if len(traces(t, path, bottest.People["bob"])) == 0 {
			t.Error("there is no trace of Bob: the search finds nothing")
		}
	})
}

// exportSays checks the file of /data export.
func exportSays(t *testing.T, r bot.Reply) {
	t.Helper()
	if len(r.Files) != 1 {
		t.Fatalf("/data export: %s, %d files", r.Text, len(r.Files))
	}
	z, err := zip.NewReader(bytes.NewReader(r.Files[0].Data), int64(len(r.Files[0].Data)))
	gametest.Must(t, err)
	var data struct {
		Host     map[string]json.RawMessage
		Results  []json.RawMessage
		Games    []struct{ Seat, File string }
		Platform map[string]string
	}
	files := map[string]bool{}
	for _, f := range z.File {
		in, err := f.Open()
		gametest.Must(t, err)
		text, err := io.ReadAll(in)
		gametest.Must(t, err)
		files[f.Name] = true
		if f.Name == "data.json" {
			gametest.Must(t, json.Unmarshal(text, &data))
		} else if g, err := record.ParseGCG(text); err != nil || len(g.Turns) == 0 {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	seats := map[string]int{}
	for _, g := range data.Games {
		seats[g.Seat]++
		if g.File != "" && !files[g.File] {
			t.Errorf("%s is not in the file", g.File)
		}
	}
	if fmt.Sprint(seats) != "map[ended:1 invited:2 played:2 playing:3]" || len(data.Results) != 2 || data.Platform["name in the address book"] != quixotina.Name {
		t.Errorf("games %v, %d results, %v", seats, len(data.Results), data.Platform)
	}
	var shelves []string
	for key := range data.Host {
		shelf, _, _ := strings.Cut(key, " ")
		shelves = append(shelves, shelf)
	}
	slices.Sort(shelves)
	if got := strings.Join(slices.Compact(shelves), " "); got != "away codes earlier invitations links opened plans players scopes settings table-notes versus" {
		t.Errorf("the file has %s", got)
	}
}

// The next host completes an erasure that was interrupted.
func TestInterruptedErasureIsCompleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		store := &stumbling{Store: w.Config.Store}
		w.Config.Store = store
		w.Host = host.New(w.Config)
		ctx, cancel := context.WithCancel(t.Context())
		go w.Host.RunTimers(ctx)
		life(t, w)
		cancel()
		synctest.Wait()
		store.fail = true
		req := bot.Request{ID: "forget-her", Channel: featuretest.Parlour, User: quixotina, Command: "data", Args: map[string]string{"what": "forget"}}
		if r := w.Host.Handle(t.Context(), req); !r.Refused {
			t.Fatalf("it can't have been done: %s", r.Text)
		}
		store.fail = false
		next := host.New(w.Config)
		ctx, cancel = context.WithCancel(t.Context())
		defer cancel()
		go next.RunTimers(ctx)
		synctest.Wait()
		for key, value := range featuretest.StoredRows(t, w.Config.Notes, "settings", "links", "codes", "tries", "plans", "table-notes", "players", "versus", "scopes", "bests", "results", "leaving") {
			if strings.Contains(key+value, string(quixotina.ID)) || strings.Contains(value, quixotina.Name) {
				t.Errorf("still there: %s %s", key, value)
			}
		}
		if tables, err := w.Config.Store.TablesNaming(t.Context(), quixotina.ID); err != nil || len(tables) > 0 {
			t.Errorf("tables %v still name her (%v)", tables, err)
		}
	})
}

// A stumbling store can't rename.
type stumbling struct {
	bot.Store
	fail bool
}

func (s *stumbling) Rename(ctx context.Context, t bot.TableID, from game.PlayerID, to game.Person) error {
	if s.fail && t > 2 {
		return io.ErrUnexpectedEOF
	}
	return s.Store.Rename(ctx, t, from, to)
}
