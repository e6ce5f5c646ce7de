//go:build !linux

package cli

import "time"

// ThreadTime is how long this process has been there: what a thread computed isn't known here.
func ThreadTime() time.Duration { return time.Since(began) }

// ProcessTime is the same: nor is what another process computed.
func ProcessTime(int) time.Duration { return ThreadTime() }

var began = time.Now()
