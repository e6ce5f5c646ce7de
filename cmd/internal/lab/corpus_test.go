package lab

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
)

// A corpusGame is a line of testdata/corpus.tsv: a public game and its expected verdict.
type corpusGame struct {
	language string // "" if none is named
	verdict  string // "ok MOVES SCORES" or "bad LINE"
	forgiven string // number of kinds of slips forgiven
	from     string // repository, commit and path
}

// corpus returns the public games by their SHA-256.
func corpus(t *testing.T) map[string]corpusGame {
	t.Helper()
	text, err := os.ReadFile("testdata/corpus.tsv")
	gametest.Must(t, err)
	games := map[string]corpusGame{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 7 || len(f[0]) != 64 || len(f[5]) != 40 {
			t.Fatalf("%q is no line of the corpus", line)
		}
		if _, twice := games[f[0]]; twice {
			t.Errorf("%s is there twice", f[0])
		}
		games[f[0]] = corpusGame{strings.TrimPrefix(f[1], "-"), f[2], f[3], strings.Join(f[4:], " ")}
	}
	if len(games) < 200 {
		t.Fatalf("the corpus has %d games", len(games))
	}
	return games
}

// TestCorpus replays the games of the corpus that are in a folder; see testdata/corpus.tsv.
func TestCorpus(t *testing.T) {
	games := corpus(t)
	folder := os.Getenv("RACKMATE_CORPUS")
	if folder == "" {
		t.Skipf("RACKMATE_CORPUS names no folder with games of testdata/corpus.tsv")
	}
	judged := 0
	err := filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(text)
		want, ok := games[hex.EncodeToString(sum[:])]
		if !ok {
			return nil
		}
		judged++
		if strings.HasPrefix(want.from, "mideind/Netskrafl ") {
			file = fromNetskrafl(t, text, file)
		}
		lines, ok := replayFile(file, want.language)
		_, rest, _ := strings.Cut(lines[0], file)
		var moves int
		var scores string
		if fmt.Sscanf(rest, " moves=%d scores=%s", &moves, &scores); ok {
			rest = fmt.Sprintf("ok %d %s", moves, scores)
		} else {
			rest, _, _ = strings.Cut("bad "+strings.TrimPrefix(rest, ":"), " recorded")
		}
		if rest != want.verdict || fmt.Sprint(len(lines)-1) != want.forgiven {
			t.Errorf("%s (%s): %s, with %d sorts of slips forgiven; want %s and %s\n%s", file, want.from, rest, len(lines)-1, want.verdict, want.forgiven, strings.Join(lines, "\n"))
		}
		return nil
	})
	gametest.Must(t, err)
	if judged == 0 {
		t.Errorf("none of the corpus's games is in %s", folder)
	}
	t.Logf("%d games of %d judged", judged, len(games))
}
