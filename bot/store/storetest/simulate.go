package storetest

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

func testRestart(s *subject) {
	s.post(den, everybody, ann)
	s.play(den, 9)
	old := s.has(den, 10)
	s.must(s.Update(s.Context(), den, "r", func(r *bot.Room) error {
		r.Append = log("r", 0, 30)
		r.Posts = []bot.Post{{From: 0, To: 30}}
		r.Timers = []bot.Timer{{At: start.Add(time.Hour)}}
		r.Seated = []game.PlayerID{ann, ben}
		r.File = &bot.Receipt{From: 0, To: 30}
		return nil
	}))
	id := s.has(den, 30)
	for range 2 {
		s.restart()
		s.mustEqual("table", s.has(den, 30), id)
		_, events, err := s.Table(s.Context(), den)
		s.must(err)
		s.mustEqual("events", events, log("r", 0, 30))
		_, events, err = s.Events(s.Context(), old, -1)
		s.must(err)
		s.mustEqual("events of the old table", events, append(log("post", 0, 1), log("play", 1, 10)...))
		tables, err := s.TablesPlayed(s.Context(), ben)
		s.must(err)
		s.mustEqual("where ben plays", tables, []bot.TableID{id})
		due, _, err := s.DueTimers(s.Context(), start.Add(time.Hour), 1000)
		s.must(err)
		s.mustEqual("timers", due, []bot.Timer{{ID: due[0].ID, At: start.Add(time.Hour), Channel: den, Table: id}})
		s.ready(start, time.Time{}, "web:den 0", "web:den 0 for web:ann")
	}
	s.mustEqual("posts", s.send(), []string{"web:den 0", "web:den 0 for web:ann", "web:den 0"})

	// Numbers aren't reused.
	s.restart()
	s.play(parlour, 1)
	if new := s.has(parlour, 1); new <= id {
		s.Errorf("a new table has the number %d after %d", new, id)
	}
}

// testSimulate applies the same random operations to the store and to package memory, which is simple
// enough to be the model, and looks for differences. The environment variable STORETEST_SEED
// repeats a run.
func testSimulate(s *subject) {
	seed := rand.Uint64()
	if v := os.Getenv("STORETEST_SEED"); v != "" {
		var err error
		seed, err = strconv.ParseUint(v, 10, 64)
		s.must(err)
	}
	s.Logf("STORETEST_SEED=%d", seed)
	sim := &simulation{subject: s, model: memory.New(), r: rand.New(rand.NewPCG(seed, 0)), tables: map[bot.TableID]bot.TableID{0: 0}}
	for step := range gametest.Rounds(200, 400) {
		switch n := sim.r.IntN(100); {
		case n < 60:
			sim.update(step)
		case n < 80:
			sim.deliver()
		case n < 90:
			sim.fire()
		case n < 98:
			s.clock.pass(time.Duration(sim.r.IntN(1000)) * time.Second)
		default:
			s.restart()
		}
		sim.compare(step)
	}
}

type simulation struct {
	*subject
	model  *memory.Store
	r      *rand.Rand
	tables map[bot.TableID]bot.TableID // the store's ids, by the model's
}

var (
	simChannels = []bot.ChannelID{"web:a", "web:b", "slack:a", "slack:a\x00"}
	simPlayers  = []game.PlayerID{"", ann, ben}
)

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// update applies the same random update to both.
func (sim *simulation) update(step int) {
	r := sim.r
	ch := pick(r, simChannels)
	request := pick(r, []string{"", "1", "2", "3", strconv.Itoa(step)})
	var (
		fresh   = r.IntN(20) == 0 // a new table
		slip    = r.IntN(20) == 0 // a wrong number
		fail    = r.IntN(20) == 0
		file    = r.IntN(2) == 0
		more    = r.IntN(4)
		add     bot.Room
		failure = errors.New("fails")
	)
	for range r.IntN(4) {
		add.Posts = append(add.Posts, bot.Post{From: step, To: r.IntN(9), For: pick(r, simPlayers), Kind: pick(r, []string{"", "a", "b"}), At: sim.clock.Now().Add(time.Duration(step))})
	}
	for range r.IntN(2) {
		at := sim.clock.Now().Add(time.Duration(r.IntN(4000))*time.Second + time.Duration(step))
		add.Timers = append(add.Timers, bot.Timer{At: at, Number: r.IntN(3), Kind: pick(r, []string{"", "a", "b"})})
	}
	for range r.IntN(3) {
		add.Seated = append(add.Seated, pick(r, simPlayers))
	}
	do := func(store bot.Store) (found bot.Room, err error) {
		err = store.Update(sim.Context(), ch, request, func(room *bot.Room) error {
			found = *room
			from := len(room.Events)
			if fresh {
				from = 0
			}
			if slip {
				from += 1 + step%3
			}
			room.Append = log(strconv.Itoa(step), from, from+more)
			room.Posts, room.Timers, room.Seated = add.Posts, add.Timers, add.Seated
			if file {
				room.File = &bot.Receipt{From: step, To: from}
			}
			if fail {
				return failure
			}
			return nil
		})
		return found, err
	}
	want, wantErr := do(sim.model)
	got, err := do(sim.Store)
	if (err == nil) != (wantErr == nil) || errors.Is(err, failure) != errors.Is(wantErr, failure) {
		sim.Fatalf("step %d: Update returned %v, want %v", step, err, wantErr)
	}
	want.Table = sim.tables[want.Table]
	if want.Receipt != nil {
		want.Receipt.Table = sim.tables[want.Receipt.Table]
	}
	sim.mustEqual(fmt.Sprintf("step %d: table in the room", step), got.Table, want.Table)
	sim.mustEqual(fmt.Sprintf("step %d: events in the room", step), got.Events, want.Events)
	sim.mustEqual(fmt.Sprintf("step %d: receipt in the room", step), got.Receipt, want.Receipt)

	theirs, _, err := sim.model.Table(sim.Context(), ch)
	sim.must(err)
	ours, _, err := sim.Store.Table(sim.Context(), ch)
	sim.must(err)
	sim.tables[theirs] = ours
}

// deliver removes or postpones one of the ready posts.
func (sim *simulation) deliver() {
	platform := pick(sim.r, simChannels).Platform()
	now := sim.clock.Now()
	want, _, err := sim.model.PendingPosts(sim.Context(), platform, now)
	sim.must(err)
	got, _, err := sim.Store.PendingPosts(sim.Context(), platform, now)
	sim.must(err)
	if len(want) == 0 || len(got) != len(want) {
		return // compare reports it
	}
	i := sim.r.IntN(len(want))
	if sim.r.IntN(3) > 0 {
		sim.must(sim.model.RemovePost(sim.Context(), want[i]))
		sim.must(sim.Store.RemovePost(sim.Context(), got[i]))
		return
	}
	until := now.Add(time.Duration(sim.r.IntN(2000)) * time.Second)
	sim.must(sim.model.Defer(sim.Context(), want[i], until))
	sim.must(sim.Store.Defer(sim.Context(), got[i], until))
}

// fire removes one of the due timers.
func (sim *simulation) fire() {
	want, _, err := sim.model.DueTimers(sim.Context(), sim.clock.Now(), 1000)
	sim.must(err)
	got, _, err := sim.Store.DueTimers(sim.Context(), sim.clock.Now(), 1000)
	sim.must(err)
	if len(want) == 0 || len(got) != len(want) {
		return // compare reports it
	}
	i := sim.r.IntN(len(want))
	sim.must(sim.model.RemoveTimers(sim.Context(), want[i]))
	sim.must(sim.Store.RemoveTimers(sim.Context(), got[i]))
}

// compare compares the results of every reading method for one channel and one table.
func (sim *simulation) compare(step int) {
	sim.Helper()
	ch, table := pick(sim.r, simChannels), pick(sim.r, slices.Sorted(maps.Keys(sim.tables)))
	want, got := sim.view(sim.model, ch, table, sim.tables), sim.view(sim.Store, ch, sim.tables[table], nil)
	for i := range want {
		sim.mustEqual(fmt.Sprintf("step %d: %s", step, want[i].what), got[i].found, want[i].found)
	}
}

type sight struct {
	what  string
	found any
}

// view returns what can be read from a store, without the ids of posts and timers, and with its
// table ids exchanged for others if exchange isn't nil.
func (sim *simulation) view(store bot.Store, ch bot.ChannelID, table bot.TableID, exchange map[bot.TableID]bot.TableID) []sight {
	sim.Helper()
	ctx, now := sim.Context(), sim.clock.Now()
	id := func(t bot.TableID) bot.TableID {
		if exchange != nil {
			return exchange[t]
		}
		return t
	}
	var seen []sight
	see := func(what string, found any) { seen = append(seen, sight{what, found}) }

	latest, events, err := store.Table(ctx, ch)
	sim.must(err)
	see("table of "+string(ch), id(latest))
	see("its events", events)
	where, events, err := store.Events(ctx, table, 7)
	see(fmt.Sprintf("table %d is there", id(table)), err == nil)
	see("its channel", where)
	see("its first events", events)
	for _, p := range simPlayers {
		where, err := store.TablesPlayed(ctx, p)
		sim.must(err)
		for i := range where {
			where[i] = id(where[i])
		}
		see(fmt.Sprintf("tables of %q", p), where)
	}
	for _, platform := range []string{"web", "slack"} {
		posts, next, err := store.PendingPosts(ctx, platform, now)
		sim.must(err)
		for i := range posts {
			posts[i].ID, posts[i].Table = 0, id(posts[i].Table)
		}
		see("posts of "+platform, posts)
		see("time of the next post of "+platform, next)
	}
	due, next, err := store.DueTimers(ctx, now, 1000)
	sim.must(err)
	for i := range due {
		due[i].ID, due[i].Table = 0, id(due[i].Table)
	}
	see("timers", due)
	see("time of the next timer", next)
	return seen
}
