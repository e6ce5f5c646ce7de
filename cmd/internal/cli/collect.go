package cli

import (
	"os"
	"runtime"
	"strings"
)

// spareGarbage is how much garbage may lie around beside as much as is in use. The
// host keeps some 40 MB and makes a quarter of a megabyte for each command, so that
// by Go's own rule the collector would run ten times a second under load.
const spareGarbage = 96 << 20

// CollectLess makes the collector run less often, at the price of spareGarbage, until
// the function that it returns is called. What GOGC and GOMEMLIMIT say comes first.
//
// Go lets as much garbage gather as there is in use. So something is in use that
// nobody ever touches: it takes addresses and no memory, and grows with nothing, as
// a percentage would. It is a builder's, for make fills memory that was in use before
// with zeros, and so takes all of it.
func CollectLess() (done func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	var untouched strings.Builder
	untouched.Grow(spareGarbage)
	return func() { runtime.KeepAlive(&untouched) }
}
