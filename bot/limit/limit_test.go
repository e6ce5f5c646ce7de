package limit_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/limit"
	"github.com/rackmate/rackmate/game/gametest"
)

func person(name string) bot.Asker { return bot.Asker{Person: bot.PlayerID("test:" + name)} }

func at(address string) bot.Asker { return bot.Asker{Address: netip.MustParseAddr(address)} }

func waits(b *limit.Busy) time.Duration {
	if b == nil {
		return 0
	}
	return b.Wait
}

// With two processors a share of 4 % is 0.08 processors, with half a minute of that saved up.
func TestBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := limit.NewBudget(time.Now, .04, 2)
		ann, bob := person("ann"), person("bob")
		if b.Check(ann, true) != nil || b.Level(ann) != 1 {
			t.Fatal("Ann has used nothing")
		}
		b.Spend(ann, 2*time.Second)
		if b.Check(ann, true) != nil {
			t.Error("Ann has .4 s left")
		}
		b.Spend(ann, 2*time.Second)
		busy := b.Check(ann, true)
		if busy == nil || busy.Owner != limit.Person || waits(busy).Round(time.Second) != 21*time.Second {
			t.Errorf("Ann owes 1.6 s, and waits %v", waits(busy))
		}
		if b.Check(ann, false) != nil {
			t.Error("Ann can't play on")
		}
		if b.Check(bob, true) != nil {
			t.Error("Bob pays for Ann")
		}
		b.Spend(ann, 2*time.Second)
		if b.Check(ann, false) == nil {
			t.Error("Ann owes 3.6 s, and isn't asked to wait")
		}
		time.Sleep(b.Check(ann, false).Wait)
		if b.Check(ann, false) != nil || b.Check(ann, true) == nil {
			t.Error("Ann waited for as long as she was told, and plays on")
		}
		time.Sleep(b.Check(ann, true).Wait)
		if b.Check(ann, true) != nil {
			t.Error("Ann waited for as long as she was told")
		}
		b.Spend(ann, -time.Hour)
		if b.Level(ann) != 1 {
			t.Errorf("given back more than she spent, Ann has %v", b.Level(ann))
		}
		var none *limit.Budget
		none.Spend(ann, time.Hour)
		if none.Check(ann, true) != nil {
			t.Error("without limits Ann is refused")
		}
	})
}

// A network pays for all its requests: an IPv4 address, or an IPv6 /48. Addresses that everybody
// may share, such as a proxy beside the host, pay nothing.
func TestNetworksPay(t *testing.T) {
	for _, asks := range []func(i int) string{
		func(int) string { return "203.0.113.7" },
		func(int) string { return "::ffff:203.0.113.7" },
		func(i int) string { return fmt.Sprintf("2001:db8:1:1::%x", i) },
		func(i int) string { return fmt.Sprintf("2001:db8:1:%x::1", i) },
	} {
		synctest.Test(t, func(t *testing.T) {
			b := limit.NewBudget(time.Now, .04, 2)
			n := 0
			for ; n < 10_000; n++ {
				a := at(asks(n))
				a.Person = bot.PlayerID(fmt.Sprint("test:", n)) // a different person each time
				if busy := b.Check(a, true); busy != nil {
					if busy.Owner != limit.Network {
						t.Errorf("%s: %d pays", asks(n), busy.Owner)
					}
					break
				}
				b.Spend(a, 125*time.Millisecond)
			}
			if n != 77 {
				t.Errorf("%s: 0.125 s were had %d times, want 77", asks(0), n)
			}
		})
	}
	for _, own := range []string{"127.0.0.1", "10.1.2.3", "192.168.0.1", "::1", "fd00::1", "fe80::1%eth0"} {
		b := limit.NewBudget(time.Now, .04, 2)
		b.Spend(at(own), time.Hour)
		if b.Check(at(own), false) != nil {
			t.Errorf("everybody behind %s pays for one", own)
		}
	}
}

// However many keys come by, the number of buckets stays bounded, and none in debt is dropped.
func TestBucketsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := limit.NewBuckets[string](time.Now, 1, 60)
		b.Spend("debtor", 1_000_000)
		for i := range 100_000 {
			b.Spend(fmt.Sprint(i), 1)
			if i%10_000 == 0 {
				time.Sleep(time.Minute)
			}
		}
		if n := b.Kept(); n > 40_000 {
			t.Errorf("%d buckets are kept", n)
		}
		if b.Level("debtor") > 0 {
			t.Error("a debt is forgotten")
		}
	})
}

// A bucket gives as many tokens as it holds at once, then as many as it refills. Processes that
// share a limit get a part each.
func TestBuckets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := limit.NewBuckets[string](time.Now, 2, 10)
		processes := 1
		b.Shared = func() int { return processes }
		take := func(key string) (taken int, wait time.Duration) {
			for ; taken < 100; taken++ {
				if wait = b.Take(key); wait > 0 {
					return taken, wait
				}
			}
			return taken, 0
		}
		if n, wait := take("ann"); n != 10 || wait != time.Second/2 || b.Wait("ann") != wait || b.Wait("bob") != 0 {
			t.Errorf("of ten tokens %d were taken, and the next comes in %v", n, wait)
		}
		time.Sleep(2 * time.Second)
		if n, _ := take("ann"); n != 4 {
			t.Errorf("two seconds later %d were there, want 4", n)
		}
		processes = 2
		time.Sleep(time.Hour)
		if n, _ := take("ann"); n != 5 {
			t.Errorf("one of two processes gives %d, want 5", n)
		}
	})
}

// Heavy work runs on half of the processors, for people who have used least first. A caller that
// hangs up leaves the queue.
func TestQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := limit.NewBudget(time.Now, .04, 2)
		waiting := 0
		q := limit.NewQueue(b, 2, func(n, _ int) { waiting = n })
		b.Spend(person("ann"), time.Second)
		b.Spend(person("eve"), 2*time.Second)
		leave, err := q.Enter(t.Context(), person("dan"))
		gametest.Must(t, err)
		var order []string
		var all sync.WaitGroup
		for _, name := range []string{"eve", "ann", "ann", "bob"} {
			all.Go(func() {
				leave, err := q.Enter(t.Context(), person(name))
				if err != nil {
					t.Error(err)
					return
				}
				order = append(order, name)
				time.Sleep(time.Second)
				leave(time.Second)
			})
			synctest.Wait()
		}
		gone, hangUp := context.WithCancel(t.Context())
		all.Go(func() {
			if _, err := q.Enter(gone, person("fay")); !errors.Is(err, context.Canceled) {
				t.Errorf("Fay hung up: %v", err)
			}
		})
		synctest.Wait()
		hangUp()
		synctest.Wait()
		if waiting != 4 {
			t.Errorf("%d wait, want 4", waiting)
		}
		leave(0)
		all.Wait()
		if want := []string{"bob", "ann", "ann", "eve"}; !slices.Equal(order, want) {
			t.Errorf("it was the turn of %v, want %v", order, want)
		}
	})
}

// The queue is bounded for each person, each network and in all; the host's own work always
// gets in.
func TestFullQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := limit.NewQueue(nil, 2, nil)
		leave, err := q.Enter(t.Context(), person("dan"))
		gametest.Must(t, err)
		var mu sync.Mutex
		refused := map[limit.Owner]int{}
		var all sync.WaitGroup
		enter := func(who bot.Asker) {
			all.Go(func() {
				leave, err := q.Enter(t.Context(), who)
				var busy *limit.Busy
				if errors.As(err, &busy) && busy.Wait > 0 {
					mu.Lock()
					refused[busy.Owner]++
					mu.Unlock()
				} else if err != nil {
					t.Error(err)
				} else {
					leave(0)
				}
			})
			synctest.Wait()
		}
		for range 6 {
			enter(person("ann"))
		}
		for i := range 20 {
			enter(bot.Asker{Person: bot.PlayerID(fmt.Sprint("test:bob", i)), Address: netip.MustParseAddr(fmt.Sprintf("2001:db8:1:%x::1", i))})
		}
		for i := range 300 {
			enter(person(fmt.Sprint("eve", i)))
		}
		enter(bot.Asker{})
		if want := map[limit.Owner]int{limit.Person: 2, limit.Network: 4, limit.Host: 300 - 256 + 4 + 16}; !maps.Equal(refused, want) {
			t.Errorf("refused were %v, want %v", refused, want)
		}
		leave(0)
		all.Wait()
	})
}

// A result is computed once for all concurrent callers and kept for a while. If the caller that
// computes it hangs up, the next one does.
func TestCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := limit.NewCache(time.Now, 1000, func(v any) int { return len(v.(string)) })
		var made atomic.Int32
		get := func(ctx context.Context, key any) (any, error) {
			return m.Get(ctx, key, func() (any, error) {
				made.Add(1)
				select {
				case <-time.After(time.Second):
					return fmt.Sprint("made of ", key), nil
				case <-ctx.Done():
					return nil, ctx.Err()
				}
			})
		}
		first, hangUp := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() {
			if _, err := get(first, 1); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
		synctest.Wait()
		for range 10 {
			all.Go(func() {
				if v, err := get(t.Context(), 1); err != nil || v != "made of 1" {
					t.Error(v, err)
				}
			})
		}
		synctest.Wait()
		hangUp()
		all.Wait()
		if n := made.Load(); n != 2 {
			t.Errorf("it was made %d times", n)
		}
		ask := func(key any, want int32) {
			t.Helper()
			made.Store(0)
			if _, err := get(t.Context(), key); err != nil || made.Load() != want {
				t.Errorf("%v: %v, made %d times, want %d", key, err, made.Load(), want)
			}
		}
		ask(1, 0)
		ask(nil, 1)
		ask(nil, 1)
		m.Clear()
		ask(1, 1)
		time.Sleep(10 * time.Minute)
		ask(1, 1)
		for i := range 1000 {
			ask(10+i, 1)
		}
		ask(1, 1)
		ask(1009, 0)
	})
}

// processors are shared in time slices, in turn, as a kernel shares them.
type processors struct{ free chan struct{} }

func (p processors) burn(d time.Duration) {
	const slice = 10 * time.Millisecond // the slice of Go's scheduler
	for ; d > 0; d -= slice {
		p.free <- struct{}{}
		time.Sleep(min(d, slice))
		<-p.free
	}
}

// On a host with two processors, in virtual time, one person who takes all they can get uses at
// most 5 % in ten minutes, and a hundred in one /48 delay nobody else.
func TestGreedyPersonDelaysNobody(t *testing.T) {
	for _, tt := range []struct {
		name    string
		many    int
		long    time.Duration
		most    float64       // share of the host that they use together
		honest  time.Duration // 99 of 100 honest commands are answered in this time
		address func(i int) string
	}{
		{"one person", 1, 10 * time.Minute, .05, 50 * time.Millisecond, func(int) string { return "203.0.113.7" }},
		{"a hundred of one /48", 100, 2 * time.Minute, .60, 500 * time.Millisecond, func(i int) string { return fmt.Sprintf("2001:db8:1:%x::1", i*600) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				cpu := processors{make(chan struct{}, 2)}
				budget := limit.NewBudget(time.Now, .04, 2)
				queue := limit.NewQueue(budget, 2, nil)
				const most = 200 * time.Millisecond // cost of a request until it ends
				ctx, stop := context.WithTimeout(t.Context(), tt.long)
				defer stop()
				var burnt atomic.Int64
				var all sync.WaitGroup
				bad := func(i int, heavy bool) {
					who := at(tt.address(i))
					who.Person = bot.PlayerID(fmt.Sprint("test:bad", i))
					for ctx.Err() == nil {
						work := 40 * time.Millisecond // the most expensive request that isn't heavy
						if busy := budget.Check(who, heavy); busy != nil {
							time.Sleep(500 * time.Millisecond) // they come back too early
							continue
						}
						if heavy {
							leave, err := queue.Enter(ctx, who)
							if err != nil {
								time.Sleep(500 * time.Millisecond)
								continue
							}
							work = time.Second
							cpu.burn(work)
							budget.Spend(who, work)
							leave(work)
						} else {
							budget.Spend(who, most)
							cpu.burn(work)
							budget.Spend(who, work-most)
						}
						burnt.Add(int64(work))
					}
				}
				for i := range tt.many {
					for n := range 6 { // requests at a time by each
						all.Go(func() { bad(i, n < 4) })
					}
				}
				var mu sync.Mutex
				var took []time.Duration
				for i := range 20 { // honest people, each with two moves a second
					all.Go(func() {
						who := at(fmt.Sprintf("198.51.100.%d", i))
						who.Person = bot.PlayerID(fmt.Sprint("test:good", i))
						for ctx.Err() == nil {
							began := time.Now()
							if busy := budget.Check(who, false); busy != nil {
								t.Errorf("somebody who plays is refused for %v", busy.Wait)
							}
							budget.Spend(who, most)
							cpu.burn(2 * time.Millisecond)
							budget.Spend(who, 2*time.Millisecond-most)
							mu.Lock()
							took = append(took, time.Since(began))
							mu.Unlock()
							time.Sleep(500 * time.Millisecond)
						}
					})
				}
				all.Wait()
				share := time.Duration(burnt.Load()).Seconds() / (2 * tt.long.Seconds())
				slices.Sort(took)
				p99 := took[len(took)*99/100]
				t.Logf("they took %.1f %% of the host; 99 of 100 others waited at most %v", 100*share, p99)
				if share > tt.most {
					t.Errorf("they took %.1f %% of the host, at most %.0f is theirs", 100*share, 100*tt.most)
				}
				if p99 > tt.honest {
					t.Errorf("of 100 others one waited longer than %v, the bound is %v", p99, tt.honest)
				}
			})
		})
	}
}
