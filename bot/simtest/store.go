package simtest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// Store returns a store as the process reaches it: over a connection.
func (p *Process) Store(s bot.Store) bot.Store { return &reached{s, p} }

type reached struct {
	bot.Store
	p *Process
}

// ask makes a call that returns an answer.
func ask[T any](ctx context.Context, p *Process, what string, do func() (T, error)) (answer T, err error) {
	var got T
	if err := p.Call(ctx, StoreParty, what, func() (err error) {
		got, err = do()
		return err
	}); err != nil {
		return answer, err
	}
	return got, nil
}

// write makes a call that writes, which a failover of the store refuses.
func (p *Process) write(ctx context.Context, what string, do func() error) error {
	return p.Call(ctx, StoreParty, what, func() error {
		if err := p.w.checkWritable(p.Name + " " + what); err != nil {
			return err
		}
		return do()
	})
}

// askWriting makes a call that writes and returns an answer.
func askWriting[T any](ctx context.Context, p *Process, what string, do func() (T, error)) (answer T, err error) {
	return ask(ctx, p, what, func() (answer T, err error) {
		if err := p.w.checkWritable(p.Name + " " + what); err != nil {
			return answer, err
		}
		return do()
	})
}

func (s *reached) Update(ctx context.Context, ch bot.ChannelID, request string, fn func(*bot.Room) error) error {
	return s.p.write(ctx, "update "+string(ch)+" "+request, func() error {
		return s.p.change(ctx, string(ch), func() error {
			if s.p.w.Pauses > 0 && s.p.w.Trouble(150, s.p.Name+" conflicts "+string(ch)) {
				// As if others had come between until the store gave up.
				return s.Store.Update(ctx, ch, request, func(r *bot.Room) error { return cmp.Or(fn(r), ErrBusy) })
			}
			return s.Store.Update(ctx, ch, request, func(r *bot.Room) error {
				if s.p.w.OneIn(10, s.p.Name+" again "+string(ch)) { // as if another change came between
					first := *r
					first.Events = slices.Clone(r.Events)
					if err := fn(&first); err != nil {
						return err
					}
				}
				return fn(r)
			})
		})
	})
}

type tableAnswer struct {
	id     bot.TableID
	ch     bot.ChannelID
	events []game.Event
}

func (s *reached) Table(ctx context.Context, ch bot.ChannelID) (bot.TableID, []game.Event, error) {
	a, err := ask(ctx, s.p, "table "+string(ch), func() (a tableAnswer, err error) {
		a.id, a.events, err = s.Store.Table(ctx, ch)
		return a, err
	})
	return a.id, a.events, err
}

func (s *reached) Events(ctx context.Context, t bot.TableID, n int) (bot.ChannelID, []game.Event, error) {
	a, err := ask(ctx, s.p, fmt.Sprint("events ", t, n), func() (a tableAnswer, err error) {
		a.ch, a.events, err = s.Store.Events(ctx, t, n)
		return a, err
	})
	return a.ch, a.events, err
}

func (s *reached) TablesPlayed(ctx context.Context, who game.PlayerID) ([]bot.TableID, error) {
	return ask(ctx, s.p, "playing "+string(who), func() ([]bot.TableID, error) { return s.Store.TablesPlayed(ctx, who) })
}

func (s *reached) RemovePost(ctx context.Context, post bot.Post) error {
	return s.p.write(ctx, fmt.Sprint("sent ", post.ID), func() error { return s.Store.RemovePost(ctx, post) })
}

func (s *reached) Defer(ctx context.Context, post bot.Post, until time.Time) error {
	return s.p.write(ctx, fmt.Sprint("defer ", post.ID), func() error { return s.Store.Defer(ctx, post, until) })
}

func (s *reached) RemoveTimers(ctx context.Context, timers ...bot.Timer) error {
	return s.p.write(ctx, fmt.Sprint("fired ", timers[0].ID, len(timers)), func() error { return s.Store.RemoveTimers(ctx, timers...) })
}

// Stay renews a life and reads the store's clock.
func (s *reached) Stay(ctx context.Context, h bot.Holder, until time.Time) error {
	set := s.p.clock.Read()
	at, err := askWriting(ctx, s.p, "stay "+string(h), func() (time.Time, error) { return s.p.storeTime(), s.Store.Stay(ctx, h, until) })
	if err == nil {
		set(at)
	}
	return err
}

func (s *reached) Leave(ctx context.Context, h bot.Holder) error {
	return s.p.write(ctx, "leave "+string(h), func() error { return s.Store.Leave(ctx, h) })
}

func (s *reached) Elect(ctx context.Context, h bot.Holder, job string, now time.Time) (bool, error) {
	return askWriting(ctx, s.p, "elect "+string(h)+job, func() (bool, error) { return s.Store.Elect(ctx, h, job, now) })
}

func (s *reached) Holders(ctx context.Context, now time.Time) ([]bot.Holding, error) {
	return ask(ctx, s.p, "holders", func() ([]bot.Holding, error) { return s.Store.Holders(ctx, now) })
}

type claimed[T any] struct {
	list []T
	next time.Time
}

func (s *reached) ClaimPosts(ctx context.Context, h bot.Holder, platform string, without []bot.TableID, now time.Time, limit int) ([]bot.Post, time.Time, error) {
	a, err := askWriting(ctx, s.p, "claim posts "+string(h), func() (a claimed[bot.Post], err error) {
		if s.p.findsAnything() {
			a.list, a.next, err = s.Store.ClaimPosts(ctx, h, platform, without, now, limit)
		}
		if len(a.list) > 0 {
			s.p.endOutages()
		}
		return a, err
	})
	return a.list, a.next, err
}

func (s *reached) ClaimTimers(ctx context.Context, h bot.Holder, k bot.Kinds, now time.Time, limit int) ([]bot.Timer, time.Time, error) {
	a, err := askWriting(ctx, s.p, fmt.Sprint("claim timers ", h, len(k.Only)), func() (a claimed[bot.Timer], err error) {
		if a.list, a.next, err = s.Store.ClaimTimers(ctx, h, k, now, limit); len(a.list) > 0 {
			s.p.endOutages()
		}
		return a, err
	})
	return a.list, a.next, err
}

func (s *reached) Release(ctx context.Context, timers ...bot.Timer) error {
	return s.p.write(ctx, fmt.Sprint("release ", timers[0].ID), func() error { return s.Store.Release(ctx, timers...) })
}

func (s *reached) Watch(ctx context.Context, fn func(bot.ChannelID)) error {
	return s.Store.Watch(ctx, func(ch bot.ChannelID) {
		s.p.hint(ctx, string(ch), func(lost bool) {
			if lost {
				ch = ""
			}
			fn(ch)
		})
	})
}

// Notes returns notes as the process reaches them: over a connection.
func (p *Process) Notes(n bot.Notes) bot.Notes { return &lined{n, p} }

type lined struct {
	bot.Notes
	p *Process
}

func (n *lined) Get(ctx context.Context, shelf, key string) ([]byte, error) {
	return ask(ctx, n.p, "get "+shelf+key, func() ([]byte, error) { return n.Notes.Get(ctx, shelf, key) })
}

func (n *lined) GetAll(ctx context.Context, shelf string, keys ...string) ([][]byte, error) {
	return ask(ctx, n.p, fmt.Sprint("get ", shelf, keys), func() ([][]byte, error) { return n.Notes.GetAll(ctx, shelf, keys...) })
}

func (n *lined) Put(ctx context.Context, shelf, key string, value []byte) error {
	return n.p.write(ctx, "put "+shelf+key, func() error { return n.Notes.Put(ctx, shelf, key, value) })
}

func (n *lined) Keys(ctx context.Context, shelf string) ([]string, error) {
	return ask(ctx, n.p, "keys "+shelf, func() ([]string, error) { return n.Notes.Keys(ctx, shelf) })
}

func (n *lined) Scan(ctx context.Context, shelf, prefix, after string, limit int) ([]bot.Row, error) {
	return ask(ctx, n.p, "scan "+shelf+prefix+after, func() ([]bot.Row, error) { return n.Notes.Scan(ctx, shelf, prefix, after, limit) })
}

func (n *lined) Change(ctx context.Context, fn func(bot.Rows) error) error {
	return n.p.write(ctx, "change", func() error { return n.Notes.Change(ctx, fn) })
}

func (n *lined) Watch(ctx context.Context, fn func(bot.Hint)) error {
	return n.Notes.Watch(ctx, func(h bot.Hint) {
		n.p.hint(ctx, h.Text, func(lost bool) {
			if lost {
				h = bot.Hint{}
			}
			fn(h)
		})
	})
}

// Hints returns notes of which only the hints go over a connection. Callers that hold a lock while
// they read need this: in virtual time nobody may wait for a lock whose holder waits for time.
func (p *Process) Hints(n bot.Notes) bot.Notes { return hinted{n, lined{n, p}} }

type hinted struct {
	bot.Notes
	line lined
}

func (h hinted) Watch(ctx context.Context, fn func(bot.Hint)) error { return h.line.Watch(ctx, fn) }
