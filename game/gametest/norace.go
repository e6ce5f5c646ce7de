//go:build !race

package gametest

// Race is set if the race detector is on. Sequential code and separate processes show it nothing
// and take ten times as long, so long tests of that kind skip it.
const Race = false
