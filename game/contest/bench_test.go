package contest

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkStandings40 computes the standings of 40 players after 20 rounds.
func BenchmarkStandings40(b *testing.B) {
	c := field(40, 1)
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		c.Rounds = append(c.Rounds, mustPair(b, c, Method{Kind: Swiss}))
		play(c, rng)
	}
	for b.Loop() {
		c.Standings(-1)
	}
}

// BenchmarkPossible computes the possible places in a division of 15: before the first
// game, and with nine games open, when all outcomes are tried.
func BenchmarkPossible(b *testing.B) {
	for _, open := range []int{105, 9} {
		b.Run(fmt.Sprintf("%d open", open), func(b *testing.B) {
			var players []Player
			for i := range 15 {
				players = append(players, Player{ID: fmt.Sprint(i), Name: fmt.Sprint(i)})
			}
			c := NewDivision(Seed{1}, players)
			rng := rand.New(rand.NewPCG(1, 1))
			left := 105
			for _, p := range c.Games() {
				if left > open {
					p.Games[0].Result = Result{How: Played, Scores: [2]int{300 + rng.IntN(200), 300 + rng.IntN(200)}}
					left--
				}
			}
			for b.Loop() {
				c.Possible()
			}
		})
	}
}
