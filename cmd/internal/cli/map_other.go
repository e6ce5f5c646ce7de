//go:build !linux && !darwin && !freebsd

package cli

import "os"

// mapFile reads a file: it isn't mapped here.
func mapFile(name string) ([]byte, error) { return os.ReadFile(name) }
