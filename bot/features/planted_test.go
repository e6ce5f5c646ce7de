package features_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// The faults that a simulation must find when they are planted in a history's store, network or
// platform. This program once had the first three.
const (
	// A damaged row makes the timers' loop panic, and no table's timers fire.
	panicEnds = "a panic at one table ends the timers"
	// Requests that wait for a locked room hold all the connections.
	lateQueue = "a room's queue stands on the connections"
	// A claim whose answer was lost stays claimed as long as the loop that made it lives.
	lostClaim = "a claim whose answer was lost stays"
	// A loop waits for hints and never looks by itself.
	hintsOnly     = "a loop finds only what it was told of"
	rackForAll    = "a rack is posted for everybody"
	noReceipt     = "a request that is given again is carried out again"
	earlyAnswer   = "an answer comes before the commit"
	postLess      = "events come without their posts"
	postOnce      = "a post is gone when it is claimed"
	timerOnce     = "a timer is gone when it is claimed"
	noLapse       = "what the dead had stays theirs"
	queueOvertook = "a post that is put off is overtaken in its queue"
	twoElected    = "whoever stands for a job is elected"
)

// TestSimulationFindsPlantedFaults plants each fault and waits for a history that shows it: one of
// the first two hundred, which take seconds, or one of as many from a known seed on.
func TestSimulationFindsPlantedFaults(t *testing.T) {
	if gametest.Race {
		t.Skip("it takes minutes under the race detector, which finds nothing in what TestSimulation doesn't do")
	}
	for _, planted := range []struct {
		fault string
		shows uint64 // the first seed whose history showed it when last checked
	}{
		{panicEnds, 139}, {lateQueue, 20}, {lostClaim, 34}, {hintsOnly, 9}, {rackForAll, 1}, {noReceipt, 1}, {earlyAnswer, 1},
		{postLess, 1}, {postOnce, 1}, {timerOnce, 3}, {noLapse, 1}, {queueOvertook, 5}, {twoElected, 1},
	} {
		from := planted.shows
		if gametest.Long() {
			from = 1
		}
		t.Run(planted.fault, func(t *testing.T) {
			began := time.Now()
			if !gametest.Long() {
				if wrong, _, _ := live(t, from, planted.fault, slog.New(slog.DiscardHandler)); len(wrong) > 0 {
					t.Logf("seed %d shows it still: %s", from, wrong[0])
					return
				}
			}
			histories, _, found := lives(t, from, 200, began.Add(10*time.Minute), planted.fault)
			first, _, _ := strings.Cut(found, "\n")
			t.Logf("%d histories in %v: %s", histories, time.Since(began), first)
			if found == "" {
				t.Error("it wasn't found")
			}
		})
	}
}

// A plantedStore misbehaves if its history has a fault planted.
type plantedStore struct {
	*memory.Store
	h *history
}

// broken panics if the table is damaged.
func (s plantedStore) broken(ctx context.Context, ch bot.ChannelID) {
	s.h.mu.Lock()
	broken := ch == s.h.damaged
	s.h.mu.Unlock()
	if !broken {
		return
	}
	if end, of := ctx.Value(ofTimers{}).(context.CancelFunc); of && s.h.fault == panicEnds {
		end()
	}
	panic("slice bounds out of range")
}

// Table panics if the table is damaged.
func (s plantedStore) Table(ctx context.Context, ch bot.ChannelID) (bot.TableID, []game.Event, error) {
	s.broken(ctx, ch)
	return s.Store.Table(ctx, ch)
}

// Events panics if the table is damaged.
func (s plantedStore) Events(ctx context.Context, t bot.TableID, n int) (bot.ChannelID, []game.Event, error) {
	ch, events, err := s.Store.Events(ctx, t, n)
	s.broken(ctx, ch)
	return ch, events, err
}

// Update panics if the table is damaged, and misbehaves as the fault says.
func (s plantedStore) Update(ctx context.Context, ch bot.ChannelID, request string, fn func(*bot.Room) error) error {
	s.broken(ctx, ch)
	if s.h.fault == noReceipt {
		request = ""
	}
	if s.h.fault == earlyAnswer && s.h.world.Trouble(30, "early answer") {
		return fn(&bot.Room{Channel: ch})
	}
	var set []bot.Timer
	err := s.Store.Update(ctx, ch, request, func(r *bot.Room) error {
		err := fn(r)
		if s.h.fault == postLess && s.h.world.Trouble(30, "lost posts") {
			r.Posts = nil
		}
		set = r.Timers
		return err
	})
	if err == nil {
		s.h.mu.Lock()
		defer s.h.mu.Unlock()
		for _, t := range set {
			s.h.timers[t.Kind]++
		}
	}
	return err
}

// holder returns the name under which a loop claims.
func (s plantedStore) holder(h bot.Holder) bot.Holder {
	if words := strings.Fields(string(h)); s.h.fault == lostClaim {
		return bot.Holder(strings.Join(words[:2], " ")) // the same in each of its lives
	}
	return h
}

// Stay extends a holder's life.
func (s plantedStore) Stay(ctx context.Context, h bot.Holder, until time.Time) error {
	if s.h.fault == noLapse {
		until = until.Add(1000 * time.Hour)
	}
	return s.Store.Stay(ctx, s.holder(h), until)
}

// Elect elects a holder to a job.
func (s plantedStore) Elect(ctx context.Context, h bot.Holder, job string, now time.Time) (bool, error) {
	if s.h.fault == twoElected {
		return true, nil
	}
	return s.Store.Elect(ctx, h, job, now)
}

// ClaimPosts claims posts.
func (s plantedStore) ClaimPosts(ctx context.Context, h bot.Holder, platform string, without []bot.TableID, now time.Time, limit int) ([]bot.Post, time.Time, error) {
	posts, next, err := s.Store.ClaimPosts(ctx, s.holder(h), platform, without, now, limit)
	if s.h.fault == postOnce {
		for _, p := range posts {
			if err := s.Store.RemovePost(ctx, p); err != nil {
				return nil, next, err
			}
		}
	}
	return posts, next, err
}

// ClaimTimers claims timers.
func (s plantedStore) ClaimTimers(ctx context.Context, h bot.Holder, k bot.Kinds, now time.Time, limit int) ([]bot.Timer, time.Time, error) {
	timers, next, err := s.Store.ClaimTimers(ctx, s.holder(h), k, now, limit)
	if s.h.fault == timerOnce && len(timers) > 0 {
		if err := s.Store.RemoveTimers(ctx, timers...); err != nil {
			return nil, next, err
		}
	}
	return timers, next, err
}

// Defer postpones a post.
func (s plantedStore) Defer(ctx context.Context, p bot.Post, until time.Time) error {
	s.h.mu.Lock()
	damaged := p.Channel == s.h.damaged // its posts are postponed for ever, again and again
	s.h.mu.Unlock()
	if s.h.fault != queueOvertook || damaged {
		return s.Store.Defer(ctx, p, until)
	}
	if err := s.Store.RemovePost(ctx, p); err != nil {
		return err
	}
	time.AfterFunc(time.Until(until), func() {
		if err := s.Store.Update(s.h.ctx, p.Channel, "", func(r *bot.Room) error {
			r.Posts = []bot.Post{p}
			return nil
		}); err != nil {
			s.h.fail("%v", err)
		}
	})
	return nil
}
