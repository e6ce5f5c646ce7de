package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// A game against a robot in the terminal, which goes on where its data is kept.
func TestTerminal(t *testing.T) {
	data := filepath.Join(t.TempDir(), "table.db")
	play := func(script string, args ...string) string {
		t.Helper()
		var out, log bytes.Buffer
		if code := run(t.Context(), stdio{strings.NewReader(script), &out, &log}, append([]string{"terminal", "--data", data}, args...)); code != 0 {
			t.Fatalf("exit %d: %s\n%s", code, &log, &out)
		}
		return out.String()
	}
	first := play("pass\npass\nquit\n", "--robot", "beginner", "--names", "Ann", "challenge:void")
	if !strings.Contains(first, "Ann: passes") || !strings.Contains(first, "Beginner (robot): ") {
		t.Errorf("no game:\n%s", first)
	}
	second := play("resign\n1\nquit\n", "--names", "Ann")
	if !strings.Contains(second, "The game goes on.") || !strings.Contains(second, "Ann: passes") || !strings.Contains(second, "The game is over.") {
		t.Errorf("the game doesn't go on, or doesn't end:\n%s", second)
	}
}

func TestTerminalUsage(t *testing.T) {
	for args, want := range map[string]string{
		"--robot easy --names Ann,Bob": "a robot plays against one person",
		"--robot clever":               "clever",
		"rules:none":                   "none",
	} {
		var out, log bytes.Buffer
		code := run(t.Context(), stdio{strings.NewReader(""), &out, &log}, append([]string{"terminal"}, strings.Fields(args)...))
		if code == 0 || !strings.Contains(log.String(), want) {
			t.Errorf("terminal %s: exit %d, %q", args, code, &log)
		}
	}
}
