package cli

import (
	"os"
	"runtime"
	"strings"
)

// spareGarbage limits the garbage that may accumulate beyond the amount in use. The host keeps
// about 40 MB and allocates a quarter of a megabyte for each command, so by default the collector
// would run ten times a second under load.
const spareGarbage = 96 << 20

// CollectLess makes the collector run less often, at the price of spareGarbage, until the returned
// function is called. GOGC and GOMEMLIMIT take precedence.
//
// Go lets as much garbage accumulate as there is memory in use. So CollectLess allocates memory
// that is never touched: it takes address space but no memory and, unlike a percentage, doesn't
// grow with the heap. It uses a strings.Builder because make would zero reused memory, and so
// occupy all of it.
func CollectLess() (done func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	var untouched strings.Builder
	untouched.Grow(spareGarbage)
	return func() { runtime.KeepAlive(&untouched) }
}
