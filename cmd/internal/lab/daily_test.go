package lab

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/puzzle"
)

// TestVerifyDaily checks that verifying a daily board's proof builds the board again, and fails for
// another secret.
func TestVerifyDaily(t *testing.T) {
	t.Parallel()
	list := shortList(t)
	maker, err := dailyMaker(list)
	gametest.Must(t, err)
	const day = 329
	source := puzzle.NewSource([]byte("a host's secret"), maker.List())
	pos, err := maker.Make(puzzle.Latest, source.DaySecret(day), day, maker.Share(source.ShareKey(), day))
	gametest.Must(t, err)
	proof := maker.Prove(puzzle.Latest, source, day, pos)
	proof.Lexicon = list
	write := func(name string, p puzzle.Proof) string {
		b, err := json.Marshal(p)
		gametest.Must(t, err)
		return save(t, t.TempDir(), name, string(b))
	}
	good := write("good.json", proof)
	status, out, failed := command(t, "", "verify", good)
	if status != 0 || !strings.HasPrefix(out, "ok "+good+" daily=329 best=") || !strings.HasSuffix(out, " commitment="+proof.Commitment+"\n") {
		t.Errorf("status %d, printed %q, %s", status, out, failed)
	}
	for name, change := range map[string]func(*puzzle.Proof){
		"secret.json":   func(p *puzzle.Proof) { p.Secret = strings.Repeat("0", len(p.Secret)) },
		"position.json": func(p *puzzle.Proof) { p.Position = strings.Replace(p.Position, ".", "A", 1) },
		"words.json":    func(p *puzzle.Proof) { p.Words = p.Words[1:] },
		"list.json":     func(p *puzzle.Proof) { p.Lexicon = "nothing" },
		"hash.json":     func(p *puzzle.Proof) { p.Hash = strings.Repeat("0", len(p.Hash)) },
		"game.json":     func(p *puzzle.Proof) { p.Form = "game" }, // from a release that had games
	} {
		p := proof
		change(&p)
		bad := write(name, p)
		if status, out, _ := command(t, "", "verify", bad); status != 1 || !strings.HasPrefix(out, "bad "+bad+": ") {
			t.Errorf("%s: status %d, printed %q", name, status, out)
		}
	}
}
