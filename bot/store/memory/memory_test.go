package memory_test

import (
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/bot/store/storetest"
)

// A store in memory has no restart; the test's directory stands for it.
func TestStore(t *testing.T) {
	stores := map[string]*memory.Store{}
	storetest.Run(t, func(t *testing.T, dir string, _ func() time.Time) storetest.Store {
		if stores[dir] == nil {
			stores[dir] = memory.New()
		}
		return stores[dir]
	})
}
