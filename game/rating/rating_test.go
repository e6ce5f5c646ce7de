package rating_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rackmate/rackmate/game/rating"
)

func near(t *testing.T, what string, got, want, by float64) {
	t.Helper()
	if math.Abs(got-want) > by {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// TestPapersExample checks the paper's example.
func TestPapersExample(t *testing.T) {
	r := rating.Rating{Value: 1500, Deviation: 200, Volatility: 0.06}
	after := r.After([]rating.Result{
		{Opponent: rating.Rating{Value: 1400, Deviation: 30, Volatility: 0.06}, Score: 1},
		{Opponent: rating.Rating{Value: 1550, Deviation: 100, Volatility: 0.06}, Score: 0},
		{Opponent: rating.Rating{Value: 1700, Deviation: 300, Volatility: 0.06}, Score: 0},
	}, 1)
	near(t, "the rating", after.Value, 1464.06, 0.01)
	near(t, "the deviation", after.Deviation, 151.52, 0.01)
	near(t, "the volatility", after.Volatility, 0.05999, 0.00001)
}

func TestIdlePlayersDeviationGrows(t *testing.T) {
	r := rating.Rating{Value: 1700, Deviation: 50, Volatility: 0.06}
	half, year := r.After(nil, 0.5), r.After(nil, 12)
	if half.Value != 1700 || !(50 < half.Deviation && half.Deviation < year.Deviation) {
		t.Errorf("after half a period %+v, after a year %+v", half, year)
	}
	near(t, "after one period", r.After(nil, 1).Deviation, math.Sqrt(50*50+math.Pow(0.06*173.7178, 2)), 1e-9)
	if d := rating.New().After(nil, 1000).Deviation; d != 350 {
		t.Errorf("a deviation of %v is more than of somebody unknown", d)
	}
	if back := r.After(nil, -5); back != r {
		t.Errorf("a clock that stepped back made %+v of %+v", back, r)
	}
}

// TestAnyResultsGiveValidRating checks that any results give a valid rating: a win never lowers it, a loss never
// raises it, and a game makes it no less certain than the wait did.
func TestAnyResultsGiveValidRating(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	one := func() rating.Rating {
		return rating.Rating{Value: 400 + 2400*rng.Float64(), Deviation: 20 + 330*rng.Float64(), Volatility: 0.03 + 0.1*rng.Float64()}
	}
	for range 2000 {
		r, o, wait := one(), one(), rng.Float64()*3
		for _, score := range []float64{0, 0.5, 1} {
			after := r.After([]rating.Result{{o, score}}, wait)
			if math.IsNaN(after.Value+after.Deviation+after.Volatility) || after.Volatility <= 0 || after.Deviation <= 0 || after.Deviation > 350 ||
				score == 1 && after.Value < r.Value || score == 0 && after.Value > r.Value {
				t.Fatalf("seed %d: %+v got %v against %+v after %v: %+v", seed, r, score, o, wait, after)
			}
		}
	}
}

func BenchmarkAfter(b *testing.B) {
	r, o := rating.New(), rating.New()
	for b.Loop() {
		r.After([]rating.Result{{o, 1}}, 0.1)
	}
}
