package contest

import (
	"math/rand/v2"
	"slices"
)

// Limits of the search for rounds in which all meet: steps per pair of entrants, and in
// total. If such rounds exist, a few steps per pair are enough.
const (
	stepsForTwo = 2000
	stepsInAll  = 2_000_000
)

// A factors searches for rounds in which each of n entrants meets one of the opponents they
// still have to meet: a one-factorization of a graph, found by hill climbing as Dinitz and
// Stinson do. A pair goes into a round in which one of the two is free; if the other isn't,
// their pair there is reopened. To avoid cycling among the same rounds, the free entrant
// first gets another free round, by exchanging the pairs of two rounds along a chain.
type factors struct {
	rounds [][]int // by round and entrant: the opponent, -1 for none yet
	open   [][]int // by entrant: opponents to meet in a round not chosen yet
	left   int     // number of open pairs
	lots   *rand.PCG
}

func newFactors(n, rounds int, lot uint64) *factors {
	f := &factors{rounds: make([][]int, rounds), open: make([][]int, n), lots: rand.NewPCG(lot, 0)}
	for r := range f.rounds {
		f.rounds[r] = slices.Repeat([]int{-1}, n)
	}
	return f
}

// add adds an open pair.
func (f *factors) add(x, y int) {
	f.open[x], f.open[y] = append(f.open[x], y), append(f.open[y], x)
	f.left++
}

// find searches for the rounds, and reports whether it found them.
func (f *factors) find() bool {
	n := len(f.open)
	if f.left != len(f.rounds)*n/2 {
		return false
	}
	for range min(stepsForTwo*n*n, stepsInAll) {
		if f.left == 0 {
			return true
		}
		x := f.pick(n)
		if len(f.open[x]) == 0 {
			continue
		}
		r := f.roundWithout(x)
		if other := f.pick(len(f.rounds)); f.rounds[other][x] >= 0 {
			f.exchange(x, r, other)
			r = other
		}
		y := f.open[x][f.pick(len(f.open[x]))]
		if z := f.rounds[r][y]; z >= 0 {
			f.rounds[r][z] = -1
			f.add(y, z)
		}
		f.rounds[r][x], f.rounds[r][y] = y, x
		f.open[x] = slices.DeleteFunc(f.open[x], func(z int) bool { return z == y })
		f.open[y] = slices.DeleteFunc(f.open[y], func(z int) bool { return z == x })
		f.left--
	}
	return f.left == 0
}

func (f *factors) pick(n int) int { return int(f.lots.Uint64() % uint64(n)) }

// roundWithout returns a random round in which x meets nobody.
func (f *factors) roundWithout(x int) int {
	r := f.pick(len(f.rounds))
	for f.rounds[r][x] >= 0 {
		r = (r + 1) % len(f.rounds)
	}
	return r
}

// exchange swaps the pairs of two rounds along the chain that begins with x, who meets
// nobody in the first round. Afterwards x meets nobody in the second.
func (f *factors) exchange(x, first, second int) {
	a, b := f.rounds[first], f.rounds[second]
	for at := second; x >= 0; at = first + second - at {
		next := f.rounds[at][x]
		a[x], b[x] = b[x], a[x]
		x = next
	}
}
