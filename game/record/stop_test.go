package record_test

import (
	"errors"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

// TestStoppedGames checks that a stopped game has no winner and verifiable draws, that a waiting
// table is closed, and that a finished one doesn't change.
func TestStoppedGames(t *testing.T) {
	log := gametest.RandomGame(t, 7, 3, game.Club())
	stopped, closed := 0, 0
	for n := 1; n <= len(log); n++ {
		s, err := game.Replay(log[:n])
		gametest.Must(t, err)
		stop := game.Stop{Abandoned: n%2 == 0}
		done, err := game.Decide(s, game.Person{ID: "manager"}, stop, game.Env{Now: log[n-1].At, Cause: "stop"})
		var rule *game.RuleError
		switch {
		case s.Phase == game.Lobby && err == nil:
			closed++
			if _, ok := done[0].Fact.(game.Closed); !ok {
				t.Fatalf("a table that waits: %T", done[0].Fact)
			}
		case s.Phase == game.Over:
			if !errors.As(err, &rule) || rule.Code != game.GameOver {
				t.Errorf("a game that is over: %v", err)
			}
		case err != nil:
			if n < len(log) && log[n].Cause != log[n-1].Cause {
				t.Errorf("after event %d: %v", n-1, err)
			}
		case n < len(log) && log[n].Cause == log[n-1].Cause:
			// no one can stop a game within a request
		default:
			f := done[0].Fact.(game.Ended)
			if (f.Reason == game.AbandonedEnd) != stop.Abandoned || f.By.ID != "manager" || len(f.Winners) > 0 {
				t.Errorf("after event %d: %+v", n-1, f)
			}
			whole := append(log[:n:n], done...)
			p, err := record.NewProof(whole)
			gametest.Must(t, err)
			file, err := p.File()
			gametest.Must(t, err)
			if p, err = record.ParseProof(file); err != nil {
				t.Fatal(err)
			}
			if _, err := p.Check(); err != nil {
				t.Errorf("stopped after event %d: %v", n-1, err)
			}
			stopped++
		}
	}
	if stopped == 0 || closed == 0 {
		t.Errorf("%d games stopped, %d tables closed", stopped, closed)
	}
}
