package lab

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/game/gametest"
)

// anEnding is a position with an empty bag.
const anEnding = "B2QUERN7/O1TURM9/U1WO11/G1IT11/I1GAS4BAP3/ED2W2KAED4/1A2O1JAIL5/1I1ZOEAE4FIX/CLOOP7A2/AY1REH6N2/R2IDE6F2/L2L1U6O2/I2SECT1V3l2/N4HEMATOID2/E5TYG3S2 EINNRV?/ENRST 210/230 0"

func TestSolve(t *testing.T) {
	t.Parallel()
	const board = "7HORN4/15/15/15/15/15/15/15/15/15/15/15/15/15/15"
	status, out, err := command(t, "", "solve", board+" S/QQ 0/0 0")
	if status != 2 || !strings.Contains(err, "in the bag") {
		t.Errorf("an opening: status %d, %s%s", status, out, err)
	}
	const ending = "11HAUF/10DEBT1/9REVS2/11E3/10ZAG2/LINGSTER1JO1L1T/U8ON1I1A/R3QOPH1GUANXI/V4PIOY1R1T1L/EF5WOKE3E/1AIDANCE2s3R/1T9MO1O/1W8BEY1N/1A5DECIMEs1/1SOLATIA7 DEIINRS/U 301/322 0"
	status, out, err = command(t, "", "solve", ending)
	if status != 0 {
		t.Fatalf("status %d: %s", status, err)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	last := lines[len(lines)-1]
	move := regexp.MustCompile(`^\d+\. (pass|\w+ [\w.]+) \d+  [+-]\d+$`)
	for _, l := range lines[:len(lines)-1] {
		if !move.MatchString(l) {
			t.Errorf("%q isn't a move of a line", l)
		}
	}
	if last != "value=22 proven=yes" || len(lines) < 2 {
		t.Errorf("solved:\n%s", out)
	}
	if _, out, _ = command(t, "", "solve", "--positions", "1", ending); !strings.HasSuffix(out, "proven=no\n") {
		t.Errorf("with one position:\n%s", out)
	}
}

// TestSolveBeforeTheEnding checks that with one tile in the bag there is a line for each of the
// best moves, including a pass.
func TestSolveBeforeTheEnding(t *testing.T) {
	t.Parallel()
	const position = "7COVENS2/12C2/12U2/11EM2/10FY3/9JOE3/9OBI3/6WEPT1N2R/2V2HOHA2G2e/1GUTTAE7M/2L1AW1ROBLE2E/QINs2DADOING1D/U1SPIRATED4I/A2I5YO3A/T2KENAF2EXERT NAZOSII/ 433/465 0"
	status, out, err := command(t, "", "solve", "--lexicon", "en-former", "--positions", "5000", position)
	if status != 0 {
		t.Fatalf("status %d: %s", status, err)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	move := regexp.MustCompile(`^\d+\. (pass|\w+ [\w.]+) \d+  win=\d+\.\d\d%( exact|\+-\d+\.\d\d%) ahead=[+-]\d+\.\d$`)
	for _, l := range lines[:len(lines)-1] {
		if !move.MatchString(l) {
			t.Errorf("%q isn't a move", l)
		}
	}
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, "deals=6 exact=") || len(lines) < 8 || !strings.HasPrefix(out, "1. pass 0 ") || !strings.Contains(out, " exact ") {
		t.Errorf("solved:\n%s", out)
	}
}

// TestSolveAnnouncesLimit checks that a search with tiles in the bag announces its limit and what it
// reached.
func TestSolveAnnouncesLimit(t *testing.T) {
	t.Parallel()
	const position = "7COVENS2/12C2/12U2/11EM2/10FY3/9JOE3/9OBI3/6WEPT1N2R/2V2HOHA2G2e/1GUTTAE7M/2L1AW1ROBLE2E/QINs2DADOING1D/U1SPIRATED4I/A2I5YO3A/T2KENAF2EX3 NAZOSII/ 433/465 0"
	if status, out, err := command(t, "", "solve", "--time", "30ms", position); status != 0 || !strings.Contains(out, "\ndeals=") || !regexp.MustCompile(`^after 30ms \d+ of \d+ moves are exact; `).MatchString(err) {
		t.Errorf("status %d, %s%s", status, out, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop() // so that the test doesn't wait
	var out, said strings.Builder
	status := cli.Run(ctx, cli.Std{In: strings.NewReader(""), Out: &out, Err: &said}, program(), []string{"solve", position})
	if status != 0 || !strings.HasPrefix(said.String(), "searching for 5s ") {
		t.Errorf("status %d, %s%s", status, out.String(), said.String())
	}
	if _, _, err := command(t, "", "solve", "--positions", "10", position); err != "" {
		t.Errorf("with a number of positions: %s", err)
	}
}

// TestAmbiguousTilesAreReported checks the warning about adjacent letters that form one tile,
// unless brackets are used.
func TestAmbiguousTilesAreReported(t *testing.T) {
	for rack, want := range map[string]string{
		"LLAMA":   "LL on a rack is one tile, as [LL] is; two tiles are L[L]\n",
		"[LL]AMA": "", "L[L]AMA": "", "ALAML": "",
	} {
		if status, _, err := command(t, "", "moves", "--lexicon", "es", "--top", "1", emptyBoard+" "+rack+"/ 0/0 0"); status != 0 || err != want {
			t.Errorf("%s: status %d, %q", rack, status, err)
		}
	}
}

// TestEngine checks that the engine answers each line with one line, even one that it doesn't
// understand.
func TestEngine(t *testing.T) {
	status, out, err := command(t, emptyBoard+" HORN/ 0/0 0 rules club;\n\nnonsense\n"+emptyBoard+" VVVVVVV/ 0/0 0\n", "engine", "--level", "static")
	lines := strings.Split(out, "\n")
	if status != 0 || err != "" || len(lines) != 4 || !strings.HasPrefix(lines[0], "8") || !strings.HasPrefix(lines[1], "error ") || !strings.HasPrefix(lines[2], "exchange V") {
		t.Errorf("status %d, %s\n%s", status, err, out)
	}
}

func TestAnalyse(t *testing.T) {
	t.Parallel()
	dir, list := t.TempDir(), shortList(t)
	analyse := func(record string, args ...string) (a analysis) {
		t.Helper()
		status, out, stderr := command(t, "", append([]string{"analyse", "--json"}, append(args, save(t, dir, "game.gcg", record))...)...)
		if err := json.Unmarshal([]byte(out), &a); status != 0 || err != nil {
			t.Fatalf("status %d, %s, %v", status, stderr, err)
		}
		return a
	}
	beginning, _, _ := strings.Cut(someRecord, ">bob: QVVUUWW 9G") // three of its four turns
	a := analyse(beginning, "--lexicon", list)
	if a.Lexicon != list {
		t.Errorf("by the list %s", a.Lexicon)
	}
	if len(a.Players) != 2 || a.Players[1].Name != "bob" || len(a.Turns) != 3 || a.Turns[0].Made.Move != "8G NASTIER" || len(a.Turns[0].Best) != 5 || a.Turns[0].Mistake || a.Turns[0].GivesUp == nil || a.Turns[0].Best[0].Chance == nil || !a.Turns[2].Mistake || !a.Turns[1].TakenOff {
		t.Errorf("%+v", a)
	}
	// A move whose rack isn't recorded isn't judged.
	if a := analyse("#player1 ann Ann Example\n#player2 bob bob\n>ann: AT 8H AT +4 4\n"); a.Lexicon != cli.DefaultLexicon || len(a.Turns) != 0 {
		t.Errorf("%+v", a)
	}
}

func TestMatchWritesGames(t *testing.T) {
	t.Parallel()
	dir, list := t.TempDir(), shortList(t)
	play := func(args ...string) string {
		t.Helper()
		status, out, err := command(t, "", append([]string{"match", "--lexicon", list}, args...)...)
		if status != 0 {
			t.Fatalf("%v: status %d, %s", args, status, err)
		}
		return out
	}
	play("--games", "2", "--out", filepath.Join(dir, "games"), "easy", "greedy")
	for _, name := range []string{"game-00001.gcg", "game-00002.gcg"} {
		if status, _, err := command(t, "", "replay", filepath.Join(dir, "games", name)); status != 0 {
			t.Errorf("%s: %s", name, err)
		}
	}
	starts := filepath.Join(dir, "starts")
	gametest.Must(t, os.WriteFile(starts, []byte("# a note\n"+anEnding+"\n"), 0o600))
	results := filepath.Join(dir, "results.csv")
	play("--games", "4", "--from", starts, "--out", results, "static", "greedy")
	file, err := os.Open(results)
	gametest.Must(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil || len(rows) != 9 || rows[1][2] != "static" || rows[3][2] != "greedy" {
		t.Errorf("%v, %v", rows, err)
	}
	// The first check is sure to 50 %.
	if out := play("--error", "50", "static", "greedy"); !strings.Contains(out, " games=40 ") {
		t.Errorf("stopped late: %s", out)
	}
	if status, _, _ := command(t, "", "match", "--from", starts, "--out", dir, "static", "greedy"); status != 2 {
		t.Errorf("GCG of games that begin in the middle: status %d", status)
	}
}
