// Package memory implements [bot.Store] in memory, for tests and trials. Everything is lost at the
// end.
//
// Update is optimistic, like a store that many processes share: the room is filled in without a
// lock, and again on a fresh room if another Update of the channel was faster. Updates that were
// overtaken wait for each other.
package memory

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/game"
)

// A Store is a [bot.Store]. Make it with [New].
type Store struct {
	mu        sync.Mutex
	channels  map[bot.ChannelID]*channel
	tables    []table     // table 1 first
	posts     []post      // oldest first
	timers    []bot.Timer // earliest first, then in the order of setting
	lastPost  uint64
	lastTimer uint64
	notes     map[string]*notes // by adapter

	store.Claims
	store.Watchers[bot.ChannelID]
}

type channel struct {
	overtaken sync.Mutex // held by an update that was overtaken
	version   int        // number of updates
	table     bot.TableID
	receipts  map[string]bot.Receipt // by request
}

type table struct {
	channel bot.ChannelID
	events  []game.Event // grows; elements never change
	seated  []game.PlayerID
}

type post struct {
	bot.Post
	until time.Time
}

// New returns an empty store.
func New() *Store {
	return &Store{channels: map[bot.ChannelID]*channel{}, notes: map[string]*notes{}}
}

// lock locks the store for one method, unless ctx is done.
func (s *Store) lock(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	return nil
}

// Close does nothing.
func (s *Store) Close() error { return nil }

// Update implements [bot.Store].
func (s *Store) Update(ctx context.Context, ch bot.ChannelID, request string, fn func(*bot.Room) error) error {
	for tries := 0; ; tries++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if tries == 1 {
			s.mu.Lock()
			queue := &s.channels[ch].overtaken
			s.mu.Unlock()
			queue.Lock()
			defer queue.Unlock()
		}
		room, version := s.load(ch, request)
		if err := fn(room); err != nil {
			return err
		}
		if saved, err := s.save(room, request, version); saved || err != nil {
			if err == nil && store.Changes(room) && !store.Refuses(room) {
				s.Hint(ch)
			}
			return err
		}
	}
}

// load returns a room, and the version of the channel that it shows.
func (s *Store) load(id bot.ChannelID, request string) (*bot.Room, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	room := &bot.Room{Channel: id}
	ch := s.channels[id]
	if ch == nil {
		return room, 0
	}
	if room.Table = ch.table; ch.table != 0 {
		room.Events = slices.Clone(s.tables[ch.table-1].events)
	}
	if r, ok := ch.receipts[request]; ok {
		room.Receipt = &r
	}
	return room, ch.version
}

// save stores what was added to a room, unless the channel's version has changed.
func (s *Store) save(room *bot.Room, request string, version int) (saved bool, err error) {
	begins, err := store.Check(room)
	if err != nil {
		return false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := s.channels[room.Channel]
	if ch == nil {
		ch = &channel{receipts: map[string]bot.Receipt{}}
		s.channels[room.Channel] = ch
	}
	if ch.version != version {
		return false, nil
	}
	if !store.Changes(room) {
		return true, nil
	}
	ch.version++
	if begins {
		s.tables = append(s.tables, table{channel: room.Channel})
		ch.table = bot.TableID(len(s.tables))
	}
	if len(room.Append) > 0 {
		t := &s.tables[ch.table-1]
		t.events = append(t.events, room.Append...)
		t.seated = slices.Clone(room.Seated)
	}
	for _, p := range room.Posts {
		s.lastPost++
		p.ID, p.Channel, p.Table, p.Tries, p.At = s.lastPost, room.Channel, ch.table, 0, p.At.UTC()
		s.posts = append(s.posts, post{Post: p})
	}
	for _, t := range room.Timers {
		s.lastTimer++
		t := bot.Timer{ID: s.lastTimer, At: t.At.UTC(), Channel: room.Channel, Table: ch.table, Number: t.Number, Kind: t.Kind}
		s.timers = slices.Insert(s.timers, s.after(t.At), t)
	}
	if room.File != nil {
		room.File.Table = ch.table
		if request != "" {
			ch.receipts[request] = *room.File
		}
	}
	return true, nil
}

// Table implements [bot.Store].
func (s *Store) Table(ctx context.Context, id bot.ChannelID) (bot.TableID, []game.Event, error) {
	if err := s.lock(ctx); err != nil {
		return 0, nil, err
	}
	defer s.mu.Unlock()
	ch := s.channels[id]
	if ch == nil || ch.table == 0 {
		return 0, nil, nil
	}
	return ch.table, slices.Clone(s.tables[ch.table-1].events), nil
}

// Events implements [bot.Store].
func (s *Store) Events(ctx context.Context, id bot.TableID, n int) (bot.ChannelID, []game.Event, error) {
	if err := s.lock(ctx); err != nil {
		return "", nil, err
	}
	defer s.mu.Unlock()
	if id == 0 || id > bot.TableID(len(s.tables)) {
		return "", nil, bot.ErrNoTable
	}
	t := s.tables[id-1]
	if n < 0 || n > len(t.events) {
		n = len(t.events)
	}
	return t.channel, slices.Clone(t.events[:n]), nil
}

// TablesPlayed implements [bot.Store].
func (s *Store) TablesPlayed(ctx context.Context, p game.PlayerID) ([]bot.TableID, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var ids []bot.TableID
	for i, t := range s.tables {
		if slices.Contains(t.seated, p) || p == "" && len(t.seated) > 0 {
			ids = append(ids, bot.TableID(i+1))
		}
	}
	return ids, nil
}

// TablesNaming implements [bot.Store].
func (s *Store) TablesNaming(ctx context.Context, p game.PlayerID) ([]bot.TableID, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var ids []bot.TableID
	for i, t := range s.tables {
		if slices.ContainsFunc(t.events, func(e game.Event) bool {
			return slices.ContainsFunc(e.People(), func(named game.Person) bool { return named.ID == p })
		}) {
			ids = append(ids, bot.TableID(i+1))
		}
	}
	return ids, nil
}

// Rename implements [bot.Store].
func (s *Store) Rename(ctx context.Context, id bot.TableID, from game.PlayerID, to game.Person) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if id == 0 || id > bot.TableID(len(s.tables)) {
		return bot.ErrNoTable
	}
	t := &s.tables[id-1]
	t.events = slices.Clone(t.events)
	for i, e := range t.events {
		t.events[i] = e.Rename(from, to)
	}
	t.seated = slices.Clone(t.seated)
	for i, p := range t.seated {
		if p == from {
			t.seated[i] = to.ID
		}
	}
	if from != to.ID {
		s.posts = slices.DeleteFunc(s.posts, func(p post) bool { return p.Table == id && p.For == from })
	}
	s.channels[t.channel].version++
	return nil
}

// Erase implements [bot.Store].
func (s *Store) Erase(ctx context.Context, who, as game.PlayerID) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	e := store.NewErasure(who, as)
	s.posts = slices.DeleteFunc(s.posts, func(p post) bool { return e.Post(p.Post) })
	s.timers = slices.DeleteFunc(s.timers, func(t bot.Timer) bool { return e.Names(string(t.Channel)) })
	for i, t := range s.tables {
		s.tables[i].channel = bot.ChannelID(e.Without(string(t.channel)))
	}
	for id, ch := range maps.Clone(s.channels) {
		maps.DeleteFunc(ch.receipts, func(request string, _ bot.Receipt) bool { return e.Names(string(id)) || e.Names(request) })
		if now := bot.ChannelID(e.Without(string(id))); now != id {
			delete(s.channels, id)
			s.channels[now] = ch
		}
	}
	for _, n := range s.notes {
		for shelf, rows := range maps.Clone(n.shelves) {
			for key, value := range maps.Clone(rows) {
				now, keep := e.Note(shelf, key, value)
				if !keep {
					now = nil
				}
				n.put(shelf, key, now)
			}
		}
	}
	return nil
}

// PendingPosts implements [bot.Store].
func (s *Store) PendingPosts(ctx context.Context, platform string, now time.Time) (ready []bot.Post, next time.Time, err error) {
	return s.pending(ctx, platform, nil, now)
}

// pending lists what PendingPosts does, without the posts of some tables.
func (s *Store) pending(ctx context.Context, platform string, without []bot.TableID, now time.Time) (ready []bot.Post, next time.Time, err error) {
	if err := s.lock(ctx); err != nil {
		return nil, time.Time{}, err
	}
	defer s.mu.Unlock()
	type queue struct {
		channel bot.ChannelID
		player  game.PlayerID
	}
	seen := map[queue]bool{}
	for _, p := range s.posts {
		at := queue{p.Channel, p.For}
		if p.Channel.Platform() != platform || seen[at] || slices.Contains(without, p.Table) {
			continue
		}
		seen[at] = true
		if !p.until.After(now) {
			ready = append(ready, p.Post)
		} else if next.IsZero() || p.until.Before(next) {
			next = p.until
		}
	}
	return ready, next, nil
}

// ClaimPosts implements [bot.Claims].
func (s *Store) ClaimPosts(ctx context.Context, h bot.Holder, platform string, without []bot.TableID, now time.Time, limit int) ([]bot.Post, time.Time, error) {
	return s.TakePosts(ctx, h, now, limit, func(found func(uint64, time.Time, func() (bot.Post, error)) (bool, error)) error {
		ready, next, err := s.pending(ctx, platform, without, now)
		if err != nil {
			return err
		}
		for _, p := range ready {
			if more, err := found(p.ID, now, func() (bot.Post, error) { return p, nil }); err != nil || !more {
				return err
			}
		}
		if !next.IsZero() {
			_, err = found(0, next, nil)
		}
		return err
	})
}

// RemovePost implements [bot.Store].
func (s *Store) RemovePost(ctx context.Context, p bot.Post) error {
	return s.TakeAway(p, func() error {
		if err := s.lock(ctx); err != nil {
			return err
		}
		defer s.mu.Unlock()
		s.remove(p)
		return nil
	})
}

func (s *Store) remove(p bot.Post) {
	s.posts = slices.DeleteFunc(s.posts, func(q post) bool { return q.ID == p.ID })
}

// Defer implements [bot.Store].
func (s *Store) Defer(ctx context.Context, p bot.Post, until time.Time) error {
	return s.GiveBack(p, func() error {
		if err := s.lock(ctx); err != nil {
			return err
		}
		defer s.mu.Unlock()
		if i := slices.IndexFunc(s.posts, func(q post) bool { return q.ID == p.ID }); i >= 0 {
			s.posts[i].Tries++
			s.posts[i].until = until.UTC()
		}
		return nil
	})
}

// after returns the index of the first timer later than a time.
func (s *Store) after(at time.Time) int {
	return sort.Search(len(s.timers), func(i int) bool { return s.timers[i].At.After(at) })
}

// DueTimers implements [bot.Store].
func (s *Store) DueTimers(ctx context.Context, now time.Time, limit int) (due []bot.Timer, next time.Time, err error) {
	if err := s.lock(ctx); err != nil {
		return nil, time.Time{}, err
	}
	defer s.mu.Unlock()
	n := s.after(now)
	if due = slices.Clone(s.timers[:min(n, limit)]); n <= limit && n < len(s.timers) {
		next = s.timers[n].At
	}
	return due, next, nil
}

// ClaimTimers implements [bot.Claims].
func (s *Store) ClaimTimers(ctx context.Context, h bot.Holder, k bot.Kinds, now time.Time, limit int) (claimed []bot.Timer, next time.Time, err error) {
	return s.TakeTimers(ctx, h, k, now, limit, func(found func(bot.Timer) bool) error {
		if err := s.lock(ctx); err != nil {
			return err
		}
		defer s.mu.Unlock()
		for _, t := range s.timers {
			if !found(t) {
				break
			}
		}
		return nil
	})
}

// Leave implements [bot.Claims].
func (s *Store) Leave(ctx context.Context, h bot.Holder) error {
	err := s.Claims.Leave(ctx, h)
	if err == nil {
		s.Hint("")
	}
	return err
}

// RemoveTimers implements [bot.Store].
func (s *Store) RemoveTimers(ctx context.Context, timers ...bot.Timer) error {
	return s.TurnOff(timers, func(own map[uint64]bool) error {
		if err := s.lock(ctx); err != nil {
			return err
		}
		defer s.mu.Unlock()
		s.timers = slices.DeleteFunc(s.timers, func(t bot.Timer) bool { return own[t.ID] })
		return nil
	})
}

// Notes returns the rows of one adapter.
func (s *Store) Notes(adapter string) bot.Notes {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.notes[adapter] == nil {
		s.notes[adapter] = &notes{of: s, shelves: map[string]map[string][]byte{}}
	}
	return s.notes[adapter]
}

type notes struct {
	of      *Store
	shelves map[string]map[string][]byte

	store.Watchers[bot.Hint]
}

// Tell implements [bot.Notes].
func (s *notes) Tell(ctx context.Context, text string) error {
	s.Hint(bot.Hint{Text: text})
	return ctx.Err()
}

func (s *notes) Scan(ctx context.Context, shelf, prefix, after string, limit int) ([]bot.Row, error) {
	if err := s.of.lock(ctx); err != nil {
		return nil, err
	}
	defer s.of.mu.Unlock()
	return (&rows{notes: s}).Scan(shelf, prefix, after, limit)
}

// Change locks the store while fn runs, and undoes fn's puts if it fails.
func (s *notes) Change(ctx context.Context, fn func(bot.Rows) error) error {
	return s.of.Conclude(ctx, func(delivered *bot.Post) error {
		if err := s.of.lock(ctx); err != nil {
			return err
		}
		defer s.of.mu.Unlock()
		r := &rows{notes: s}
		kept := false
		defer func() {
			if !kept {
				for _, u := range slices.Backward(r.before) {
					s.put(u.shelf, u.key, u.value)
				}
			}
		}()
		err := fn(r)
		if kept = err == nil; kept && delivered != nil {
			s.of.remove(*delivered)
		}
		return err
	})
}

// rows are notes while the store is locked.
type rows struct {
	notes  *notes
	before []undo
}

type undo struct {
	shelf, key string
	value      []byte
}

func (r *rows) Get(shelf, key string) ([]byte, error) {
	return bytes.Clone(r.notes.shelves[shelf][key]), nil
}

// GetAll implements [bot.Rows].
func (r *rows) GetAll(shelf string, keys ...string) ([][]byte, error) {
	return bot.Each(keys, func(key string) ([]byte, error) { return r.Get(shelf, key) })
}

func (r *rows) Put(shelf, key string, value []byte) error {
	r.before = append(r.before, undo{shelf, key, r.notes.shelves[shelf][key]})
	r.notes.put(shelf, key, value)
	return nil
}

func (r *rows) Scan(shelf, prefix, after string, limit int) (list []bot.Row, err error) {
	for _, key := range slices.Sorted(maps.Keys(r.notes.shelves[shelf])) {
		if len(list) < limit && strings.HasPrefix(key, prefix) && (after == "" || key > after) {
			list = append(list, bot.Row{Key: key, Value: bytes.Clone(r.notes.shelves[shelf][key])})
		}
	}
	return list, nil
}

// put sets a value while the store is locked.
func (s *notes) put(shelf, key string, value []byte) {
	if s.shelves[shelf] == nil {
		s.shelves[shelf] = map[string][]byte{}
	}
	if value == nil {
		delete(s.shelves[shelf], key)
	} else {
		s.shelves[shelf][key] = bytes.Clone(value)
	}
}

func (s *notes) Get(ctx context.Context, shelf, key string) ([]byte, error) {
	if err := s.of.lock(ctx); err != nil {
		return nil, err
	}
	defer s.of.mu.Unlock()
	return bytes.Clone(s.shelves[shelf][key]), nil
}

// GetAll implements [bot.Notes].
func (s *notes) GetAll(ctx context.Context, shelf string, keys ...string) ([][]byte, error) {
	return bot.Each(keys, func(key string) ([]byte, error) { return s.Get(ctx, shelf, key) })
}

func (s *notes) Put(ctx context.Context, shelf, key string, value []byte) error {
	if err := s.of.lock(ctx); err != nil {
		return err
	}
	defer s.of.mu.Unlock()
	s.put(shelf, key, value)
	return nil
}

func (s *notes) Keys(ctx context.Context, shelf string) ([]string, error) {
	if err := s.of.lock(ctx); err != nil {
		return nil, err
	}
	defer s.of.mu.Unlock()
	return slices.Sorted(maps.Keys(s.shelves[shelf])), nil
}
