package movegen_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/movegen"
)

// TestPlaysOutsideChangesStay checks that after some plays, a rack's earlier plays
// outside the changes and its plays in the changes are all that it has.
func TestPlaysOutsideChangesStay(t *testing.T) {
	eq := gametest.Equipment(t)
	g := newGenerator(t, shipped(t), eq)
	seed := time.Now().UnixNano()
	rng := rand.New(rand.NewPCG(uint64(seed), 1))
	all := positions(t, eq)
	all = append(all, position{Position: all[0].Position}) // on an empty board
	all[len(all)-1].Board = game.Board{}
	for n, p := range all {
		if n%(len(all)/gametest.Share(len(all))) != 0 && !p.Board.Empty() {
			continue
		}
		if rng.IntN(3) == 0 {
			p.Racks[0] = gametest.Tiles(t, eq, []string{"A", "S", "V", "D", "?"}[rng.IntN(5)])
		}
		before := map[movegen.Play]bool{}
		for _, play := range g.Plays(&p.Board, p.Racks[0]) {
			before[play] = true
		}
		var changes movegen.Squares
		for range 1 + rng.IntN(3) {
			other := gametest.Tiles(t, eq, []string{"AEINRST", "DGOLUE?", "VOWZ", "QI", "E"}[rng.IntN(5)])
			if plays := g.Plays(&p.Board, other); len(plays) > 0 {
				play := plays[rng.IntN(len(plays))]
				early := play.Changes(&p.Board)
				p.Board.Lay(play.Move())
				if c := play.Changes(&p.Board); c != early {
					t.Fatalf("seed %d, position %d: %s changes other squares once it is laid\n%s", seed, n, play.Move().Text(eq.Tiles), gametest.Picture(eq, p.Board))
				}
				changes.Join(&early)
			}
		}
		got := map[movegen.Play]bool{}
		for play := range before {
			if needs := play.Needs(); !needs.Meet(&changes) {
				got[play] = true
			}
		}
		for _, play := range g.PlaysIn(&p.Board, p.Racks[0], &changes) {
			if got[play] {
				t.Fatalf("seed %d, position %d: %s is listed twice\n%s", seed, n, play.Move().Text(eq.Tiles), gametest.Picture(eq, p.Board))
			}
			got[play] = true
		}
		want := g.Plays(&p.Board, p.Racks[0])
		for _, play := range want {
			if !got[play] {
				t.Fatalf("seed %d, position %d: %s isn't listed\n%s", seed, n, play.Move().Text(eq.Tiles), gametest.Picture(eq, p.Board))
			}
		}
		if len(want) != len(got) {
			t.Fatalf("seed %d, position %d: %d plays, not %d\n%s", seed, n, len(got), len(want), gametest.Picture(eq, p.Board))
		}
	}
}

// TestSingleTileBound compares the bound with the best single-tile play on changed squares, and checks
// that single-tile plays elsewhere score as before.
func TestSingleTileBound(t *testing.T) {
	eq := gametest.Equipment(t)
	g := newGenerator(t, shipped(t), eq)
	seed := time.Now().UnixNano()
	rng := rand.New(rand.NewPCG(uint64(seed), 1))
	more := 0
	for n, p := range positions(t, eq) {
		if p.Board.Empty() || rng.IntN(4) > 0 {
			continue
		}
		plays := g.Plays(&p.Board, p.Racks[0])
		if len(plays) == 0 {
			continue
		}
		other := plays[rng.IntN(len(plays))]
		changes := other.Changes(&p.Board)
		tile := gametest.Tiles(t, eq, []string{"A", "S", "D", "E", "H", "X", "?"}[rng.IntN(7)])
		before := scoresAlone(g, &p.Board, tile)
		p.Board.Lay(other.Move())
		want, least := int32(0), int32(rng.IntN(2)*rng.IntN(20))
		for sq, score := range scoresAlone(g, &p.Board, tile) {
			if changes.Has(sq) {
				want = max(want, score)
			} else if before[sq] != score {
				t.Errorf("seed %d, position %d: on %v %s scored %d, and scores %d now\n%s", seed, n, sq, eq.Tiles.Print(tile), before[sq], score, gametest.Picture(eq, p.Board))
			}
			delete(before, sq)
		}
		for sq, score := range before {
			if !changes.Has(sq) && p.Board.Tile(sq) == game.NoTile {
				t.Errorf("seed %d, position %d: on %v %s scored %d, and nothing now\n%s", seed, n, sq, eq.Tiles.Print(tile), score, gametest.Picture(eq, p.Board))
			}
		}
		if want > least {
			more++
		}
		if got := g.HighestSingle(&p.Board, tile.At(0), &changes, least); got != max(want, least) {
			t.Errorf("seed %d, position %d: %s scores at most %d alone, or %d, and not %d\n%s", seed, n, eq.Tiles.Print(tile), want, least, got, gametest.Picture(eq, p.Board))
		}
	}
	if more == 0 {
		t.Errorf("seed %d: nothing scored more", seed)
	}
}

// scoresAlone returns the most that a tile scores on each square where it can be played alone.
func scoresAlone(g *movegen.Generator, b *game.Board, tile game.Tiles) map[game.Square]int32 {
	scores := map[game.Square]int32{}
	for _, p := range g.Plays(b, tile) {
		for sq := range p.Laid {
			scores[sq] = max(scores[sq], p.Score)
		}
	}
	return scores
}
