package gametest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// Duplicate returns the classic rules for duplicate with a turn length.
func Duplicate(turn time.Duration) game.Rules {
	v, _ := game.FindVariant("duplicate")
	r, _, _ := v.Vary(game.Classic(), game.Equipment{}, nil)
	r.Duplicate.TurnTime = turn
	return r
}

// RandomDuplicate plays a whole game of duplicate with the small dictionary, always the same for a
// seed, rules and number of players. Some players join after the start, some leave. They submit
// words and phonies, replace them, report that they have no play, or miss the turn.
func RandomDuplicate(tb testing.TB, seed uint64, players int, rules game.Rules) []game.Event {
	tb.Helper()
	g := &random{
		tb: tb, rules: rules, players: players,
		rng:  rand.New(rand.NewPCG(seed, uint64(players))),
		env:  game.Env{Dict: SmallDictionary(tb), Now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)},
		name: fmt.Sprintf("random duplicate (seed %d, %d players, %s)", seed, players, rules.Challenge),
	}
	for w := range g.env.Dict.(Dictionary) {
		g.words = append(g.words, w)
	}
	slices.Sort(g.words)
	for i := range g.env.Secret {
		g.env.Secret[i] = byte(g.rng.Uint32())
	}
	people := make([]game.Person, players)
	for i := range people {
		people[i] = game.Person{ID: game.PlayerID(fmt.Sprintf("p%d", i)), Name: fmt.Sprintf("Player %d", i+1)}
	}
	g.do(people[0], game.Open{Rules: rules, Equipment: Equipment(tb), Lexicon: Lexicon, Seats: rules.MaxPlayers})
	early := 1 + g.rng.IntN(players)
	for _, p := range people[1:early] {
		g.do(p, game.Join{})
	}
	g.do(people[0], game.Start{})
	for turn := 0; g.s.Phase == game.Playing; turn++ {
		if turn > 300 {
			tb.Fatalf("%s does not end", g.name)
		}
		for early < players && g.chance(50) {
			g.do(people[early], game.Join{})
			early++
		}
		g.playDuplicateTurn()
	}
	return g.events
}

func (g *random) playDuplicateTurn() {
	moves := g.moves(8)
	lazy := g.chance(10) // no one submits
	for range 2 {
		for i, seat := range g.s.Seats {
			if seat.Out || g.s.HaveAllSubmitted() || lazy || g.chance(40) {
				continue
			}
			var m game.Move
			switch {
			case g.chance(10):
				m = game.Move{Kind: game.PassTurn}
			case len(moves) > 0 && !g.chance(20):
				m = moves[g.rng.IntN(len(moves))]
			case g.rules.Challenge.Void:
				continue
			default:
				var ok bool
				if m, ok = g.guess(g.s.Common); !ok {
					continue
				}
			}
			g.do(g.s.Seats[i].Person, game.Submit{Move: m})
		}
	}
	if active := g.s.Active(); g.rng.IntN(1000) < 5 {
		g.do(g.s.Seats[active[g.rng.IntN(len(active))]].Person, game.Resign{})
	}
	if g.s.Phase != game.Playing {
		return
	}
	if !g.s.HaveAllSubmitted() {
		g.env.Now = g.s.Until
	}
	end := game.EndTurn{}
	if len(moves) > 0 {
		end.Top = moves[0]
	}
	g.do(game.Person{ID: "the host"}, end)
}

// moves returns up to n plays from the common rack.
func (g *random) moves(n int) []game.Move {
	var found []game.Move
	has := g.letters(g.s.Common)
	for _, i := range g.rng.Perm(len(g.words)) {
		if !has.possible(g.words[i]) {
			continue
		}
		sp := make(game.Spelling, len(g.words[i]))
		for j := range sp {
			sp[j].Letter = lexicon.Letter(g.words[i][j])
		}
		for _, spot := range g.rules.Spots(g.s.Equipment, &g.s.Board, g.s.Common, sp, g.env.Dict) {
			if found = append(found, spot.Move); len(found) == n {
				return found
			}
		}
	}
	return found
}
