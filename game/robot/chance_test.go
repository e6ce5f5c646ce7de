package robot

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// somePositions returns n positions of static games, one of each game, before a turn with least to
// most tiles in the bag, and a mind with the list they use.
func somePositions(tb testing.TB, n, least, most int) (*Mind, []View) {
	tb.Helper()
	d := newDuel(tb, "en", "", trained, trained)
	mind := NewMind(gametest.ShippedList(tb, "en"), nil, d.players[0].values)
	rng := rand.New(rand.NewPCG(5, uint64(least)))
	var all []View
	for k := 0; len(all) < n; k++ {
		var of []View
		d.each(k, func() {
			w := &d.w
			if len(w.bag) < least || len(w.bag) > most {
				return
			}
			v := View{Phase: game.Playing, Rules: d.rules, Equipment: d.eq, Board: w.board, Bag: len(w.bag), Rack: w.seats[w.turn].rack, Scoreless: w.scoreless}
			v.Unseen = (w.bag + w.seats[1-w.turn].rack).Sorted()
			for i := range w.seats {
				h := w.seats[(w.turn+i)%2]
				v.Seats = append(v.Seats, SeatView{Score: h.score, Tiles: len(h.rack)})
			}
			of = append(of, v)
		})
		if len(of) > 0 {
			all = append(all, of[rng.IntN(len(of))])
		}
	}
	return mind, all
}

func TestDifferenceIsSureBeyondTwiceItsError(t *testing.T) {
	for _, tt := range []struct {
		c    Chance
		sure bool
	}{
		{Chance{Win: 0.04, Error: 0.01, Known: true}, true},
		{Chance{Win: 0.02, Error: 0.01, Known: true}, false},
		{Chance{Win: 0.04, Error: 0.03, Known: true}, false},
		{Chance{Win: 0.5, Known: true}, true},
		{Chance{Win: 0.5}, false},
		{Chance{Known: true}, false},
	} {
		if tt.c.isSure() != tt.sure {
			t.Errorf("%+v: sure %v", tt.c, tt.c.isSure())
		}
	}
	if c := (Chance{Win: 0.7, Error: 0.03, Known: true}).minus(Chance{Win: 0.5, Error: 0.04, Known: true}); c.Win < 0.19999 || c.Win > 0.20001 || c.Error < 0.04999 || c.Error > 0.05001 || !c.Known {
		t.Errorf("0.7 and 0.5 differ by %+v", c)
	}
	if j := (Judgement{Loss: 7, GivesUp: Chance{Win: 0.02, Error: 0.02, Known: true}}); j.Mistake() {
		t.Error("what isn't sure is a mistake")
	}
	if j := (Judgement{Loss: 7}); !j.Mistake() {
		t.Error("in an ending 7 points are no mistake")
	}
}

// TestWeighingIsReproducible checks that a pass is considered near the end, that the same position
// always gets the same judgement, and that more positions make its error smaller.
func TestWeighingIsReproducible(t *testing.T) {
	t.Parallel()
	for _, bag := range []int{1, 2, 5, 40} {
		mind, views := somePositions(t, gametest.Rounds(1, 2), bag, bag+2)
		for _, v := range views {
			weigh := func(positions int) []weighed {
				b, err := mind.bench(t.Context(), v, nil)
				if err != nil {
					t.Fatal(err)
				}
				defer b.done()
				worst := b.choices()
				return b.weigh(t.Context(), &worst[len(worst)-1], positions)
			}
			few, again := weigh(1500), weigh(1500)
			if !slices.EqualFunc(few, again, func(a, b weighed) bool { return a.choice == b.choice && a.Chance == b.Chance && a.ahead == b.ahead }) {
				t.Errorf("%d in the bag: weighed in two ways", v.Bag)
			}
			pass := slices.ContainsFunc(few, func(m weighed) bool { return m.move.Kind == game.PassTurn })
			if pass != (v.Bag <= fewInBag) {
				t.Errorf("%d in the bag: thought of a pass: %v", v.Bag, pass)
			}
			for i, m := range few {
				if m.Win < 0 || m.Win > 1 || !m.Known {
					t.Errorf("%d in the bag: %+v", v.Bag, m.Chance)
				}
				if by, _ := few[0].compare(&few[i]); i == 0 && by.Win != 0 {
					t.Errorf("the best is better than itself by %+v", by)
				}
			}
			if v.Bag < 40 {
				continue
			}
			if many := weigh(6000); many[0].Error >= few[0].Error {
				t.Errorf("%d in the bag: the error is %v with more positions, %v with fewer", v.Bag, many[0].Error, few[0].Error)
			}
		}
	}
}

// TestChancesFollowOrder checks that no move has a higher chance to win than one listed before it, and
// that what a move gives up is the difference between its chance and the best move's.
func TestChancesFollowOrder(t *testing.T) {
	t.Parallel()
	for _, bag := range []int{1, 5, 20} {
		mind, views := somePositions(t, gametest.Rounds(2, 20), bag, bag+2)
		for n, v := range views {
			b, err := mind.bench(t.Context(), v, nil)
			gametest.Must(t, err)
			choices := b.choices()
			all := b.weigh(t.Context(), &choices[len(choices)-1], 1500)
			b.done()
			for i := range all[1:] {
				if all[i+1].Win > all[i].Win {
					t.Errorf("%d in the bag, position %d: move %d has %.4f, and the one before it %.4f", v.Bag, n, i+1, all[i+1].Win, all[i].Win)
				}
				by, _ := all[0].compare(&all[i+1])
				if gap := all[0].Win - all[i+1].Win; all[i+1].Win > 0 && math.Abs(gap-max(0, by.Win)) > 1e-9 {
					t.Errorf("%d in the bag, position %d: move %d gives up %.4f, and is %.4f behind the best", v.Bag, n, i+1, by.Win, gap)
				}
			}
		}
	}
}

// BenchmarkHint measures the first step of a hint and the whole hint.
func BenchmarkHint(b *testing.B) {
	mind, views := somePositions(b, 20, 8, 80)
	for name, find := range map[string]func(View) error{
		"first": func(v View) error { _, err := mind.First(v); return err },
		"best":  func(v View) error { _, err := mind.Best(b.Context(), v, 1); return err },
	} {
		b.Run(name, func(b *testing.B) {
			i := 0
			for b.Loop() {
				if err := find(views[i%len(views)]); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}

// BenchmarkHintRegret measures by how many hundredths of the chance to win the hint, and the best
// static play, fall short of the best candidate by a much longer search, and the standard error of
// the difference between the two. An operation is a position.
func BenchmarkHintRegret(b *testing.B) {
	const worlds = 700
	mind, views := somePositions(b, max(b.N, 2), 3, 80)
	hint, static, squares := 0.0, 0.0, 0.0
	for _, v := range views[:b.N] {
		bench, err := mind.bench(b.Context(), v, nil)
		if err != nil {
			b.Fatal(err)
		}
		all := bench.weigh(b.Context(), nil, hintPositions)
		first := bench.choices()[0]
		s := bench.simulation()
		s.rng, s.left = rand.New(rand.NewPCG(99, 1)), 1<<60
		for _, m := range all[:min(5, len(all))] {
			s.add(m.choice, first.equity)
		}
		if !slices.ContainsFunc(s.trials, func(t trial) bool { return t.move == first.move }) {
			s.add(first, first.equity)
		}
		best, of := -1.0, map[game.Move]float64{}
		for range worlds {
			s.imagine()
			for i := range s.trials {
				s.now.copyTo(&s.w)
				s.w.move(s.trials[i].choice)
				s.playOn()
				_, worth := s.outcome()
				of[s.trials[i].move] += worth / worlds
			}
		}
		for _, worth := range of {
			best = max(best, worth)
		}
		hint += best - of[all[0].move]
		static += best - of[first.move]
		d := of[all[0].move] - of[first.move]
		squares += d * d
		bench.done()
	}
	n := float64(b.N)
	mean := (static - hint) / n
	b.ReportMetric(100*hint/n, "%hint")
	b.ReportMetric(100*static/n, "%static")
	b.ReportMetric(100*mean, "%better")
	b.ReportMetric(100*(squares/n-mean*mean), "%²spread")
	b.ReportMetric(0, "ns/op")
}
