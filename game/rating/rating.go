// Package rating implements Glicko-2 as in Mark Glickman's paper "Example of the Glicko-2 system"
// (http://www.glicko.net/glicko/glicko2.pdf). The steps in the comments are the paper's.
//
// The paper rates in periods of 10 to 15 games each. People in a chat want to see the effect of a game
// at once, so here each game is a period of its own. Its length is the part of a whole period that has
// passed since the player's previous game: with a length of 1 this is the paper's calculation.
package rating

import "math"

// A Rating is a player's estimated strength and its certainty.
type Rating struct {
	Value      float64 // starts at 1500
	Deviation  float64 // with 95% certainty their strength is within two deviations of Value
	Volatility float64 // how much their strength fluctuates
}

// New returns the rating of a new player.
func New() Rating { return Rating{Value: start, Deviation: maxDeviation, Volatility: 0.06} }

// maxDeviation is the deviation of a player about whom nothing is known.
const maxDeviation = 350

const (
	start     = 1500
	scale     = 173.7178 // step 2
	tau       = 0.5      // step 1: how fast the volatility can change
	tolerance = 1e-6     // step 5
)

// A Result is the result of a game against an opponent.
type Result struct {
	Opponent Rating
	Score    float64 // 1 for a win, 0.5 for a tie, 0 for a loss
}

// After returns the rating after a period with some results. periods is its length, or the time
// since the last result, in whole periods.
func (r Rating) After(results []Result, periods float64) Rating {
	mu, phi := (r.Value-start)/scale, r.Deviation/scale
	if len(results) == 0 {
		r.Deviation = widenDeviation(phi, r.Volatility, periods)
		return r
	}
	// Steps 3 and 4.
	var precision, surprise float64
	for _, res := range results {
		phiJ := res.Opponent.Deviation / scale
		g := 1 / math.Sqrt(1+3*phiJ*phiJ/(math.Pi*math.Pi))
		expected := 1 / (1 + math.Exp(-g*(mu-(res.Opponent.Value-start)/scale)))
		precision += g * g * expected * (1 - expected)
		surprise += g * (res.Score - expected)
	}
	v := 1 / precision
	r.Volatility = volatility(phi, r.Volatility, v, v*surprise)
	// Steps 6 to 8.
	before := widenDeviation(phi, r.Volatility, periods) / scale
	phi = 1 / math.Sqrt(1/(before*before)+1/v)
	r.Value = scale*(mu+phi*phi*surprise) + start
	r.Deviation = scale * phi
	return r
}

// widenDeviation returns the deviation of step 6, which grows while a player doesn't play.
func widenDeviation(phi, sigma, periods float64) float64 {
	return min(scale*math.Sqrt(phi*phi+sigma*sigma*max(0, periods)), maxDeviation)
}

// volatility returns the volatility of step 5, by the Illinois algorithm.
func volatility(phi, sigma, v, delta float64) float64 {
	a := math.Log(sigma * sigma)
	f := func(x float64) float64 {
		ex := math.Exp(x)
		d := phi*phi + v + ex
		return ex*(delta*delta-d)/(2*d*d) - (x-a)/(tau*tau)
	}
	A, B := a, 0.0
	if delta*delta > phi*phi+v {
		B = math.Log(delta*delta - phi*phi - v)
	} else {
		k := 1.0
		for f(a-k*tau) < 0 {
			k++
		}
		B = a - k*tau
	}
	fA, fB := f(A), f(B)
	for math.Abs(B-A) > tolerance {
		C := A + (A-B)*fA/(fB-fA)
		fC := f(C)
		if fC*fB <= 0 {
			A, fA = B, fB
		} else {
			fA /= 2
		}
		B, fB = C, fC
	}
	return math.Exp(A / 2)
}
