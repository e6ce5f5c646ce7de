package features_test

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot/features/featuretest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

// A scripted game is a random game as the requests a host would have received. With the game's
// secret and clock the host draws the same tiles, so the same game results.
type scripted struct {
	name   string
	events []game.Event
	steps  []step
	secret game.Secret
}

// A step is a request and its time, or, without a command, the end of the time to challenge.
type step struct {
	at  time.Time
	req bot.Request
	end int // number of events after it
}

func script(t testing.TB, seed uint64, players int, rules game.Rules) scripted {
	t.Helper()
	log := gametest.RandomGame(t, seed, players, rules)
	g := scripted{
		name:   fmt.Sprintf("%s-%s-%d players-seed %d", rules.Name, rules.Challenge, players, seed),
		events: log, secret: log[0].Fact.(game.Opened).Secret,
	}
	var s game.State
	for i := 0; i < len(log); {
		e := log[i]
		st := step{at: e.At, req: bot.Request{ID: e.Cause, Channel: parlour}}
		st.req.User, st.req.Command, st.req.Args = asked(s, e.Fact)
		for i < len(log) && log[i].Cause == e.Cause {
			s = s.Apply(log[i])
			i++
		}
		st.end = i
		g.steps = append(g.steps, st)
	}
	return g
}

// asked returns the request behind a fact.
func asked(s game.State, f game.Fact) (who bot.User, command string, args map[string]string) {
	seat := func(i int) bot.User { return s.Seats[i].Person }
	set := s.Equipment.Tiles
	switch f := f.(type) {
	case game.Opened:
		return f.Host, "new", map[string]string{
			"rules": f.Rules.Name, "challenge": f.Rules.Challenge.String(), "seats": fmt.Sprint(f.Seats), "order": f.Rules.Order.String(), "clock": "off", "hints": map[bool]string{true: "allowed", false: "refused"}[f.Rules.Hints],
		}
	case game.Joined:
		return f.Person, "join", map[string]string{"sure": "yes"}
	case game.Left:
		return seat(f.Seat), "leave", nil
	case game.Started:
		return seat(0), "start", nil
	case game.Played:
		word := ""
		for i := range len(f.Move.Tiles) {
			switch tile := f.Move.Tiles.At(i); {
			case tile.IsBlank():
				word += "?" + strings.ToLower(set.Alphabet().Text(tile.Letter()))
			default:
				word += strings.ToLower(set.Text(tile))
			}
		}
		return seat(f.Seat), "play", map[string]string{"word": word, "at": f.Move.At.At(f.Move.Dir)}
	case game.Exchanged:
		return seat(f.Seat), "exchange", map[string]string{"tiles": strings.ToLower(set.Print(f.Put))}
	case game.Passed:
		return seat(f.Seat), "pass", map[string]string{"sure": "true"}
	case game.Accepted:
		return seat(f.Seat), "pass", nil
	case game.Challenged:
		words := ""
		for _, w := range f.Words {
			words += ", " + strings.ToUpper(set.Print(w))
		}
		return seat(f.By), "challenge", map[string]string{"words": words}
	case game.Resigned:
		return seat(f.Seat), "resign", nil
	case game.Agreed:
		return seat(f.Seat), "end", nil
	case game.Balloted:
		order := ""
		for _, i := range f.Order {
			order += fmt.Sprint(i + 1)
		}
		return seat(f.Seat), "vote", map[string]string{"order": cmp.Or(order, "any")}
	case game.Ended, game.Ordered:
		return bot.User{}, "", nil // the time was up
	case game.Act:
		return bot.User{}, "", nil // a variant's own action, which isn't replayed
	}
	panic(fmt.Sprintf("nobody asks for %T", f))
}

// A replayer sends a scripted game's requests to a host.
type replayer struct {
	*world
	scripted
	clock *clock
}

// A clock is set by hand.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

func newReplayer(t testing.TB, g scripted, changes ...func(*host.Config)) *replayer {
	r := &replayer{scripted: g, clock: &clock{}}
	// The first random bytes become the secret; refused requests use more.
	random := &bottest.Reader{R: io.MultiReader(bytes.NewReader(g.secret[:]), rand.NewChaCha8([32]byte{}))}
	r.world = newWorld(t, append(changes, func(c *host.Config) { c.Now, c.Random = r.clock.Now, random })...)
	return r
}

// request returns a step's request, as a button if there is no other way.
func (r *replayer) request(st step) bot.Request {
	req := st.req
	if req.Command == "resign" {
		req.Table, req.Number = 1, 1
	}
	return req
}

// step carries out one step and returns the reply. If the time was up, it sets the clock and waits
// for the timers.
func (r *replayer) step(st step) bot.Reply {
	r.T.Helper()
	r.clock.set(st.at)
	if st.req.Command == "" {
		time.Sleep(7 * r.Config.Life) // the loop checks by itself every six lives
		synctest.Wait()
		return bot.Reply{}
	}
	return r.Host.Handle(r.T.Context(), r.request(st))
}

// facts returns the log's facts without what differs between hosts.
func facts(events []game.Event) []game.Fact {
	var out []game.Fact
	for _, e := range events {
		if f, ok := e.Fact.(game.Opened); ok {
			f.Lexicon, f.Equipment = game.LexiconID{}, game.Equipment{}
			e.Fact = f
		}
		switch f := e.Fact.(type) {
		case game.LastPlay:
			f.Until = f.Until.UTC()
			e.Fact = f
		case game.Polled:
			f.Until = f.Until.UTC()
			e.Fact = f
		}
		out = append(out, e.Fact)
	}
	return out
}

// TestRandomGamesThroughHost plays random games through the host from the first command to the last post.
func TestRandomGamesThroughHost(t *testing.T) {
	for i, rules := range featuretest.EveryRules() {
		if !gametest.Long() && i%4 != 1 {
			continue
		}
		for _, players := range [][]int{{2, 4}, {3}, {2, 3}, {4}}[i%4] {
			g := script(t, uint64(i), players, rules)
			t.Run(g.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					r := newReplayer(t, g)
					r.Run()
					called := 0
					for n, st := range g.steps {
						if reply := r.step(st); reply.Refused {
							t.Fatalf("step %d, %s %v: %s", n, st.req.Command, st.req.Args, reply.Text)
						}
						synctest.Wait()
						called += r.checkPosts(st)
					}
					if got, want := facts(events(t, r.Config.Store, parlour)), facts(g.events); !reflect.DeepEqual(got, want) {
						t.Fatalf("the host's game is another:\n%v\n%v", got, want)
					}
					s, _ := game.Replay(g.events)
					if called < s.Turns {
						t.Errorf("%d calls in %d turns", called, s.Turns)
					}
					r.checkExport()
					if log := r.Log.String(); strings.Contains(log, "level=ERROR") || strings.Contains(log, "level=WARN") {
						t.Errorf("the log:\n%s", log)
					}
				})
			})
		}
	}
}

// checkPosts checks the posts of a step: one to the channel, one to each other player whose rack
// changed, one call to the player who has the turn and none to others. It returns the number of
// calls.
func (r *replayer) checkPosts(st step) (called int) {
	r.T.Helper()
	from := 0
	for _, other := range r.steps {
		if other.end < st.end {
			from = other.end
		}
	}
	before, _ := game.Replay(r.events[:from])
	after, _ := game.Replay(r.events[:st.end])
	want := map[string]bool{"": true}
	for i, seat := range after.Seats {
		if after.Phase == game.Over || seat.Out || seat.Person.ID == st.req.User.ID {
			continue
		}
		if i >= len(before.Seats) || before.Seats[i].Rack.Sorted() != seat.Rack.Sorted() {
			want[string(seat.Person.ID)] = true
		}
	}
	got := map[string]bool{}
	for _, m := range r.Posts.Take() {
		if got[featuretest.To(m)] {
			r.T.Errorf("event %d: two posts to %q", st.end, featuretest.To(m))
		}
		got[featuretest.To(m)] = true
		if n := len([]rune(m.Text.String())); n > 2000 {
			r.T.Errorf("event %d: %d characters", st.end, n)
		}
		for _, sp := range m.Text {
			if !sp.Notify {
				continue
			}
			called++
			seat, ok := after.SeatOf(sp.Person)
			toAct := after.Phase == game.Voting && !after.Seats[seat].Voted || after.Phase == game.Playing && (after.Turn == seat || !after.Seats[seat].Agreed) || after.Phase == game.Closing && after.Latest.Seat != seat
			if !ok || !toAct {
				r.T.Errorf("event %d calls %s, who has nothing to do: %s", st.end, sp.Text, m.Text)
			}
		}
	}
	if !maps.Equal(got, want) {
		r.T.Errorf("event %d: posts to %v, want %v", st.end, slices.Collect(maps.Keys(got)), slices.Collect(maps.Keys(want)))
	}
	return called
}

// checkExport checks that the files of a finished game can be read and prove what they should.
func (r *replayer) checkExport() {
	r.T.Helper()
	reply := r.Does(people["eve"], "/export")
	if len(reply.Files) != 2 || reply.Files[0].Name != "rackmate-1.gcg" || reply.Files[1].Name != "rackmate-1-proof.json" {
		r.T.Fatalf("export: %s, %d files", reply.Text, len(reply.Files))
	}
	if _, err := record.ParseGCG(reply.Files[0].Data); err != nil {
		r.T.Errorf("GCG: %v", err)
	}
	proof, err := record.ParseProof(reply.Files[1].Data)
	if err == nil {
		_, err = proof.Check()
	}
	if err != nil {
		r.T.Errorf("proof: %v", err)
	}
}

// TestRepeatedRequestsChangeNothing delivers every request of random games twice: immediately, after other requests,
// refused ones too, and to another host over the same store. The answer is the same and nothing
// changes.
func TestRepeatedRequestsChangeNothing(t *testing.T) {
	for i, rules := range featuretest.EveryRules() {
		if !gametest.Long() && i%4 > 0 {
			continue
		}
		g := script(t, uint64(100+i), 2+i%3, rules)
		t.Run(g.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newReplayer(t, g)
				r.Run()
				type done struct {
					req   bot.Request
					reply string
				}
				var all []done
				posts := 0
				handle := func(h *host.Host, req bot.Request) string { return replySaid(h.Handle(t.Context(), req)) }
				for n, st := range g.steps {
					if st.req.Command == "" {
						r.step(st)
						posts += len(r.Posts.Take())
						continue
					}
					r.clock.set(st.at)
					// Others send requests that are refused: a move out of turn, and Eve resigns a
					// game she isn't in.
					for _, req := range []bot.Request{
						{ID: fmt.Sprint("early-", n), Channel: parlour, User: gametest.People[(n+1)%len(gametest.People)], Command: "play", Args: map[string]string{"word": "qzx", "at": "8h"}},
						{ID: fmt.Sprint("eve-", n), Channel: parlour, User: people["eve"], Command: "resign", Table: 1, Number: 1},
						r.request(st),
					} {
						if n == 0 && req.ID != st.req.ID {
							continue
						}
						all = append(all, done{req, handle(r.Host, req)})
						if again := handle(r.Host, req); again != all[len(all)-1].reply {
							t.Fatalf("step %d, %s again:\n%.500s\nfirst:\n%.500s", n, req.Command, again, all[len(all)-1].reply)
						}
					}
					synctest.Wait()
					posts += len(r.Posts.Take())
				}
				want := len(events(t, r.Config.Store, parlour))
				if want != len(g.events) {
					t.Fatalf("%d events, want %d", want, len(g.events))
				}
				other := host.New(r.Config)
				r.clock.set(r.clock.Now().Add(12 * time.Hour))
				for n, d := range all {
					if again := handle(other, d.req); again != d.reply {
						t.Fatalf("request %d, %s, at the end:\n%.500s\nfirst:\n%.500s", n, d.req.Command, again, d.reply)
					}
				}
				synctest.Wait()
				if got := len(events(t, r.Config.Store, parlour)); got != want {
					t.Errorf("%d events became %d", want, got)
				}
				if more := r.Posts.Take(); len(more) > 0 {
					t.Errorf("%d more posts: %s", len(more), more[0].Text)
				}
			})
		})
	}
}
