package robot

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestMovesGainNoMoreThanTheirBounds checks the bounds that plans set on a move's gain, and the
// bound that a pass sets if the move leaves one tile. It plays games on greedily to endings of a
// few tiles and compares with the prover, which doesn't use either.
func TestMovesGainNoMoreThanTheirBounds(t *testing.T) {
	t.Parallel()
	bounds := map[string]func(s *solver, root *node, it item) (most int, ok bool){
		"plans": func(s *solver, root *node, it item) (int, bool) {
			_, at, most := s.dropRefuted(root, 0, []item{it}, 1000)
			return most, at != noItem
		},
		"alone": func(s *solver, root *node, it item) (int, bool) {
			s.singles.seek(s.lists[0].all)
			most := s.mostAlone(root, it.at, 1000)
			return most, most < infinity
		},
	}
	eq, rules := gametest.Equipment(t), game.Classic()
	gen := newGenerator(t, gametest.ShippedList(t, "en-former"), eq, rules)
	leaves := trained(t, eq.Tiles, nil)
	endings, bounded := 0, map[string]int{}
	for seed := uint64(1); endings < gametest.Rounds(10, 200); seed++ {
		board, racks, ok := playToEmptyBag(eq, gen, leaves, seed)
		s := newSolver(gen, rules, eq.Tiles)
		e, ok := playDown(s, newEnding(&board, racks, 0, 0), 8, ok)
		if !ok {
			continue
		}
		p := &prover{gen: gen, eq: eq, most: 2000, seen: map[proverKey]provenBound{}}
		k := proverKey{e.board, e.racks, 0}
		if p.value(k, -1000, 1000); p.looked > p.most {
			continue
		}
		endings++
		for name, bound := range bounds {
			s := newSolver(gen, rules, eq.Tiles)
			s.allow(t.Context(), math.MaxInt)
			root := s.begin(&e)
			// As in a search, the other side's plays are those it had before.
			before := root
			before.mover = 1
			s.options(&before, 1, noItem)
			root.plays[1] = before.plays[1]
			all := slices.Clone(s.options(&root, 0, noItem))
			for i, it := range all {
				if i%(1+len(all)/50) != 0 {
					continue
				}
				if it.uses == root.left[0] {
					continue // going out is never bounded
				}
				most, ok := bound(s, &root, it)
				if !ok {
					continue
				}
				p.most = p.looked + 500
				bounded[name]++
				m := s.moves[it.at].move()
				if gain := p.gain(k, m, most, most+1); gain > most && p.looked <= p.most {
					t.Errorf("game %d, %s against %s: %s gains %d or more, and not at most %d, by %s\n%s", seed, eq.Tiles.Print(e.racks[0]), eq.Tiles.Print(e.racks[1]), m.Text(eq.Tiles), gain, most, name, gametest.Picture(eq, e.board))
				}
			}
		}
	}
	t.Logf("moves of %d endings are bounded: %v", endings, bounded)
	for name := range bounds {
		if bounded[name] < endings {
			t.Errorf("only %d moves of %d endings are bounded by %s", bounded[name], endings, name)
		}
	}
}

// playDown plays an ending on greedily until at most some number of tiles are left on both racks.
// ok is false if the game is over or a side has fewer than two tiles.
func playDown(s *solver, e ending, tiles int, ok bool) (ending, bool) {
	s.allow(context.Background(), math.MaxInt)
	for ok && len(e.racks[0])+len(e.racks[1]) > tiles {
		m, score := s.greedy(&e)
		if m.Kind == game.PassTurn {
			return e, false
		}
		var over bool
		e, _, over = s.afterMove(&e, m, score)
		ok = !over
	}
	return e, ok && min(len(e.racks[0]), len(e.racks[1])) > 1
}
