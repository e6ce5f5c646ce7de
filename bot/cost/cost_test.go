package cost_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/cost"
	"github.com/rackmate/rackmate/game/gametest"
)

func person(name string) bot.Asker { return bot.Asker{Person: bot.PlayerID("test:" + name)} }

func at(address string) bot.Asker { return bot.Asker{Address: netip.MustParseAddr(address)} }

func waits(b *cost.Busy) time.Duration {
	if b == nil {
		return 0
	}
	return b.Wait
}

// Of two processors a person has 4 %, which is 0.08, and a minute of that saved up.
func TestBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := cost.NewBudget(time.Now, .04, 2)
		ann, bob := person("ann"), person("bob")
		if b.Check(ann, true) != nil || b.Level(ann) != 1 {
			t.Fatal("Ann has used nothing")
		}
		b.Charge(ann, 4*time.Second)
		if b.Check(ann, true) != nil {
			t.Error("Ann has .8 s left")
		}
		b.Charge(ann, 4*time.Second)
		busy := b.Check(ann, true)
		if busy == nil || busy.Whose != cost.Persons || waits(busy).Round(time.Second) != 41*time.Second {
			t.Errorf("Ann owes 3.2 s, and waits %v", waits(busy))
		}
		if b.Check(ann, false) != nil {
			t.Error("Ann can't play on")
		}
		if b.Check(bob, true) != nil {
			t.Error("Bob pays for Ann")
		}
		b.Charge(ann, 4*time.Second)
		if b.Check(ann, false) == nil {
			t.Error("Ann owes 7.2 s, and isn't asked to wait")
		}
		time.Sleep(b.Check(ann, false).Wait)
		if b.Check(ann, false) != nil || b.Check(ann, true) == nil {
			t.Error("Ann waited for as long as she was told, and plays on")
		}
		time.Sleep(b.Check(ann, true).Wait)
		if b.Check(ann, true) != nil {
			t.Error("Ann waited for as long as she was told")
		}
		var none *cost.Budget
		none.Charge(ann, time.Hour)
		if none.Check(ann, true) != nil {
			t.Error("nobody has bounds, and Ann is refused")
		}
	})
}

// A network pays for all that comes from it: an address, or of IPv6 its /64, /56 and /48
// in steps. What may be everybody's, such as a proxy beside the host, pays nothing.
func TestNetworksPay(t *testing.T) {
	for _, tt := range []struct {
		asks  func(i int) string
		whose cost.Whose
		n     int // persons' parts that it has
	}{
		{func(int) string { return "203.0.113.7" }, cost.Households, 4},
		{func(int) string { return "::ffff:203.0.113.7" }, cost.Households, 4},
		{func(i int) string { return fmt.Sprintf("2001:db8:1:1::%x", i) }, cost.Households, 4},
		{func(i int) string { return fmt.Sprintf("2001:db8:1:%x::1", i%256) }, cost.Streets, 6},
		{func(i int) string { return fmt.Sprintf("2001:db8:1:%x::1", i%256<<8) }, cost.Sites, 8},
	} {
		synctest.Test(t, func(t *testing.T) {
			b := cost.NewBudget(time.Now, .04, 2)
			n := 0
			for ; n < 10_000; n++ {
				a := at(tt.asks(n))
				a.Person = bot.PlayerID(fmt.Sprint("test:", n)) // each is another person
				if busy := b.Check(a, true); busy != nil {
					if busy.Whose != tt.whose {
						t.Errorf("%s: %d pays, want %d", tt.asks(n), busy.Whose, tt.whose)
					}
					break
				}
				b.Charge(a, 100*time.Millisecond)
			}
			if want := 48 * tt.n; n != want {
				t.Errorf("%s: %d times 0.1 s were had, want %d", tt.asks(0), n, want)
			}
		})
	}
	for _, own := range []string{"127.0.0.1", "10.1.2.3", "192.168.0.1", "::1", "fd00::1", "fe80::1%eth0"} {
		b := cost.NewBudget(time.Now, .04, 2)
		b.Charge(at(own), time.Hour)
		if b.Check(at(own), false) != nil {
			t.Errorf("everybody behind %s pays for one", own)
		}
	}
}

// However many networks come by, what is known of them is bounded.
func TestBudgetForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := cost.NewBudget(time.Now, .04, 2)
		for i := range 100_000 {
			b.Charge(at(fmt.Sprintf("2001:db8:%x:%x::1", i>>16, i&0xffff)), time.Millisecond)
			if i%10_000 == 0 {
				time.Sleep(time.Minute)
			}
		}
		if n := b.Accounts(); n > 40_000 {
			t.Errorf("%d accounts are kept", n)
		}
	})
}

// A piece of each person's runs at a time, first of those who used least, and half of the
// processors stay free of heavy work. Who hangs up goes.
func TestQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := cost.NewBudget(time.Now, .04, 2)
		q := cost.NewQueue(b, 2, nil)
		b.Charge(person("ann"), time.Second)
		b.Charge(person("eve"), 3*time.Second)
		leave, err := q.Enter(t.Context(), person("dan"), true)
		gametest.Must(t, err)
		var order []string
		var all sync.WaitGroup
		for _, name := range []string{"eve", "ann", "ann", "bob"} {
			all.Go(func() {
				leave, err := q.Enter(t.Context(), person(name), true)
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
			if _, err := q.Enter(gone, person("fay"), true); !errors.Is(err, context.Canceled) {
				t.Errorf("Fay hung up: %v", err)
			}
		})
		synctest.Wait()
		hangUp()
		if quick, err := q.Enter(t.Context(), person("gil"), false); err != nil {
			t.Error(err)
		} else {
			quick(0)
		}
		leave(0)
		all.Wait()
		if want := []string{"bob", "ann", "ann", "eve"}; !slices.Equal(order, want) {
			t.Errorf("it was the turn of %v, want %v", order, want)
		}
	})
}

// Where the queue is full, whoever used most of the host gives up their place, and one
// person has few.
func TestFullQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := cost.NewBudget(time.Now, .04, 2)
		q := cost.NewQueue(b, 2, nil)
		leave, err := q.Enter(t.Context(), person("dan"), true)
		gametest.Must(t, err)
		refused := map[string]int{}
		var mu sync.Mutex
		var all sync.WaitGroup
		enter := func(name string) {
			all.Go(func() {
				leave, err := q.Enter(t.Context(), person(name), true)
				var busy *cost.Busy
				if errors.As(err, &busy) && busy.Wait > 0 {
					mu.Lock()
					refused[name]++
					mu.Unlock()
				} else if err != nil {
					t.Error(err)
				} else {
					leave(0)
				}
			})
			synctest.Wait()
		}
		for range 20 { // pictures of a page
			all.Go(func() {
				if leave, err := q.Enter(t.Context(), person("ann"), false); err != nil {
					t.Error(err)
				} else {
					time.Sleep(time.Millisecond)
					leave(0)
				}
			})
		}
		time.Sleep(time.Second)
		for range 6 {
			enter("ann")
		}
		if refused["ann"] != 2 {
			t.Errorf("Ann has %d of 6 refused", refused["ann"])
		}
		for i := range 600 {
			name := fmt.Sprint("eve", i)
			b.Charge(person(name), time.Second)
			enter(name)
		}
		for _, name := range []string{"bob", "cat"} {
			before := len(refused)
			if enter(name); refused[name] > 0 || len(refused) != before+1 {
				t.Errorf("%s used nothing, and has no place", name)
			}
		}
		leave(0)
		all.Wait()
	})
}

// What is made is made once for all who ask at the same time, and kept a while. Where
// the one who makes it hangs up, the next goes on.
func TestMade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := cost.NewMade(time.Now, 1000, func(v any) int { return len(v.(string)) })
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

// processors are some that many share, as a kernel lets them: in slices, in turn.
type processors struct{ free chan struct{} }

func (p processors) burn(d time.Duration) {
	const slice = 10 * time.Millisecond // as Go's scheduler has
	for ; d > 0; d -= slice {
		p.free <- struct{}{}
		time.Sleep(min(d, slice))
		<-p.free
	}
}

// A host of two processors, in virtual time: whoever burns what they can get takes at
// most 5 % of it in ten minutes, and a hundred of one /48 keep nobody else waiting.
func TestBadWill(t *testing.T) {
	for _, tt := range []struct {
		name    string
		many    int
		long    time.Duration
		most    float64       // of the host that they take together
		honest  time.Duration // 99 of 100 honest commands are answered in this time
		address func(i int) string
	}{
		{"one person", 1, 10 * time.Minute, .05, 50 * time.Millisecond, func(int) string { return "203.0.113.7" }},
		{"a hundred of one /48", 100, 2 * time.Minute, .60, 200 * time.Millisecond, func(i int) string { return fmt.Sprintf("2001:db8:1:%x::1", i*600) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				cpu := processors{make(chan struct{}, 2)}
				budget := cost.NewBudget(time.Now, .04, 2)
				queue := cost.NewQueue(budget, 2, nil)
				ctx, stop := context.WithTimeout(t.Context(), tt.long)
				defer stop()
				var burnt atomic.Int64
				var all sync.WaitGroup
				bad := func(i int, heavy bool) {
					who := at(tt.address(i))
					who.Person = bot.PlayerID(fmt.Sprint("test:bad", i))
					for ctx.Err() == nil {
						work := 40 * time.Millisecond // the dearest of what isn't heavy
						if busy := budget.Check(who, heavy); busy != nil {
							time.Sleep(500 * time.Millisecond) // they don't wait as they are told to
							budget.Charge(who, cost.Price(bot.Cost{}))
							continue
						}
						if heavy {
							leave, err := queue.Enter(ctx, who, true)
							if err != nil {
								time.Sleep(500 * time.Millisecond)
								continue
							}
							work = time.Second
							cpu.burn(work)
							budget.Charge(who, work)
							leave(work)
						} else {
							leave, err := queue.Pass(ctx, who)
							if err != nil {
								time.Sleep(500 * time.Millisecond)
								continue
							}
							cpu.burn(work)
							budget.Charge(who, work)
							leave(0)
						}
						burnt.Add(int64(work))
					}
				}
				for i := range tt.many {
					for n := range 6 { // windows each
						all.Go(func() { bad(i, n < 4) })
					}
				}
				var mu sync.Mutex
				var took []time.Duration
				for i := range 20 { // honest people, of whom each plays twice a second
					all.Go(func() {
						who := at(fmt.Sprintf("198.51.100.%d", i))
						who.Person = bot.PlayerID(fmt.Sprint("test:good", i))
						for ctx.Err() == nil {
							began := time.Now()
							if busy := budget.Check(who, false); busy != nil {
								t.Errorf("somebody who plays is refused for %v", busy.Wait)
							}
							leave, err := queue.Pass(ctx, who)
							if err != nil {
								continue // it is over
							}
							cpu.burn(2 * time.Millisecond)
							leave(0)
							budget.Charge(who, 2*time.Millisecond)
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
