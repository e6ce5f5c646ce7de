package features_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot/host"
)

// Two processes stand for a job. The one that has it stops; the other has it
// within seconds, and never both.
func TestAJobMovesWhenItsHolderStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		var mu sync.Mutex
		var at []string
		now := 0
		stand := func(name string) context.CancelFunc {
			c := w.config
			c.Name, c.Life = name, 0
			ctx, cancel := context.WithCancel(t.Context())
			go host.New(c).Elected(ctx, "gateway", func(ctx context.Context) error {
				mu.Lock()
				at = append(at, name)
				if now++; now > 1 {
					t.Error("two have the job")
				}
				mu.Unlock()
				<-ctx.Done()
				mu.Lock()
				now--
				mu.Unlock()
				return nil
			})
			return cancel
		}
		stopA := stand("a")
		synctest.Wait()
		stopB := stand("b")
		time.Sleep(time.Minute)
		stopA()
		time.Sleep(3 * time.Second)
		synctest.Wait()
		stopB()
		synctest.Wait()
		if !slices.Equal(at, []string{"a", "b"}) {
			t.Errorf("the job was with %v", at)
		}
	})
}
