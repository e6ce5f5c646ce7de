package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/store/postgres"
	"github.com/rackmate/rackmate/bot/store/postgres/pgtest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

var start = time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)

const den bot.ChannelID = "web:den"

func open(t testing.TB, url string) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), postgres.Config{URL: url, Connections: 4, Now: time.Now})
	gametest.Must(t, err)
	t.Cleanup(func() { db.Close() })
	return db
}

// post appends an event to a channel's table, with a post, a timer and a receipt.
func post(t testing.TB, db bot.Store, ch bot.ChannelID, request string) {
	t.Helper()
	gametest.Must(t, db.Update(t.Context(), ch, request, turn(t)))
}

func turn(t testing.TB) func(*bot.Room) error {
	log := gametest.Log(t, 60)
	return func(r *bot.Room) error {
		if r.Receipt != nil {
			return nil
		}
		n := len(r.Events)
		e := log[min(n, 30)]
		e.Number = n
		r.Append = []game.Event{e}
		r.Posts = []bot.Post{{From: n, To: n + 1}, {From: n, To: n + 1, For: "ann"}}
		r.Timers = []bot.Timer{{At: start}}
		r.Seated = []game.PlayerID{"ann", "bob"}
		r.File = &bot.Receipt{From: n, To: n + 1}
		return nil
	}
}

// The first host creates the tables; the others wait and find them.
func TestManyOpenEmptyDatabase(t *testing.T) {
	t.Parallel()
	url := pgtest.Shared(t).Database(t)
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			db, err := postgres.Open(t.Context(), postgres.Config{URL: url, Connections: 2, Now: time.Now})
			if err != nil {
				t.Error(err)
				return
			}
			db.Close()
		})
	}
	all.Wait()
}

// A host of the previous version goes on while newer ones take over, until they need more than it
// knows.
func TestRollingUpgrade(t *testing.T) {
	t.Parallel()
	url := database(t)
	open(t, url)
	change := changes(t, url)
	change("update meta set version = 99 where key = 'schema'")
	db := open(t, url)
	post(t, db, den, "r")
	change("update meta set version = 98 where key = 'needs'")
	_, err := postgres.Open(t.Context(), postgres.Config{URL: url, Now: time.Now})
	var newer *postgres.NewerError
	if !errors.As(err, &newer) || newer.Needs != 98 {
		t.Errorf("opening it gave %v, want a NewerError", err)
	}
}

// The first event in a dialect that older programs don't know keeps them out, even programs that
// don't check dialects yet.
func TestNewerDialect(t *testing.T) {
	url := database(t)
	db := open(t, url)
	post(t, db, den, "r")
	open(t, url)
	postgres.Dialect(t, record.Dialect+1)
	post(t, db, den, "r2")
	_, err := postgres.Open(t.Context(), postgres.Config{URL: url, Now: time.Now})
	var newer *postgres.NewerError
	if !errors.As(err, &newer) || newer.Needs != record.Dialect+1 {
		t.Errorf("opening it gave %v, want a NewerError", err)
	}
	changes(t, url)("do $$ begin assert (select version > 2 from meta where key = 'needs'); end $$")
}

// So does the first row of notes in such a dialect.
func TestNewerNotes(t *testing.T) {
	url := database(t)
	db := open(t, url)
	postgres.NoteDialect(t, "muted", record.Dialect+1)
	put := func(shelf string) {
		t.Helper()
		gametest.Must(t, db.Notes("host").Change(t.Context(), func(r bot.Rows) error { return r.Put(shelf, "eve", []byte("{}")) }))
	}
	put("settings")
	open(t, url)
	put("muted")
	_, err := postgres.Open(t.Context(), postgres.Config{URL: url, Now: time.Now})
	var newer *postgres.NewerError
	if !errors.As(err, &newer) || newer.Needs != record.Dialect+1 {
		t.Errorf("opening it gave %v, want a NewerError", err)
	}
}

// With two processes on one database, neither gets what the other has claimed, and each gets hints
// of the other's commits.
func TestTwoHostsShareDatabase(t *testing.T) {
	t.Parallel()
	url := database(t)
	a, b := open(t, url), open(t, url)
	ctx := t.Context()
	heard := make(chan bool, 1)
	watching, stop := context.WithCancel(ctx)
	var all sync.WaitGroup
	all.Go(func() {
		b.Watch(watching, func(ch bot.ChannelID) {
			if ch == den {
				select {
				case heard <- true:
				default:
				}
			}
		})
	})
	defer all.Wait()
	defer stop()
	for n := 0; ; n++ {
		post(t, a, den, fmt.Sprint(n))
		select {
		case <-heard:
		case <-time.After(200 * time.Millisecond):
			if n > 600 {
				t.Fatal("b never hears of a's commits")
			}
			continue
		}
		break
	}

	gametest.Must(t, errors.Join(a.Stay(ctx, "a", start.Add(time.Minute)), b.Stay(ctx, "b", start.Add(time.Minute))))
	mine, _, err := a.ClaimPosts(ctx, "a", "web", nil, start, 1)
	if err != nil || len(mine) != 1 {
		t.Fatal(mine, err)
	}
	theirs, _, err := b.ClaimPosts(ctx, "b", "web", nil, start, 9)
	if err != nil || len(theirs) != 1 || theirs[0].ID == mine[0].ID {
		t.Fatalf("b claims %+v after a has %+v (%v)", theirs, mine, err)
	}

	var updates sync.WaitGroup
	before := events(t, a)
	for i := range 40 {
		updates.Go(func() { post(t, []*postgres.DB{a, b}[i%2], den, fmt.Sprint("both ", i)) })
	}
	updates.Wait()
	if n := events(t, b) - before; n != 40 {
		t.Errorf("there are %d more events, want 40", n)
	}
}

// A process that leaves tells the others, which can claim at once what it had.
func TestLeavingIsHinted(t *testing.T) {
	t.Parallel()
	url := database(t)
	a, b := open(t, url), open(t, url)
	hints := make(chan bot.ChannelID, 100)
	watching, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() { b.Watch(watching, func(ch bot.ChannelID) { hints <- ch }) })
	defer all.Wait()
	defer stop()
	if ch := <-hints; ch != "" { // the next such hint that isn't about leaving comes five seconds later
		t.Fatalf("the first hint is about %q", ch)
	}
	gametest.Must(t, a.Leave(t.Context(), "a"))
	gametest.Must(t, a.Close())
	select {
	case ch := <-hints:
		if ch != "" {
			t.Errorf("the hint is about %q", ch)
		}
	case <-time.After(4 * time.Second):
		t.Error("there was no hint")
	}
}

// An open database already listens, so it misses none of the later hints.
func TestOpenDatabaseListens(t *testing.T) {
	t.Parallel()
	url := database(t)
	for i := range 10 {
		if n := postgres.Listening(t, open(t, url)); n != i+1 {
			t.Fatalf("%d of %d that are open listen", n, i+1)
		}
	}
}

func events(t testing.TB, db bot.Store) int {
	t.Helper()
	_, list, err := db.Table(t.Context(), den)
	gametest.Must(t, err)
	for n, e := range list {
		if e.Number != n {
			t.Fatalf("event %d has the number %d", n, e.Number)
		}
	}
	return len(list)
}

// A wire is a connection that counts its round trips: writes after a read. Hints don't count, since
// nothing waits for them.
type wire struct {
	net.Conn
	trips *atomic.Int64
	asked atomic.Bool
}

func (w *wire) Write(b []byte) (int, error) {
	if !bytes.Contains(b, []byte("pg_notify")) && !w.asked.Swap(true) {
		w.trips.Add(1)
	}
	return w.Conn.Write(b)
}

func (w *wire) Read(b []byte) (int, error) {
	n, err := w.Conn.Read(b)
	w.asked.Store(false)
	return n, err
}

// One round trip more than needed is a bug.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	var trips atomic.Int64
	db, err := postgres.Open(t.Context(), postgres.Config{URL: database(t), Connections: 2, Now: time.Now}.Through(
		func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
			return &wire{Conn: conn, trips: &trips}, err
		}))
	gametest.Must(t, err)
	t.Cleanup(func() { db.Close() })
	ctx, web := t.Context(), db.Notes("web")
	for i := range 20 {
		post(t, db, den, fmt.Sprint("before ", i))
	}
	must := func(err error) {
		t.Helper()
		gametest.Must(t, err)
	}
	must(db.Stay(ctx, "a", start.Add(time.Hour)))
	n := 0
	next := func() string { n++; return fmt.Sprint(n) }
	for _, c := range []struct {
		what string
		want int64
		do   func() error
	}{
		{"Update", 2, func() error { return db.Update(ctx, den, next(), turn(t)) }},
		{"Update that is refused", 2, func() error {
			db.Update(ctx, den, next(), func(*bot.Room) error { return errors.New("no") })
			return nil
		}},
		{"Table", 1, func() error { _, _, err := db.Table(ctx, den); return err }},
		{"Events", 1, func() error { _, _, err := db.Events(ctx, 1, 10); return err }},
		{"TablesPlayed", 1, func() error { _, err := db.TablesPlayed(ctx, "ann"); return err }},
		{"ClaimPosts and Sent", 2, func() error {
			posts, _, err := db.ClaimPosts(ctx, "a", "web", nil, start, 1)
			return errors.Join(err, db.RemovePost(ctx, posts[0]))
		}},
		{"ClaimTimers and Fired", 2, func() error {
			timers, _, err := db.ClaimTimers(ctx, "a", bot.Kinds{}, start, 1)
			return errors.Join(err, db.RemoveTimers(ctx, timers[0]))
		}},
		{"Stay", 1, func() error { return db.Stay(ctx, "a", start.Add(time.Hour)) }},
		{"Elect", 1, func() error { _, err := db.Elect(ctx, "a", "job", start); return err }},
		{"Get", 1, func() error { _, err := web.Get(ctx, "a", "b"); return err }},
		{"Put", 1, func() error { return web.Put(ctx, "a", "b", []byte("c")) }},
		{"an entry of a log", 2, func() error {
			key := next()
			return web.Change(bot.ReadTogether(ctx, "/say", key), func(rows bot.Rows) error {
				_, _, err := notes.Log("j").Add(rows, key, []byte("c"))
				return err
			})
		}},
		{"Scan", 1, func() error { _, err := notes.Log("j").Read(ctx, web, 0, 10); return err }},
		{"Change", 3, func() error {
			return web.Change(ctx, func(r bot.Rows) error {
				_, err := r.Get("a", "b")
				_, err1 := r.Get("a", "c")
				return errors.Join(err, err1, r.Put("a", "b", []byte("d")), r.Put("a", "c", []byte("d")))
			})
		}},
	} {
		// Take the minimum of several: the first run prepares the statement, and now and then hints
		// are sent or old rows purged.
		least := int64(99)
		for range 8 {
			before := trips.Load()
			must(c.do())
			least = min(least, trips.Load()-before)
		}
		if least != c.want {
			t.Errorf("%s takes %d round trips, want %d", c.what, least, c.want)
		}
	}
}

// The server crashes again and again. What was reported done is there, once.
func TestServerCrashes(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a server of its own")
	}
	s := pgtest.Start(t)
	db := open(t, s.Database(t))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var done [3]int
	turns := make(chan bool)
	var all sync.WaitGroup
	for i := range done {
		all.Go(func() {
			ch := bot.ChannelID(fmt.Sprint("web:", i))
			for ctx.Err() == nil {
				if err := db.Update(context.WithoutCancel(ctx), ch, fmt.Sprint("request ", done[i]), turn(t)); err != nil {
					t.Error(err)
					return
				}
				done[i]++
				select {
				case turns <- true:
				case <-ctx.Done():
				}
			}
		})
	}
	for range gametest.Share(3) {
		for range 12 {
			<-turns
		}
		gametest.Must(t, errors.Join(s.Stop(), s.Run()))
	}
	for range 6 {
		<-turns
	}
	stop()
	all.Wait()
	for i, want := range done {
		_, list, err := db.Table(t.Context(), bot.ChannelID(fmt.Sprint("web:", i)))
		if err != nil || len(list) != want || want == 0 {
			t.Errorf("channel %d has %d events, %d were reported (%v)", i, len(list), want, err)
		}
	}
}

// TestPostQueuedDuringDelivery delivers a post while a change that holds the room queues the
// next one. The next one must become the head of the queue, or it would wait for ever.
func TestPostQueuedDuringDelivery(t *testing.T) {
	t.Parallel()
	url := database(t)
	db, sql := open(t, url), changes(t, url)
	post(t, db, "web:den", "first")
	first, _, err := db.PendingPosts(t.Context(), "web", time.Now())
	gametest.Must(t, err)
	delivered := make(chan error, 1)
	var deliver sync.Once
	gametest.Must(t, db.Update(t.Context(), "web:den", "second", func(r *bot.Room) error {
		deliver.Do(func() {
			go func() {
				ctx, _ := bot.Delivering(t.Context(), first[0], nil)
				delivered <- db.Notes("web").Change(bot.Concluding(ctx), func(rows bot.Rows) error {
					return rows.Put("said", "first", []byte("hello"))
				})
			}()
			sql(`do $$ begin while not exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') loop
				perform pg_sleep(0.01), pg_stat_clear_snapshot();
			end loop; end $$`)
		})
		return turn(t)(r)
	}))
	gametest.Must(t, <-delivered)
	ready, _, err := db.PendingPosts(t.Context(), "web", time.Now())
	gametest.Must(t, err)
	for _, p := range ready {
		if p.For == first[0].For && p.From == 1 {
			return
		}
	}
	t.Errorf("the second post isn't among those ready: %+v", ready)
}
