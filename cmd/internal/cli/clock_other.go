//go:build !linux

package cli

import "time"

// ThreadTime returns how long this process has run: what a thread computed isn't known here.
func ThreadTime() time.Duration { return time.Since(began) }

// ProcessTime returns the same: what another process computed isn't known either.
func ProcessTime(int) time.Duration { return ThreadTime() }

var began = time.Now()
