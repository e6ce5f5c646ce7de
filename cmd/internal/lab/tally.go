package lab

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/rackmate/rackmate/cmd/internal/cli"
)

// A tally holds the standing of a match.
//
// The games of a round start alike and, with two contestants, draw alike, so that much of the luck
// falls on both sides in turn. So the error of a rate comes from the differences between rounds,
// not between games.
type tally struct {
	games     int
	standings []standing
	rounds    int // complete rounds
}

// A standing is the record of a contestant.
type standing struct {
	name        string
	wins, draws int
	won         float64 // including shares of draws
	points      int
	turns       int
	thought     time.Duration
	most        time.Duration

	round        float64 // won in the current round
	sum, squares float64 // sums of the rates of rounds
}

func newTally(all []contestant) *tally {
	t := &tally{}
	for _, c := range all {
		t.standings = append(t.standings, standing{name: c.name})
	}
	return t
}

// add counts the next game.
func (t *tally) add(p playedGame) {
	t.games++
	whole := t.games%len(t.standings) == 0
	if whole {
		t.rounds++
	}
	for i, r := range p.did {
		s := &t.standings[i]
		switch {
		case r.won == 1:
			s.wins++
		case r.won > 0:
			s.draws++
		}
		s.won += r.won
		s.round += r.won
		s.points += r.score
		s.turns += r.turns
		s.thought += r.thought
		s.most = max(s.most, r.most)
		if whole {
			rate := s.round / float64(len(t.standings))
			s.sum, s.squares, s.round = s.sum+rate, s.squares+rate*rate, 0
		}
	}
}

// interval returns a contestant's share of wins, draws counting half, and its standard error.
func (t *tally) interval(i int) (rate, err float64) {
	s := &t.standings[i]
	rate = s.won / float64(max(t.games, 1))
	if n := float64(t.rounds); t.rounds >= leastRounds {
		mean := s.sum / n
		return rate, math.Sqrt(max(0, s.squares/n-mean*mean) / (n - 1))
	}
	return rate, t.unpairedError(i)
}

// unpairedError returns the standard error if all games were independent.
func (t *tally) unpairedError(i int) float64 {
	rate := t.standings[i].won / float64(max(t.games, 1))
	return math.Sqrt(rate * (1 - rate) / float64(max(t.games, 1)))
}

// sureAt is the half-width of a 95 % interval, in standard errors.
const sureAt = 1.96

// leastRounds is the fewest rounds for an interval.
const leastRounds = 20

// sureEnough reports whether all rates are known to within a percentage; 0 is never reached.
func (t *tally) sureEnough(percent float64) bool {
	if percent == 0 || t.games%len(t.standings) != 0 || t.rounds < leastRounds {
		return false
	}
	for i := range t.standings {
		if _, err := t.interval(i); 100*sureAt*err > percent {
			return false
		}
	}
	return true
}

// rate returns a contestant's rate for display.
func (t *tally) rate(i int) string {
	rate, err := t.interval(i)
	return fmt.Sprintf("%s %.1f%%+-%.1f", t.standings[i].name, 100*rate, 100*sureAt*err)
}

// elo returns a rate as a difference of Elo ratings, with its standard error. Both are infinite if
// one side won everything.
func elo(rate, err float64) (difference, wrong float64) {
	return 400 * math.Log10(rate/(1-rate)), err * 400 / math.Ln10 / (rate * (1 - rate))
}

// print writes a line for each contestant: results, and average and longest milliseconds a turn.
// For two contestants it adds a line on the certainty.
func (t *tally) print(w io.Writer) {
	for i, s := range t.standings {
		rate, err := t.interval(i)
		line := fmt.Sprintf("%s wins=%d draws=%d games=%d rate=%.1f%%+-%.1f", s.name, s.wins, s.draws, t.games, 100*rate, 100*sureAt*err)
		if len(t.standings) == 2 && rate > 0 && rate < 1 {
			difference, wrong := elo(rate, err)
			line += fmt.Sprintf(" elo=%+.0f+-%.0f", difference, sureAt*wrong)
		}
		fmt.Fprintf(w, "%s points=%.1f ms=%.2f most=%.0f\n", line, float64(s.points)/float64(max(t.games, 1)),
			float64(s.thought.Microseconds())/1000/float64(max(s.turns, 1)), float64(s.most.Microseconds())/1000)
	}
	if _, err := t.interval(0); len(t.standings) == 2 && t.rounds >= leastRounds {
		fmt.Fprintf(w, "pairs=%d error=%.2f%% unpaired=%.2f%%\n", t.rounds, 100*err, 100*t.unpairedError(0))
	}
}

// A sprt is a sequential probability ratio test (Wald, 1945). After each pair of games it decides
// whether the first contestant's Elo advantage is closer to high than to low, wrong in one of
// twenty cases. It assumes that the results of pairs are normally distributed.
type sprt struct{ low, high float64 }

// parseSPRT parses "0,2"; "" means no test.
func parseSPRT(text string) (*sprt, error) {
	if text == "" {
		return nil, nil
	}
	first, second, _ := strings.Cut(text, ",")
	low, err := strconv.ParseFloat(first, 64)
	high, err2 := strconv.ParseFloat(second, 64)
	if err != nil || err2 != nil || !(low < high) || math.Abs(low) > 400 || math.Abs(high) > 400 {
		return nil, cli.UsageError("--sprt takes two differences in Elo, the lower first, such as 0,2")
	}
	return &sprt{low, high}, nil
}

// leastDecided is the fewest pairs before a test decides: the spread of fewer is too uncertain, and
// an accidentally small one would end the test.
const leastDecided = 50

// decisionRatio is the logarithm of the likelihood ratio at which a test ends. Either decision
// is wrong in one of twenty cases.
var decisionRatio = math.Log(0.95 / 0.05)

// ratio returns the logarithm of the likelihood ratio.
func (s *sprt) ratio(t *tally) float64 {
	rate, err := t.interval(0)
	if t.rounds < leastDecided || err == 0 {
		return 0
	}
	won := func(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }
	low, high := won(s.low), won(s.high)
	return (high - low) * (2*rate - low - high) / (2 * err * err)
}

// isDecided reports whether the test is decided; a nil test never is.
func (s *sprt) isDecided(t *tally) bool {
	return s != nil && t.games%len(t.standings) == 0 && math.Abs(s.ratio(t)) >= decisionRatio
}

// print writes a line about the test, or nothing if it is nil.
func (s *sprt) print(w io.Writer, t *tally) {
	if s == nil {
		return
	}
	answer := "open"
	switch r := s.ratio(t); {
	case !s.isDecided(t):
	case r > 0:
		answer = "stronger"
	default:
		answer = "not-stronger"
	}
	fmt.Fprintf(w, "sprt elo=%g,%g ratio=%.2f %s\n", s.low, s.high, s.ratio(t), answer)
}
