package main

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/robot"
)

// runMatch lets robots play each other, and says how often each won.
func runMatch(ctx context.Context, std stdio, args []string) error {
	flags := newFlags("match")
	games := flags.Int("games", 100, "")
	seed := flags.Uint64("seed", 1, "")
	list := flags.String("lexicon", defaultLexicon, "")
	rules := flags.String("rules", game.Classic().Name, "")
	limit := flags.Duration("time", 0, "")
	positions := flags.Int("positions", 0, "")
	names, err := parse(flags, args)
	if err != nil {
		return err
	}
	if *games < 1 {
		return usageError("play one game at the least")
	}
	m := match{seed: *seed, limit: *limit, positions: *positions}
	for _, name := range names {
		l, err := anyRobot(name)
		if err != nil {
			return err
		}
		m.players = append(m.players, &contestant{Level: l})
	}
	i := slices.IndexFunc(game.RuleSets(), func(r game.Rules) bool { return r.Name == *rules })
	if i < 0 {
		return usageError(fmt.Sprintf("there is no rule set %q", *rules))
	}
	m.rules = game.RuleSets()[i]
	if n := len(names); n < 2 || n < m.rules.MinPlayers || n > m.rules.MaxPlayers {
		return usageError(fmt.Sprintf("name 2 to %d robots", m.rules.MaxPlayers))
	}
	if m.eq, err = standard(); err != nil {
		return err
	}
	if m.mind, err = newMind(*list, m.eq); err != nil {
		return err
	}
	told := newProgress(std.err, "playing", *games)
	defer told.done()
	for n := range *games {
		if err := m.play(ctx, n); err != nil {
			return err
		}
		told.step.Add(1)
	}
	told.done()
	for _, p := range m.players {
		fmt.Fprintln(std.out, p.line(*games))
	}
	return nil
}

// anyRobot finds a level, or one of the players that levels are measured by.
func anyRobot(name string) (robot.Level, error) {
	all := slices.Concat(robot.Yardsticks(), robot.Levels())
	var names []string
	for _, l := range all {
		if l.Name == name {
			return l, nil
		}
		names = append(names, l.Name)
	}
	return robot.Level{}, usageError(fmt.Sprintf("there is no robot %q: name one of %s", name, strings.Join(names, ", ")))
}

// A match is games between the same robots. Each sits first equally often.
type match struct {
	mind      *robot.Mind
	eq        game.Equipment
	rules     game.Rules
	seed      uint64
	limit     time.Duration // for a move; 0 is none
	positions int           // looked at for a move; 0 is the robots' own number
	players   []*contestant
}

// A contestant is a robot in a match, and how it did.
type contestant struct {
	robot.Level
	wins, draws int
	points      int
	turns       int
	thought     time.Duration
}

// play plays the match's n-th game, through the rules and from the players'
// views of it. The same seed and number give the same tiles.
func (m *match) play(ctx context.Context, n int) error {
	env := game.Env{Now: time.Unix(0, 0)}
	binary.BigEndian.PutUint64(env.Secret[:], m.seed)
	binary.BigEndian.PutUint64(env.Secret[8:], uint64(n))
	env.Dict = m.mind.Words()

	var s game.State
	do := func(p game.Person, a game.Action) error {
		env.Cause = fmt.Sprintf("%d", s.Number)
		events, err := game.Decide(s, p, a, env)
		for _, e := range events {
			s = s.Apply(e)
		}
		return err
	}
	first := n % len(m.players)
	joined := slices.Concat(m.players[first:], m.players[:first])
	var people []game.Person
	for i, p := range joined {
		people = append(people, game.Person{ID: game.PlayerID(fmt.Sprintf("robot:%s:%d", p.Name, i+1)), Name: p.Name})
	}
	if err := do(people[0], game.Open{Rules: m.rules, Equipment: m.eq, Seats: len(people)}); err != nil {
		return err
	}
	for _, p := range people[1:] {
		if err := do(p, game.Join{}); err != nil {
			return err
		}
	}
	// The rules may have drawn another order.
	seated := make([]*contestant, len(people))
	for seat := range s.Seats {
		seated[seat] = joined[slices.Index(people, s.Seats[seat].Person)]
	}
	for s.Phase != game.Over {
		seat := s.Turn
		if s.Phase == game.Closing {
			i := slices.IndexFunc(s.Active(), func(i int) bool { return i != s.Latest.Seat && !s.Seats[i].Accepted })
			seat = s.Active()[i]
		}
		a, err := m.think(ctx, seated[seat], robot.See(s, seat), m.seed+uint64(n))
		if err == nil {
			err = do(s.Seats[seat].Person, a)
		}
		if err != nil {
			return fmt.Errorf("game %d, event %d, %s: %w", n, s.Number, seated[seat].Name, err)
		}
	}
	for seat, p := range seated {
		p.points += s.Seats[seat].Score
		if slices.Contains(s.End.Winners, seat) {
			if len(s.End.Winners) == 1 {
				p.wins++
			} else {
				p.draws++
			}
		}
	}
	return nil
}

// think is what a contestant does.
func (m *match) think(ctx context.Context, p *contestant, v robot.View, seed uint64) (game.Action, error) {
	start := time.Now()
	moment, stop := ctx, context.CancelFunc(func() {})
	if m.limit > 0 {
		moment, stop = context.WithTimeout(ctx, m.limit)
	}
	a, err := m.mind.Choose(moment, p.Level, v, m.positions, seed)
	stop()
	p.turns++
	p.thought += time.Since(start)
	return a, cmp.Or(err, ctx.Err())
}

// line says how a contestant did. The rate counts a draw as half a game; what
// follows it is the half of a 95% interval.
func (p *contestant) line(games int) string {
	n := float64(games)
	rate := (float64(p.wins) + float64(p.draws)/2) / n
	return fmt.Sprintf("%s wins=%d draws=%d games=%d rate=%.1f%%+-%.1f points=%.1f ms=%.2f",
		p.Name, p.wins, p.draws, games, 100*rate, 196*math.Sqrt(rate*(1-rate)/n), float64(p.points)/n,
		float64(p.thought.Microseconds())/1000/float64(max(p.turns, 1)))
}
