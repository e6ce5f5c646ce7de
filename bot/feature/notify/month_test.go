package notify_test

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestMonthOfManyPeople simulates a month (a week in a short run) of many people in five time zones on
// three platforms. Daylight saving time changes, and the host is down now and then.
// Afterwards every turn, reminder, digest and deadline is compared with a calendar that
// walks through the month minute by minute and shares no code with the host; see
// month_judge_test.go.
func TestMonthOfManyPeople(t *testing.T) {
	t.Run("memory", func(t *testing.T) {
		people, days := gametest.Rounds(30, 200), gametest.Rounds(8, 30)
		synctest.Test(t, func(t *testing.T) {
			s := memory.New()
			aMonth(t, s, s.Notes("host"), people, days)
		})
	})
	t.Run("bolt", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "tables")
		synctest.Test(t, func(t *testing.T) {
			db, err := bolt.Open(file, time.Now)
			gametest.Must(t, err)
			defer db.Close()
			aMonth(t, db, db.Notes("host"), 12, gametest.Share(6)+1)
		})
	})
}

var monthSeed = flag.Uint64("month-seed", 1, "what happens in TestMonthOfManyPeople")

// A month is the state of such a simulation.
type month struct {
	*testing.T
	r     *rand.Rand
	store bot.Store
	draws bottest.Reader
	host  *host.Host
	stop  func() // stops the host's loops
	make  func() *host.Host
	ids   int

	people []*monthPerson
	clubs  []*club
	downs  [][2]time.Time

	mu   sync.Mutex
	said []saying
}

type monthPerson struct {
	bot.User
	zone     string
	location *time.Location
	ping     string
	quiet    string
}

// A club is a channel where the same people play one game after another.
type club struct {
	channel bot.ChannelID
	members []*monthPerson
	pace    string
	next    time.Time // when a member acts next
	tables  []bot.TableID
}

// A saying is a message and the time it was posted.
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
	m.draw()
	// Five days before daylight saving time begins in Berlin and ends on Lord Howe.
	time.Sleep(time.Until(time.Date(2000, 3, 21, 0, 0, 0, 0, time.UTC)))
	config := newWorld(t, func(c *host.Config) {
		c.Store, c.Notes, c.Random = store, notes, &m.draws
		c.Platforms = func() []bot.Platform {
			return []bot.Platform{{Name: "discord", Cards: true}, {Name: "slack", Cards: true}}
		}
		c.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}).Config
	m.make = func() *host.Host { return host.New(config) }
	m.up()

	zones := []string{"Europe/Berlin", "America/Los_Angeles", "Asia/Kolkata", "Australia/Lord_Howe", "America/Sao_Paulo"}
	pings := []string{"here", "here", "dm", "silent", "digest", "digest2"}
	platforms := monthPlatforms()
	for i := range people {
		platform := platforms[i%len(platforms)]
		p := &monthPerson{
			User: bot.User{ID: bot.PlayerID(fmt.Sprintf("%s:p%d", platform, i)), Name: fmt.Sprint("P", i)},
			zone: zones[m.r.IntN(len(zones))], ping: pings[m.r.IntN(len(pings))],
			quiet: []string{"off", "22-8", "23:30-6:45", "13-15"}[m.r.IntN(4)],
		}
		var err error
		if p.location, err = time.LoadLocation(p.zone); err != nil {
			t.Fatal(err)
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

	// One person in ten has a linked identity on another platform.
	for i := 0; i+1 < people; i += 10 {
		p, q := m.people[i], m.people[i+1]
		code := featuretest.LinkCode(t, m.does(bot.ChannelID(platforms[i%3]+":hall"), p, "/link"))
		m.does(bot.ChannelID(platforms[(i+1)%3]+":hall"), q, "/link "+code)
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

// up starts a host with nothing but its store, as after a restart.
func (m *month) up() {
	m.host = m.make()
	ctx, cancel := context.WithCancel(m.Context())
	var all sync.WaitGroup
	for _, p := range monthPlatforms() {
		all.Go(func() { m.host.Deliver(ctx, p, m) })
	}
	all.Go(func() { m.host.RunTimers(ctx) })
	m.stop = func() { cancel(); all.Wait() }
}

// down stops the host for d, at an odd moment.
func (m *month) down(d time.Duration) {
	time.Sleep(time.Duration(1+m.r.IntN(1e6)) * time.Millisecond)
	synctest.Wait()
	from := time.Now()
	m.stop()
	time.Sleep(d)
	m.downs = append(m.downs, [2]time.Time{from, time.Now()})
	m.up()
	synctest.Wait()
}

func (m *month) does(ch bot.ChannelID, p *monthPerson, line string) bot.Reply {
	// Actions avoid the moments when timers fall due.
	time.Sleep(time.Duration(1+m.r.IntN(900)) * time.Millisecond)
	synctest.Wait()
	defer synctest.Wait()
	m.ids++
	req := bot.Request{ID: fmt.Sprint("m", m.ids), Channel: ch, User: p.User}
	var refused text.Text
	if req.Command, req.Args, refused = features.Commands().ParseLine(line, nil); refused != nil {
		m.Fatalf("%s: %s", line, refused)
	}
	if req.Command == "pass" {
		req.Args = map[string]string{"sure": "true"} // it asks otherwise
	}
	m.draw()
	return m.host.Handle(m.Context(), req)
}

// draw seeds the draws of the next request. The loops draw from the same source in any order: without
// a seed of its own, a request would draw something else each time.
func (m *month) draw() {
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], *monthSeed)
	binary.LittleEndian.PutUint64(seed[8:], uint64(m.ids))
	m.draws.R = rand.NewChaCha8(seed)
}

// moveOn lets the members of a club take the next action and schedules another. Some
// members are slow, and some never come back.
func (m *month) moveOn(c *club) {
	c.next = time.Now().Add(time.Duration(m.r.ExpFloat64() * float64(14*time.Hour)))
	_, events, err := m.store.Table(m.Context(), c.channel)
	gametest.Must(m, err)
	s, err := game.Replay(events)
	gametest.Must(m, err)
	switch s.Phase {
	case game.NoTable, game.Over:
		m.does(c.channel, c.members[0], fmt.Sprintf("/new seats:%d %s", len(c.members), c.pace))
		for _, p := range c.members[1:] {
			m.does(c.channel, p, "/join")
		}
		id, _, err := m.store.Table(m.Context(), c.channel)
		gametest.Must(m, err)
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
			case n == 1:
				m.does(c.channel, p, "/away back")
			case n < 20 && s.Late:
				m.does(c.channel, p, "/claim")
			case n < 40 && s.Late:
				m.does(c.channel, p, "/wait")
			}
		}
	}
}

// monthPlatforms returns the platforms. On two of them players have cards.
func monthPlatforms() []string { return []string{"web", "discord", "slack"} }
