package robots

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game/robot"
)

// The steps of a hint take one search between them; another position, or a search
// that failed, takes another.
func TestAHintIsSearchedForOnce(t *testing.T) {
	s, searches := newHints(), 0
	ask := func(p position, err error) {
		t.Helper()
		c, got := s.best(t.Context(), p, func(context.Context) (robot.Choice, error) {
			searches++
			return robot.Choice{Points: 7 + p.passes}, err
		})
		if !errors.Is(got, err) || c.Points != 7+p.passes {
			t.Errorf("%+v, %v", c, got)
		}
	}
	broken := errors.New("broken")
	for _, step := range []struct {
		position
		err  error
		want int
	}{
		{position{table: 1}, broken, 1},
		{position{table: 1}, nil, 2},
		{position{table: 1}, nil, 2},
		{position{table: 2}, nil, 3},
		{position{table: 1, passes: 1}, nil, 4},
		{position{table: 1}, nil, 4},
	} {
		if ask(step.position, step.err); searches != step.want {
			t.Errorf("%d searches, not %d", searches, step.want)
		}
	}
	for i := range 2 * hintsKept {
		ask(position{table: bot.TableID(i)}, nil)
	}
	if len(s.kept) != hintsKept {
		t.Errorf("%d hints are kept", len(s.kept))
	}
}

// However many ask, one search is made at a time, and who can't wait any longer
// gets an answer all the same.
func TestHintsWaitForOneAnother(t *testing.T) {
	s := newHints()
	var now, most atomic.Int32
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			_, err := s.best(t.Context(), position{table: bot.TableID(i % 10)}, func(context.Context) (robot.Choice, error) {
				if n := now.Add(1); n > most.Load() {
					most.Store(n)
				}
				defer now.Add(-1)
				return robot.Choice{}, nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if most.Load() != 1 {
		t.Errorf("%d searches at once", most.Load())
	}

	s.searching <- struct{}{} // a search that takes for ever
	hurried, cancel := context.WithCancel(t.Context())
	cancel()
	c, err := s.best(hurried, position{table: 99}, func(ctx context.Context) (robot.Choice, error) {
		return robot.Choice{Points: 9}, nil
	})
	if err != nil || c.Points != 9 {
		t.Errorf("%+v, %v", c, err)
	}
	if _, ok := s.known(position{table: 99}); ok {
		t.Error("what was found in a hurry is kept")
	}
}
