package lab

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/puzzle"
)

// The proof of a daily board is checked by making the board again: from another secret it
// is another one.
func TestVerifyDaily(t *testing.T) {
	t.Parallel()
	list := shortList(t)
	maker, err := dailyMaker(list)
	gametest.Must(t, err)
	const day = 329
	source := puzzle.NewSource([]byte("a host's secret"), maker.List())
	pos, err := maker.Make(source.Day(day), day, maker.Share(source.Deal(), day))
	gametest.Must(t, err)
	proof := maker.Prove(source, day, pos)
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
	} {
		p := proof
		change(&p)
		bad := write(name, p)
		if status, out, _ := command(t, "", "verify", bad); status != 1 || !strings.HasPrefix(out, "bad "+bad+": ") {
			t.Errorf("%s: status %d, printed %q", name, status, out)
		}
	}
}

// The proof of a day's game is checked by playing it again.
func TestVerifyDailyGame(t *testing.T) {
	t.Parallel()
	list := shortList(t)
	maker, err := dailyMaker(list)
	gametest.Must(t, err)
	const day = 329
	source := puzzle.NewSource([]byte("a host's secret"), maker.List())
	g, err := maker.Game(source.Of(puzzle.DayGame, day), day)
	gametest.Must(t, err)
	proof := maker.ProveGame(source, puzzle.DayGame, day, g)
	proof.Lexicon = list
	for name, c := range map[string]struct {
		secret string
		status int
		says   string
	}{
		"good.json":  {proof.Secret, 0, fmt.Sprintf("daily=329 game=%d total=%d commitment=%s\n", len(g.Rounds), g.Total, proof.Commitment)},
		"other.json": {strings.Repeat("0", len(proof.Secret)), 1, "commitment"},
	} {
		p := proof
		p.Secret = c.secret
		b, err := json.Marshal(p)
		gametest.Must(t, err)
		if status, out, _ := command(t, "", "verify", save(t, t.TempDir(), name, string(b))); status != c.status || !strings.Contains(out, c.says) {
			t.Errorf("%s: status %d, printed %q", name, status, out)
		}
	}
}
