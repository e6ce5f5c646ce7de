//go:build race

package gametest

// Race reports whether the race detector watches. What runs one thing after another, or in
// processes of its own, shows it nothing and takes ten times as long: such a test that is
// long leaves that to the run without it.
const Race = true
