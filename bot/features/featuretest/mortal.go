package featuretest

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// A mortal store sometimes loses requests and answers, as if a process died between two steps: the
// request isn't carried out, or it is but nobody gets the answer.
type mortal struct {
	bot.Store
	luck *Luck
}

func (f mortal) Update(ctx context.Context, ch bot.ChannelID, request string, fn func(*bot.Room) error) error {
	return f.luck.retryAround(func() error { return f.Store.Update(ctx, ch, request, fn) })
}

type mortalNotes struct {
	bot.Notes
	luck *Luck
}

func (f mortalNotes) Change(ctx context.Context, fn func(bot.Rows) error) error {
	return f.luck.retryAround(func() error { return f.Notes.Change(ctx, fn) })
}

func (f mortalNotes) Put(ctx context.Context, shelf, key string, value []byte) error {
	return f.luck.retryAround(func() error { return f.Notes.Put(ctx, shelf, key, value) })
}

// A Luck decides by a seed when something goes wrong.
type Luck struct {
	mu  sync.Mutex
	rng *rand.Rand
	on  bool
	// slow makes answers late by some microseconds of the bubble's clock, so that concurrent calls
	// interleave in many orders.
	slow bool
}

// NewLuck returns the luck of a seed, switched off.
func NewLuck(seed uint64) *Luck { return &Luck{rng: rand.New(rand.NewPCG(seed, 34))} }

// Befalls applies the luck to a host's stores.
func (l *Luck) Befalls(c *host.Config) {
	c.Store, c.Notes = mortal{c.Store, l}, mortalNotes{c.Notes, l}
}

func (l *Luck) bad(of int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.on && l.rng.IntN(of) == 0
}

// Turns switches trouble on or off.
func (l *Luck) Turns(on bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.on = on
}

// Dawdles makes answers late from now on.
func (l *Luck) Dawdles() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.slow = true
}

func (l *Luck) pause() {
	l.mu.Lock()
	var d time.Duration
	if l.slow {
		d = time.Duration(l.rng.IntN(8)) * time.Microsecond
	}
	l.mu.Unlock()
	time.Sleep(d)
}

var errLost = errors.New("the process has ended")

func (l *Luck) retryAround(do func() error) error {
	defer l.pause()
	if l.bad(12) {
		return errLost
	}
	if err := do(); err != nil {
		return err
	}
	if l.bad(12) {
		return errLost
	}
	return nil
}

// A Mortal is a world whose platform opens places beside channels and whose processes die.
type Mortal struct {
	*World
	Random *rand.Rand
	People []bot.User
	Stop   func()      // stops its loops
	Closed atomic.Bool // whether no places can be opened
	Luck   *Luck
}

// NewMortal returns a Mortal whose processes die at moments determined by a seed.
func NewMortal(t *testing.T, people int, seed uint64) *Mortal {
	l := &Mortal{Random: rand.New(rand.NewPCG(seed, 33)), Luck: NewLuck(seed)}
	l.World = New(t, func(c *host.Config) {
		c.URL = "https://play.example.org"
		l.Luck.Befalls(c)
		c.Platforms = func() []bot.Platform {
			return []bot.Platform{{Name: "test", Aside: func(_ context.Context, _ bot.ChannelID, key, _ string, _ []bot.PlayerID) (bot.ChannelID, error) {
				if l.Closed.Load() {
					return "", &bot.PostError{Permanent: true, Err: errors.New("no threads here")}
				}
				if l.Luck.bad(3) {
					return "", errors.New("the platform is down")
				}
				h := fnv.New64a()
				h.Write([]byte(key))
				return bot.ChannelID(fmt.Sprintf("test:aside-%x", h.Sum64())), nil
			}}}
		}
	})
	for i := range people {
		l.People = append(l.People, bot.User{ID: game.PlayerID(fmt.Sprintf("test:%02d", i)), Name: fmt.Sprintf("P%02d", i)})
	}
	l.Stop = l.Run()
	return l
}

// Settle waits until nothing happens any more.
func (l *Mortal) Settle() {
	time.Sleep(3 * time.Second)
	synctest.Wait()
}

// Restart stops the process and starts another over the same store.
func (l *Mortal) Restart() {
	l.Stop()
	l.Host = host.New(l.Config)
	l.Stop = l.Run()
}

// Games returns the tables at which a person plays.
func (l *Mortal) Games(u bot.User) []bot.Game {
	l.T.Helper()
	all, err := l.Host.Games(context.Background(), u.ID)
	gametest.Must(l.T, err)
	return slices.DeleteFunc(all, func(g bot.Game) bool { return g.Invited })
}

// Resigns resigns a person's game.
func (l *Mortal) Resigns(u bot.User, g bot.Game) {
	l.T.Helper()
	req := l.Request(u, "resign")
	req.Channel, req.Table, req.Args["sure"] = g.Channel, g.Table, "true"
	for try := range 30 { // repeat the same request until it is answered
		r := l.Host.Handle(context.Background(), req)
		if !r.Refused {
			return
		}
		if try == 29 {
			l.T.Fatalf("%s in %s: %s", u.Name, g.Channel, r.Text)
		}
		l.Settle()
	}
}

// Asks repeats a request until it is answered, like a platform that got no answer.
func (l *Mortal) Asks(req bot.Request) bot.Reply {
	l.T.Helper()
	var r bot.Reply
	for range 30 {
		if r = l.Host.Handle(l.T.Context(), req); !r.Refused {
			return r
		}
		time.Sleep(20 * time.Second)
		l.Settle()
	}
	l.T.Fatalf("%s, %s %v: %s", req.User.Name, req.Command, req.Args, r.Text)
	return r
}

// Presses presses a button of a reply.
func (l *Mortal) Presses(who bot.User, r bot.Reply, label string) bot.Reply {
	l.T.Helper()
	for _, b := range r.Buttons {
		if b.Label.String() == label {
			l.IDs++
			req, ok := bot.Request{ID: fmt.Sprintf("b%d", l.IDs), Channel: Parlour, User: who}.Press(b.ID)
			if !ok {
				l.T.Fatalf("%s is no button", b.ID)
			}
			return l.Asks(req)
		}
	}
	l.T.Fatalf("%s: no button %s under %s", who.Name, label, ReplySaid(r))
	return r
}

// CSV returns the rows of a reply's CSV file without the header.
func CSV(t testing.TB, r bot.Reply, name string) (rows [][]string) {
	t.Helper()
	for _, f := range bot.FilesIn(nil, r.Files) {
		if !strings.HasSuffix(f.Name, name) {
			continue
		}
		rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(f.Data), "\ufeff"))).ReadAll()
		gametest.Must(t, err)
		return rows[1:]
	}
	t.Fatalf("no file %s", name)
	return nil
}
