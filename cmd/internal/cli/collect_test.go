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

// What keeps the collector back takes no memory, also where it lies in what was in use before
// and has been given back.
func TestWhatKeepsTheCollectorBackTakesNoMemory(t *testing.T) {
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
