package gametest

import "testing"

// Must fails a test that can't continue after an error.
func Must(t testing.TB, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}
