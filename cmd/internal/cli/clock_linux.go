package cli

import (
	"time"

	"golang.org/x/sys/unix"
)

// ThreadTime returns how long this thread has had a processor.
func ThreadTime() time.Duration { return clockTime(unix.CLOCK_THREAD_CPUTIME_ID) }

// ProcessTime returns how long another process has had a processor, all its threads together.
func ProcessTime(pid int) time.Duration {
	const schedulerClock = 2
	return clockTime(int32(^pid<<3 | schedulerClock)) // as clock_getcpuclockid makes it
}

func clockTime(clock int32) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(clock, &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
