package main

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/engine"
	"github.com/rackmate/rackmate/game/record"
	"github.com/rackmate/rackmate/game/robot"
)

// runMatch lets robots and other engines play each other, and says how often
// each won.
func runMatch(ctx context.Context, std stdio, args []string) error {
	flags := newFlags("match")
	games := flags.Int("games", 0, "")
	sure := flags.Float64("error", 0, "")
	seed := flags.Uint64("seed", 1, "")
	list := flags.String("lexicon", defaultLexicon, "")
	rules := flags.String("rules", game.Classic().Name, "")
	variant := flags.String("variant", "", "")
	limit := flags.Duration("time", 0, "")
	positions := flags.Int("positions", 0, "")
	from := flags.String("from", "", "")
	out := flags.String("out", "", "")
	var engines []string
	flags.Func("engine", "", func(command string) error {
		engines = append(engines, command)
		return nil
	})
	names, err := parse(flags, args)
	if err != nil {
		return err
	}
	switch {
	case *games < 0:
		return usageError("play one game at the least")
	case *sure < 0 || *sure > 0 && *sure < 0.1:
		return usageError("--error is a percentage, 0.1 or more")
	case *games == 0 && *sure > 0:
		*games = mostGames
	case *games == 0:
		*games = 100
	}
	m := match{seed: *seed, limit: *limit, positions: *positions}
	if m.rules, err = rulesNamed(*rules); err != nil {
		return err
	}
	if n := len(names) + len(engines); n < 2 || n < m.rules.MinPlayers || n > m.rules.MaxPlayers {
		return usageError(fmt.Sprintf("name 2 to %d robots", m.rules.MaxPlayers))
	}
	for _, name := range names {
		l, err := anyRobot(name)
		if err != nil {
			return err
		}
		m.players = append(m.players, &contestant{name: l.Name, choose: m.robot(l), clock: processTime})
	}
	if m.mind, m.eq, err = playing(*list); err != nil {
		return err
	}
	v, known := game.FindVariant(*variant)
	if !known || !v.Robots {
		return usageError(fmt.Sprintf("robots play no variant %q", *variant))
	}
	boards, err := layouts()
	if err != nil {
		return err
	}
	if m.rules, m.eq, err = v.Vary(m.rules, m.eq, boards); err != nil {
		return err
	}
	if *from != "" {
		if m.starts, err = readPositions(m.eq, *from, len(names)+len(engines)); err != nil {
			return err
		}
	}
	for i, command := range engines {
		e, err := engine.Start(ctx, command, std.err)
		if err != nil {
			return err
		}
		defer e.Close()
		name := "engine"
		if i > 0 {
			name = fmt.Sprintf("engine%d", i+1)
		}
		m.players = append(m.players, &contestant{name: name, choose: m.engine(e), clock: sinceStart()})
	}
	if m.keep, err = keepGames(*out, m.starts != nil); err != nil {
		return err
	}
	told := newProgress(std.err, "playing", *games)
	defer told.done()
	played := 0
	for ; played < *games && !m.sureEnough(played, *sure); played++ {
		err := m.play(ctx, played)
		if err != nil && ctx.Err() != nil && played > 0 { // stopped by hand: what was played counts
			break
		}
		if err != nil {
			return errors.Join(err, m.keep.close())
		}
		told.step.Add(1)
		told.note(m.players[0].rate(played + 1))
	}
	told.done()
	if err := m.keep.close(); err != nil {
		return err
	}
	for _, p := range m.players {
		fmt.Fprintln(std.out, p.line(played))
	}
	return nil
}

// rulesNamed finds a rule set.
func rulesNamed(name string) (game.Rules, error) {
	sets := game.RuleSets()
	i := slices.IndexFunc(sets, func(r game.Rules) bool { return r.Name == name })
	if i < 0 {
		return game.Rules{}, usageError(fmt.Sprintf("there is no rule set %q", name))
	}
	return sets[i], nil
}

// A match that goes on until it is sure enough has no more than the first number of
// games, and at least the second for each player to sit first.
const (
	mostGames  = 100_000
	leastGames = 20
)

// sureEnough reports whether the rates are known to within a percentage.
func (m *match) sureEnough(games int, percent float64) bool {
	if percent == 0 || games%len(m.players) != 0 || games < leastGames*len(m.players) {
		return false
	}
	return !slices.ContainsFunc(m.players, func(p *contestant) bool {
		_, half := p.interval(games)
		return half > percent
	})
}

// readPositions reads positions that games begin at, a CGP a line.
func readPositions(eq game.Equipment, file string, players int) ([]record.Position, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read positions: %w", err)
	}
	var all []record.Position
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		p, err := record.ParseCGP(eq, line)
		if err == nil && len(p.Racks) != players {
			err = fmt.Errorf("it has %d racks, and %d play", len(p.Racks), players)
		}
		if err == nil {
			if _, whole := eq.Tiles.All().Minus(shown(p)); !whole {
				err = errors.New("it has more tiles of a sort than the set")
			}
		}
		if err != nil {
			return nil, usageError(fmt.Sprintf("%s:%d: %v", file, n, err))
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		return nil, usageError(file + " has no positions")
	}
	return all, nil
}

// shown are the tiles that a position shows.
func shown(p record.Position) game.Tiles {
	all := p.Board.Tiles().Faces()
	for _, rack := range p.Racks {
		all += rack
	}
	return all
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
	limit     time.Duration     // for a move; 0 is none
	positions int               // looked at for a move; 0 is the robots' own number
	starts    []record.Position // where games begin; nil: at an empty board
	players   []*contestant
	keep      keeper
}

// A contestant is a robot in a match, or another engine, and how it did. Of a robot's
// thoughts the time of the processors is counted, of an engine's that of the clock.
type contestant struct {
	name        string
	choose      func(ctx context.Context, v robot.View, seed uint64) (game.Action, error)
	wins, draws int
	points      int
	turns       int
	thought     time.Duration // see clock
	most        time.Duration // of thought in one turn
	clock       func() time.Duration
}

// robot chooses as the robot of a level does.
func (m *match) robot(l robot.Level) func(context.Context, robot.View, uint64) (game.Action, error) {
	return func(ctx context.Context, v robot.View, seed uint64) (game.Action, error) {
		return m.mind.Choose(ctx, l, v, m.positions, seed)
	}
}

// engine chooses as another engine does, which challenges nothing.
func (m *match) engine(e *engine.Engine) func(context.Context, robot.View, uint64) (game.Action, error) {
	return func(ctx context.Context, v robot.View, _ uint64) (game.Action, error) {
		if v.Phase == game.Closing {
			return game.Pass{}, nil
		}
		ops := []string{"lex " + m.mind.Words().Name(), "rules " + m.rules.Name}
		if m.limit > 0 {
			ops = append(ops, fmt.Sprintf("ms %d", m.limit.Milliseconds()))
		}
		move, err := e.Choose(v, ops...)
		switch {
		case err != nil:
			return nil, err
		case move.Kind == game.PlayTiles:
			return game.Play{Move: move}, nil
		case move.Kind == game.ExchangeTiles:
			return game.Exchange{Tiles: move.Tiles}, nil
		}
		return game.Pass{}, nil
	}
}

// play plays the match's n-th game, through the rules and from the players'
// views of it. The same seed and number give the same tiles.
func (m *match) play(ctx context.Context, n int) error {
	env := game.Env{Now: time.Unix(0, 0)}
	binary.BigEndian.PutUint64(env.Secret[:], m.seed)
	binary.BigEndian.PutUint64(env.Secret[8:], uint64(n))
	env.Dict = m.mind.Words()

	var s game.State
	var log []game.Event
	do := func(p game.Person, a game.Action) error {
		env.Cause = fmt.Sprintf("%d", s.Number)
		events, err := game.Decide(s, p, a, env)
		for _, e := range events {
			s = s.Apply(e)
		}
		log = append(log, events...)
		return err
	}
	first := n % len(m.players)
	joined := slices.Concat(m.players[first:], m.players[:first])
	var people []game.Person
	for i, p := range joined {
		people = append(people, game.Person{ID: game.PlayerID(fmt.Sprintf("robot:%s:%d", p.name, i+1)), Name: p.name})
	}
	if m.starts != nil {
		s = m.beginAt(m.starts[n/len(m.players)%len(m.starts)], people, env.Secret)
	} else {
		lex := m.mind.Words()
		open := game.Open{Rules: m.rules, Equipment: m.eq, Seats: len(people), Lexicon: game.LexiconID{Name: lex.Name(), Hash: lex.Hash()}}
		if err := do(people[0], open); err != nil {
			return err
		}
		for _, p := range people[1:] {
			if err := do(p, game.Join{}); err != nil {
				return err
			}
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
			return fmt.Errorf("game %d, event %d, %s: %w", n, s.Number, seated[seat].name, err)
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
	return m.keep.keep(n, s, log)
}

// beginAt makes a game that begins at a position. Racks that it doesn't tell are drawn
// from the tiles that it doesn't show.
func (m *match) beginAt(p record.Position, people []game.Person, secret game.Secret) game.State {
	s := game.State{
		Phase: game.Playing, Rules: m.rules, Equipment: m.eq, SeatCount: len(people), Secret: secret,
		Board: p.Board, Scoreless: p.Scoreless,
	}
	bag, _ := m.eq.Tiles.All().Minus(shown(p))
	unseen := []byte(bag)
	rng := rand.New(rand.NewChaCha8(secret))
	rng.Shuffle(len(unseen), func(i, k int) { unseen[i], unseen[k] = unseen[k], unseen[i] })
	for i, person := range people {
		rack := p.Racks[i]
		if rack == "" {
			n := min(m.rules.RackSize, len(unseen))
			rack, unseen = game.Tiles(unseen[:n]), unseen[n:]
		}
		s.Seats = append(s.Seats, game.Seat{Person: person, Rack: rack, Score: p.Scores[i]})
	}
	s.Bag = game.Tiles(unseen).Sorted()
	return s
}

// think is what a contestant does.
func (m *match) think(ctx context.Context, p *contestant, v robot.View, seed uint64) (game.Action, error) {
	start := p.clock()
	moment, stop := ctx, context.CancelFunc(func() {})
	if m.limit > 0 {
		moment, stop = context.WithTimeout(ctx, m.limit)
	}
	a, err := p.choose(moment, v, seed)
	stop()
	took := p.clock() - start
	p.turns++
	p.thought += took
	p.most = max(p.most, took)
	return a, cmp.Or(err, ctx.Err())
}

// sinceStart is a clock: of another process it isn't known what it computes.
func sinceStart() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}

// interval is the rate of wins in percent, a draw counted as half a win, and the
// half of its 95% interval.
func (p *contestant) interval(games int) (rate, half float64) {
	n := float64(games)
	r := (float64(p.wins) + float64(p.draws)/2) / n
	return 100 * r, 196 * math.Sqrt(r*(1-r)/n)
}

// rate says how a contestant does.
func (p *contestant) rate(games int) string {
	rate, half := p.interval(games)
	return fmt.Sprintf("%s %.1f%%+-%.1f", p.name, rate, half)
}

// line says how a contestant did, and how many milliseconds it took for a turn: on
// average, and at most.
func (p *contestant) line(games int) string {
	rate, half := p.interval(games)
	return fmt.Sprintf("%s wins=%d draws=%d games=%d rate=%.1f%%+-%.1f points=%.1f ms=%.2f most=%.0f",
		p.name, p.wins, p.draws, games, rate, half, float64(p.points)/float64(games),
		float64(p.thought.Microseconds())/1000/float64(max(p.turns, 1)), float64(p.most.Microseconds())/1000)
}
