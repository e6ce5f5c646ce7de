package record_test

import (
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

// TestEveryRuleSetIsProvenAndExported plays whole games of every rule set with every number of
// players, and checks that their proofs hold and that their GCG replays to the same scores.
func TestEveryRuleSetIsProvenAndExported(t *testing.T) {
	vote := game.Rulebook()
	vote.Order = game.Voted
	clubClock, bookClock, letters := game.Club(), game.Rulebook(), game.Family()
	clubClock.Clock.On, bookClock.Clock.On, letters.UseLetter = true, true, true
	for _, rules := range append(game.RuleSets(), vote, clubClock, bookClock, letters) {
		for players := rules.MinPlayers; players <= rules.MaxPlayers; players++ {
			for seed := range uint64(gametest.Share(3)) {
				events := gametest.RandomGame(t, seed, players, rules)
				p, err := record.NewProof(events)
				gametest.Must(t, err)
				file, err := p.File()
				gametest.Must(t, err)
				again, err := record.ParseProof(file)
				if err == nil {
					_, err = again.Check()
				}
				if err != nil {
					t.Errorf("%s, %d players, seed %d: %v", rules.Name, players, seed, err)
				}
				written, err := record.FromEvents(events)
				gametest.Must(t, err)
				gcg, err := record.ParseGCG([]byte(written.String()))
				if err != nil {
					t.Fatalf("%s, %d players, seed %d: %v", rules.Name, players, seed, err)
				}
				end, _ := game.Replay(events)
				totals := map[string]int{}
				for _, turn := range gcg.Turns {
					totals[gcg.Players[turn.Player].Name] = turn.Total
				}
				for _, seat := range end.Seats {
					if total, moved := totals[seat.Person.Name]; moved && total != seat.Score {
						t.Errorf("%s, %d players, seed %d: %s has %d in the GCG, %d in the game", rules.Name, players, seed, seat.Person.Name, total, seat.Score)
					}
				}
			}
		}
	}
}
