package web_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/simtest"
	"github.com/rackmate/rackmate/game/gametest"
)

// A tale simulates processes of a room on the same notes from a seed. They stop and start
// again, people listen at one and move to another when it stops, and messages are sent at
// any. Hints arrive late, out of order, or are lost and reported as lost later.
type tale struct {
	t     *testing.T
	site  *site
	world *simtest.World
	fault string
	ctx   context.Context
	all   sync.WaitGroup

	mu      sync.Mutex
	rooms   []*web.Room // nil for a stopped process
	started int
	hearing []*hearing
}

// A hearing is one live connection of a person.
type hearing struct {
	flow
	who   *visitor
	ended bool
	whole bool // whether it lasted to the end of the tale
}

// Faults that a tale can plant.
const (
	neverAgain = "what was lost comes with the next line alone"
	onlyShown  = "a stream that wasn't shown since the start isn't looked at"
)

// unseen are the notes of a process that reads only streams it has heard of.
type unseen struct {
	bot.Notes
	mu    sync.Mutex
	heard map[string]bool
}

func (n *unseen) hears(shelf string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.heard[shelf] = true
}

// Change records the streams that are written.
func (n *unseen) Change(ctx context.Context, fn func(bot.Rows) error) error {
	return n.Notes.Change(ctx, func(rows bot.Rows) error { return fn(heardRows{rows, n}) })
}

type heardRows struct {
	bot.Rows
	by *unseen
}

func (r heardRows) Put(shelf, key string, value []byte) error {
	r.by.hears(shelf)
	return r.Rows.Put(shelf, key, value)
}

// Watch records the streams of hints.
func (n *unseen) Watch(ctx context.Context, fn func(bot.Hint)) error {
	return n.Notes.Watch(ctx, func(h bot.Hint) {
		var told struct{ Stream, Name string }
		if json.Unmarshal([]byte(h.Text), &told) == nil && told.Name == "added" {
			n.hears("said/" + told.Stream)
		}
		fn(h)
	})
}

// Scan hides the last line of streams that the process hasn't heard of, while it looks
// everywhere.
func (n *unseen) Scan(ctx context.Context, shelf, prefix, after string, limit int) ([]bot.Row, error) {
	n.mu.Lock()
	heard := n.heard[shelf]
	n.mu.Unlock()
	if _, follows := ctx.Value(following{}).(bool); follows && !heard && strings.HasPrefix(shelf, "said/") && after == "" && limit == 1 {
		return nil, nil
	}
	return n.Notes.Scan(ctx, shelf, prefix, after, limit)
}

// following is the context key that marks a running room.
type following struct{}

// tell runs a tale and returns what went wrong.
func tell(t *testing.T, seed uint64, fault string) (wrong []string) {
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancel(t.Context())
		w := &tale{t: t, world: simtest.NewWorld(seed), fault: fault, ctx: ctx, rooms: make([]*web.Room, 3)}
		w.world.HintsOnly = fault == neverAgain
		w.site = openWith(t, func(c *web.Config) {
			c.Now, c.Random = time.Now, &bottest.Reader{R: rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8)})}
		})
		people := []*visitor{w.site.enter("Ann"), w.site.enter("Bob")}
		for i := range w.rooms {
			w.start(i)
		}
		for i := range 3 {
			w.all.Go(func() { w.listens(people[i%2], fmt.Sprint("ear ", i)) })
		}
		for i := range 20 + w.world.Below(40, "lines") {
			time.Sleep(w.world.Between(time.Millisecond, 12*time.Second, "pause"))
			m := bot.Message{Key: fmt.Sprint("m-", i), Channel: "web:general", Text: plain("hello")}
			if w.world.OneIn(3, "private") {
				m.To = people[w.world.Below(2, "to")].user()
			}
			for w.any("where") == nil {
				time.Sleep(time.Second)
			}
			if err := w.any("at").Post(ctx, m); err != nil {
				wrong = append(wrong, err.Error())
			}
		}
		w.world.Calm()
		time.Sleep(time.Minute)
		w.mu.Lock()
		for _, h := range w.hearing {
			h.whole = !h.ended
		}
		w.mu.Unlock()
		end()
		w.all.Wait()
		for i, h := range w.hearing {
			for _, what := range w.check(h) {
				wrong = append(wrong, fmt.Sprintf("connection %d, of %s: %s", i, h.who.Name, what))
			}
		}
	})
	return wrong
}

// any returns a running room, or nil if there is none.
func (w *tale) any(what string) *web.Room {
	w.mu.Lock()
	defer w.mu.Unlock()
	up := slices.DeleteFunc(slices.Clone(w.rooms), func(r *web.Room) bool { return r == nil })
	if len(up) == 0 {
		return nil
	}
	return up[w.world.Below(len(up), what)]
}

// start runs a process, and another in its place when it has ended.
func (w *tale) start(place int) {
	w.mu.Lock()
	w.started++
	name := fmt.Sprint("p", w.started)
	w.mu.Unlock()
	p, ctx := w.world.Start(context.WithValue(w.ctx, following{}, true), name, 0)
	n := p.Hints(w.site.notes)
	if w.fault == onlyShown {
		n = &unseen{Notes: n, heard: map[string]bool{}}
	}
	room, err := web.New(web.Config{Host: w.site.host, Notes: n, Now: time.Now, Random: w.site.random, Log: slog.New(slog.DiscardHandler), FirstKeeps: true})
	if err != nil {
		w.t.Error(err)
		return
	}
	w.mu.Lock()
	w.rooms[place] = room
	w.mu.Unlock()
	w.all.Go(func() { room.Run(ctx) })
	w.all.Go(func() {
		w.waits(w.world.Between(20*time.Second, 10*time.Minute, "life of "+name))
		w.mu.Lock()
		w.rooms[place] = nil
		w.mu.Unlock()
		p.Kill()
		if w.waits(w.world.Between(time.Second, 20*time.Second, "pause after "+name)) {
			w.start(place)
		}
	})
}

// waits waits for a while, and reports whether the tale goes on.
func (w *tale) waits(d time.Duration) bool {
	select {
	case <-w.ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// listens listens at a running room, and at another when that has stopped.
func (w *tale) listens(who *visitor, key string) {
	for w.waits(w.world.Between(time.Millisecond, 30*time.Second, key)) {
		room := w.any(key + " where")
		if room == nil {
			continue
		}
		h := &hearing{flow: flow{header: http.Header{}}, who: who}
		w.mu.Lock()
		w.hearing = append(w.hearing, h)
		w.mu.Unlock()
		room.ServeHTTP(&h.flow, who.request("GET", "/api/live", nil).WithContext(w.ctx))
		w.mu.Lock()
		h.ended = true
		w.mu.Unlock()
	}
}

// check returns what a connection received twice, out of order, or not at all.
func (w *tale) check(h *hearing) (wrong []string) {
	last := map[string]uint64{}
	event := ""
	for line := range strings.Lines(h.String()) {
		switch field, value, _ := strings.Cut(strings.TrimSpace(line), ": "); {
		case field == "event":
			event = value
		case field == "data" && event == "hello":
			var g greeting
			if err := json.Unmarshal([]byte(value), &g); err != nil {
				return []string{err.Error()}
			}
			for _, s := range g.Streams {
				last[s.ID] = s.Last
			}
		case field == "data" && event == "message":
			var m message
			if err := json.Unmarshal([]byte(value), &m); err != nil {
				return []string{err.Error()}
			}
			if strings.HasPrefix(m.Stream, "dm.") && !strings.Contains(m.Stream, h.who.ID) {
				wrong = append(wrong, "they hear what is another's")
			}
			// A greeting may include a message that is also sent right after it.
			if m.Number > last[m.Stream]+1 {
				wrong = append(wrong, fmt.Sprintf("%s: %d comes after %d", m.Stream, m.Number, last[m.Stream]))
			}
			last[m.Stream] = max(last[m.Stream], m.Number)
		}
	}
	for s, n := range last {
		lines, err := notes.Log("said/"+s).Read(context.Background(), w.site.notes, 0, 1)
		if err != nil || h.whole && len(lines) > 0 && lines[0].Number > n {
			wrong = append(wrong, fmt.Sprintf("%s: %d was the last that they heard (%v)", s, n, err))
		}
	}
	return wrong
}

// telling is the first seed of a short run, chosen so that each planted fault shows in one
// of the next few.
const telling = 64

// simulated is the flag that repeats a single tale.
var simulated = flag.Uint64("simulate", 0, "the seed of the only tale that TestSimulation lives through")

// No message is lost in any tale, on any process.
func TestSimulation(t *testing.T) {
	t.Parallel()
	if *simulated != 0 {
		t.Error(strings.Join(tell(t, *simulated, ""), "\n"))
		return
	}
	from := uint64(telling)
	if gametest.Long() {
		from = rand.Uint64()
	}
	for seed := from; seed < from+gametest.Rounds[uint64](30, 1000); seed++ {
		if wrong := tell(t, seed, ""); len(wrong) > 0 {
			t.Fatalf("seed %d (repeat it with -simulate %[1]d):\n%s", seed, strings.Join(wrong, "\n"))
		}
	}
}

// Each planted fault is found.
func TestSimulationFindsPlantedFaults(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{neverAgain, onlyShown} {
		t.Run(fault, func(t *testing.T) {
			began := time.Now()
			for seed := uint64(telling); time.Since(began) < time.Minute; seed++ {
				if wrong := tell(t, seed, fault); len(wrong) > 0 {
					t.Logf("seed %d, after %v: %s", seed, time.Since(began), wrong[0])
					return
				}
			}
			t.Error("it wasn't found")
		})
	}
}
