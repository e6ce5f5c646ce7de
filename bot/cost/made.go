package cost

import (
	"container/list"
	"context"
	"errors"
	"sync"
	"time"
)

// Made keeps what was made lately, by what it was made of, and has it made once where
// several ask at the same time. It is safe for concurrent use.
type Made struct {
	now  func() time.Time
	size func(any) int
	most int // bytes

	mu    sync.Mutex
	of    map[any]*list.Element
	order *list.List // of *product, those used lately last
	bytes int
	doing map[any]chan struct{} // closed when it is done
	since int                   // how often all was forgotten
}

type product struct {
	key, value any
	size       int
	until      time.Time
}

// keptFor is how long something is kept: as it may name somebody who is forgotten at
// another host meanwhile, not for long.
const keptFor = 5 * time.Minute

// NewMade makes a store of results that holds at most most bytes; size counts those of a
// result.
func NewMade(now func() time.Time, most int, size func(any) int) *Made {
	return &Made{now: now, size: size, most: most, of: map[any]*list.Element{}, order: list.New(), doing: map[any]chan struct{}{}}
}

// Get is what a key stands for, which do makes where it isn't known. A nil key is always
// made. Who waits for another's making goes on by itself where that fails: the other may
// only have hung up.
func (m *Made) Get(ctx context.Context, key any, do func() (any, error)) (any, error) {
	if key == nil {
		return do()
	}
	for {
		value, under, found := m.look(key)
		if found {
			return value, nil
		}
		if under != nil {
			back := MeterOf(ctx).Idle()
			select {
			case <-under:
				back()
				continue
			case <-ctx.Done():
				back()
				return nil, context.Cause(ctx)
			}
		}
		return m.make(key, do)
	}
}

// cleared is how often all was forgotten.
func (m *Made) cleared() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.since
}

// look is what is kept, or what is under way; where neither is, the caller makes it.
func (m *Made) look(key any) (value any, under chan struct{}, found bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, ok := m.of[key]; ok {
		p := e.Value.(*product)
		if m.now().Before(p.until) {
			m.order.MoveToBack(e)
			return p.value, nil, true
		}
		m.drop(e)
	}
	if under, ok := m.doing[key]; ok {
		return nil, under, false
	}
	m.doing[key] = make(chan struct{})
	return nil, nil, false
}

var errPanicked = errors.New("it panicked")

func (m *Made) make(key any, do func() (any, error)) (value any, err error) {
	err = errPanicked
	began, since := m.now(), m.cleared()
	defer func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if under, ours := m.doing[key]; ours {
			close(under)
			delete(m.doing, key)
		}
		if err != nil || since != m.since {
			return
		}
		if size := m.size(value); size <= m.most/4 {
			m.of[key] = m.order.PushBack(&product{key, value, size, began.Add(keptFor)})
			for m.bytes += size; m.bytes > m.most; {
				m.drop(m.order.Front())
			}
		}
	}()
	return do()
}

// drop forgets a product. m.mu is held.
func (m *Made) drop(e *list.Element) {
	p := m.order.Remove(e).(*product)
	delete(m.of, p.key)
	m.bytes -= p.size
}

// Clear forgets all that was made, and what is under way.
func (m *Made) Clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.of)
	m.order.Init()
	m.bytes = 0
	m.since++
}
