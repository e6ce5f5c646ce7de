package bot

import (
	"context"
	"sync"
)

// An Errand is something done by one context for somebody: a request, a post, a
// timer. What it reads may come from memory, or together with what earlier errands of
// its name read, so that a distant store is asked once. What it has read holds until
// the errand itself changes it, and for a second at most. A store that is near
// ignores errands.
type Errand struct {
	// Name is the same for errands that read alike. Of are the words in the keys of
	// what they read, each always in its place: a channel, a person, a table's
	// number; "" where there is none.
	Name string
	Of   []string
	// Within is the errand that this one is a part of, nil for a whole one.
	Within *Errand

	mu   sync.Mutex
	kept map[any]any // of the whole errand
}

type errandKey struct{}

// OnErrand is a context for an errand. Within another it is a part of that.
func OnErrand(ctx context.Context, name string, of ...string) context.Context {
	return context.WithValue(ctx, errandKey{}, &Errand{Name: name, Of: of, Within: ErrandOf(ctx)})
}

// ErrandOf is the errand of a context, nil where there is none.
func ErrandOf(ctx context.Context) *Errand {
	e, _ := ctx.Value(errandKey{}).(*Errand)
	return e
}

// Keep is what a store keeps of the whole errand, by the store. It is made when it
// is first wanted.
func (e *Errand) Keep(store any, made func() any) any {
	for e.Within != nil {
		e = e.Within
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.kept == nil {
		e.kept = map[any]any{}
	}
	if e.kept[store] == nil {
		e.kept[store] = made()
	}
	return e.kept[store]
}
