package contest

import (
	"math/rand/v2"
	"slices"
)

// How many steps are taken for each two, and in all, before rounds in which all meet are
// given up. Where there are such rounds a few for each two are enough.
const (
	stepsForTwo = 2000
	stepsInAll  = 2_000_000
)

// Factors are rounds in which each of n meets one of those whom they are to meet: a
// one-factorization of a graph, found by climbing, as Dinitz and Stinson build them. A pair
// goes into a round that suits one of the two, and the pair that is in the other's way is
// open again. So that this doesn't go on for ever among the same rounds, the two are first
// given another round to lack, by exchanging the pairs of two rounds along a chain.
type factors struct {
	rounds [][]int // whom each meets, -1 for nobody yet
	open   [][]int // whom each is to meet, in a round that isn't known
	left   int     // pairs that are open
	lots   *rand.PCG
}

func newFactors(n, rounds int, lot uint64) *factors {
	f := &factors{rounds: make([][]int, rounds), open: make([][]int, n), lots: rand.NewPCG(lot, 0)}
	for r := range f.rounds {
		f.rounds[r] = slices.Repeat([]int{-1}, n)
	}
	return f
}

// add opens a pair.
func (f *factors) add(x, y int) {
	f.open[x], f.open[y] = append(f.open[x], y), append(f.open[y], x)
	f.left++
}

// find finds the rounds, and reports whether it did.
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
		r := f.lacking(x)
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

// lacking is a round in which somebody meets nobody.
func (f *factors) lacking(x int) int {
	r := f.pick(len(f.rounds))
	for f.rounds[r][x] >= 0 {
		r = (r + 1) % len(f.rounds)
	}
	return r
}

// exchange exchanges the pairs of two rounds along the chain that begins with somebody who
// meets nobody in the first: they meet nobody in the second after that.
func (f *factors) exchange(x, first, second int) {
	a, b := f.rounds[first], f.rounds[second]
	for at := second; x >= 0; at = first + second - at {
		next := f.rounds[at][x]
		a[x], b[x] = b[x], a[x]
		x = next
	}
}
