package bot

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// A NoteKey identifies a row of notes.
type NoteKey struct{ Shelf, Key string }

// A Reading groups what is read for one thing: a request, a post, a timer. A value read stays valid
// until the reading itself changes it, for a second at most. A distant store learns from earlier
// readings of the same kind what the next one will read, and fetches that at once.
type Reading struct {
	mu      sync.Mutex
	kind    string
	about   [][]string
	version int
	kept    map[any]any
}

// The subjects of a host's readings, by index; see [Reading.About].
const (
	_ = iota // the person who asks, the channel and its home are known from the start
	_
	_
	AboutTable
	AboutPlayers // everybody at the table
)

type readingKey struct{}

// ReadTogether returns a context for a reading of a kind, such as "/play", with the names of its
// subjects: keys that contain them are likely to be read. Within another reading it continues that
// one under the new kind.
func ReadTogether(ctx context.Context, kind string, about ...string) context.Context {
	r := ReadingOf(ctx)
	if r == nil {
		r = &Reading{}
		ctx = context.WithValue(ctx, readingKey{}, r)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kind, r.about = kind, nil
	r.version++
	for _, name := range about {
		r.about = append(r.about, []string{name})
	}
	return ctx
}

// ReadingOf returns the reading of a context, or nil if there is none.
func ReadingOf(ctx context.Context) *Reading {
	r, _ := ctx.Value(readingKey{}).(*Reading)
	return r
}

// About sets the names of a reading's subjects at index i when they become known.
func (r *Reading) About(i int, names ...string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.about) <= i {
		r.about = append(r.about, nil)
	}
	if !slices.Equal(r.about[i], names) {
		r.about[i] = names
		r.version++
	}
}

// Now returns the reading's kind, its subjects, and a number that grows whenever either changes.
func (r *Reading) Now() (kind string, about [][]string, version int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.kind, slices.Clone(r.about), r.version
}

// Keep returns a store's data for the reading. The first call makes it.
func (r *Reading) Keep(store any, made func() any) any {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kept == nil {
		r.kept = map[any]any{}
	}
	if r.kept[store] == nil {
		r.kept[store] = made()
	}
	return r.kept[store]
}

// Name returns a table's name in keys.
func (t TableID) Name() string { return fmt.Sprintf("%016x", uint64(t)) }

// Each gets values one by one, for stores that are near.
func Each(keys []string, get func(key string) ([]byte, error)) (values [][]byte, err error) {
	for _, key := range keys {
		v, err := get(key)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, nil
}
