package bot_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/game"
)

// TestAMonth has many people in five time zones and on three platforms play for
// a month in which the clocks are changed, with a host that is down now and
// then. Afterwards each turn is looked at: who was told of it, and when.
func TestAMonth(t *testing.T) {
	t.Run("memory", func(t *testing.T) {
		people, days := 200, 30
		if testing.Short() {
			people, days = 60, 12
		}
		synctest.Test(t, func(t *testing.T) {
			s := memory.New()
			aMonth(t, s, s.Notes("host"), people, days)
		})
	})
	t.Run("bolt", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "tables")
		synctest.Test(t, func(t *testing.T) {
			db, err := bolt.Open(file, time.Now)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			aMonth(t, db, db.Notes("host"), 12, 6)
		})
	})
}

var monthSeed = flag.Uint64("month-seed", 1, "what happens in TestAMonth")

// A month is such a month.
type month struct {
	*testing.T
	r     *rand.Rand
	store bot.Store
	host  *bot.Host
	stop  func() // ends the host's loops
	make  func() *bot.Host
	ids   int

	people []*monthPerson
	clubs  []*club
	downs  [][2]time.Time

	mu   sync.Mutex
	said []saying
}

type monthPerson struct {
	bot.User
	zone  string
	ping  string
	quiet string
}

// A club is a channel where the same people play one game after another.
type club struct {
	channel bot.ChannelID
	members []*monthPerson
	pace    string
	next    time.Time // when somebody does something
	tables  []bot.TableID
}

// A saying is a message and when it was posted.
type saying struct {
	bot.Message
	at time.Time
}

func (m *month) Post(_ context.Context, msg bot.Message) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.said = append(m.said, saying{msg, time.Now()})
	return nil
}

func aMonth(t *testing.T, store bot.Store, notes bot.Notes, people, days int) {
	t.Logf("seed %d", *monthSeed)
	seed := *monthSeed
	m := &month{T: t, r: rand.New(rand.NewPCG(seed, 1)), store: store}
	// Five days before the clocks go forward in Berlin and back on Lord Howe.
	time.Sleep(time.Until(time.Date(2000, 3, 21, 0, 0, 0, 0, time.UTC)))
	config := newWorld(t, func(c *bot.Config) {
		c.Store, c.Notes = store, notes
		c.TurnRacks = func(string) bool { return false }
		c.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}).config
	m.make = func() *bot.Host { return bot.New(config) }
	m.up()

	zones := []string{"Europe/Berlin", "America/Los_Angeles", "Asia/Kolkata", "Australia/Lord_Howe", "America/Sao_Paulo"}
	pings := []string{"here", "here", "dm", "silent", "digest", "digest2"}
	platforms := []string{"test", "discord", "slack"}
	for i := range people {
		platform := platforms[i%len(platforms)]
		p := &monthPerson{
			User: bot.User{ID: bot.PlayerID(fmt.Sprintf("%s:p%d", platform, i)), Name: fmt.Sprint("P", i)},
			zone: zones[m.r.IntN(len(zones))], ping: pings[m.r.IntN(len(pings))],
			quiet: []string{"off", "22-8", "23:30-6:45", "13-15"}[m.r.IntN(4)],
		}
		m.people = append(m.people, p)
		m.does(bot.ChannelID(platform+":hall"), p, fmt.Sprintf("/settings ping:%s quiet:%s zone:%s", p.ping, p.quiet, p.zone))
	}
	paces := []string{"", "pace:12h late:pass", "pace:1d late:claim", "pace:1d bank:1d late:forfeit", "pace:3d late:pass weekend:free"}
	for i := range people * 2 / 5 {
		platform := platforms[i%len(platforms)]
		c := &club{channel: bot.ChannelID(fmt.Sprintf("%s:c%d", platform, i)), pace: paces[m.r.IntN(len(paces))]}
		for _, n := range m.r.Perm(people / 3)[:2+m.r.IntN(3)] {
			c.members = append(c.members, m.people[n*3+i%3])
		}
		m.clubs = append(m.clubs, c)
	}

	for range days * 24 * 4 {
		time.Sleep(15 * time.Minute)
		if m.r.IntN(120) == 0 {
			m.down(time.Duration(1+m.r.IntN(20*60)) * time.Minute)
		}
		for _, c := range m.clubs {
			if !c.next.After(time.Now()) {
				m.moveOn(c)
			}
		}
	}
	time.Sleep(time.Minute)
	synctest.Wait()
	m.stop()
	m.judge()
}

// up starts a host, as after a restart: with nothing but its store.
func (m *month) up() {
	m.host = m.make()
	ctx, cancel := context.WithCancel(m.Context())
	var all sync.WaitGroup
	for _, p := range []string{"test", "discord", "slack"} {
		all.Go(func() { m.host.Deliver(ctx, p, m) })
	}
	all.Go(func() { m.host.RunTimers(ctx) })
	m.stop = func() { cancel(); all.Wait() }
}

func (m *month) down(d time.Duration) {
	from := time.Now()
	m.stop()
	time.Sleep(d)
	m.downs = append(m.downs, [2]time.Time{from, time.Now()})
	m.up()
	synctest.Wait()
}

func (m *month) does(ch bot.ChannelID, p *monthPerson, line string) bot.Reply {
	m.ids++
	req := bot.Request{ID: fmt.Sprint("m", m.ids), Channel: ch, User: p.User}
	var refused bot.Text
	if req.Command, req.Args, refused = bot.ParseLine(line); refused != nil {
		m.Fatalf("%s: %s", line, refused)
	}
	return m.host.Handle(m.Context(), req)
}

// moveOn has the people of a club do the next thing, and says when they will do
// another: some are slow, and some never come back.
func (m *month) moveOn(c *club) {
	c.next = time.Now().Add(time.Duration(m.r.ExpFloat64() * float64(14*time.Hour)))
	_, events, err := m.store.Table(m.Context(), c.channel)
	if err != nil {
		m.Fatal(err)
	}
	s, err := game.Replay(events)
	if err != nil {
		m.Fatal(err)
	}
	switch s.Phase {
	case game.NoTable, game.Over:
		m.does(c.channel, c.members[0], fmt.Sprintf("/new seats:%d %s", len(c.members), c.pace))
		for _, p := range c.members[1:] {
			m.does(c.channel, p, "/join")
		}
		id, _, err := m.store.Table(m.Context(), c.channel)
		if err != nil {
			m.Fatal(err)
		}
		c.tables = append(c.tables, id)
	default:
		for _, p := range c.members {
			seat, ok := s.SeatOf(p.ID)
			switch n := m.r.IntN(60); {
			case ok && s.Seats[seat].Vacant && n < 30:
				m.does(c.channel, p, "/adopt")
			case ok && seat == s.Turn && s.Phase == game.Playing:
				m.does(c.channel, p, "/pass")
			case n == 0:
				m.does(c.channel, p, "/away 2")
			case n < 20 && s.Late:
				m.does(c.channel, p, "/claim")
			case n < 40 && s.Late:
				m.does(c.channel, p, "/wait")
			}
		}
	}
}

// A told is a turn, and who told its player of it.
type told struct {
	player      *monthPerson
	table       bot.TableID
	from, until time.Time // until is zero for one that goes on
	deadline    time.Time
	away        bool
	calls       []time.Time
	reminders   []time.Time
}

func (m *month) judge() {
	known := map[bot.PlayerID]*monthPerson{}
	for _, p := range m.people {
		known[p.ID] = p
	}
	turns := map[string]*told{}
	key := func(id bot.TableID, s game.State) string {
		return fmt.Sprintf("%d at %d, turn %d since %d", id, s.Turn, s.Turns, s.Began.UnixMilli())
	}
	logs := map[bot.TableID][]game.Event{}
	var late, made, ended int
	for _, c := range m.clubs {
		for _, id := range c.tables {
			_, events, err := m.store.Events(m.Context(), id, -1)
			if err != nil {
				m.Fatal(err)
			}
			logs[id] = events
			var s game.State
			open := ""
			for _, e := range events {
				before := s
				s = s.Apply(e)
				if deadline, ok := before.Deadline(); ok {
					_, out := e.Fact.(game.TimedOut)
					switch {
					case out && e.At.Before(deadline):
						m.Errorf("table %d: the turn timed out at %v, and its time was up at %v", id, e.At, deadline)
					case out && m.upSince(deadline, e.At) > 2*time.Minute:
						m.Errorf("table %d: the deadline of %v was missed until %v", id, deadline, e.At)
					case out:
						late++
					}
				}
				now := ""
				if s.Phase == game.Playing && s.Number > 0 && !s.Began.IsZero() && !s.Seats[s.Turn].Vacant {
					now = key(id, s)
				}
				if now != open {
					if was := turns[open]; was != nil {
						was.until = e.At
					}
					if open = now; now != "" {
						turns[now] = &told{player: known[s.Seats[s.Turn].Person.ID], table: id, from: s.Began}
						made++
					}
				}
				if was := turns[open]; was != nil {
					was.deadline, _ = s.Deadline()
					_, away := s.Seats[s.Turn].AwayUntil(e.At)
					was.away = was.away || away
				}
			}
			if s.Phase == game.Over {
				ended++
			}
			if deadline, ok := s.Deadline(); ok && m.upSince(deadline, time.Now()) > 2*time.Minute {
				m.Errorf("table %d: the deadline of %v is missed", id, deadline)
			}
		}
	}
	digests := map[bot.PlayerID][]time.Time{}
	for _, said := range m.said {
		text := said.Text.String()
		for _, span := range said.Text {
			if p := known[span.Person]; span.Notify && p != nil && m.quiet(p, said.at) {
				m.Errorf("%s was notified at %v, within %s in %s: %s", p.ID, said.at, p.quiet, p.zone, text)
			}
		}
		if said.To != nil {
			p := known[said.To.ID]
			if m.quiet(p, said.at) {
				m.Errorf("%s was written to at %v, within %s in %s: %s", p.ID, said.at, p.quiet, p.zone, text)
			}
			if strings.Contains(text, "for you.") {
				digests[p.ID] = append(digests[p.ID], said.at)
				continue
			}
		}
		s, err := game.Replay(logs[said.Table][:said.Number])
		if err != nil {
			m.Fatal(err)
		}
		turn := turns[key(said.Table, s)]
		if turn == nil || turn.player == nil || !strings.Contains(text, "it's your turn") {
			continue
		}
		notified := said.To != nil
		for _, span := range said.Text {
			notified = notified || span.Notify && span.Person == turn.player.ID
		}
		switch {
		case !notified:
		case strings.Contains(text, "nearly up"):
			turn.reminders = append(turn.reminders, said.at)
		default:
			turn.calls = append(turn.calls, said.at)
		}
	}
	for id, times := range digests {
		for i := range times[1:] {
			if p := known[id]; times[i+1].Sub(times[i]) < 9*time.Hour && len(m.downs) == 0 {
				m.Errorf("%s has digests at %v and %v (%s)", id, times[i], times[i+1], p.ping)
			}
		}
	}
	var calls, reminders int
	for what, turn := range turns {
		p := turn.player
		calls += len(turn.calls)
		reminders += len(turn.reminders)
		where := fmt.Sprintf("%s (%s, quiet %s in %s) at table %s", p.ID, p.ping, p.quiet, p.zone, what)
		until := turn.until
		if until.IsZero() {
			until = time.Now()
		}
		ways := len(turn.calls)
		for _, at := range digests[p.ID] {
			if at.After(turn.from) && at.Before(until) {
				ways++
				break
			}
		}
		switch p.ping {
		case "silent":
			if len(turn.calls)+len(turn.reminders)+len(digests[p.ID]) > 0 {
				m.Errorf("%s was told", where)
			}
		case "here", "dm":
			// Who goes away is told again when they are back.
			if len(turn.calls) > 1 && !turn.away {
				m.Errorf("%s was told at %v", where, turn.calls)
			}
			if len(turn.calls) == 0 && ways == 0 && !turn.away && m.upSince(turn.from, until) > 13*time.Hour {
				m.Errorf("%s was not told until %v", where, until)
			}
		default:
			if len(turn.calls) > 0 {
				m.Errorf("%s was told at %v besides the digest", where, turn.calls)
			}
			if ways == 0 && !turn.away && m.upSince(turn.from, until) > 36*time.Hour {
				m.Errorf("%s is in no digest until %v", where, until)
			}
		}
		if len(turn.reminders) > 2 {
			m.Errorf("%s was reminded at %v", where, turn.reminders)
		}
		for i, at := range turn.reminders {
			if i > 0 && at.Sub(turn.reminders[i-1]) < 44*time.Minute {
				m.Errorf("%s was reminded at %v", where, turn.reminders)
			}
		}
		// A turn that lasted to its end was announced, where a host was up.
		if p.ping != "silent" && !turn.away && !turn.deadline.IsZero() && until.After(turn.deadline.Add(-time.Minute)) && len(m.downsIn(turn.from, turn.deadline)) == 0 && len(turn.reminders) == 0 && turn.deadline.Before(time.Now()) {
			m.Errorf("%s was not reminded before %v", where, turn.deadline)
		}
	}
	m.Logf("%d games, %d over; %d turns, %d calls, %d reminders, %d late; down %d times", len(logs), ended, made, calls, reminders, late, len(m.downs))
	if len(m.people) >= 60 && (late == 0 || reminders == 0 || calls == 0) {
		m.Error("nothing much happened")
	}
}

// quiet reports whether it is within a person's quiet hours.
func (m *month) quiet(p *monthPerson, at time.Time) bool {
	end, ok := bot.QuietEnd(p.quiet, at, p.zone)
	return ok && end.After(at)
}

// upSince is for how long a host was up between two times.
func (m *month) upSince(from, to time.Time) time.Duration {
	d := to.Sub(from)
	for _, down := range m.downsIn(from, to) {
		d -= down[1].Sub(down[0])
	}
	return d
}

func (m *month) downsIn(from, to time.Time) (all [][2]time.Time) {
	for _, d := range m.downs {
		if d[0].Before(from) {
			d[0] = from
		}
		if d[1].After(to) {
			d[1] = to
		}
		if d[0].Before(d[1]) {
			all = append(all, d)
		}
	}
	return all
}
