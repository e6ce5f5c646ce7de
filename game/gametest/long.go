package gametest

import (
	"flag"
	"os"
)

var long = flag.Bool("long", false, "run the long tests whole; RACKMATE_LONG=1 does the same")

// Long reports whether the long tests run in full, as in CI. Otherwise each runs about a tenth,
// so that a change can be tried in a minute.
func Long() bool { return *long || os.Getenv("RACKMATE_LONG") != "" }

// Longest reports whether the long tests should try as much as they can: RACKMATE_LONG=longest,
// used once a week. Tests for every change must not take longer than a change can wait.
func Longest() bool { return os.Getenv("RACKMATE_LONG") == "longest" }

// Rounds returns how often to do something that is inherently long: many times if the tests run in
// full, otherwise a few.
func Rounds[N ~int | ~int64 | ~uint64](few, many N) N {
	if Long() {
		return many
	}
	return few
}

// Share returns how often to do something done n times in full runs: n, or otherwise a tenth of it,
// at least once.
func Share(n int) int {
	return Rounds(max(1, n/10), n)
}
