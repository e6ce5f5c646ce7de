package gametest

import "testing"

// Must ends a test that can't go on after an error.
func Must(t testing.TB, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}
