package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/postgres"
	"github.com/rackmate/rackmate/bot/store/postgres/pgtest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// storm reports whether TestHosts runs for ten minutes and restarts and fails over PostgreSQL: with
// -long, but not if RACKMATE_LONG is set, as in CI, which has no time for that.
func storm() bool { return gametest.Long() && os.Getenv("RACKMATE_LONG") == "" }

// A crew runs several hosts on one database.
type crew struct {
	t     *testing.T
	url   string
	flags func(process string) []string // flags of each process; nil for none
	env   []string                      // environment of each host; nil for none
	older string                        // program of another release, for every second process; "" for none
	here  bool                          // run in the test's own process; see server.here

	mu       sync.Mutex
	hosts    []*server          // nil entries are down
	started  map[*server]string // name of each process ever started
	troubles []trouble
	rng      *rand.Rand
}

// A trouble is a disruption of a process.
type trouble struct {
	process, what string
	from, to      time.Time
}

// suffer records a disruption of a process while fn runs.
func (c *crew) suffer(s *server, what string, fn func()) {
	from := time.Now()
	fn()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.troubles = append(c.troubles, trouble{c.started[s], what, from, time.Now()})
}

// any returns a host that should be up.
func (c *crew) any() *server {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		if s := c.hosts[c.rng.IntN(len(c.hosts))]; s != nil {
			return s
		}
	}
}

// launch starts a host in a slot.
func (c *crew) launch(i int) {
	c.mu.Lock()
	s := &server{t: c.t, data: c.url, env: c.env, here: c.here}
	name := fmt.Sprint(len(c.started))
	if c.started == nil {
		c.started = map[*server]string{}
	}
	if len(c.started)%2 == 0 {
		s.program = c.older
	}
	c.started[s] = name
	c.mu.Unlock()
	if c.flags != nil {
		s.args = c.flags(name)
	}
	s.start()
	c.mu.Lock()
	c.hosts[i] = s
	c.mu.Unlock()
}

// take removes a host from its slot.
func (c *crew) take(i int) *server {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.hosts[i]
	c.hosts[i] = nil
	return s
}

// letKeep makes a person a keeper of the room like "rackmate keeper", retrying while the database
// is away. Newcomers can't create channels.
func (c *crew) letKeep(name string) {
	c.t.Helper()
	eventually(c.t, name+" keeps the room", func() bool {
		db, err := openDatabase(c.t.Context(), c.url, 1, time.Now)
		if err != nil {
			return false
		}
		err = web.SetKeeper(c.t.Context(), db.Notes(web.Platform), name, true)
		return errors.Join(err, db.Close()) == nil
	})
}

// ask sends a request to any host until it succeeds.
func (c *crew) ask(v *visitor, path string, in, out any) {
	c.t.Helper()
	for began := time.Now(); ; {
		s := c.any()
		other := &visitor{s: s, name: v.name, cookie: v.cookie}
		status, err := other.post(path, in, out)
		switch {
		case err == nil && status == http.StatusOK:
			v.cookie = other.cookie
			return
		case err == nil && status == http.StatusUnprocessableEntity && path == "/api/enter":
			// The first try succeeded, but its answer was lost.
			v.name += "b"
			in = map[string]string{"name": v.name}
		case err == nil && status != http.StatusTooManyRequests && status < 500:
			c.t.Fatalf("%s: status %d", path, status)
		case time.Since(began) > 3*time.Minute:
			c.t.Fatalf("%s: no host answers: status %d, %v", path, status, err)
		}
		pause := time.NewTimer(50 * time.Millisecond)
		<-pause.C
	}
}

// say sends a line that must be executed once, and returns the answer. It retries while the
// database is away.
func (c *crew) say(v *visitor, stream, line string) said {
	c.t.Helper()
	id := v.nextID()
	for began := time.Now(); ; {
		var out struct{ Reply said }
		c.ask(v, "/api/say", map[string]string{"stream": stream, "id": id, "text": line}, &out)
		if text := out.Reply.String(); !strings.Contains(text, "Please try again") || time.Since(began) > 3*time.Minute {
			return out.Reply
		}
	}
}

// all returns the messages of a stream.
func (c *crew) all(v *visitor, stream string) (all []said) {
	before := uint64(0)
	for {
		var out struct{ Messages []said }
		c.ask(v, "/api/messages", map[string]any{"stream": stream, "before": before}, &out)
		all = append(out.Messages, all...)
		if len(out.Messages) == 0 || out.Messages[0].Number == 1 {
			return all
		}
		before = out.Messages[0].Number
	}
}

// TestHosts runs three processes on one PostgreSQL, with people in the room, on Discord and on
// Slack. One process after another is killed, and one pauses past its leases and resumes. No
// confirmed move may be lost, nothing may run twice, no post may be duplicated or, in the room, out
// of order, and no timer may wait longer than a lease.
func TestHosts(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("three processes and a PostgreSQL")
	}
	stormOverHosts(t, "")
}

// TestHostsOfTwoReleases checks the same in the room with every second process of the last deployed
// release.
func TestHostsOfTwoReleases(t *testing.T) {
	if !gametest.Long() {
		t.Skip("it builds another release: with -long")
	}
	all := releases(t)
	last, _, _ := strings.Cut(all[len(all)-1], " ")
	stormOverHosts(t, release(t, last))
}

// stormOverHosts runs TestHosts; see crew.older.
func stormOverHosts(t *testing.T, older string) {
	begin := pgtest.Shared
	if storm() {
		begin = pgtest.Start // it will be restarted
	}
	primary := begin(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	c := &crew{t: t, url: primary.Database(t), older: older, hosts: make([]*server, 3), rng: rand.New(rand.NewPCG(seed, 0))}
	var standby *pgtest.Server
	if storm() {
		var err error
		if standby, err = primary.Standby(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(standby.Remove)
		c.url = primary.URL(path.Base(strings.SplitN(c.url, "?", 2)[0]), standby)
	}
	var elsewhere []*away
	if older == "" {
		elsewhere, c.flags = standins(t)
		c.env = onBoth
	}
	if !gametest.Long() {
		c.env = slices.Concat(onBoth, []string{withLife + "=3s"})
	}
	for i := range c.hosts {
		c.launch(i)
	}
	t.Cleanup(func() {
		for i := range c.hosts {
			if s := c.take(i); s != nil {
				s.kill()
			}
		}
	})
	db, err := postgres.Open(t.Context(), postgres.Config{URL: c.url, Now: time.Now})
	gametest.Must(t, err)
	defer db.Close()
	for _, a := range elsewhere { // one post for each pass, so that each can be found
		gametest.Must(t, db.Notes(hostNotes).Put(t.Context(), "house", "channel "+string(a.channel), []byte(`{"v":1,"defaults":{"board":"folded"}}`)))
	}
	until, calm := gametest.Rounds(time.Second, 12*time.Second), gametest.Rounds(time.Second, 22*time.Second)
	if storm() {
		until, calm = 10*time.Minute, 10*time.Minute+10*time.Second
	}
	// Disrupt the hosts as often as time allows. At the end Discord and Slack get time to catch up,
	// because their connections move when a lease expires.
	launched := time.Now()
	ctx, stop := context.WithCancel(t.Context())
	const wanted = 3 // fewest rounds of disruptions, even on a slow machine
	var done atomic.Int64
	var troubles sync.WaitGroup
	troubles.Go(func() { punctual(ctx, t, db) })
	troubles.Go(func() {
		for rounds := 0; ctx.Err() == nil; rounds++ {
			done.Store(int64(rounds))
			i := rounds % len(c.hosts)
			s := c.take(i)
			switch {
			case rounds%4 == 3 && storm():
				c.suffer(s, frozen, func() {
					s.cmd.Process.Signal(syscall.SIGSTOP)
					time.Sleep(12 * time.Second) // longer than its lease
					s.cmd.Process.Signal(syscall.SIGCONT)
				})
				c.mu.Lock()
				c.hosts[i] = s
				c.mu.Unlock()
			case rounds%5 == 4:
				c.suffer(s, "ended", s.stop)
				c.launch(i)
			default:
				c.suffer(s, "killed", s.kill)
				c.launch(i)
			}
			if storm() && rounds == 20 {
				c.suffer(nil, "the database was restarted", func() {
					if err := errors.Join(primary.Stop(), primary.Run()); err != nil {
						t.Error(err)
					}
				})
			}
			if storm() && rounds == 40 {
				c.suffer(nil, "the database was failed over", func() {
					if err := errors.Join(primary.Stop(), standby.Promote()); err != nil {
						t.Error(err)
					}
				})
			}
			pause := gametest.Rounds(300*time.Millisecond, time.Second)
			if rounds >= wanted && time.Since(launched) > calm {
				pause = 20 * time.Second
			}
			select {
			case <-ctx.Done():
			case <-time.After(pause):
			}
		}
	})

	const tables = 3
	type moves struct {
		stream string
		made   int
		player *visitor
	}
	played := make([]moves, tables)
	var people sync.WaitGroup
	began := time.Now()
	playing := func() bool {
		return !t.Failed() && (time.Since(began) < until || done.Load() < wanted)
	}
	for i := range played {
		enter := func(name string) *visitor {
			v := &visitor{s: c.any(), name: name}
			c.ask(v, "/api/enter", map[string]string{"name": name}, nil)
			return v
		}
		ann, bob := enter(fmt.Sprint("Ann", i)), enter(fmt.Sprint("Bob", i))
		stream := fmt.Sprint("table-", i)
		c.letKeep(ann.name)
		c.ask(ann, "/api/channels", map[string]string{"name": stream}, nil)
		played[i] = moves{stream: stream, player: ann}
		people.Go(func() {
			// Even on a slow machine they make a move or two.
			playing := func() bool { return playing() || played[i].made == 0 && !t.Failed() }
			for games := 1; playing(); games++ {
				if games%200 == 0 { // stay below a person's daily limit of games
					ann, bob = enter(fmt.Sprint("Ann", i, "-", games)), enter(fmt.Sprint("Bob", i, "-", games))
				}
				if r := c.say(ann, stream, "/new challenge:void seats:2"); r.Refused {
					t.Errorf("no table in %s: %s", stream, r)
					return
				}
				c.say(bob, stream, "/join")
				for turns := 0; turns < 40 && playing(); turns++ {
					before := played[i].made
					for _, v := range []*visitor{ann, bob} {
						if r := c.say(v, stream, "/pass sure:yes"); !r.Refused {
							played[i].made++
						}
					}
					if played[i].made == before {
						break // game over
					}
				}
				c.say(ann, stream, "/resign")
			}
		})
	}
	for _, a := range elsewhere {
		people.Go(func() { a.play(playing) })
	}
	people.Wait()
	stop()
	troubles.Wait()
	t.Logf("%d rounds of trouble; moves: %d, %d, %d", done.Load(), played[0].made, played[1].made, played[2].made)

	awaitPosts(t, db, "web")
	for _, a := range elsewhere {
		a.check(db, c.troubles)
	}
	for _, p := range played {
		passes, causes := 0, map[string]int{}
		var ends []string // last events of each request, as announced in posts
		for _, id := range tablesIn(t, db, func(ch bot.ChannelID) bool { return ch == bot.ChannelID("web:"+p.stream) }) {
			_, events, err := db.Events(t.Context(), id, -1)
			gametest.Must(t, err)
			for n, e := range events {
				if _, ok := e.Fact.(game.Passed); ok {
					passes++
					causes[e.Cause]++
				}
				if n+1 == len(events) || events[n+1].Cause != e.Cause {
					ends = append(ends, fmt.Sprint(id, ":", n+1))
				}
			}
		}
		for cause, n := range causes {
			if n != 1 {
				t.Errorf("request %s was carried out %d times", cause, n)
			}
		}
		if passes != p.made || passes == 0 {
			t.Errorf("%s: %d moves were answered, %d are in the log", p.stream, p.made, passes)
		}
		var told []string
		for _, m := range c.all(p.player, p.stream) {
			if m.Table != 0 && m.Events != 0 {
				told = append(told, fmt.Sprint(m.Table, ":", m.Events))
			}
		}
		if !slices.Equal(told, ends) {
			t.Errorf("%s: the posts tell of %v, the log has %v", p.stream, told, ends)
		}
	}
}

// awaitPosts waits until all posts of a platform are delivered.
func awaitPosts(t *testing.T, db *postgres.DB, platform string) {
	t.Helper()
	var posts []bot.Post
	defer func() {
		if t.Failed() && len(posts) > 0 {
			t.Logf("%s: %d posts wait, the first one %+v", platform, len(posts), posts[0])
		}
	}()
	eventuallyIn(t, 5*time.Minute, "everything is posted on "+platform, func() bool {
		var err error
		posts, _, err = db.PendingPosts(t.Context(), platform, time.Now().Add(time.Hour)) // including postponed ones
		return err == nil && len(posts) == 0
	})
}

// tablesIn returns the tables that a channel has had.
func tablesIn(t *testing.T, db *postgres.DB, ours func(bot.ChannelID) bool) (ids []bot.TableID) {
	t.Helper()
	missing := 0 // consecutive gaps, because numbers can be skipped
	for id := bot.TableID(1); missing < 100; id++ {
		ch, _, err := db.Events(t.Context(), id, 0)
		switch {
		case errors.Is(err, bot.ErrNoTable):
			missing++
			continue
		case err != nil:
			t.Fatal(err)
		}
		missing = 0
		if ours(ch) {
			ids = append(ids, id)
		}
	}
	return ids
}

// TestHostsHearEachOther checks that messages sent at one host reach listeners at another.
func TestHostsHearEachOther(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("two hosts and a PostgreSQL")
	}
	c := &crew{t: t, here: true, url: pgtest.Shared(t).Database(t), hosts: make([]*server, 2), rng: rand.New(rand.NewPCG(1, 2))}
	for i := range c.hosts {
		c.launch(i)
		t.Cleanup(c.hosts[i].kill)
	}
	ann := c.hosts[0].enter("Ann")
	ctx, stop := context.WithTimeout(t.Context(), time.Minute) // don't wait forever for a lost message
	defer stop()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.hosts[0].base+"/api/live", nil)
	gametest.Must(t, err)
	req.Header.Set("Cookie", ann.cookie)
	resp, err := http.DefaultClient.Do(req)
	gametest.Must(t, err)
	defer resp.Body.Close()
	live := bufio.NewScanner(resp.Body)
	hear := func(what, want string) {
		t.Helper()
		for live.Scan() {
			if strings.Contains(live.Text(), want) {
				return
			}
		}
		t.Fatalf("%s: never heard: %v", what, live.Err())
	}
	hear("the greeting", "event: hello")
	bob := c.hosts[1].enter("Bob")
	hear("somebody who comes in elsewhere", `"name":"Bob"`)
	for n := range 3 {
		text := fmt.Sprint("hello from elsewhere ", n)
		if status, err := bob.post("/api/say", map[string]string{"stream": "general", "id": bob.nextID(), "text": text}, nil); status != http.StatusOK {
			t.Fatal(status, err)
		}
		hear("a line", text)
	}
	// A name taken at one host is taken at the other.
	if status, _ := (&visitor{s: c.hosts[1]}).post("/api/enter", map[string]string{"name": "ann"}, nil); status == http.StatusOK {
		t.Error("two people have one name")
	}
	status, out, text := command(t, "", "hosts", "--data", c.url)
	if status != 0 || strings.Count(out, " timers ") != 2 {
		t.Errorf("rackmate hosts: status %d, %s%s", status, out, text)
	}
}
