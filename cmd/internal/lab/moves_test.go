package lab

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
)

const emptyBoard = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15"

func TestMoves(t *testing.T) {
	t.Parallel()
	const horn = "15/15/15/15/15/15/15/7HORN4/15/15/15/15/15/15/15 S/ 14/0 1"
	for _, tt := range []struct {
		name  string
		stdin string
		args  []string
		want  string
	}{
		{"best first", "", []string{"--top", "3", emptyBoard + " HORN/ 0/0 0"}, "8E HORN 14\n8F HORN 14\n8G HORN 14\n"},
		{"unquoted", "", append([]string{"--top", "1"}, strings.Fields(emptyBoard+" HORN/ 0/0 0")...), "8E HORN 14\n"},
		{"all of them", "", []string{horn}, "8H ....S 9\n8G S.... 8\nH7 S. 5\nI7 S. 3\nI8 .S 3\n"},
		{"none wanted", "", []string{"--top", "0", horn}, ""},
		{"no rack", "", []string{emptyBoard + " / 0/0 0"}, ""},
		{"counted", "", []string{"--count", emptyBoard + " AACDOUW/DEHOPWY 0/0 0"}, "plays=100 top=22 sum=1166\n"},
		{"counted, a position a line", emptyBoard + " AACDOUW/DEHOPWY 0/0 0\n\n" + emptyBoard + " / 0/0 0\n", []string{"--stdin"},
			"plays=100 top=22 sum=1166\nplays=0 top=0 sum=0\n"},
	} {
		status, out, err := command(t, tt.stdin, append([]string{"moves"}, tt.args...)...)
		if status != 0 || out != tt.want {
			t.Errorf("%s: status %d, %s\ngot  %q\nwant %q", tt.name, status, err, out, tt.want)
		}
	}
	for _, tt := range []struct {
		name   string
		stdin  string
		args   []string
		status int
		want   string // part of the output
	}{
		{"nothing", "", nil, 2, "usage:"},
		{"no position", "", []string{"15/15"}, 2, "missing racks"},
		{"both", "", []string{"--stdin", emptyBoard + " A/ 0/0 0"}, 2, "usage:"},
		{"a bad line", emptyBoard + " A/ 0/0 0\n15/15 A/ 0/0 0\n", []string{"--stdin"}, 2, "line 2: the board has 2 rows"},
		{"fewer than none", "", []string{"--top", "-1", emptyBoard + " A/ 0/0 0"}, 2, "--top can't be -1"},
		{"two positions", "", []string{emptyBoard + " A/ 0/0 0", emptyBoard + " B/ 0/0 0"}, 2, "give one position"},
		{"a word too many", "", []string{emptyBoard + " A/ 0/0 0", "more"}, 2, "give one position"},
		{"no such list", "", []string{"--lexicon", "nowhere", emptyBoard + " A/ 0/0 0"}, 1, "en-clean"},
	} {
		status, _, err := command(t, tt.stdin, append([]string{"moves"}, tt.args...)...)
		if status != tt.status || !strings.Contains(err, tt.want) {
			t.Errorf("%s: status %d, %q; want %d, %q", tt.name, status, err, tt.status, tt.want)
		}
	}
}

// TestBestMovesComeFirst checks that the best moves are the first of the full list.
func TestBestMovesComeFirst(t *testing.T) {
	t.Parallel()
	const position = "15/15/15/15/15/15/15/7HORN4/15/15/15/15/15/15/15 AEIST?R/ 0/14 0"
	_, all, _ := command(t, "", "moves", position)
	lines := strings.SplitAfter(all, "\n")
	for _, n := range []int{0, 1, 2, 7, 100, len(lines), len(lines) + 5} {
		if _, out, _ := command(t, "", "moves", "--top", fmt.Sprint(n), position); out != strings.Join(lines[:min(n, len(lines))], "") {
			t.Errorf("the best %d begin with %.60q, all with %.60q", n, out, all)
		}
	}
}

// TestMovesCountsWholeFile counts the positions of a whole file at once, as a comparison
// with another engine would.
func TestMovesCountsWholeFile(t *testing.T) {
	t.Parallel()
	f, err := os.Open("../../../game/movegen/testdata/plays.tsv")
	gametest.Must(t, err)
	defer f.Close()
	var in, want strings.Builder
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if fields := strings.Split(lines.Text(), "\t"); !strings.HasPrefix(lines.Text(), "#") && len(fields) == 4 {
			in.WriteString(fields[3] + "\n")
			fmt.Fprintf(&want, "plays=%s top=%s sum=%s\n", fields[0], fields[1], fields[2])
		}
	}
	status, out, _ := command(t, in.String(), "moves", "--lexicon", "en-former", "--stdin")
	if status != 0 || out != want.String() || strings.Count(out, "\n") != 400 {
		t.Errorf("status %d, %d lines, the same: %t", status, strings.Count(out, "\n"), out == want.String())
	}
}
