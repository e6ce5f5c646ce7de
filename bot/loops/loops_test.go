package loops_test

import (
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot/loops"
)

func TestBackoff(t *testing.T) {
	for tries, want := range map[int]time.Duration{0: time.Second, 1: 2 * time.Second, 5: 32 * time.Second, 10: 10 * time.Minute, 1000: 10 * time.Minute} {
		if got := loops.Backoff(tries); got != want {
			t.Errorf("after %d tries: %s, want %s", tries, got, want)
		}
	}
}
