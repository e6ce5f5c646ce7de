package features_test

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot/features/featuretest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/simtest"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

// A history follows from a seed: processes on one store that stop and restart, people who play at
// some tables and repeat requests without an answer, a platform that loses messages, and clocks
// that differ. check defines what must hold at its end.
type history struct {
	t     *testing.T
	seed  uint64
	log   *slog.Logger
	world *simtest.World
	truth *memory.Store // what the store really holds, even if no answer told anybody
	audit *simtest.Audit
	store bot.Store
	cards bool // whether the platform keeps a message with each player's rack
	// competition is the shelf of the competition that people play in, "" if there is none.
	competition string

	ctx     context.Context
	running sync.WaitGroup

	mu        sync.Mutex
	processes []*process // nil while one is down
	started   int
	arrived   []bot.Message // on the platform, each key once
	known     map[string]bool
	asked     []*asking
	requests  map[game.PlayerID]int
	jobs      map[string]time.Time // current holders of the job, and since when
	timers    map[string]int       // set minus handled timers, by kind
	queued    map[queuedPost]int   // how often each post with a kind was queued
	prompt    promptTimers
	damaged   bot.ChannelID
	wrong     []string
}

// A process is a running host.
type process struct {
	*simtest.Process
	host  *host.Host
	stop  func() // stops it in order, as a rolling restart does
	final bool   // whether no other takes its place; see begin
	older bool   // whether it lacks the newest feature; see simulation_versions_test.go
}

// A queuedPost identifies a post with a kind.
type queuedPost struct {
	ch   bot.ChannelID
	kind string
	from int
	key  string
	// cause is the update that queued it. Two actions of one instant edit a message by posts with
	// one key.
	cause string
}

// An asking is a request and what its sender knows about it.
type asking struct {
	req      bot.Request
	line     string
	answered bool
	refused  bool
	beside   bool // whether it doesn't concern a table itself
}

// simLife sets how long a process's claims last without a sign of life; simSkew is the greatest
// difference between the clocks that two processes read in the store. Their own are up to an hour wrong.
const (
	simLife = 2 * time.Minute
	simSkew = 5 * time.Second
)

// live runs a history and returns what went wrong in it.
func live(t *testing.T, seed uint64, log *slog.Logger) (wrong []string, steps int, trace uint64) {
	synctest.Test(t, func(t *testing.T) {
		h := &history{t: t, seed: seed, log: log, world: simtest.NewWorld(seed), truth: memory.New(), known: map[string]bool{}, requests: map[game.PlayerID]int{}, jobs: map[string]time.Time{}, timers: map[string]int{}, queued: map[queuedPost]int{}}
		ctx, end := context.WithCancel(context.Background())
		h.ctx = ctx
		h.world.Endless = func() {
			go h.fail("it doesn't come to an end")
			end()
		}
		h.begin()
		h.play()
		steps, trace = h.world.Steps()
		end()
		h.running.Wait()
		h.check()
		wrong = h.wrong
	})
	return wrong, steps, trace
}

func (h *history) fail(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wrong = append(h.wrong, fmt.Sprintf(format, args...))
}

func (h *history) begin() {
	h.audit = simtest.NewAudit(h.truth, simSkew, h.fail)
	h.store = damagedStore{h.audit, h}
	h.world.Pauses = 2 * simLife
	h.world.WrongClocks, h.world.Skew = time.Hour, simSkew
	h.world.Silent = true
	h.world.Deaf = h.world.OneIn(2, "deafness")
	h.cards = h.world.OneIn(2, "cards")
	h.competition = []string{"", "", "tournaments", "leagues"}[h.world.Below(4, "competition")]
	h.processes = make([]*process, 2+h.world.Below(2, "processes"))
	for i := range h.processes {
		h.start(i)
	}
}

// start starts a process in a place, and a successor once it has ended.
func (h *history) start(place int) {
	h.mu.Lock()
	h.started++
	number := h.started
	name := fmt.Sprint("p", number)
	h.mu.Unlock()
	steps := 1 + h.world.Below(400, "steps of "+name)
	if h.world.OneIn(2, "long life of "+name) {
		steps *= 10
	}
	sim, ctx := h.world.Start(h.ctx, name, steps)
	ctx, stop := context.WithCancel(ctx)
	p := &process{Process: sim, stop: stop, older: h.world.Trouble(3, "version of "+name)}
	list := withBell
	if p.older {
		list = features.All
	}
	p.host = host.New(host.Config{
		Features: list, Order: features.Order(),
		Store: sim.Store(h.store), Notes: sim.Notes(h.truth.Notes("host")), Equipment: equipment(h.t), Lexicons: []*lexicon.Lexicon{bottest.Small(h.t)},
		DefaultLexicon: "small",
		Platforms: func() []bot.Platform {
			aside := func(ctx context.Context, _ bot.ChannelID, key, _ string, _ []bot.PlayerID) (bot.ChannelID, error) {
				return h.opensThread(ctx, sim, key)
			}
			return []bot.Platform{{Name: "test", Cards: h.cards, Aside: aside}}
		},
		Name:     name,
		Life:     simLife,
		Now:      sim.Now,
		Random:   &bottest.Reader{R: rand.NewChaCha8([32]byte{byte(number), byte(h.seed), byte(h.seed >> 8)})},
		Log:      h.log.With("process", name),
		Observer: timed{h: h},
	})
	h.mu.Lock()
	h.processes[place] = p
	h.mu.Unlock()
	var loops sync.WaitGroup
	loops.Go(func() { p.host.Deliver(ctx, "test", simPoster{h, sim}) })
	loops.Go(func() { p.host.RunTimers(ctx) })
	loops.Go(func() { p.host.RunElected(ctx, "job", func(ctx context.Context) error { return h.works(ctx, sim) }) })
	if h.world.OneIn(3, "restart of "+name) {
		time.AfterFunc(h.world.Between(time.Minute, 20*time.Minute, "life of "+name), stop)
	}
	h.running.Go(func() {
		defer stop()
		<-ctx.Done()
		h.mu.Lock()
		h.prompt.ended = time.Now()
		h.mu.Unlock()
		loops.Wait()
		sim.Kill()
		h.mu.Lock()
		h.prompt.ended = time.Now()
		h.processes[place] = nil
		alone := !slices.ContainsFunc(h.processes, func(p *process) bool { return p != nil && !p.Dead() })
		final := p.final && !alone
		h.mu.Unlock()
		if final {
			return
		}
		timer := time.NewTimer(h.world.Between(time.Second, 3*time.Minute, "pause after "+name))
		defer timer.Stop()
		select {
		case <-h.ctx.Done():
		case <-timer.C:
			h.start(place)
		}
	})
}

// timed counts the timers that were handled.
type timed struct {
	bot.Unobserved
	h *history
}

// Timer counts a handled timer.
func (o timed) Timer(kind string, r bot.Result, _ time.Duration) {
	o.h.mu.Lock()
	defer o.h.mu.Unlock()
	if r == bot.Done {
		o.h.timers[kind]--
	}
}

// works does the job that only one process may have at a time.
func (h *history) works(ctx context.Context, p *simtest.Process) error {
	h.mu.Lock()
	h.jobs[p.Name] = time.Now()
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		began := h.jobs[p.Name]
		delete(h.jobs, p.Name)
		for other, since := range h.jobs {
			// The former holder finds out at its next check at the latest.
			if both := time.Since(maxTime(began, since)); both > simLife*3/10+simSkew+10*time.Second {
				h.wrong = append(h.wrong, fmt.Sprintf("%s and %s had the job for %v at once", p.Name, other, both))
			}
		}
		h.mu.Unlock()
	}()
	<-ctx.Done()
	return nil
}

func maxTime(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// any returns a running process, or nil.
func (h *history) any(what string) *process {
	h.mu.Lock()
	var up []*process
	for _, p := range h.processes {
		if p != nil && !p.Dead() {
			up = append(up, p)
		}
	}
	h.mu.Unlock()
	if len(up) == 0 {
		return nil
	}
	return up[h.world.Below(len(up), "process for "+what)]
}

// asks repeats a request with one id until it is answered.
func (h *history) asks(ch bot.ChannelID, who bot.User, line string) { h.presses(ch, who, line, 0, 0) }

// resigns presses the button to resign.
func (h *history) resigns(ch bot.ChannelID, who bot.User) {
	table, log, err := h.truth.Table(context.Background(), ch)
	if err == nil && table != 0 {
		h.presses(ch, who, "/resign", table, len(log))
	}
}

func (h *history) presses(ch bot.ChannelID, who bot.User, line string, table bot.TableID, number int) {
	a := &asking{line: line}
	a.req = bot.Request{Channel: ch, User: who, Table: table, Number: number}
	var unread any
	if a.req.Command, a.req.Args, unread = parse(line); unread != nil {
		h.fail("%s: %v", line, unread)
		return
	}
	if a.req.Command == "join" || a.req.Command == "pass" {
		a.req.Args["sure"] = "true"
	}
	h.insists(a, string(ch)+string(who.ID)+" asking")
}

// insists sends a request with one id until it is answered.
func (h *history) insists(a *asking, key string) {
	h.mu.Lock()
	who := a.req.User
	h.requests[who.ID]++
	a.req.ID = fmt.Sprint(who.Name, h.requests[who.ID])
	h.asked = append(h.asked, a)
	h.mu.Unlock()
	for tries := 0; tries < 200 && h.ctx.Err() == nil; tries++ {
		p := h.any(key)
		if p == nil {
			time.Sleep(h.world.Between(time.Second, 10*time.Second, key))
			continue
		}
		time.Sleep(h.world.Between(time.Microsecond, time.Millisecond, "way of "+key)) // no two requests come at the same instant
		r := p.host.Handle(h.ctx, a.req)
		// An answer doesn't arrive if its process has ended or the answer is lost.
		lost := p.Dead() || h.ctx.Err() != nil || h.world.Trouble(20, "loss of an answer to "+key)
		if lost || r.Refused && isUnanswered(r) {
			time.Sleep(h.world.Between(100*time.Millisecond, 5*time.Second, key))
			continue
		}
		a.answered, a.refused = true, r.Refused
		h.log.Info("answered", "request", a.req.ID, "line", a.line, "channel", a.req.Channel, "refused", r.Refused, "said", r.Text.String())
		// It may end with the posts and timers of what it has just done.
		switch {
		case h.world.Trouble(30, "death after an answer to "+key):
			p.Kill()
		case h.world.Trouble(30, "stop after an answer to "+key):
			time.AfterFunc(h.world.Between(time.Microsecond, 20*time.Millisecond, "stop after an answer to "+key), p.stop)
		}
		return
	}
	h.mu.Lock()
	damaged := a.req.Channel == h.damaged
	h.mu.Unlock()
	if h.ctx.Err() == nil && !damaged {
		h.fail("%s (%s) never got an answer", a.req.ID, a.line)
	}
}

// isUnanswered reports whether a refusal asks to try again later.
func isUnanswered(r bot.Reply) bool {
	said := r.Text.String()
	return strings.Contains(said, "lease try") || strings.Contains(said, "Try again in")
}

// repeats repeats a request that was answered earlier, as a platform does that lost the answer: it
// must change nothing, even after the next table.
func (h *history) repeats(a *asking, key string) {
	if p := h.any(key); p != nil && a.answered {
		time.Sleep(h.world.Between(time.Microsecond, time.Millisecond, "way of "+key))
		p.host.Handle(h.ctx, a.req)
	}
}

func parse(line string) (command string, args map[string]string, refused any) {
	command, args, why := features.Commands().ParseLine(line, nil)
	if why != nil {
		return "", nil, why
	}
	return command, args, nil
}

// play runs a time of trouble, then a calm in which everything must come right.
func (h *history) play() {
	var playing sync.WaitGroup
	channels := []bot.ChannelID{"test:one", "test:two"}[:1+h.world.Below(2, "channels")]
	until := time.Now().Add(h.world.Between(5*time.Minute, 30*time.Minute, "trouble"))
	for i, ch := range channels {
		pair := []bot.User{people["ann"], people["bob"]}
		if i == 1 {
			pair = []bot.User{people["cat"], people["dan"]}
		}
		playing.Go(func() { h.atTable(ch, pair, until) })
	}
	switch h.competition {
	case "tournaments":
		playing.Go(func() { h.atTournament(until) })
	case "leagues":
		playing.Go(func() { h.atLeague(until) })
	}
	playing.Wait()
	h.world.Calm()
	h.upgrade()
	time.Sleep(3 * time.Minute)
	if len(channels) == 2 && h.world.OneIn(4, "lock") {
		h.besideALockedRoom(channels[0], channels[1])
	}
	time.Sleep(15 * time.Minute)
	h.playInCalm()
}

// atLook limits how late a timer or a post may be in the calm: the claims of a stopped process expire,
// and then another process looks.
const atLook = 6*simLife + simLife + 30*time.Second

// playInCalm makes two people play while nothing is in the way, and checks that everything is done in
// time until long after.
func (h *history) playInCalm() {
	over := make(chan struct{})
	go func() {
		defer close(over)
		h.atTable("test:calm", []bot.User{people["ann"], people["bob"]}, time.Now().Add(15*time.Minute))
	}()
	leave := func() {
		h.mu.Lock()
		up := 0
		for _, p := range h.processes {
			if p != nil && !p.Dead() {
				up++
			}
		}
		h.mu.Unlock()
		if p := h.any("leaving"); up > 1 && h.world.OneIn(2, "one less") {
			h.mu.Lock()
			p.final = true
			h.mu.Unlock()
			p.stop()
		}
	}
	time.AfterFunc(h.world.Between(time.Minute, 12*time.Minute, "time of leaving"), leave)
	calm := make(chan struct{})
	defer close(calm)
	go h.watchTimers(calm)
	ready := map[uint64]bool{} // posts that were ready before
	tick := time.NewTicker(atLook)
	defer tick.Stop()
	var end <-chan time.Time
	for {
		select {
		case <-over:
			over, end = nil, time.After(time.Hour)
			leave()
			continue
		case <-end:
			return
		case <-tick.C:
		}
		now := time.Now()
		due, _, err := h.truth.DueTimers(h.ctx, now.Add(-atLook-simSkew), 1000)
		if err != nil {
			h.fail("%v", err)
		}
		for _, t := range due {
			if t.Channel != h.damaged {
				h.fail("in the calm timer %d of table %d, kind %q, is %v late", t.ID, t.Table, t.Kind, now.Sub(t.At))
			}
		}
		posts, _, err := h.truth.PendingPosts(h.ctx, "test", now.Add(-simSkew))
		if err != nil {
			h.fail("%v", err)
		}
		was := ready
		ready = map[uint64]bool{}
		for _, p := range posts {
			if ready[p.ID] = true; was[p.ID] && p.Channel != h.damaged {
				h.fail("in the calm post %d of table %d (%q) isn't delivered", p.ID, p.Table, p.Kind)
			}
		}
	}
}

// atTable makes two people play one game after another at a table.
func (h *history) atTable(ch bot.ChannelID, pair []bot.User, until time.Time) {
	key := string(ch)
	think := func() {
		most := 2 * time.Minute
		if h.world.OneIn(300, "night in "+key) {
			most = 14 * time.Hour
		} else if h.world.OneIn(8, "long thought in "+key) {
			most = 20 * time.Minute
		}
		time.Sleep(h.world.Between(time.Second, most, "thought in "+key))
	}
	first := 0 // of the requests of the last table
	for time.Now().Before(until) {
		earlier := h.askedIn(ch)[first:]
		first += len(earlier)
		options := []string{"", " pace:12h late:pass", " clock:1m+5s", " challenge:double", " pace:12h late:forfeit"}
		h.asks(ch, pair[0], "/new seats:2"+options[h.world.Below(len(options), "table in "+key)])
		think()
		h.asks(ch, pair[1], "/join")
		if len(earlier) > 0 && h.world.OneIn(2, "repeat in "+key) {
			h.repeats(earlier[h.world.Below(len(earlier), "repeated in "+key)], key)
		}
		for moves := 0; moves < 12 && time.Now().Before(until); moves++ {
			if h.world.OneIn(40, "damage in "+key) && ch == "test:one" {
				h.mu.Lock()
				h.damaged = ch
				h.mu.Unlock()
			}
			think()
			s, ok := h.look(ch)
			if !ok || s.Phase != game.Playing && s.Phase != game.Closing {
				break
			}
			who := s.Seats[s.Turn].Person
			if h.world.OneIn(10, "out of turn in "+key) {
				who = pair[h.world.Below(2, "who in "+key)]
			}
			h.asks(ch, who, h.move(s, key))
			if h.world.OneIn(10, "both in "+key) { // both at once, in any order
				var both sync.WaitGroup
				for _, who := range pair {
					both.Go(func() { h.asks(ch, who, "/pass") })
				}
				both.Wait()
			}
		}
		if !time.Now().Before(until) && h.world.OneIn(2, "no end in "+key) {
			return // the clock or the pace ends it
		}
		if h.world.OneIn(2, "end in "+key) {
			h.resigns(ch, pair[0])
		} else {
			think()
			h.resigns(ch, pair[1])
		}
	}
}

// askedIn returns the requests of a channel so far.
func (h *history) askedIn(ch bot.ChannelID) (all []*asking) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, a := range h.asked {
		if a.req.Channel == ch {
			all = append(all, a)
		}
	}
	return all
}

func (h *history) look(ch bot.ChannelID) (game.State, bool) {
	_, log, err := h.truth.Table(context.Background(), ch)
	if err != nil || len(log) == 0 {
		return game.State{}, false
	}
	s, err := game.Replay(log)
	return s, err == nil
}

func (h *history) move(s game.State, key string) string {
	switch h.world.Below(10, "move in "+key) {
	case 0, 1:
		return featuretest.SomePlay(h.t, s, s.Seats[s.Turn].Rack)
	case 2, 3, 4:
		return "/exchange " + s.Equipment.Tiles.Print(s.Seats[s.Turn].Rack[:1])
	case 5:
		return "/challenge"
	default:
		return "/pass"
	}
}

// besideALockedRoom makes some people send requests in a room that is locked in the store, while
// others use another room.
func (h *history) besideALockedRoom(locked, other bot.ChannelID) {
	unlock := h.world.Lock(string(locked))
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			h.asks(locked, bot.User{ID: game.PlayerID(fmt.Sprint("test:w", i)), Name: fmt.Sprint("W", i)}, "/join")
		})
	}
	time.Sleep(time.Second)
	began := time.Now()
	h.asks(other, people["eve"], "/join")
	if took := time.Since(began); took > time.Second && h.damaged == "" {
		h.fail("beside a locked room an answer took %v", took)
	}
	unlock()
	all.Wait()
}

// simPoster is the platform as a process reaches it.
type simPoster struct {
	h *history
	p *simtest.Process
}

// Post stores a message, once for each key. A process passes on only what it certainly holds.
func (p simPoster) Post(ctx context.Context, m bot.Message) error {
	if until, ok := p.h.audit.Held(p.p.Name, m.Key); !m.Edit && m.Standing == "" && (!ok || !until.After(p.p.Now())) {
		p.h.fail("%s posts %s, which it doesn't hold any more", p.p.Name, m.Key)
	}
	return p.p.Call(ctx, simtest.PlatformParty, "post "+m.Key, func() error {
		h := p.h
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.known[m.Key] || m.Edit {
			return nil
		}
		h.known[m.Key] = true
		h.arrived = append(h.arrived, m)
		return nil
	})
}

// check checks what must hold at the end of every history.
func (h *history) check() {
	h.checkRequests()
	h.checkPosts()
	h.checkLeft()
	h.checkCompetition()
	h.checkBells()
}

// tables returns all tables and their channels.
func (h *history) tables() (all []bot.TableID, in map[bot.TableID]bot.ChannelID, logs map[bot.TableID][]game.Event) {
	in, logs = map[bot.TableID]bot.ChannelID{}, map[bot.TableID][]game.Event{}
	for id := bot.TableID(1); ; id++ {
		ch, log, err := h.truth.Events(context.Background(), id, -1)
		if errors.Is(err, bot.ErrNoTable) {
			return all, in, logs
		}
		if _, err := game.Replay(log); err != nil {
			h.fail("table %d can't be replayed: %v", id, err)
		}
		all, in[id], logs[id] = append(all, id), ch, log
	}
}

// checkRequests checks that answered requests were carried out once, and refused ones weren't.
func (h *history) checkRequests() {
	runs := map[string]int{} // sequences of consecutive events by cause
	_, _, logs := h.tables()
	for _, log := range logs {
		for n, e := range log {
			if n == 0 || log[n-1].Cause != e.Cause {
				runs[e.Cause]++
			}
		}
	}
	for _, a := range h.asked {
		switch n := runs[a.req.ID]; {
		case a.beside:
		case n > 1:
			h.fail("%s (%s) was carried out %d times", a.req.ID, a.line, n)
		case a.answered && !a.refused && n == 0:
			h.fail("%s (%s) was answered, and is lost", a.req.ID, a.line)
		case a.answered && a.refused && n > 0:
			h.fail("%s (%s) was refused, and carried out", a.req.ID, a.line)
		}
	}
}

// checkPosts checks that everybody gets every post once and in order, and private posts reach only
// their person.
func (h *history) checkPosts() {
	all, in, logs := h.tables()
	type end struct {
		table bot.TableID
		n     int
	}
	type lap struct {
		table bot.TableID
		who   game.PlayerID
	}
	told := map[end]int{}
	toldRack := map[end][]game.PlayerID{}
	card := map[lap]int{}
	last := map[string]end{} // by queue
	racks := map[bot.TableID][]string{}
	for _, id := range all {
		racks[id] = gametest.Racks(logs[id])
	}
	for _, m := range h.arrived {
		queue := string(m.Channel) + featuretest.To(m)
		if m.Kind == "" {
			here := end{m.Table, m.Number}
			if before := last[queue]; cmp.Or(cmp.Compare(before.table, here.table), cmp.Compare(before.n, here.n)) >= 0 {
				h.fail("in %s to %q, %v comes after %v", m.Channel, featuretest.To(m), here, before)
			}
			last[queue] = here
			if m.To == nil {
				told[here]++
			} else {
				toldRack[here] = append(toldRack[here], m.To.ID)
			}
		}
		if m.To != nil && m.Kind == table.RackKind {
			card[lap{m.Table, m.To.ID}] = max(card[lap{m.Table, m.To.ID}], m.Number)
		}
		said := m.Text.String()
		if m.Picture != nil {
			said += m.Picture.Alt.String()
		}
		for _, rack := range racks[m.Table] {
			if m.To == nil && strings.Contains(said, rack) && !strings.Contains(said, "The game is over") {
				h.fail("%s tells everybody the rack %s: %s", m.Key, rack, said)
			}
		}
		if m.To != nil && m.Kind == "" {
			s, err := game.Replay(logs[m.Table][:m.Number])
			seat, ok := s.SeatOf(m.To.ID)
			if err != nil || !ok {
				h.fail("%s is told of a rack at table %d, where they have no seat", m.To.ID, m.Table)
				continue
			}
			for i, other := range s.Seats {
				if theirs := s.Equipment.Tiles.Print(other.Rack.Sorted()); i != seat && len(other.Rack) > 5 && strings.Contains(said, theirs) {
					h.fail("%s is told what %s holds", m.To.ID, other.Person.ID)
				}
			}
		}
	}
	by := map[string]game.PlayerID{}
	for _, a := range h.asked {
		by[a.req.ID] = a.req.User.ID
	}
	for _, id := range all {
		if in[id] == h.damaged {
			continue
		}
		var before game.State
		for n, e := range logs[id] {
			if n+1 < len(logs[id]) && logs[id][n+1].Cause == e.Cause {
				continue
			}
			s, err := game.Replay(logs[id][:n+1])
			had, has := table.Racks(before), table.Racks(s)
			before = s
			for who, rack := range has {
				switch changed := table.IsRunning(s) && rack != had[who]; {
				case changed && h.cards && card[lap{id, who}] < n+1:
					h.fail("the card of %s at table %d is of event %d, and their rack changed with %d", who, id, card[lap{id, who}], n+1)
				case changed && !h.cards && who != by[e.Cause] && !slices.Contains(toldRack[end{id, n + 1}], who):
					h.fail("%s isn't told the rack that event %d of table %d gave them", who, n+1, id)
				}
			}
			if err == nil && s.Phase != game.Lobby && told[end{id, n + 1}] != 1 {
				h.fail("event %d of table %d (%T) was told %d times", n, id, e.Fact, told[end{id, n + 1}])
			}
		}
	}
}

// checkLeft checks that nothing is left to do after the calm.
func (h *history) checkLeft() {
	ctx, now := context.Background(), time.Now()
	posts, _, err := h.truth.PendingPosts(ctx, "test", now.Add(time.Hour))
	if err != nil {
		h.fail("%v", err)
	}
	for _, p := range posts {
		if p.Channel != h.damaged {
			h.fail("post %d of table %d (%q, events %d to %d) was never delivered", p.ID, p.Table, p.Kind, p.From, p.To)
		}
	}
	due, _, err := h.truth.DueTimers(ctx, now.Add(-2*time.Minute-simSkew), 1000)
	if err != nil {
		h.fail("%v", err)
	}
	for _, t := range due {
		if t.Channel != h.damaged {
			h.fail("timer %d of table %d, kind %q, was due %v ago", t.ID, t.Table, t.Kind, now.Sub(t.At))
		}
	}
	all, _, err := h.truth.DueTimers(ctx, now.Add(10000*time.Hour), math.MaxInt)
	if err != nil {
		h.fail("%v", err)
	}
	for _, t := range all {
		h.timers[t.Kind]--
	}
	for kind, n := range h.timers {
		if n > 0 {
			h.fail("%d timers of kind %q are gone, and nobody saw to them", n, kind)
		}
	}
	watched := map[bot.TableID]time.Time{} // the first timer that looks at the table's turn
	for _, t := range all {
		if t.Kind == "watch" && watched[t.Table].IsZero() {
			watched[t.Table] = t.At
		}
	}
	_, in, logs := h.tables()
	shown := table.NewShown(shelf.NewRoom(h.truth.Notes("host"), nil).Owner("the host"))
	for id, log := range logs {
		s, err := game.Replay(log)
		if err != nil || in[id] == h.damaged {
			continue
		}
		if at, ok := table.LookAt(s); ok && (watched[id].IsZero() || watched[id].After(at)) {
			h.fail("nobody will look at the turn of table %d at %v: its first timer is at %v", id, at, watched[id])
		}
		// A clock begins when the turn is shown. If that time couldn't be recorded, it begins when the
		// first timer of the turn finds out.
		news, err := shown.In(ctx, in[id])
		if err != nil {
			h.fail("%v", err)
		}
		if c := s.Rules.Clock; s.Ticks() && c.CanEndGame() {
			turn := s.Left(s.Turn, 0) + c.Limit
			since := news.Since(table.Table{ID: id, Events: log, State: s})
			if since.IsZero() {
				since = log[len(log)-1].At.Add(turn + atLook)
			}
			if at := since.Add(turn); now.Sub(at) > 2*atLook {
				h.fail("the clock of table %d ran out %v ago, and the game goes on", id, now.Sub(at))
			}
		}
		if s.Phase != game.Playing {
			continue
		}
		if at, ok := s.Deadline(); ok && now.Sub(at) > 3*time.Minute {
			h.fail("the deadline of table %d passed %v ago, and nothing came of it", id, now.Sub(at))
		}
	}
}

// A damagedStore panics at a damaged table, and counts the timers that are set.
type damagedStore struct {
	*simtest.Audit
	h *history
}

// check panics if a table is damaged.
func (s damagedStore) check(ch bot.ChannelID) {
	s.h.mu.Lock()
	defer s.h.mu.Unlock()
	if ch == s.h.damaged {
		panic("slice bounds out of range")
	}
}

// Table panics if the table is damaged.
func (s damagedStore) Table(ctx context.Context, ch bot.ChannelID) (bot.TableID, []game.Event, error) {
	s.check(ch)
	return s.Audit.Table(ctx, ch)
}

// Events panics if the table is damaged.
func (s damagedStore) Events(ctx context.Context, t bot.TableID, n int) (bot.ChannelID, []game.Event, error) {
	ch, events, err := s.Audit.Events(ctx, t, n)
	s.check(ch)
	return ch, events, err
}

// ClaimTimers claims the timers of competitions one at a time, so that their workers don't start at the
// same instant. After each it says that there may be more.
func (s damagedStore) ClaimTimers(ctx context.Context, h bot.Holder, k bot.Kinds, now time.Time, limit int) ([]bot.Timer, time.Time, error) {
	if slices.Contains(k.Only, "tournament") || slices.Contains(k.Only, "league") {
		timers, next, err := s.Audit.ClaimTimers(ctx, h, k, now, 1)
		if len(timers) > 0 {
			next = now
		}
		return timers, next, err
	}
	return s.Audit.ClaimTimers(ctx, h, k, now, limit)
}

// Update panics if the table is damaged.
func (s damagedStore) Update(ctx context.Context, ch bot.ChannelID, request string, fn func(*bot.Room) error) error {
	s.check(ch)
	var set []bot.Timer
	var posts []bot.Post
	var table bot.TableID
	err := s.Audit.Update(ctx, ch, request, func(r *bot.Room) error {
		err := fn(r)
		set, posts, table = r.Timers, r.Posts, r.Table
		return err
	})
	if err == nil {
		s.h.mu.Lock()
		defer s.h.mu.Unlock()
		for _, p := range posts {
			if p.Kind != "" {
				p.Channel, p.Table = cmp.Or(p.Channel, ch), table
				s.h.queued[queuedPost{p.Channel, p.Kind, p.From, p.Key(), request}]++
			}
		}
		for _, t := range set {
			s.h.timers[t.Kind]++
		}
		s.h.prompt.note(ch, set)
	}
	return err
}

// simulated repeats one history and shows everything that its hosts log. simulateFor runs histories
// of new seeds for as long as it says, which .ci/mutants does.
var (
	simulated   = flag.Uint64("simulate", 0, "the seed of the only history that TestSimulation lives through")
	simulateFor = flag.Duration("simulate-for", 0, "how long TestSimulation looks for a history that goes wrong")
)

// lives runs histories of consecutive seeds, several at once, until the time is up or something
// goes wrong. found describes that, with the seed.
func lives(t *testing.T, from uint64, most int, until time.Time) (histories, steps int, found string) {
	var mu sync.Mutex
	next := 0
	t.Run("histories", func(t *testing.T) {
		for range runtime.GOMAXPROCS(0) {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				for {
					mu.Lock()
					seed := from + uint64(next)
					next++
					over := next > most || found != "" || time.Now().After(until)
					mu.Unlock()
					if over {
						return
					}
					wrong, n, _ := live(t, seed, slog.New(slog.DiscardHandler))
					mu.Lock()
					histories, steps = histories+1, steps+n
					if len(wrong) > 0 {
						slices.Sort(wrong)
						found = fmt.Sprintf("seed %d (repeat it with -simulate %[1]d): %s", seed, strings.Join(wrong, "\n"))
					}
					mu.Unlock()
				}
			})
		}
	})
	return histories, steps, found
}

// TestSimulation runs histories with different seeds: with -long for two minutes, once a week for
// ten, with seeds never used before.
func TestSimulation(t *testing.T) {
	if *simulated != 0 {
		wrong, _, _ := live(t, *simulated, slog.New(slog.NewTextHandler(t.Output(), nil)))
		for _, w := range wrong {
			t.Error(w)
		}
		return
	}
	from, most, until := uint64(1), 12, time.Now().Add(time.Hour)
	if gametest.Long() {
		from, most, until = rand.Uint64(), math.MaxInt, time.Now().Add(2*time.Minute)
	}
	if gametest.Longest() {
		until = time.Now().Add(10 * time.Minute)
	}
	if *simulateFor > 0 {
		from, most, until = rand.Uint64(), math.MaxInt, time.Now().Add(*simulateFor)
	}
	began := time.Now()
	histories, steps, found := lives(t, from, most, until)
	t.Logf("%d histories of %d steps in %v", histories, steps/histories, time.Since(began))
	if found != "" {
		t.Error(found)
	}
}

// A seed reproduces its history to the last step, however busy the machine is. In one of about
// fifteen, two goroutines of a process run at the same instant and compete for a lock.
func TestSeedReproducesHistory(t *testing.T) {
	seeds, same := uint64(gametest.Share(30)), uint64(0)
	for seed := range seeds {
		_, _, trace := live(t, seed, slog.New(slog.DiscardHandler))
		if _, _, again := live(t, seed, slog.New(slog.DiscardHandler)); again == trace {
			same++
		}
	}
	t.Logf("%d of %d histories were repeated to the last step", same, seeds)
	if same < seeds-1-seeds/8 {
		t.Errorf("only %d of %d histories were the same again", same, seeds)
	}
}
