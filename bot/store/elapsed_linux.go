package store

import (
	"time"

	"golang.org/x/sys/unix"
)

// Elapsed returns the time since the system started. Unlike Go's monotonic clock it includes the time
// in which the machine was suspended.
func Elapsed() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &t); err != nil {
		return time.Since(began) // a sandbox may not have this clock
	}
	return time.Duration(t.Nano())
}
