package discord

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"

	"github.com/rackmate/rackmate/bot"
)

// A Shards says which shards of the gateway this process runs. The zero value means all, in
// the number that Discord recommends.
type Shards struct {
	First, Last int // from 0
	Of          int // 0 means as Discord recommends
}

// ParseShards parses "N/M", shard N of M counted from 0, or "A-B/M" for several.
func ParseShards(s string) (Shards, error) {
	bad := fmt.Errorf("%q isn't a shard: write 0/2 for the first of two, 1/2 for the second, or 0-3/8 for several", s)
	which, of, ok := strings.Cut(s, "/")
	first, last, several := strings.Cut(which, "-")
	if !several {
		last = first
	}
	var sh Shards
	var errs [3]error
	sh.First, errs[0] = strconv.Atoi(first)
	sh.Last, errs[1] = strconv.Atoi(last)
	sh.Of, errs[2] = strconv.Atoi(of)
	if !ok || errors.Join(errs[:]...) != nil || sh.First < 0 || sh.Last < sh.First || sh.Of <= sh.Last {
		return Shards{}, bad
	}
	return sh, nil
}

// A gateway keeps this process's shards connected. If several processes share the store,
// each runs some of them.
type gateway struct {
	*common
	inbox *inbox
	proxy func(*http.Request) (*url.URL, error) // for connections to Discord

	signedIn atomic.Bool  // a shard has been connected
	live     atomic.Int32 // number of connected shards
	members  atomic.Bool  // Discord reports members who leave a server
}

// info retries until Discord returns how to connect to its gateway.
func (g *gateway) info(ctx context.Context) (info discordgo.GatewayBotResponse, err error) {
	err = g.persist(ctx, "Discord's gateway can't be found", func() error {
		return g.client.get(ctx, "/gateway/bot", &info)
	})
	return info, err
}

// run keeps the shards connected until ctx is done or one of them fails for good. If
// Discord requires more shards than it recommended, it starts again with those. members
// says whether Discord reports members who leave a server.
func (g *gateway) run(ctx context.Context, members bool) error {
	g.members.Store(members)
	for {
		info, err := g.info(ctx)
		if err != nil {
			return err
		}
		mine := g.Shards
		if mine.Of == 0 {
			mine = Shards{First: 0, Last: max(info.Shards, 1) - 1, Of: max(info.Shards, 1)}
		}
		if err := g.runShards(ctx, mine, info); !errors.Is(err, errMoreShards) {
			return err
		}
		g.Log.Info("Discord requires more shards; connecting again", "before", mine.Of)
	}
}

// errMoreShards ends all shards because Discord requires more of them.
var errMoreShards = errors.New("the gateway requires more shards")

// runShards keeps some shards connected until ctx is done or one of them fails for good.
func (g *gateway) runShards(ctx context.Context, mine Shards, info discordgo.GatewayBotResponse) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	turns := newTurns(info.SessionStartLimit.MaxConcurrency)
	var running sync.WaitGroup
	// Processes that start together begin with different shards.
	n := mine.Last - mine.First + 1
	begin := rand.N(n)
	for i := range n {
		running.Go(func() {
			id := mine.First + (begin+i)%n
			if g.Alone != nil && i > 0 {
				if g.after.sleep(ctx, time.Duration(i)*betweenElections(info)) != nil {
					return
				}
			}
			s := shard{gateway: g, id: id, of: mine.Of, turns: turns, log: g.Log.With("shard", fmt.Sprintf("%d/%d", id, mine.Of))}
			if err := g.runShard(ctx, s.key(), s.run); err != nil {
				stop(err)
			}
		})
	}
	running.Wait()
	if err := context.Cause(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// betweenElections returns how long a process waits before it tries to get another shard,
// so that other processes get some too: the time between identifications, but at most a
// second, because resumed sessions needn't identify.
func betweenElections(info discordgo.GatewayBotResponse) time.Duration {
	return min(time.Second, betweenShards/time.Duration(max(info.SessionStartLimit.MaxConcurrency, 1)))
}

// runShard runs a shard while no other process does.
func (g *gateway) runShard(ctx context.Context, shard string, run func(context.Context) error) error {
	if g.Alone == nil {
		return run(ctx)
	}
	g.connection(shard, bot.Standby)
	defer g.connection(shard, bot.Closed)
	return g.Alone(ctx, "discord shard "+shard, func(ctx context.Context) error {
		defer g.connection(shard, bot.Standby)
		return run(ctx)
	})
}

// A turns holds the right to identify. Within five seconds, Discord lets as many shards
// identify as its limit says, if their numbers have different remainders modulo the
// limit.
type turns []chan struct{}

func newTurns(atOnce int) turns {
	all := make(turns, max(atOnce, 1))
	for i := range all {
		all[i] = make(chan struct{}, 1)
		all[i] <- struct{}{}
	}
	return all
}

// betweenShards is the least time between two identifications.
const betweenShards = 5 * time.Second

// takeTurn waits until this shard may identify, within Discord's limits at once and per
// day; exceeding them costs the token. Discord does the counting, so other processes of the
// same application are included. It returns Discord's latest information about the gateway.
func (s *shard) takeTurn(ctx context.Context) (info discordgo.GatewayBotResponse, err error) {
	turn := s.turns[s.id%len(s.turns)]
	select {
	case <-ctx.Done():
		return info, ctx.Err()
	case <-turn:
	}
	if err := s.takeSharedTurn(ctx, s.id%len(s.turns)); err != nil {
		turn <- struct{}{}
		return info, err
	}
	defer func() {
		go func() {
			s.after.sleep(ctx, betweenShards)
			turn <- struct{}{}
		}()
	}()
	for {
		info, err := s.info(ctx)
		if err != nil || info.SessionStartLimit.Remaining > 0 || info.SessionStartLimit.ResetAfter <= 0 {
			return info, err
		}
		wait := time.Duration(info.SessionStartLimit.ResetAfter) * time.Millisecond
		s.log.Warn("this application has connected to Discord too often today; waiting", "wait", wait)
		if err := s.after.sleep(ctx, wait); err != nil {
			return info, err
		}
	}
}
