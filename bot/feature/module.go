package feature

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/rackmate/rackmate/bot/shelf"
)

// A Module makes a feature for every host whose binary imports its package.
type Module struct {
	// ID names the feature uniquely and permanently: its stored data is listed under it.
	ID  string
	New func(d Desk, own *shelf.Owner) Feature
}

var (
	modulesMu sync.Mutex
	modules   []Module
)

// Register adds a module's feature to every host made later. A package calls it in its init
// function. It panics if the module lacks an ID or a constructor, or if another has its ID.
func Register(m Module) {
	modulesMu.Lock()
	defer modulesMu.Unlock()
	switch {
	case m.ID == "" || m.New == nil:
		panic(fmt.Sprintf("feature.Register: module %q needs an id and a constructor", m.ID))
	case slices.ContainsFunc(modules, func(o Module) bool { return o.ID == m.ID }):
		panic(fmt.Sprintf("feature.Register: two modules have the id %q", m.ID))
	}
	modules = append(modules, m)
}

// Modules returns all registered modules, sorted by ID.
func Modules() []Module {
	modulesMu.Lock()
	defer modulesMu.Unlock()
	return slices.SortedFunc(slices.Values(modules), func(a, b Module) int { return cmp.Compare(a.ID, b.ID) })
}
