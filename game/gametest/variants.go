package gametest

import (
	"testing"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game"
)

// Layouts returns the boards that variants need.
func Layouts(tb testing.TB) []game.Layout {
	tb.Helper()
	var all []game.Layout
	for _, name := range []string{"junior-13", "large-21"} {
		text, err := data.Layout(name)
		if err != nil {
			tb.Fatal(err)
		}
		l, err := game.ParseLayout(name, text)
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, l)
	}
	return all
}

// EquipVariant returns rules and the English equipment, changed for the variant that the rules name.
func EquipVariant(tb testing.TB, rules game.Rules) (game.Rules, game.Equipment) {
	tb.Helper()
	v, ok := game.FindVariant(rules.Variant)
	if !ok {
		tb.Fatalf("there is no variant %q", rules.Variant)
	}
	rules, eq, err := v.Vary(rules, Equipment(tb), Layouts(tb))
	if err != nil {
		tb.Fatal(err)
	}
	return rules, eq
}

// play returns a play; with two bags the player sometimes says what to draw.
func (g *random) play(m game.Move) game.Play {
	p := game.Play{Move: m}
	if g.s.TwoBags && g.chance(50) {
		p.Draw = game.Wish{Given: true, Vowels: g.rng.IntN(1 + len(m.LaidSquares()))}
	}
	return p
}

// cover covers letters of a printed word if the rack has one, except now and then.
func (g *random) cover(seat game.Seat) bool {
	spots := g.s.CoverMoves(seat.Rack)
	if len(spots) == 0 || g.chance(5) {
		return false
	}
	g.do(seat.Person, game.Play{Move: spots[g.rng.IntN(len(spots))].Move})
	return true
}

// FinalBoard returns the final board of a random game with the small dictionary from which tiles
// can be removed.
func FinalBoard(tb testing.TB, seed uint64) game.Board {
	tb.Helper()
	for ; ; seed++ {
		events := RandomGame(tb, seed, 2, game.Family())
		s, err := game.Replay(events)
		if err != nil {
			tb.Fatal(err)
		}
		if game.Removal(s.Board, SmallDictionary(tb), game.MostRemoved) != nil {
			return s.Board
		}
	}
}

// remove takes some tiles off the board, or rarely none.
func (g *random) remove(seat game.Seat) {
	if g.chance(5) {
		g.do(seat.Person, game.Pass{})
		return
	}
	squares := game.Removal(g.s.Board, g.env.Dict, 1+g.rng.IntN(game.MostRemoved))
	if squares == nil {
		squares = game.Removal(g.s.Board, g.env.Dict, game.MostRemoved)
	}
	g.do(seat.Person, game.Remove{Squares: squares})
}
