package movegen

import (
	"cmp"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// playOutDraws is the number of PlayOut's first draw. No table has that many events, so no other
// draw has the number.
const playOutDraws = 1 << 32

// PlayOut plays a two-player game to its end and returns the board. The same seed, words, tiles and
// layout give the same board, so that anyone who knows them can repeat the game:
//
// The first player fills their rack, then the second, from the whole bag; then they take turns to
// play and refill. Draws come from [game.Seed.Draw], numbered from 2^32. A player makes the play
// with the highest score; among equals the one with fewer tiles; then one across; then the one that
// starts further up, then further left; then the one whose tiles come first in alphabetical order,
// with a square played through before all letters and a blank after them. A player without a play
// passes. The game ends when a player has no tiles left, or both have passed in succession
// (document 002).
//
// If good rejects the board, another game is played with the next draws, up to a limit. The board is
// empty if all were rejected.
func PlayOut(lex *lexicon.Lexicon, eq game.Equipment, rules game.Rules, seed game.Seed, good func(*game.Board) bool) (game.Board, error) {
	const most = 20
	g, err := New(lex, eq, rules)
	if err != nil {
		return game.Board{}, err
	}
	number := playOutDraws
	for range most {
		var b game.Board
		if number = g.playOut(&b, rules.RackSize, seed, number); !b.Empty() && good(&b) {
			return b, nil
		}
	}
	return game.Board{}, nil
}

// playOut plays one game and returns the number of the next draw.
func (g *Generator) playOut(b *game.Board, size int, seed game.Seed, number int) int {
	bag := g.eq.Tiles.All()
	var racks [2]game.Tiles
	fill := func(i int) {
		var drew game.Tiles
		drew, bag = seed.Draw(number, bag, size-len(racks[i]))
		racks[i] += drew
		number++
	}
	fill(0)
	fill(1)
	for turn, passes := 0, 0; passes < 2; turn = 1 - turn {
		m, ok := g.highestPlay(b, racks[turn])
		if !ok {
			passes++
			continue
		}
		passes = 0
		b.Lay(m)
		racks[turn], _ = racks[turn].Minus(m.Tiles.Faces())
		fill(turn)
		if racks[turn] == "" {
			break
		}
	}
	return number
}

// highestPlay returns the play with the highest score, by PlayOut's order among equals.
func (g *Generator) highestPlay(b *game.Board, rack game.Tiles) (game.Move, bool) {
	var best Play
	var move game.Move
	for _, p := range g.Plays(b, rack) {
		if move.Kind != 0 && p.Score < best.Score {
			continue
		}
		if m := p.Move(); move.Kind == 0 || p.Score > best.Score || comparePlays(m, move) < 0 {
			best, move = p, m
		}
	}
	return move, move.Kind != 0
}

// comparePlays compares plays of equal scores.
func comparePlays(a, b game.Move) int {
	return cmp.Or(
		cmp.Compare(len(a.LaidSquares()), len(b.LaidSquares())),
		cmp.Compare(a.Dir, b.Dir),
		cmp.Compare(a.At.Row, b.At.Row),
		cmp.Compare(a.At.Col, b.At.Col),
		cmp.Compare(a.Tiles, b.Tiles),
	)
}
