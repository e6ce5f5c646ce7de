package memory_test

import (
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/bot/store/storetest"
)

// A store in memory has no restart; the test's directory stands for it.
func TestStore(t *testing.T) {
	var stores sync.Map
	storetest.Run(t, func(t *testing.T, dir string, _ func() time.Time) storetest.Store {
		s, _ := stores.LoadOrStore(dir, memory.New())
		return s.(*memory.Store)
	})
}
