//go:build !linux && !darwin && !freebsd

package cli

import "os"

// mapFile reads a file, because this system has no mapping.
func mapFile(name string) ([]byte, error) { return os.ReadFile(name) }
