package robot

import (
	"context"
	"math"
	"sort"

	"github.com/rackmate/rackmate/game"
)

// A simulation compares moves by making each of them in the same worlds, so that the luck of the
// tiles is the same for all.
type simulation struct {
	*thought
	other  *appraiser // for all later moves
	now    world      // without the hidden tiles
	unseen []byte     // the hidden tiles
	racks  []int      // number of tiles each seat has
	trials []trial
	w      world // the world being played in
	// trusted is the number of worlds that weigh as much as a move's equity.
	trusted float64
	// decides makes endings be searched only for the winner, not the margin.
	decides bool

	rackGuesses []rackGuess // guesses of an opponent's leave
	inferred    int         // that opponent's seat in the world
}

// A trial holds a move and its results so far.
type trial struct {
	choice
	// expected is the result that the move's equity predicts.
	expected float64
	// results holds the outcome in each world.
	results []float64
	sum     float64
	ahead   float64 // sum of the points by which it came out ahead
	out     bool    // dropped: another move is clearly better
	stays   bool    // never dropped, however bad
}

// firstRound is the number of worlds that each move is tried in before the first moves are dropped,
// nextRounds the number between later rounds of drops.
const (
	firstRound = 16
	nextRounds = 8
)

// surely sets how many standard errors a move must be behind the best to be dropped. A dropped move
// is really the better one about once in a hundred times.
const surely = 2.6

// trust is the value of trusted per tile in the bag: equity says less near the end. In positions
// with 3 to 20 tiles in the bag, judged by 800 other worlds, trusting equity like 30 worlds won
// 0.13 % less a turn than trusting it like 5 (standard error 0.06). With more tiles in the bag it
// made no difference when many worlds were tried, and won 0.2 % when few were.
const trust = 0.5

// add adds a move to compare. best is the highest equity among all moves.
func (s *simulation) add(c choice, best Equity) {
	behind := (best - c.equity).Float()
	tiles := len(s.unseen) + len(s.Rack)
	s.trials = append(s.trials, trial{choice: c, expected: winChance(float64(s.now.lead())-behind, tiles) - behind*perPoint})
}

// estimate returns a move's estimated value: the results of some worlds combined with its
// expectation.
func (s *simulation) estimate(t *trial, sum float64, worlds int) float64 {
	return (sum + s.trusted*t.expected) / (float64(worlds) + s.trusted)
}

// run tries the moves until one is left, ctx is done or the budget is spent, and returns the best. It
// tries each at least once, even if ctx is done.
func (s *simulation) run(ctx context.Context) choice {
	for n := 1; ; n++ {
		s.imagine()
		for i := range s.trials {
			t := &s.trials[i]
			if t.out {
				continue
			}
			if s.left <= 0 || n > 1 && ctx.Err() != nil {
				return s.leader().choice
			}
			s.left.spend(worldWork)
			s.now.copyTo(&s.w)
			s.w.move(t.choice)
			s.playOn()
			ahead, worth := s.outcome()
			t.results = append(t.results, worth)
			t.sum += worth
			t.ahead += ahead
		}
		if n >= firstRound && n%nextRounds == 0 && (s.dropWorse(n) == 1 || s.isSettled(n)) {
			return s.leader().choice
		}
	}
}

// isSettled reports whether only the leader and moves that stay are left, and their difference is
// known well enough.
func (s *simulation) isSettled(n int) bool {
	leader, stay := s.leader(), false
	for i := range s.trials {
		t := &s.trials[i]
		if t.out || t == leader {
			continue
		}
		less, wrong := leader.compare(t)
		if !t.stays || wrong > wellKnown && less < clearly*wrong {
			return false
		}
		stay = true
	}
	return stay && n >= leastWorlds
}

// The difference of two moves is known well enough if the standard error of the difference of their
// chances to win is at most wellKnown, or if the difference is at least clearly standard errors.
const (
	wellKnown   = 0.004
	clearly     = 6
	leastWorlds = 96
)

// compare returns by how much a move did better than another in the worlds in which both were tried,
// and the standard error of that difference.
func (t *trial) compare(other *trial) (better, wrong float64) {
	n := min(len(t.results), len(other.results))
	sum, squares := 0.0, 0.0
	for i := range n {
		d := t.results[i] - other.results[i]
		sum += d
		squares += d * d
	}
	if n < 2 {
		return sum, 1
	}
	mean := sum / float64(n)
	return mean, math.Sqrt(max(0, squares/float64(n)-mean*mean) / float64(n-1))
}

// mean returns a move's average result and its standard error.
func (t *trial) mean() (worth, wrong float64) {
	return t.compare(&trial{results: make([]float64, len(t.results))})
}

// leader returns the move with the best results, over the worlds in which all remaining moves were
// tried.
func (s *simulation) leader() *trial {
	worlds := math.MaxInt
	for _, t := range s.trials {
		if !t.out {
			worlds = min(worlds, len(t.results))
		}
	}
	leader, most := &s.trials[0], math.Inf(-1)
	for i := range s.trials {
		t := &s.trials[i]
		if t.out {
			continue
		}
		sum := 0.0
		for _, r := range t.results[:worlds] {
			sum += r
		}
		if b := s.estimate(t, sum, worlds); b > most {
			leader, most = t, b
		}
	}
	return leader
}

// dropWorse drops the moves that are clearly worse than the best after n worlds, and returns how many
// are left.
func (s *simulation) dropWorse(n int) int {
	left := 0
	best := s.leader()
	for i := range s.trials {
		t := &s.trials[i]
		if t.out {
			continue
		}
		// The standard error comes from the differences world by world; the expectation adds none.
		mean, squares := (best.sum-t.sum)/float64(n), 0.0
		for k, r := range t.results {
			d := best.results[k] - r - mean
			squares += d * d
		}
		ahead := s.estimate(best, best.sum, n) - s.estimate(t, t.sum, n)
		t.out = t != best && !t.stays && ahead > surely*math.Sqrt(squares/float64(n-1)*float64(n))/(float64(n)+s.trusted)
		if !t.out {
			left++
		}
	}
	return left
}

// imagine deals the hidden tiles to the other seats and the bag.
func (s *simulation) imagine() {
	s.shuffle()
	rest, kept := game.Tiles(s.unseen), game.Tiles("")
	if n := len(s.rackGuesses); n > 0 {
		at := s.rng.Float64() * s.rackGuesses[n-1].sum
		i := sort.Search(n-1, func(i int) bool { return s.rackGuesses[i].sum > at })
		kept = s.rackGuesses[i].kept
		rest, _ = rest.Minus(kept)
	}
	for i, n := range s.racks {
		switch i {
		case 0:
		case s.inferred:
			n -= len(kept)
			s.now.seats[i].rack, rest = kept+rest[:n], rest[n:]
		default:
			s.now.seats[i].rack, rest = rest[:n], rest[n:]
		}
	}
	s.now.bag = rest
}

// shuffle reorders the hidden tiles.
func (s *simulation) shuffle() {
	s.rng.Shuffle(len(s.unseen), func(i, k int) { s.unseen[i], s.unseen[k] = s.unseen[k], s.unseen[i] })
}

// worldWork is the fixed cost of trying a move in a world, besides generating plays. It applies
// even if the game ends at once.
const worldWork = 2_000

// farEnough limits the turns that a world is played on.
const farEnough = 40

// playOn gives every seat another turn, and plays to the end of the game if the bag is empty by
// then. Playing to the end with a few tiles in the bag takes twice as long and tells no more, since
// what is drawn then is luck. Nor does more work here win more. In 80 positions, choosing moves by
// 2,000 worlds played to the end for each serious candidate won 0.2 % less a turn (standard error
// 0.1) than this does; in 78 positions with 3 to 11 tiles in the bag, solving the endings won 0.8 %
// less (0.6).
func (s *simulation) playOn() {
	w := &s.w
	for turn := 0; turn < farEnough && !w.over; turn++ {
		if turn >= len(w.seats) && len(w.bag) > 0 {
			return
		}
		s.left.charge(s.gen, func() { w.move(s.reply()) })
	}
}

// reply returns the move of the highest equity for the seat to move.
func (s *simulation) reply() choice {
	w := &s.w
	others := 0 // points on the other racks
	for i := range w.seats {
		if i != w.turn {
			others += w.set.Sum(w.seats[i].rack)
		}
	}
	s.other.weigh(&w.board, w.seats[w.turn].rack, len(w.bag), others, len(w.seats)-1)
	s.other.stopsExchanging = w.scoreless >= patience*len(w.seats)
	s.other.opens = false // checking vowel placement would need all plays, for little gain
	return s.other.bestMove(&w.board)
}

// perPoint is the value of a point beside the chance to win. It breaks ties, and never outweighs
// half a game.
const perPoint = 1e-4

// outcome evaluates the game as played on, from the robot's side: ahead is its lead in points,
// worth its chance to win plus a little for the points.
func (s *simulation) outcome() (ahead, worth float64) {
	w := &s.w
	if w.over {
		lead := float64(w.lead())
		switch {
		case lead > 0:
			return lead, 1 + lead*perPoint
		case lead < 0:
			return lead, lead * perPoint
		}
		return 0, 0.5
	}
	mine, best, tiles := 0.0, math.Inf(-1), len(w.bag)
	for i, h := range w.seats {
		tiles += len(h.rack)
		points := float64(h.score) + h.kept.Float()
		if i == w.turn {
			points += toMove
		}
		if i == 0 {
			mine = points
		} else {
			best = max(best, points)
		}
	}
	return mine - best, winChance(mine-best, tiles) + (mine-best)*perPoint
}

// toMove is the expected gain in points of having the move: half of an average move.
const toMove = 20

// A learned evaluation instead of the leaves and toMove was tried and rejected. It used 42 features
// of what a board offers the next player (hook squares by their premium and the chance that an
// unseen tile fits, tiles needed to cover premium squares, lanes for a bingo), the leave and the
// progress of the game, fitted to the results of 5,200,000 positions of static games. Of the
// variance of the next four turns' points in held-out games, a linear model with each feature alone
// and by the tiles left explained 3.0 %, a net of 45-32-16 units 3.5 %, one of 45-128-32 3.4 %. The
// static robot with the linear term won 51.0 % against itself without it (20,600 pairs of games,
// standard error 0.2), with a net 50.8 %, at an extra 8 µs for each play evaluated, when finding
// its best play takes 23. At the horizon, in as many worlds, it chose other moves in 287 of 2,790
// positions with 8 to 79 tiles in the bag, which won 0.00 % more a turn (standard error 0.02) in
// 300 games played out from each.

// winChance returns the chance to win of a player who is ahead by some points, with n tiles still to
// be played. In games between robots, the change of the difference until the end has a standard
// deviation of 9.7 points times the square root of n.
func winChance(ahead float64, tiles int) float64 {
	return 0.5 + 0.5*math.Erf(ahead/(9.7*math.Sqrt(2*float64(tiles))))
}
