package robot

import (
	"cmp"
	"context"
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/movegen"
)

// A thought holds a robot's deliberation about one turn.
type thought struct {
	Level
	View
	worth *appraiser
	gen   *movegen.Generator // over the words it knows
	done  func()             // returns gen to the pool
	left  budget
	rng   *rand.Rand
}

// A choice is a possible move and its value.
type choice struct {
	move   game.Move
	points int
	equity Equity
}

// keptValue returns the value of the tiles that the move keeps.
func (c choice) keptValue() Equity {
	if c.move.Kind == game.PassTurn {
		return 0
	}
	return c.equity - Points(c.points)
}

func (c choice) action() game.Action {
	switch c.move.Kind {
	case game.PlayTiles:
		return game.Play{Move: c.move}
	case game.ExchangeTiles:
		return game.Exchange{Tiles: c.move.Tiles}
	}
	return game.Pass{}
}

// A robot that looks ahead compares at most worthTrying moves, the best by equity, if they are
// within pointsAhead of the best.
const (
	worthTrying = 24
	pointsAhead = 25_000 // thousandths
)

// With few tiles in the bag it compares more moves if the budget allows, because the winning move
// sometimes scores little. Over 50 positions with 3 to 20 tiles in the bag, judged by 800 playouts,
// 48 moves within 40 points won 0.7 % more a turn than 24 within 25 (standard error 0.6); nearly
// all of that came from one move that won 31 % more.
const (
	fewTiles   = 20
	lateTrying = 64
	lateAhead  = 40_000         // thousandths
	perTrial   = 4 * firstRound // positions
)

// candidates returns the moves to compare from choices sorted best first.
func (t *thought) candidates(choices []choice) []choice {
	most, ahead := worthTrying, Equity(pointsAhead)
	if t.Bag <= fewTiles && t.left.positions() >= worthTrying*perTrial {
		most, ahead = min(lateTrying, t.left.positions()/perTrial), lateAhead
	}
	choices = choices[:min(most, len(choices))]
	for choices[len(choices)-1].equity <= choices[0].equity-ahead {
		choices = choices[:len(choices)-1]
	}
	return choices
}

// best returns the move that the robot makes.
func (t *thought) best(ctx context.Context) choice {
	if t.leaves && !t.ahead {
		return t.worth.bestMove(&t.Board)
	}
	choices := t.choices()
	if !t.ahead || len(choices) == 1 {
		return choices[0]
	}
	if w, _ := t.world(); t.Bag == 0 && len(w.seats) == 2 {
		s := newSolver(t.gen, t.Rules, t.Equipment.Tiles)
		found := s.solve(ctx, t.ending(), t.left.positions(), 1).lines[0]
		return choice{move: found.move(), points: int(found.play.Score)}
	}
	s := t.simulation()
	s.infer(ctx)
	for _, c := range t.candidates(choices) {
		s.add(c, choices[0].equity)
	}
	if s.fewTiles() {
		if pass := (choice{move: game.Move{Kind: game.PassTurn}}); choices[0].move != pass.move {
			s.add(pass, choices[0].equity) // drawing the last tile can lose the game
		}
		return s.foresee(ctx)[0].choice
	}
	return s.run(ctx)
}

// simulation returns a simulation of the thought's turn, without trials yet.
func (t *thought) simulation() *simulation {
	w, racks := t.world()
	return &simulation{
		thought: t, other: newAppraiser(t.gen, &t.Rules, t.Equipment, t.worth.values),
		now: w, unseen: []byte(t.Unseen), racks: racks, trusted: trust * float64(t.Bag),
	}
}

// fewTiles reports whether two play and so few tiles are left in the bag that every deal can be
// tried.
func (s *simulation) fewTiles() bool {
	return 0 < s.Bag && s.Bag <= fewInBag && len(s.now.seats) == 2 && len(s.Unseen) == s.Bag+s.racks[1]
}

// ending returns the position as an ending. The bag must be empty, with two players.
func (t *thought) ending() ending {
	return newEnding(&t.Board, [2]game.Tiles{t.Rack, t.Unseen}, t.Passes, t.Scoreless)
}

// world returns the game without the hidden tiles, and the rack sizes of its seats.
func (t *thought) world() (w world, racks []int) {
	w = world{rules: &t.Rules, set: t.Equipment.Tiles, board: t.Board, passes: t.Passes, scoreless: t.Scoreless}
	for i := range t.Seats {
		k := (t.Me + i) % len(t.Seats)
		if seat := t.Seats[k]; !seat.Out {
			w.seats = append(w.seats, hand{score: seat.Score})
			racks = append(racks, seat.Tiles)
		}
	}
	w.seats[0].rack = t.Rack
	return w, racks
}

// choices returns the moves that the robot considers, best first by its own judgement. There is at
// least one.
func (t *thought) choices() []choice {
	choices := t.noticedPlays(true)
	if len(choices) == 0 {
		choices = t.noticedPlays(false) // search every play
	}
	choices = append(choices, t.exchanges(len(choices) == 0)...)
	if len(choices) == 0 {
		choices = append(choices, choice{move: game.Move{Kind: game.PassTurn}})
	}
	slices.SortStableFunc(choices, func(a, b choice) int { return cmp.Compare(b.equity, a.equity) })
	return choices
}

// noticedPlays returns the plays that the robot notices, or every possible play if easily is false.
func (t *thought) noticedPlays(easily bool) []choice {
	var choices []choice
	for _, p := range t.gen.Plays(&t.Board, t.Rack) {
		m := p.Move()
		laid := m.Tiles.Faces()
		if easily && t.tiles > 0 && len(laid) > t.tiles {
			continue
		}
		if easily && t.words > 0 {
			tally, err := t.Rules.Tally(t.Equipment, &t.Board, m)
			if err != nil || len(tally.Words) > t.words {
				continue
			}
		}
		choices = append(choices, choice{m, int(p.Score), t.worth.equity(m, int(p.Score))})
	}
	return choices
}

// exchanges returns the exchanges that the robot considers. A robot that doesn't value its leave
// exchanges only if must is set, and then everything but its blanks.
func (t *thought) exchanges(must bool) []choice {
	var choices []choice
	add := func(put game.Tiles) {
		if t.worth.canExchange(len(put)) {
			m := game.Move{Kind: game.ExchangeTiles, Tiles: put}
			choices = append(choices, choice{m, 0, t.worth.equity(m, 0)})
		}
	}
	if !t.leaves {
		if must {
			add(t.worth.rack[:len(t.worth.rack)-t.worth.rack.Count(game.Blank)])
		}
		return choices
	}
	for put := range parts(t.worth.rack) {
		add(put)
	}
	return choices
}

// parts yields each distinct non-empty subset of a sorted rack.
func parts(rack game.Tiles) iter.Seq[game.Tiles] {
	return func(yield func(game.Tiles) bool) {
		part := make([]byte, 0, len(rack))
	next:
		for chosen := 1; chosen < 1<<len(rack); chosen++ {
			part = part[:0]
			for i := range len(rack) {
				switch {
				case chosen>>i&1 == 0:
				case i > 0 && rack[i] == rack[i-1] && chosen>>(i-1)&1 == 0:
					continue next // duplicates the subset with the equal tile before this one
				default:
					part = append(part, rack[i])
				}
			}
			if !yield(game.Tiles(part)) {
				return
			}
		}
	}
}
