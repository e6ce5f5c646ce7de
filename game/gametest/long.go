package gametest

import (
	"flag"
	"os"
)

var long = flag.Bool("long", false, "run the long tests whole; RACKMATE_LONG=1 does the same")

// Long reports whether the long tests are to run whole. Else each runs about a
// tenth, so that a change can be tried in a minute; CI runs them whole.
func Long() bool { return *long || os.Getenv("RACKMATE_LONG") != "" }

// Longest reports whether the long tests are to try as much as they can: RACKMATE_LONG=longest,
// as once a week. What each change is asked of must not take longer than a change can wait.
func Longest() bool { return os.Getenv("RACKMATE_LONG") == "longest" }

// Rounds returns how often to do what is long by nature: many times when the tests run
// whole, or else a few.
func Rounds[N ~int | ~int64 | ~uint64](few, many N) N {
	if Long() {
		return many
	}
	return few
}

// Share returns how often to do what is done n times when the tests run whole: n, or
// else a tenth of it, and at least once.
func Share(n int) int {
	return Rounds(max(1, n/10), n)
}
