package contest

import (
	"math"
	"math/rand/v2"
	"testing"
)

// tryAll returns the least cost of any perfect matching, by dynamic programming over all
// sets.
func tryAll(n int, cost func(i, j int) int64) int64 {
	memo := make([]int64, 1<<n)
	for set := 1; set < 1<<n; set++ {
		memo[set] = math.MaxInt64 / 4
		first := 0
		for set>>first&1 == 0 {
			first++
		}
		for j := first + 1; j < n; j++ {
			if set>>j&1 == 1 {
				memo[set] = min(memo[set], cost(first, j)+memo[set&^(1<<first)&^(1<<j)])
			}
		}
	}
	return memo[1<<n-1]
}

// TestMatchingsHaveLeastCost compares matchings of up to 10 vertices with tryAll, for many seeds, with
// costs from few values (ties everywhere) up to the costs of a Swiss round.
func TestMatchingsHaveLeastCost(t *testing.T) {
	for seed := range some(10_000) {
		rng := rand.New(rand.NewPCG(seed, 33))
		n := 2 + 2*rng.IntN(5)
		most := []int64{1, 2, 5, 100, 1 << 50}[rng.IntN(5)]
		costs := make([][]int64, n)
		for i := range costs {
			costs[i] = make([]int64, n)
			for j := range i {
				costs[i][j] = rng.Int64N(most + 1)
				costs[j][i] = costs[i][j]
			}
		}
		cost := func(i, j int) int64 { return costs[i][j] }
		mate := leastWeight(n, cost)
		var sum int64
		for i, j := range mate {
			if j < 0 || j == i || mate[j] != i {
				t.Fatalf("seed %d: %v is no matching", seed, mate)
			}
			if i < j {
				sum += cost(i, j)
			}
		}
		if want := tryAll(n, cost); sum != want {
			t.Fatalf("seed %d: n=%d costs %d, the least is %d", seed, n, sum, want)
		}
	}
}
