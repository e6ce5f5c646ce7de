package robots

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game/robot"
)

// A heavyDesk is a desk whose Heavy is replaced.
type heavyDesk struct {
	feature.Desk
	heavy func(ctx context.Context, do func(context.Context) (any, error)) (any, error)
}

func (d heavyDesk) Heavy(ctx context.Context, _ any, do func(context.Context) (any, error)) (any, error) {
	return d.heavy(ctx, do)
}

// A hint counts, so there is always one: the best found when time runs out, or an immediate
// one if the host has no time for the asker.
func TestHintIsAlwaysGiven(t *testing.T) {
	broken := errors.New("broken")
	for name, test := range map[string]struct {
		heavy     func(ctx context.Context, do func(context.Context) (any, error)) (any, error)
		search    error
		want      int
		err       error
		searchers int
	}{
		"in time": {heavy: func(ctx context.Context, do func(context.Context) (any, error)) (any, error) { return do(ctx) }, want: 9, searchers: 1},
		"too late": {heavy: func(ctx context.Context, do func(context.Context) (any, error)) (any, error) {
			late, stop := context.WithCancel(ctx)
			stop()
			made, err := do(late)
			if err == nil {
				t.Error("what was found in a hurry is kept for others")
			}
			return made, err
		}, want: 1, searchers: 1},
		"refused": {heavy: func(context.Context, func(context.Context) (any, error)) (any, error) {
			return nil, words.Refusing("Try again.")
		}, want: 1, searchers: 1},
		"never its turn": {heavy: func(ctx context.Context, _ func(context.Context) (any, error)) (any, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}, want: 1, searchers: 1},
		"broken": {heavy: func(ctx context.Context, do func(context.Context) (any, error)) (any, error) { return do(ctx) }, search: broken, err: broken, searchers: 1},
	} {
		t.Run(name, func(t *testing.T) {
			f, n := &Feature{desk: heavyDesk{heavy: test.heavy}}, 0
			ctx := t.Context()
			if name == "never its turn" {
				short, stop := context.WithTimeout(ctx, time.Millisecond)
				defer stop()
				ctx = short
			}
			c, err := f.bestOf(ctx, position{table: 1}, func(ctx context.Context) (robot.Choice, error) {
				if n++; ctx.Err() != nil {
					return robot.Choice{Points: 1}, test.search
				}
				return robot.Choice{Points: 9}, test.search
			})
			if !errors.Is(err, test.err) || c.Points != test.want || n != test.searchers {
				t.Errorf("%d points, %v, by %d searches", c.Points, err, n)
			}
		})
	}
}
