//go:build linux

package cli

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
)

// TestCollectLessTakesNoMemory checks that the untouched memory of CollectLess
// occupies none, even if it reuses memory that was returned to the system.
func TestCollectLessTakesNoMemory(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	resident := func() (bytes int) {
		t.Helper()
		text, err := os.ReadFile("/proc/self/statm")
		gametest.Must(t, err)
		var all, pages int
		_, err = fmt.Sscan(string(text), &all, &pages)
		gametest.Must(t, err)
		return pages * os.Getpagesize()
	}
	runtime.KeepAlive(bytes.Repeat([]byte{1}, spareGarbage))
	debug.FreeOSMemory()
	before := resident()
	done := CollectLess()
	if took := resident() - before; took > spareGarbage/4 {
		t.Errorf("it takes %d MB", took>>20)
	}
	done()
}
