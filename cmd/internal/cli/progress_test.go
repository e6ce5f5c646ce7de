package cli

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game/gametest"
)

func TestProgressShowsAfterTwoSeconds(t *testing.T) {
	games := &Progress{what: "playing", total: 40}
	games.Step.Store(7)
	for after, want := range map[time.Duration]string{
		time.Second:                           "",
		1999 * time.Millisecond:               "",
		2 * time.Second:                       "playing, 7 of 40, 2s",
		75*time.Second + 300*time.Millisecond: "playing, 7 of 40, 1m15s",
	} {
		if got := games.line(after); got != want {
			t.Errorf("after %s: %q, want %q", after, got, want)
		}
	}
	if got := (&Progress{what: "building mine"}).line(3 * time.Second); got != "building mine, 3s" {
		t.Errorf("without steps: %q", got)
	}
}

func TestProgressShowsOnlyOnTerminals(t *testing.T) {
	file, err := os.Create(t.TempDir() + "/log")
	gametest.Must(t, err)
	defer file.Close()
	if IsTerminal(&strings.Builder{}) || IsTerminal(file) {
		t.Error("a file or a text is taken for a terminal")
	}
	if tty, err := os.OpenFile("/dev/null", os.O_WRONLY, 0); err == nil {
		defer tty.Close()
		NewProgress(tty, "x", 0).Done() // and done at once
	}
}
