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

// A tally is how a match stands.
//
// The games of a round begin alike, and where two play they draw alike, so that much of the
// luck is on both sides in turn. So what a rate can be wrong by comes from the
// differences between rounds, and not between games.
type tally struct {
	games     int
	standings []standing
	rounds    int // that are whole
}

// A standing is that of a contestant.
type standing struct {
	name        string
	wins, draws int
	won         float64 // with the shares of draws
	points      int
	turns       int
	thought     time.Duration
	most        time.Duration

	round        float64 // won in the round that is being played
	sum, squares float64 // of the rates of rounds
}

func newTally(all []contestant) *tally {
	t := &tally{}
	for _, c := range all {
		t.standings = append(t.standings, standing{name: c.name})
	}
	return t
}

// add counts the next game.
func (t *tally) add(p played) {
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

// interval returns how often a contestant won, draws shared, and the standard error of that.
func (t *tally) interval(i int) (rate, err float64) {
	s := &t.standings[i]
	rate = s.won / float64(max(t.games, 1))
	if n := float64(t.rounds); t.rounds >= leastRounds {
		mean := s.sum / n
		return rate, math.Sqrt(max(0, s.squares/n-mean*mean) / (n - 1))
	}
	return rate, t.unpaired(i)
}

// unpaired returns the standard error that the rate would have if the games were independent.
func (t *tally) unpaired(i int) float64 {
	rate := t.standings[i].won / float64(max(t.games, 1))
	return math.Sqrt(rate * (1 - rate) / float64(max(t.games, 1)))
}

// sureAt is the half-width of a 95 % interval, in standard errors.
const sureAt = 1.96

// leastRounds is how many rounds an interval needs.
const leastRounds = 20

// sureEnough reports whether all rates are known to within a percentage; never to 0.
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

// rate returns how a contestant does, for people.
func (t *tally) rate(i int) string {
	rate, err := t.interval(i)
	return fmt.Sprintf("%s %.1f%%+-%.1f", t.standings[i].name, 100*rate, 100*sureAt*err)
}

// elo returns a rate as a difference of Elo ratings, and its standard error. They are infinite if
// one side won everything.
func elo(rate, err float64) (difference, wrong float64) {
	return 400 * math.Log10(rate/(1-rate)), err * 400 / math.Ln10 / (rate * (1 - rate))
}

// print writes a line for each contestant: how they did, and how many milliseconds they took
// for a turn, on average and at most; and for two one on how sure that is.
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
		fmt.Fprintf(w, "pairs=%d error=%.2f%% unpaired=%.2f%%\n", t.rounds, 100*err, 100*t.unpaired(0))
	}
}

// A sprt is a sequential probability ratio test (Wald, 1945): after each pair of games it says
// whether the first contestant is stronger by one difference of Elo ratings rather than by another,
// wrong in one of twenty cases. The likelihoods are those of a normal distribution
// of what pairs bring.
type sprt struct{ low, high float64 }

// parseSPRT reads "0,2"; "" is none.
func parseSPRT(text string) (*sprt, error) {
	if text == "" {
		return nil, nil
	}
	first, second, _ := strings.Cut(text, ",")
	low, err := strconv.ParseFloat(first, 64)
	high, err2 := strconv.ParseFloat(second, 64)
	if err != nil || err2 != nil || !(low < high) || math.Abs(low) > 400 || math.Abs(high) > 400 {
		return nil, cli.UsageError("--sprt is two differences of Elo ratings, the lower one first, such as 0,2")
	}
	return &sprt{low, high}, nil
}

// leastDecided is how many pairs a test needs before it decides: the spread of fewer is too
// uncertain, and one that is small by chance would end the test.
const leastDecided = 50

// decides is the logarithm of the ratio of likelihoods at which a test ends: one error in twenty
// either way.
var decides = math.Log(0.95 / 0.05)

// ratio returns that logarithm.
func (s *sprt) ratio(t *tally) float64 {
	rate, err := t.interval(0)
	if t.rounds < leastDecided || err == 0 {
		return 0
	}
	won := func(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }
	low, high := won(s.low), won(s.high)
	return (high - low) * (2*rate - low - high) / (2 * err * err)
}

// decided reports whether the test has an answer; a nil one never does.
func (s *sprt) decided(t *tally) bool {
	return s != nil && t.games%len(t.standings) == 0 && math.Abs(s.ratio(t)) >= decides
}

// print writes a line on the test; nothing for a nil one.
func (s *sprt) print(w io.Writer, t *tally) {
	if s == nil {
		return
	}
	answer := "open"
	switch r := s.ratio(t); {
	case !s.decided(t):
	case r > 0:
		answer = "stronger"
	default:
		answer = "not-stronger"
	}
	fmt.Fprintf(w, "sprt elo=%g,%g ratio=%.2f %s\n", s.low, s.high, s.ratio(t), answer)
}
