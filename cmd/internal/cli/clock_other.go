//go:build !linux

package cli

import "time"

// ThreadTime returns how long this process has run, because this system doesn't report a thread's
// processor time.
func ThreadTime() time.Duration { return time.Since(began) }

// ProcessTime returns the same as ThreadTime, because this system doesn't report other processes'
// either.
func ProcessTime(int) time.Duration { return ThreadTime() }

var began = time.Now()
