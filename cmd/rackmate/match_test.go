package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// thought is what differs from one run to the next.
var thought = regexp.MustCompile(`(?m) ms=\d+\.\d\d most=\d+$`)

func TestMatch(t *testing.T) {
	run := func(args ...string) string {
		status, out, err := command(t, "", append([]string{"match"}, args...)...)
		if status != 0 || !thought.MatchString(out) {
			t.Fatalf("%v: status %d, %s%s", args, status, out, err)
		}
		return thought.ReplaceAllString(out, "")
	}
	two := run("--games", "10", "--seed", "4", "beginner", "greedy")
	if want := regexp.MustCompile(`^beginner wins=0 draws=0 games=10 rate=0\.0%\+-0\.0 points=\d+\.\d\ngreedy wins=10 draws=0 games=10 rate=100\.0%\+-0\.0 points=\d+\.\d\n$`); !want.MatchString(two) {
		t.Errorf("a beginner and who knows every word: %q", two)
	}
	if again := run("--games", "10", "--seed", "4", "beginner", "greedy"); again != two {
		t.Errorf("the same match is %q and %q", two, again)
	}
	if other := run("--games", "10", "--seed", "5", "beginner", "greedy"); other == two {
		t.Errorf("two seeds, and both times %q", two)
	}
	if three := run("--games", "2", "--rules", "club", "--positions", "30", "easy", "expert", "easy"); strings.Count(three, "\n") != 3 {
		t.Errorf("three robots: %q", three)
	}
	for _, tt := range []struct {
		args string
		want string // a part of what is said
	}{
		{"easy", "2 to 4"},
		{"easy easy easy easy easy", "2 to 4"},
		{"easy nobody", "beginner"},
		{"--rules none easy easy", "none"},
		{"--games x easy easy", "usage:"},
	} {
		if status, _, err := command(t, "", append([]string{"match"}, strings.Fields(tt.args)...)...); status != 2 || !strings.Contains(err, tt.want) {
			t.Errorf("%s: status %d, %q", tt.args, status, err)
		}
	}
}

// An engine is asked with a position a line, which tells it the turn before.
func TestMatchAgainstAnEngine(t *testing.T) {
	asked := filepath.Join(t.TempDir(), "asked")
	status, out, err := command(t, "", "match", "--games", "1", "--engine", `sh -c 'while read -r line; do echo "$line" >> `+asked+`; echo pass; done'`, "greedy")
	if status != 0 || !strings.Contains(out, "engine wins=0") {
		t.Fatalf("status %d, %s%s", status, out, err)
	}
	lines, e := os.ReadFile(asked)
	if e != nil {
		t.Fatal(e)
	}
	position := regexp.MustCompile(`(?m)^\S+ \S+/ \d+/\d+ [01] lex en; rules classic;( lm ([0-9A-O]+ [A-Za-z.]+|-\d);)?$`)
	told := strings.Count(string(lines), "; lm ")
	if n := strings.Count(string(lines), "\n"); len(position.FindAll(lines, -1)) != n || told < n-1 || told < 5 {
		t.Errorf("of %d questions %d tell the turn before:\n%s", n, told, lines)
	}
}

// A match that is stopped by hand says how it stood.
func TestMatchStopped(t *testing.T) {
	ctx := &stopped{Context: t.Context(), after: 100} // moves, some four games
	var out, told strings.Builder
	if status := run(ctx, stdio{strings.NewReader(""), &out, &told}, []string{"match", "--games", "1000", "static", "greedy"}); status != 0 {
		t.Fatalf("status %d: %s", status, told.String())
	}
	if got := out.String(); strings.Count(got, "\n") != 2 || !regexp.MustCompile(`^static wins=\d+ draws=\d games=\d rate`).MatchString(got) {
		t.Errorf("told %q", got)
	}
}

// stopped is a context that somebody cancels after it was asked a number of times.
type stopped struct {
	context.Context
	after int
}

func (s *stopped) Err() error {
	if s.after--; s.after < 0 {
		return context.Canceled
	}
	return nil
}
