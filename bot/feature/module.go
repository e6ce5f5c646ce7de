package feature

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/rackmate/rackmate/bot/shelf"
)

// A Module makes a feature that hosts have because their binary imports its package.
type Module struct {
	// ID names the feature among all, and for ever: what it keeps is listed by it.
	ID  string
	New func(d Desk, own *shelf.Owner) Feature
}

var (
	modulesMu sync.Mutex
	modules   []Module
)

// Register gives the feature of a module to every host that is made later. A package calls it
// in its init function. It panics if the module has no id or no constructor, or if another has
// its id.
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

// Modules returns all that were registered, sorted by id.
func Modules() []Module {
	modulesMu.Lock()
	defer modulesMu.Unlock()
	return slices.SortedFunc(slices.Values(modules), func(a, b Module) int { return cmp.Compare(a.ID, b.ID) })
}
