//go:build unix

package discord_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// jobs are those that processes are elected to: each job is a process's own, and another's
// when that one ends.
type jobs struct {
	mu      sync.Mutex
	changed chan struct{}
	alive   []int
}

// alone has a process do a job while it is its own.
func (j *jobs) alone(process int) func(context.Context, string, func(context.Context) error) error {
	return func(ctx context.Context, job string, run func(context.Context) error) error {
		n := 0
		fmt.Sscanf(job, "discord shard %d/", &n)
		for {
			j.mu.Lock()
			mine, changed := j.alive[n%len(j.alive)] == process, j.changed
			j.mu.Unlock()
			if !mine {
				select {
				case <-ctx.Done():
					return nil
				case <-changed:
				}
				continue
			}
			working, lost := context.WithCancel(ctx)
			done := make(chan error, 1)
			go func() { done <- run(working) }()
			for mine {
				select {
				case err := <-done:
					lost()
					return err
				case <-changed:
					j.mu.Lock()
					mine, changed = j.alive[n%len(j.alive)] == process, j.changed
					j.mu.Unlock()
				}
			}
			lost()
			<-done
		}
	}
}

// are says which processes live.
func (j *jobs) are(alive ...int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.changed != nil {
		close(j.changed)
	}
	j.alive, j.changed = alive, make(chan struct{})
}

// The day of a public bot: RACKMATE_DAY servers, such as 250000, on 100 shards over four
// processes, a running game in each fiftieth server with a move in the day, a process that
// ends at noon and is back in the evening, so that its shards move twice, and 5 % of the
// servers that break down and come back. No call is lost. What it takes is logged: memory
// and CPU are of the processes and the stand-in together, so more than the bot's own.
func TestDayOfAPublicBot(t *testing.T) {
	servers, err := strconv.Atoi(os.Getenv("RACKMATE_DAY"))
	if err != nil {
		t.Skip("it takes minutes: RACKMATE_DAY is how many servers it has, such as 250000")
	}
	const shards, processes = 100, 4
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	w := newDiscord(t)
	w.plain = true
	w.d.Gateway.Recommend(shards)
	w.d.Gateway.RecommendAtOnce(16)
	w.d.Gateway.Greet()
	guilds := make([]*discordtest.Guild, servers)
	for n := range guilds {
		guilds[n] = w.d.Guild("server")
	}
	type table struct {
		channel *discordtest.Channel
		mover   *discordtest.User
	}
	tables := make([]table, servers/50)
	for n := range tables {
		c := guilds[n*50].Channel("games")
		a, b := w.d.User(fmt.Sprint("A", n)), w.d.User(fmt.Sprint("B", n))
		deal(t, w.store, bot.ChannelID("discord:"+c.ID), game.Single, "EEEEEEEEEEEE", game.Person{ID: player(a), Name: a.Name}, "HORNSA?", game.Person{ID: player(b), Name: b.Name}, "FARMQI?")
		tables[n] = table{c, a}
	}

	var own jobs
	own.are(0, 1, 2, 3)
	run := func(n int) (stop func()) {
		w.build(discord.Config{Alone: own.alone(n)}, w.store)
		h, a := w.host, w.adapter
		a.SetAfter(func(d time.Duration) <-chan time.Time {
			if d == discord.Patience {
				return time.After(time.Minute)
			}
			return time.After(d / 50)
		})
		ctx, cancel := context.WithCancel(context.Background())
		var running sync.WaitGroup
		running.Go(func() {
			if err := a.Run(ctx); err != nil {
				t.Errorf("process %d: %v", n, err)
			}
		})
		running.Go(func() { h.Deliver(ctx, discord.Platform, a) })
		running.Go(func() { h.RunTimers(ctx) })
		return func() { cancel(); running.Wait(); a.Wait() }
	}
	// connected lets time go by, fifty times as fast, until all shards are there.
	connected := func(what string) {
		t.Helper()
		began, at := time.Now(), w.d.Now()
		for end := time.Now().Add(20 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
			w.d.Advance(time.Second)
			there := map[int]bool{}
			for _, id := range w.d.Gateway.Shards() {
				there[id] = true
			}
			if len(there) == shards {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("%s: %d shards are connected, want %d", what, len(there), shards)
			}
		}
		t.Logf("%s: %d shards are connected after %s of the clock (%s here)", what, shards, w.d.Now().Sub(at).Round(time.Second), time.Since(began).Round(time.Second))
	}

	memory, spent := heap(), cpu()
	stops := make([]func(), processes)
	for n := range stops {
		stops[n] = run(n)
	}
	connected("in the morning")
	w.d.Wait("the commands are registered", w.d.HasCommands)
	took := cpu() - spent
	t.Logf("connecting: %.3f ms of CPU and %.2f kB a server", took.Seconds()*1000/float64(servers), float64(heap()-memory)/1000/float64(servers))

	spent = cpu()
	var made atomic.Int64
	for hour := range 24 {
		switch hour {
		case 12:
			own.are(0, 2, 3)
			stops[1]()
			connected("at noon, on three processes")
		case 18:
			stops[1] = run(1)
			own.are(0, 1, 2, 3)
			time.Sleep(time.Second)
			connected("in the evening, on four again")
		}
		for range servers / 20 / 24 {
			g := guilds[random.IntN(len(guilds))]
			g.BreaksDown()
			g.ComesBack()
		}
		todo := make(chan table)
		var moving sync.WaitGroup
		for range 8 {
			moving.Go(func() {
				for one := range todo {
					if got := one.mover.Gives(one.channel, "pass", "sure", "true").Answer(); got.Private() && got.Content != "" {
						made.Add(1)
					}
				}
			})
		}
		for n := hour; n < len(tables); n += 24 {
			todo <- tables[n]
		}
		close(todo)
		moving.Wait()
		w.settled() // or what is on its way would take an hour
		w.d.Advance(time.Hour)
	}
	rung := w.d.Rung()
	lost, twice := 0, 0
	for _, one := range tables {
		switch n := rung[one.channel.ID]; {
		case n == 0:
			lost++
		case n > 1:
			twice++
		}
	}
	t.Logf("the day: %d servers, %d games, %d moves; %.3f ms of CPU a server, of which moves took the most; %d shards resumed", servers, len(tables), made.Load(), (cpu()-spent).Seconds()*1000/float64(servers), w.d.Gateway.Resumptions())
	if lost > 0 || twice > 0 || made.Load() != int64(len(tables)) {
		t.Errorf("%d moves in %d games: %d calls are lost, %d came twice", made.Load(), len(tables), lost, twice)
	}
	for _, stop := range stops {
		stop()
	}
}

// heap is how much memory is in use, in bytes.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// cpu is the time that this program has spent.
func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
