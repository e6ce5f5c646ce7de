package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/game/gametest"
)

// A page is a listener without a socket.
type page struct {
	header  http.Header
	greeted atomic.Bool
	events  atomic.Int64
	retry   atomic.Int64 // milliseconds
}

var retryLine = regexp.MustCompile(`(?m)^retry: (\d+)$`)

func (p *page) Header() http.Header { return p.header }
func (p *page) WriteHeader(int)     {}
func (p *page) Flush()              {}
func (p *page) Write(b []byte) (int, error) {
	if strings.Contains(string(b[:min(len(b), 60)]), "event: hello") {
		p.greeted.Store(true)
	}
	p.events.Add(int64(strings.Count(string(b), "event: ")))
	if m := retryLine.FindSubmatch(b[:min(len(b), 40)]); m != nil {
		n, _ := strconv.ParseInt(string(m[1]), 10, 64)
		p.retry.Store(n)
	}
	return len(b), nil
}

// enterFrom enters from one of many addresses, since the number of entries from one address
// is limited.
func (s *site) enterFrom(i int, name string) *visitor {
	v := &visitor{site: s, Name: name}
	req := v.request("POST", "/api/enter", map[string]string{"name": name})
	req.RemoteAddr = fmt.Sprintf("10.1.%d.%d:1", i/40/250, i/40%250)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, req)
	var me struct{ ID string }
	decode(s.t, w, &me)
	v.ID, v.cookie = me.ID, strings.Split(w.Header().Get("Set-Cookie"), ";")[0]
	return v
}

// crowd lets many people enter.
func (s *site) crowd(n int) []*visitor {
	all := make([]*visitor, n)
	var entering sync.WaitGroup
	for part := range 32 {
		entering.Go(func() {
			for i := part; i < n; i += 32 {
				all[i] = s.enterFrom(i, fmt.Sprint("Guest ", i))
			}
		})
	}
	entering.Wait()
	return all
}

// onDisk opens a room stored in a file, which finds rows by their keys.
func onDisk(t testing.TB) *site {
	db, err := bolt.Open(filepath.Join(t.TempDir(), "rackmate.db"), time.Now)
	gametest.Must(t, err)
	t.Cleanup(func() { db.Close() })
	s := open(t)
	s.notes = db.Notes(web.Platform)
	s.restart()
	return s
}

// When many pages connect at once, as after a restart, all are greeted and none is cut off.
// Each receives few events, not one per person. When the room closes, their reconnects are
// spread over time.
func TestManyPages(t *testing.T) {
	t.Parallel()
	synctest.Test(t, manyPages)
}

func manyPages(t *testing.T) {
	s, n := open(t), gametest.Rounds(1000, 3000)
	if gametest.Longest() {
		s, n = onDisk(t), 10_000
	}
	people := s.crowd(n)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	pages := make([]*page, n)
	var open sync.WaitGroup
	began := time.Now()
	for i, v := range people {
		pages[i] = &page{header: http.Header{}}
		open.Go(func() { s.ServeHTTP(pages[i], v.request("GET", "/api/live", nil).WithContext(ctx)) })
	}
	for _, p := range pages {
		for !p.greeted.Load() {
			if time.Since(began) > 5*patience { // 10,000 pages take a busy machine minutes
				t.Fatal("not all are greeted")
			}
			time.Sleep(time.Millisecond)
		}
	}
	took := time.Since(began)
	people[0].say("general", "hello, all of you")
	for time.Sleep(2 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		late := 0
		for _, p := range pages {
			if p.events.Load() < 2 {
				late++
			}
		}
		if late == 0 {
			break
		}
	}
	most := int64(0)
	for _, p := range pages {
		most = max(most, p.events.Load())
	}
	// The first pages connect while few people are present, so they hear of each other.
	if limit := int64(60 + 10*time.Since(began).Seconds()); most > limit {
		t.Errorf("a page heard %d events, want at most %d", most, limit)
	}
	s.current().Close()
	open.Wait()
	second := map[int64]int{}
	for _, p := range pages {
		second[p.retry.Load()/1000]++
	}
	want := min(n*2/1000, 20)
	if len(second) < want || second[1] > 2*n/want {
		t.Errorf("they come back in these seconds: %v", second)
	}
	t.Logf("%d pages greeted in %v. Highest %d events each", n, took, most)
}

// BenchmarkSayName measures a message that names a person, which must not read all people.
func BenchmarkSayName(b *testing.B) {
	for _, known := range []int{3, 1000, 10_000} {
		b.Run(fmt.Sprint("known=", known), func(b *testing.B) {
			s := onDisk(b)
			v := s.crowd(known)[0]
			for b.Loop() {
				s.clock.pass(time.Minute)
				v.say("general", "hello @"+v.Name+", how are you?")
			}
		})
	}
}

// crowdedNotes runs each change twice, like a shared store, the first time concurrently
// with others, and counts concurrent changes of the directory.
type crowdedNotes struct {
	bot.Notes
	now, most atomic.Int64
}

func (n *crowdedNotes) Change(ctx context.Context, fn func(bot.Rows) error) error {
	rows := &besideRows{notes: n, ctx: ctx}
	_ = fn(rows) // the result doesn't matter
	if rows.people {
		n.now.Add(-1)
	}
	return n.Notes.Change(ctx, fn)
}

// besideRows reads rows and discards writes.
type besideRows struct {
	bot.Rows
	notes  *crowdedNotes
	ctx    context.Context
	people bool
}

func (r *besideRows) Get(shelf, key string) ([]byte, error) {
	if shelf == "count" && !r.people {
		r.people = true
		n := r.notes.now.Add(1)
		for most := r.notes.most.Load(); n > most && !r.notes.most.CompareAndSwap(most, n); most = r.notes.most.Load() {
		}
		runtime.Gosched() // let another goroutine run
	}
	return r.notes.Notes.Get(r.ctx, shelf, key)
}

func (r *besideRows) Put(string, string, []byte) error { return nil }

func (r *besideRows) Scan(shelf, prefix, after string, limit int) ([]bot.Row, error) {
	return r.notes.Scan(r.ctx, shelf, prefix, after, limit)
}

// People who enter at once change the directory one after another. On a shared store, their
// changes used to fail each other until they gave up after five seconds.
func TestManyEnterAtOnce(t *testing.T) {
	notes := &crowdedNotes{}
	s := openWith(t, func(c *web.Config) { notes.Notes, c.Notes = c.Notes, notes })
	var all sync.WaitGroup
	for i := range 60 {
		all.Go(func() { s.enterFrom(40*i, fmt.Sprint("Pupil ", i+20)) })
	}
	all.Wait()
	if most := notes.most.Load(); most != 1 {
		t.Errorf("%d changed the directory at once", most)
	}
}

// In a nearly full room, people who did nothing are removed early; others stay.
func TestNearlyFullRoomRemovesIdlers(t *testing.T) {
	s := open(t)
	ann := s.enterFrom(1, "Ann")
	ann.say("general", "hello")
	gametest.Must(t, s.notes.Put(t.Context(), "count", "people", []byte(`{"v":2,"n":18000}`)))
	idle := s.enterFrom(2, "Idle")
	s.clock.pass(2 * time.Minute)
	s.enterFrom(3, "Cat")
	if w := idle.do("POST", "/api/people", obj{}); w.Code != 401 {
		t.Errorf("who did nothing is still somebody: %d", w.Code)
	}
	if w := ann.do("POST", "/api/people", obj{}); w.Code != 200 {
		t.Errorf("Ann, who said something: %d", w.Code)
	}
}
