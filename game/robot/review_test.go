package robot_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/robot"
)

// A played value is a game that a test plays, with its log.
type played struct {
	testing.TB
	s      game.State
	dict   game.Dictionary
	events []game.Event
}

func (g *played) does(seat int, a game.Action) {
	g.Helper()
	env := game.Env{Dict: g.dict, Now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Cause: fmt.Sprint(g.s.Number), Secret: game.Secret{7}}
	events, err := game.Decide(g.s, gametest.People[seat], a, env)
	if err != nil {
		g.Fatalf("%+v: %v", a, err)
	}
	for _, e := range events {
		g.s = g.s.Apply(e)
	}
	g.events = append(g.events, events...)
}

func (g *played) plays(seat int, move string) {
	g.Helper()
	g.does(seat, game.Play{Move: gametest.Move(g, g.s.Equipment, move)})
}

// aGame starts a game by the shipped list. The player who goes first has seat g.s.First.
func aGame(t testing.TB, mind *robot.Mind, rules game.Rules) *played {
	t.Helper()
	g := &played{TB: t, dict: mind.Words()}
	g.does(0, game.Open{Rules: rules, Equipment: gametest.Equipment(t), Seats: 2})
	g.does(1, game.Join{})
	return g
}

// give replaces a rack before the first move, as if dealt.
func (g *played) give(seat int, tiles string) {
	g.Helper()
	last := &g.events[len(g.events)-1]
	f := last.Fact.(game.Dealt)
	f.Racks = slices.Clone(f.Racks)
	f.Racks[seat] = gametest.Tiles(g, g.s.Equipment, tiles)
	last.Fact = f
	var err error
	if g.s, err = game.Replay(g.events); err != nil {
		g.Fatal(err)
	}
}

// TestOnlySureMistakesAreBlamed judges the static robot, which plays well, by a search that looks
// ahead. One of its moves is a mistake only if another is better by more than chance.
func TestOnlySureMistakesAreBlamed(t *testing.T) {
	t.Parallel()
	x, _ := english(t)
	mind := robot.NewMind(x, nil, shippedLeaves(t, gametest.Equipment(t).Tiles))
	static := robot.Yardsticks()[1]
	g := aGame(t, mind, game.Classic())
	for g.s.Phase == game.Playing {
		a, err := mind.Choose(t.Context(), static, robot.See(g.s, g.s.Turn), 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		g.does(g.s.Turn, a)
	}
	all := robot.Decisions(g.events)
	if len(all) != g.s.Turns {
		t.Errorf("%d decisions in %d turns", len(all), g.s.Turns)
	}
	if !gametest.Long() {
		// Judging a move takes long, and solving an ending longer. Of these, the first is a mistake
		// and the eighth is too close to call.
		all = slices.Concat(all[:3], all[7:10])
	}
	r, err := mind.Review(t.Context(), 2, all)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Turns) != len(all) {
		t.Errorf("%d judgements of %d turns", len(r.Turns), len(all))
	}
	blamed, unsure := 0, 0
	for _, j := range r.Turns {
		if j.View.Bag > 0 {
			up, best := j.GivesUp, j.Best[0]
			switch sure := up.Win > 2*up.Error; {
			case !up.Known || !j.Made.Chance.Known || !best.Chance.Known || up.Win < 0 || up.Error < 0 || up.Win > 1:
				t.Errorf("turn %d gives up %+v; made %+v, best %+v", j.Turn, up, j.Made, best)
			case best.Move == j.Move && (up.Win != 0 || j.Loss != 0):
				t.Errorf("turn %d: the best move gives up %+v, %v points", j.Turn, up, j.Loss)
			case j.Loss > 0 && !sure, j.Mistake() && !sure:
				t.Errorf("turn %d is blamed for %v points, and gives up %+v", j.Turn, j.Loss, up)
			case sure:
				blamed++
			case best.Move != j.Move:
				unsure++
			}
		}
		if j.Loss < 0 || len(j.Phonies) > 0 {
			t.Errorf("turn %d: loss %v, phonies %v", j.Turn, j.Loss, j.Phonies)
		}
	}
	if t.Logf("%d of %d moves are blamed, and of %d it isn't sure", blamed, len(all), unsure); unsure == 0 {
		t.Error("it is sure of everything")
	}
	for i, p := range r.Players {
		if p.Turns == 0 || p.Accuracy < 80 || p.Accuracy > 100 || p.Loss < 0 {
			t.Errorf("player %d: %+v", i, p)
		}
	}
}

// TestReviewOfPhoniesAndPasses checks the review of plays challenged off, phonies that stood, passes
// and lost turns.
func TestReviewOfPhoniesAndPasses(t *testing.T) {
	t.Parallel()
	x, _ := english(t)
	mind := robot.NewMind(x, nil, nil)
	rules := game.Classic()
	rules.Challenge = game.Double
	g := aGame(t, mind, rules)
	first, second := g.s.First, 1-g.s.First
	g.give(first, "AEINRST")
	g.give(second, "QVVUUWW")
	g.plays(first, "8D NASTIER")    // a bingo, but not the best of them
	g.plays(second, "7G VUW")       // phonies
	g.does(first, game.Challenge{}) // challenged off
	g.does(first, game.Pass{})      // gives up everything
	g.plays(second, "9G QVV")       // phonies that stand
	g.does(first, game.Pass{})
	g.does(second, game.Resign{})
	all := robot.Decisions(g.events)
	r, err := mind.Review(t.Context(), 2, all)
	if err != nil {
		t.Fatal(err)
	}
	var turns []int
	for _, j := range r.Turns {
		turns = append(turns, j.Turn)
		if e := g.events[j.Number]; j.View.Number != j.Number || e.Number != j.Number {
			t.Errorf("turn %d is event %d, and was judged at %d", j.Turn, j.Number, j.View.Number)
		}
	}
	if !slices.Equal(turns, []int{1, 2, 3, 4, 5}) {
		t.Fatalf("turns %v", turns)
	}
	bingo, off, pass, stood := r.Turns[0], r.Turns[1], r.Turns[2], r.Turns[3]
	if bingo.Made.Points < 60 || bingo.Loss > 20 {
		t.Errorf("the bingo: %+v, loss %v", bingo.Made, bingo.Loss)
	}
	if !off.TakenOff || len(off.Phonies) == 0 || off.Made.Equity != 0 || off.Loss < 20 || !off.Mistake() {
		t.Errorf("the play taken off: %+v, loss %v of %v", off.Made, off.Loss, off.Best[0])
	}
	if pass.Made.Equity != 0 || pass.Loss < 20 || pass.GivesUp.Win < 0.05 || pass.GivesUp.Error > 0.03 || pass.TakenOff {
		t.Errorf("the pass: %+v, loss %v, gives up %+v", pass.Made, pass.Loss, pass.GivesUp)
	}
	if stood.TakenOff || len(stood.Phonies) == 0 {
		t.Errorf("the phonies that stood: %+v", stood)
	}
	if p := r.Players[second]; !reflect.DeepEqual(p.Phonies, stood.Phonies) || p.Turns != 2 {
		t.Errorf("the second player: %+v", p)
	}
	if p := r.Players[first]; len(p.Phonies) > 0 || p.Turns != 3 {
		t.Errorf("the first player: %+v", p)
	}
	missed := r.Mistakes()
	for i, j := range missed {
		if !j.Mistake() || i > 0 && j.Loss > missed[i-1].Loss {
			t.Errorf("missed: %v", j.Loss)
		}
	}
	if len(missed) < 3 {
		t.Errorf("%d missed plays", len(missed))
	}
}

// TestJudgementIgnoresHiddenTiles deals the tiles hidden from the mover in another way and checks that
// the judgement stays the same.
func TestJudgementIgnoresHiddenTiles(t *testing.T) {
	t.Parallel()
	x, _ := english(t)
	mind := robot.NewMind(x, nil, nil)
	rng := rand.New(rand.NewPCG(1, 2))
	g := aGame(t, mind, game.Classic())
	easy := level(t, "beginner")
	compared, most := 0, gametest.Rounds(2, 10)
	for g.s.Phase == game.Playing && len(g.s.Bag) > 0 {
		me := g.s.Turn
		a, err := mind.Choose(t.Context(), easy, robot.See(g.s, me), 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		if p, ok := a.(game.Play); ok && compared < most {
			judge := func(s game.State) robot.Judgement {
				j, err := mind.Judge(context.Background(), robot.Decision{View: robot.See(s, me), Move: p.Move})
				if err != nil {
					t.Fatal(err)
				}
				return j
			}
			if one, other := judge(g.s), judge(dealtAnew(rng, g.s, me)); !reflect.DeepEqual(one, other) {
				t.Fatalf("event %d: %+v and %+v", g.s.Number, one, other)
			}
			compared++
		}
		g.does(me, a)
	}
	if compared < most {
		t.Errorf("only %d moves compared", compared)
	}
}

// BenchmarkReview reviews a whole game between beginners.
func BenchmarkReview(b *testing.B) {
	x, v := english(b)
	mind := robot.NewMind(x, v, nil)
	g := aGame(b, mind, game.Classic())
	for g.s.Phase == game.Playing {
		a, err := mind.Choose(b.Context(), level(b, "beginner"), robot.See(g.s, g.s.Turn), 0, 1)
		if err != nil {
			b.Fatal(err)
		}
		g.does(g.s.Turn, a)
	}
	all := robot.Decisions(g.events)
	for b.Loop() {
		if _, err := mind.Review(b.Context(), 2, all); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(all)), "moves")
}

// TestCancelledSearchStillAnswers checks that a judgement and a hint that are cut short at once still
// weigh every move once, the made one too.
func TestCancelledSearchStillAnswers(t *testing.T) {
	t.Parallel()
	x, _ := english(t)
	mind := robot.NewMind(x, nil, nil)
	g := aGame(t, mind, game.Classic())
	v := robot.See(g.s, g.s.Turn)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	j, err := mind.Judge(ctx, robot.Decision{View: v, Move: game.Move{Kind: game.PassTurn}})
	if err != nil || len(j.Best) == 0 || !j.Made.Chance.Known {
		t.Errorf("a judgement that is cut short: %+v, %v", j, err)
	}
	if best, err := mind.Best(ctx, v, 1); err != nil || len(best) != 1 {
		t.Errorf("a hint that is cut short: %+v, %v", best, err)
	}
}
