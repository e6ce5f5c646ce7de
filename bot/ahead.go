package bot

import (
	"context"
	"sync"
)

// A NoteKey names a row of notes.
type NoteKey struct{ Shelf, Key string }

// Reads are what of a store will be read; what is zero won't.
type Reads struct {
	Channel ChannelID // the latest table there
	Table   TableID   // and its events
	Playing PlayerID  // their games
}

// A Reading is what is read by one context for one thing: a request, a post, a timer.
// What is said to be read (see Notes.Ahead and Store.Ahead) a store that is far away
// takes along with the next that it is asked for. What has been read holds until the
// reading itself changes it, and for a second at most.
type Reading struct {
	mu   sync.Mutex
	kept map[any]any
}

type readingKey struct{}

// ReadTogether is a context for a reading. Within another it is a part of that.
func ReadTogether(ctx context.Context) context.Context {
	if ReadingOf(ctx) != nil {
		return ctx
	}
	return context.WithValue(ctx, readingKey{}, &Reading{})
}

// ReadingOf is the reading of a context, nil where there is none.
func ReadingOf(ctx context.Context) *Reading {
	r, _ := ctx.Value(readingKey{}).(*Reading)
	return r
}

// Keep is what a store keeps of the reading, by the store. It is made when it is first
// wanted.
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
