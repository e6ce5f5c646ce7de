// Package storetest has the tests that every [bot.Store] must pass. A store's own tests call [Run].
//
// They require no more than bot.Store and bot.Notes promise: ids may have gaps, and the function
// passed to Update may be called again. So an optimistic store of many processes can pass as well
// as a file of one.
package storetest

import (
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// A Store is a store under test.
type Store interface {
	bot.Store
	Notes(adapter string) bot.Notes
	Close() error
}

// Open opens the store in a directory (or with that name). A new, empty directory means a new,
// empty store; opened again after Close, it is the same store. now is the store's clock.
type Open func(t *testing.T, dir string, now func() time.Time) Store

// Patience limits how long a hint may take before it counts as lost. A test in which hints get lost
// waits that long for each, and so sets less.
var Patience = 2 * time.Minute

// Run tests a store. Several tests call open at once.
func Run(t *testing.T, open Open) {
	for _, c := range []struct {
		name string
		test func(*subject)
	}{
		{"a first table", testFirstTable},
		{"events go on where they stopped", testEventsGoOn},
		{"an event out of place is refused", testEventOutOfPlace},
		{"posts and timers need a table", testNeedsTable},
		{"those that have a kind need none", testKindNeedsNoTable},
		{"an error changes nothing", testErrorChangesNothing},
		{"a panic changes nothing", testPanicChangesNothing},
		{"a cancelled context changes nothing", testCancelled},
		{"a new table in the same channel", testNextTable},
		{"no such table", testNoTable},
		{"readers put more behind what they got", testAppends},
		{"readers don't wait for an update", testReadersDontWait},
		{"two hundred updates of a channel at once", testCrowd},
		{"channels side by side", testSideBySide},
		{"odd names keep apart", testOddNames},
		{"names that are no text are refused", testNoText},
		{"who is playing where", testPlaying},

		{"who is named where", testNamed},
		{"somebody else in a person's place", testRenamed},
		{"a new name", testNewName},
		{"nothing names an erased person", testErased},

		{"a receipt is found again", testReceiptFound},
		{"a refusal is found, and kept", testRefusalKept},
		{"a receipt is for one channel", testReceiptOfChannel},
		{"a receipt is kept for a day", testReceiptKept},
		{"no request, no receipt", testNoRequest},
		{"one request many times at once", testSameRequest},

		{"posts of a queue in their order", testQueueOrder},
		{"queues don't wait for each other", testQueuesAreIndependent},
		{"a post postponed", testPostDeferred},
		{"a post sent twice", testSentTwice},
		{"posts of one platform", testPlatforms},
		{"posts come with their events", testPostsWithEvents},

		{"timers fire in order", testTimers},
		{"a timer that has fired", testFired},

		{"a queue is claimed once", testClaimQueue},
		{"a holder that dies loses its posts", testClaimLapses},
		{"a slow holder can't finish what another has taken", testClaimFences},
		{"a post postponed is given back", testClaimDeferred},
		{"a change that is a post's delivery", testConcludes},
		{"a timer is claimed once", testClaimTimer},
		{"posts of a table are left to others", testLeftPosts},
		{"a timer is given back", testReleaseTimer},
		{"timers are claimed by kind", testClaimKinds},
		{"posts claimed by many at once", testClaimPostsCrowd},
		{"timers claimed by many at once", testClaimTimersCrowd},
		{"a job has one holder", testElect},
		{"a job sought by many at once", testElectCrowd},
		{"who holds what", testHolders},
		{"an update is hinted at", testWatchUpdate},
		{"notes are hinted at", testWatchNotes},

		{"notes on shelves", testShelves},
		{"notes in odd places", testOddNotes},
		{"a shelf is read in pages", testScan},
		{"rows change together or not at all", testChange},
		{"rows changed by many at once", testChangeCrowd},
		{"a log", testLogAdds},
		{"a log is read in pages", testLogPages},
		{"a log written by many at once", testLogCrowd},

		{"everything is there after a restart", testRestart},
		{"random operations", testSimulate},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := &subject{T: t, opener: open, dir: t.TempDir(), clock: &clock{now: start}}
			s.Store = open(t, s.dir, s.clock.Now)
			t.Cleanup(func() { s.Close() })
			c.test(s)
		})
	}
}

// A subject is a store under test.
type subject struct {
	*testing.T
	Store
	opener Open
	dir    string
	clock  *clock
}

// restart closes the store and opens it again.
func (s *subject) restart() {
	s.Helper()
	s.must(s.Close())
	s.Store = s.opener(s.T, s.dir, s.clock.Now)
}

func (s *subject) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// mustEqual fails the test if two values differ. An empty list equals a nil one.
func (s *subject) mustEqual(what string, got, want any) {
	s.Helper()
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	if g.Kind() == reflect.Slice && w.Kind() == reflect.Slice && g.Len() == 0 && w.Len() == 0 {
		return
	}
	if !reflect.DeepEqual(got, want) {
		s.Fatalf("%s:\n got %+v\nwant %+v", what, got, want)
	}
}

var start = time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)

type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

const (
	den     bot.ChannelID = "web:den"
	parlour bot.ChannelID = "web:parlour"

	ann game.PlayerID = "web:ann"
	ben game.PlayerID = "web:ben"
)

// fact returns the event with number n of every table here.
func fact(n int) game.Fact {
	switch n {
	case 0:
		layout, err := game.ParseLayout("tiny", ".T.\nd*d\n.T.")
		if err != nil {
			panic(err)
		}
		tiles, err := game.ParseTileSet("tiny", "A\t9\t1\tv\nB\t2\t3\nL·L\t1\t10\n?\t2\t0")
		if err != nil {
			panic(err)
		}
		return game.Opened{
			Rules:     game.Classic(),
			Equipment: game.Equipment{Layout: layout, Tiles: tiles},
			Lexicon:   game.LexiconID{Name: "en", Hash: "f67eb9"},
			Secret:    game.Secret{1, 2, 255},
			Host:      game.Person{ID: ann, Name: "Ann"},
			Seats:     2,
			Invited:   []game.Person{{ID: ben, Name: "Ben"}},
		}
	case 1:
		return game.Joined{Person: game.Person{ID: ann, Name: "Ann"}}
	case 2:
		return game.Joined{Person: game.Person{ID: ben, Name: "Ben · \"<b>\" \x00 😀"}}
	case 3:
		return game.Started{}
	case 4:
		return game.Dealt{First: 1, Racks: []game.Tiles{game.TilesOf(1, 1, game.Blank), game.TilesOf(2, 3, 1)}}
	}
	if n%2 == 0 {
		return game.Passed{Seat: 0}
	}
	return game.Exchanged{Seat: 1, Put: game.TilesOf(2, 3), Drew: game.TilesOf(game.Blank, 1)}
}

// log returns events from up to, but not including, to, all caused by one request.
func log(cause string, from, to int) []game.Event {
	var events []game.Event
	for n := from; n < to; n++ {
		events = append(events, game.Event{
			Number: n, At: start.Add(time.Duration(n) * 1001 * time.Millisecond), Cause: cause, Fact: fact(n),
		})
	}
	return events
}

// play appends n events to the channel's table, or begins a first one.
func (s *subject) play(ch bot.ChannelID, n int) {
	s.Helper()
	s.must(s.Update(s.Context(), ch, "", func(r *bot.Room) error {
		r.Append = log("play", len(r.Events), len(r.Events)+n)
		return nil
	}))
}

// post appends an event to the channel's table and queues a post about it for each player; "" means
// everybody.
func (s *subject) post(ch bot.ChannelID, players ...game.PlayerID) {
	s.Helper()
	s.must(s.Update(s.Context(), ch, "", func(r *bot.Room) error {
		n := len(r.Events)
		r.Append = log("post", n, n+1)
		for _, p := range players {
			r.Posts = append(r.Posts, bot.Post{From: n, To: n + 1, For: p})
		}
		return nil
	}))
}

// has fails the test unless the channel's latest table has n events.
func (s *subject) has(ch bot.ChannelID, n int) bot.TableID {
	s.Helper()
	id, events, err := s.Table(s.Context(), ch)
	s.must(err)
	if len(events) != n {
		s.Fatalf("table %d of %s has %d events, want %d", id, ch, len(events), n)
	}
	for i, e := range events {
		if e.Number != i {
			s.Fatalf("table %d of %s: event %d has the number %d", id, ch, i, e.Number)
		}
	}
	return id
}

// pending lists the ready posts, and finds them by description: "web:den 3", "web:den 3 for
// web:ann", "... after 2 tries".
func (s *subject) pending(platform string, now time.Time) (ready []string, ids map[string]bot.Post, next time.Time) {
	s.Helper()
	posts, next, err := s.PendingPosts(s.Context(), platform, now)
	s.must(err)
	ids = map[string]bot.Post{}
	for _, p := range posts {
		text := fmt.Sprintf("%s %d", p.Channel, p.From)
		if p.For != "" {
			text += fmt.Sprintf(" for %s", p.For)
		}
		if p.Tries > 0 {
			text += fmt.Sprintf(" after %d tries", p.Tries)
		}
		ready = append(ready, text)
		ids[text] = p
	}
	return ready, ids, next
}

// ready fails the test unless the ready posts of platform "web", and the time of the next, are as
// wanted.
func (s *subject) ready(now, wantNext time.Time, want ...string) map[string]bot.Post {
	s.Helper()
	ready, ids, next := s.pending("web", now)
	s.mustEqual("posts that are ready", ready, want)
	s.mustEqual("time of the next", next, wantNext)
	return ids
}

// send removes the ready posts of platform "web" until none is left, and lists them.
func (s *subject) send() []string {
	s.Helper()
	var sent []string
	for {
		ready, ids, _ := s.pending("web", s.clock.Now())
		if len(ready) == 0 {
			return sent
		}
		for _, text := range ready {
			sent = append(sent, text)
			s.must(s.RemovePost(s.Context(), ids[text]))
		}
	}
}

// runTogether calls fn n times concurrently and waits for all.
func runTogether(n int, fn func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { fn(i) })
	}
	wg.Wait()
}

// words returns names that a careless store would mix up.
func words() []string {
	long := string(make([]byte, 2000))
	return []string{
		"a", "A", "b", "a/b", "a:b", "a\nb", "a\x00b", "a\x00", "\x00a", "\x00", "\x00\x00", " a", "a ", "é", "e\u0301", "😀",
		"\ufffd", "../a", "a'; DROP TABLE events; --", "%", "_", long, long + "a", long + "b",
	}
}
