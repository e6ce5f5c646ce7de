package lab

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/cmd/internal/cli"
)

// someRecord is a recorded game with a fine start, a phony challenged off, one that stands, a rack
// not recorded, and a pass.
const someRecord = `#player1 ann Ann Example
#player2 bob bob
>ann: AEINRST 8G NASTIER +66 66
>bob: QVVUUWW 7G VUW +37 37
>bob: QVVUUWW -- -37 0
>ann: ABDEEOO - +0 66
>bob: QVVUUWW 9G QV +50 50
>ann: A H8 ..A +6 72
`

func TestReview(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "game.gcg")
	review := func(text string, args ...string) (status int, out, err string) {
		if e := os.WriteFile(file, []byte(text), 0o600); e != nil {
			t.Fatal(e)
		}
		var o, e bytes.Buffer
		status = cli.Run(t.Context(), cli.Std{In: strings.NewReader(""), Out: &o, Err: &e}, program(), append([]string{"review", file}, args...))
		return status, o.String(), e.String()
	}
	status, out, err := review(someRecord, "--lexicon", shortList(t))
	if status != 0 || err != "" {
		t.Errorf("status %d: %s", status, err)
	}
	for i, want := range []string{
		"  1. Ann Example  AEINRST  8G NASTIER 66  nothing surely better", // one of several equally good
		"  2. bob  QUUVVWW  7G VUW 37, challenged off  gave up 8",
		"  3. Ann Example  ABDEEOO  pass 0  gave up",
		"  4. bob  QUUVVWW  9G QV 50, a phony that stood",
		"Ann Example: moves=2 loss=",
		"bob: moves=2 loss=",
	} {
		if lines := strings.Split(out, "\n"); len(lines) != 7 || !strings.HasPrefix(lines[i], want) {
			t.Fatalf("line %d isn't %q:\n%s", i, want, out)
		}
	}
	if !strings.HasSuffix(out, " phonies=QV,NQ,AV\n") {
		t.Errorf("the phonies that stood:\n%s", out)
	}
	beginning, _, _ := strings.Cut(someRecord, ">bob")
	if status, out, err := review(beginning); status != 0 || err != "" || !strings.HasPrefix(out, "  1. Ann Example  AEINRST  8G NASTIER 66  nothing surely better\n") {
		t.Errorf("by the list of the language: status %d: %s%s", status, out, err)
	}
	if status, _, err := review(strings.Replace(someRecord, "+66 66", "+67 67", 1)); status != 1 || !strings.Contains(err, "game.gcg:3: recorded 67, computed 66") {
		t.Errorf("a wrong score: %d, %s", status, err)
	}
	if status, _, err := review("no record"); status != 1 || !strings.Contains(err, "line 1") {
		t.Errorf("no record: %d, %s", status, err)
	}
	if status := cli.Run(t.Context(), cli.Std{In: strings.NewReader(""), Out: new(bytes.Buffer), Err: new(bytes.Buffer)}, program(), []string{"review"}); status != 2 {
		t.Errorf("without a file: %d", status)
	}
}
