package puzzle_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/puzzle"
)

// A game is a whole game of duplicate: each round's best play is legal and lies on the next
// round's board, all tiles are those of one set, and nothing on the board is vulgar.
func TestGame(t *testing.T) {
	m, w := englishMaker(t)
	for _, form := range []puzzle.Form{puzzle.DayGame, puzzle.WeekGame} {
		g, err := m.Game(source.Of(form, firstMonday), firstMonday)
		gametest.Must(t, err)
		if len(g.Rounds) < 12 || g.Total < 500 {
			t.Errorf("%s has %d rounds and %d points", form, len(g.Rounds), g.Total)
		}
		left, total := m.Equipment().Tiles.All(), 0
		var board game.Board
		for i, p := range g.Rounds {
			if p.Board != board {
				t.Fatalf("%s: the board of round %d isn't what the one before left", form, i+1)
			}
			tally, err := m.Rules().Tally(m.Equipment(), &board, p.Best)
			if err != nil || tally.Total != p.Score || len(tally.Phonies(w.Clean)) > 0 {
				t.Errorf("%s: the best play of round %d, %s, scores %d (%v)", form, i+1, p.Best.Text(m.Equipment().Tiles), tally.Total, err)
			}
			if _, ok := left.Minus(p.Rack); !ok {
				t.Errorf("%s: round %d has a rack of tiles that there aren't", form, i+1)
			}
			left, _ = left.Minus(p.Best.Tiles.Faces())
			board.Lay(p.Best)
			total += p.Score
		}
		if board != g.End || total != g.Total {
			t.Errorf("%s ends otherwise, with %d points of %d", form, total, g.Total)
		}
	}
	a, _ := m.Game(source.Of(puzzle.DayGame, firstMonday), firstMonday)
	b, _ := m.Game(source.Of(puzzle.DayGame, firstMonday+1), firstMonday+1)
	c, _ := m.Game(source.Of(puzzle.WeekGame, firstMonday), firstMonday)
	if a.String() == b.String() || a.String() == c.String() {
		t.Error("two games are the same")
	}
}

// The proof of a game is checked by playing it again.
func TestGameProof(t *testing.T) {
	m, _ := englishMaker(t)
	g, err := m.Game(source.Of(puzzle.WeekGame, firstMonday), firstMonday)
	gametest.Must(t, err)
	proof := m.ProveGame(source, puzzle.WeekGame, firstMonday, g)
	if proof.Commitment != m.Promise(source, puzzle.WeekGame, firstMonday) {
		t.Error("it isn't what was promised")
	}
	written, err := json.Marshal(proof)
	gametest.Must(t, err)
	for name, c := range map[string]struct{ old, new, want string }{
		"nothing":  {"", "", ""},
		"a secret": {proof.Secret[:8], "00000000", "the commitment is"},
		"a play":   {proof.Position[:3], "QQQ", "the game is"},
	} {
		p, err := puzzle.ParseProof([]byte(strings.Replace(string(written), c.old, c.new, 1)))
		if err == nil {
			_, err = m.CheckGame(p)
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("with another %s: %v", name, err)
		}
	}
}

// A week's game has the number of its Monday.
func TestForms(t *testing.T) {
	for d := firstMonday; d < firstMonday+14; d++ {
		if got, want := puzzle.WeekGame.First(d), firstMonday+(d-firstMonday)/7*7; got != want {
			t.Errorf("day %d is of the week of %d, not %d", d, got, want)
		}
		if puzzle.DayGame.First(d) != d || puzzle.OneBoard.First(d) != d {
			t.Errorf("day %d isn't itself", d)
		}
	}
}
