//go:build !linux

package store

import "time"

// Elapsed returns the time since the process started.
func Elapsed() time.Duration { return time.Since(began) }
