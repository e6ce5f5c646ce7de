//go:build !linux

package gametest

// Memory returns "", because only Linux has a known folder in memory.
func Memory(uint64) string { return "" }
