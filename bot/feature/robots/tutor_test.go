package robots

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rackmate/rackmate/bot"
)

// Whoever plays with the tutor wins about half of the games after a few, whether they play
// like the weakest level, like the strongest, or like anything between. Here a level more
// wins 65 games of a hundred, 110 points of Elo.
func TestTutorIsBeatenHalfOfTheTime(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for skill := 0.0; skill <= float64(len(grades())-1); skill += 0.5 {
		g := storedGrade{V: 1, Grade: firstGrade}
		won, games := 0, 0
		for n := range 1000 {
			chance := 1 / (1 + math.Pow(10, (g.Grade-skill)*110/400))
			wins := random.Float64() < chance
			if n >= 10 {
				games++
				if wins {
					won++
				}
			}
			result := 0.0
			if wins {
				result = 1
			}
			g.count(bot.TableID(n+1), result)
		}
		// At the ends the tutor can only err to one side.
		within := 0.06
		if skill == 0 || skill == float64(len(grades())-1) {
			within = 0.12
		}
		if share := float64(won) / float64(games); math.Abs(share-0.5) > within {
			t.Errorf("at %.1f %.0f %% of the games are won, and the tutor plays like %.2f", skill, 100*share, g.Grade)
		}
	}
}

// A game counts once, however often it is looked at; a draw changes nothing.
func TestTutorCountsAGameOnce(t *testing.T) {
	g := storedGrade{V: 1, Grade: firstGrade}
	g.count(7, 1)
	after := g.Grade
	g.count(7, 1)
	g.count(8, 0.5)
	if g.Grade != after || g.Games != 2 || after <= firstGrade {
		t.Errorf("%+v after a win, %v before", g, after)
	}
	for n := range 40 {
		g.count(bot.TableID(100+n), 0)
	}
	if g.Grade != 0 || len(g.Counted) != 10 {
		t.Errorf("after forty losses: %+v", g)
	}
}
