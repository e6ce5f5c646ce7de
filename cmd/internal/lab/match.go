package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/engine"
	"github.com/rackmate/rackmate/game/record"
	"github.com/rackmate/rackmate/game/robot"
)

// matchCommand returns the command that plays robots and other engines against each other and
// counts the wins.
func matchCommand() *cobra.Command {
	var o matchOptions
	c := &cobra.Command{
		Use: "match [FLAG]... ROBOT...", Short: "plays robots and other engines against each other, and counts the wins",
		Long:      "plays robots and other engines against each other and counts the wins. In each round everybody sits first once, with the same tiles. The robots are " + strings.Join(robotNames(), ", ") + ".",
		Example:   "rackmate match --games 200 expert advanced\nrackmate match --parallel 8 --sprt 0,10 --engine './mine' --time 1s expert",
		ValidArgs: robotNames(), Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			o.robots = args
			return o.run(c.Context(), cli.StdOf(c))
		},
	}
	flags := c.Flags()
	flags.IntVar(&o.games, "games", 0, "how many `GAMES` are played; without it 100, or with --error or --sprt as many as it takes")
	flags.Float64Var(&o.sure, "error", 0, "stop once the rates are certain to so many `PERCENT`")
	flags.StringVar(&o.between, "sprt", "", "stop once it's clear by which of two differences of Elo ratings the first is stronger: `LOW,HIGH`")
	flags.IntVar(&o.parallel, "parallel", 1, "how many `ROUNDS` are played at the same time, one on each processor; the games are the same")
	flags.Uint64Var(&o.seed, "seed", 1, "a `NUMBER` that chance begins with")
	cli.LexiconFlag(c, &o.list, cli.DefaultLexicon)
	rulesFlag(c, &o.rules)
	flags.StringVar(&o.variant, "variant", "", "the `VARIANT` that is played: "+strings.Join(robotVariants(), ", "))
	cli.Choices(c, "variant", robotVariants()...)
	flags.DurationVar(&o.limit, "time", 0, "the processor `TIME` for a move, such as 1s; time that is saved is there for later moves")
	flags.IntVar(&o.positions, "positions", 0, "how many `POSITIONS` robots search for a move, also within --time; 0 is a level's own number, and the same number gives the same games anywhere")
	flags.StringVar(&o.from, "from", "", "a `FILE` of positions that the games start at, a CGP a line")
	flags.StringVar(&o.out, "out", "", "keep the results in a `FILE.csv`, or the games (GCG) in a folder")
	flags.BoolVar(&o.resume, "resume", false, "go on with the results that --out FILE.csv has")
	flags.StringArrayVar(&o.engines, "engine", nil, "the `COMMAND` of another engine that plays (go doc ./game/engine); may be given again")
	return c
}

// robotVariants returns the names of the variants that robots play.
func robotVariants() (names []string) {
	for _, v := range game.Variants() {
		if v.Robots && v.Name != "" {
			names = append(names, v.Name)
		}
	}
	return names
}

// run plays the match and prints the results.
func (o matchOptions) run(ctx context.Context, std cli.Std) error {
	defer cli.CollectLess()()
	if err := o.complete(); err != nil {
		return err
	}
	m, err := o.match(std.Err)
	if err != nil {
		return err
	}
	keep, kept, err := m.keepGames(o.out, o.resume)
	if err != nil {
		return err
	}
	t := newTally(m.contestants)
	for _, p := range kept {
		t.add(p)
	}
	progress := cli.NewProgress(std.Err, "playing", o.games)
	defer progress.Done()
	progress.Step.Add(int64(len(kept)))
	err = m.run(ctx, o.parallel, len(kept), o.games, func(p playedGame) (more bool, err error) {
		t.add(p)
		progress.Step.Add(1)
		progress.Note(t.rate(0))
		return !t.sureEnough(o.sure) && !o.test.isDecided(t), keep.keep(p)
	})
	if err != nil && (ctx.Err() == nil || t.games == 0) { // if stopped by hand, the games played count
		return errors.Join(err, keep.close())
	}
	progress.Done()
	if err := keep.close(); err != nil {
		return err
	}
	t.print(std.Out)
	o.test.print(std.Out, t)
	return nil
}

// matchOptions holds the options of a match.
type matchOptions struct {
	robots  []string // names of robots
	engines []string // commands of engines

	games    int
	between  string  // Elo differences for test, as typed
	sure     float64 // stop when the error is at most this many percent; 0 plays all games
	test     *sprt   // stop when the test is decided; nil for none
	parallel int

	list, rules, variant string
	seed                 uint64
	limit                time.Duration
	positions            int

	from   string // file of starting positions
	out    string // where games are saved
	resume bool
}

// complete checks the options and fills in defaults.
func (o *matchOptions) complete() (err error) {
	o.test, err = parseSPRT(o.between)
	switch {
	case err != nil:
		return err
	case o.games < 0:
		return cli.UsageError("--games can't be negative")
	case o.sure < 0 || o.sure > 0 && o.sure < 0.1:
		return cli.UsageError("--error is a percentage from 0.1")
	case o.parallel < 1 || o.parallel > mostParallel:
		return cli.UsageError(fmt.Sprintf("--parallel is 1 to %d", mostParallel))
	case o.games == 0 && (o.sure > 0 || o.test != nil):
		o.games = mostGames
	case o.games == 0:
		o.games = 100
	}
	return nil
}

// match returns the match described by the options. Engines' standard error goes to complaints.
func (o matchOptions) match(complaints io.Writer) (*match, error) {
	m := &match{seed: o.seed, limit: o.limit, positions: o.positions}
	var err error
	if m.rules, err = rulesNamed(o.rules); err != nil {
		return nil, err
	}
	n := len(o.robots) + len(o.engines)
	if n < 2 || n < m.rules.MinPlayers || n > m.rules.MaxPlayers {
		return nil, cli.UsageError(fmt.Sprintf("name 2 to %d robots", m.rules.MaxPlayers))
	}
	if o.test != nil && n != 2 {
		return nil, cli.UsageError("--sprt needs exactly 2 robots")
	}
	for _, name := range o.robots {
		l, err := anyRobot(name)
		if err != nil {
			return nil, err
		}
		m.contestants = append(m.contestants, contestant{l.Name, m.robot(l)})
	}
	for i, command := range o.engines {
		name := "engine"
		if i > 0 {
			name = fmt.Sprintf("engine%d", i+1)
		}
		m.contestants = append(m.contestants, contestant{name, m.engine(command, complaints)})
	}
	if m.mind, m.eq, err = cli.OpenMind(o.list); err != nil {
		return nil, err
	}
	v, known := game.FindVariant(o.variant)
	if !known || !v.Robots {
		return nil, cli.UsageError(fmt.Sprintf("robots don't play the variant %q", o.variant))
	}
	boards, err := cli.OpenLayouts()
	if err != nil {
		return nil, err
	}
	if m.rules, m.eq, err = v.Vary(m.rules, m.eq, boards); err != nil {
		return nil, err
	}
	if o.from != "" {
		m.starts, err = readPositions(m.eq, o.from, n)
	}
	return m, err
}

// openPlay opens what a robot needs to play by a rule set with a word list.
func openPlay(rules, list string) (set game.Rules, mind *robot.Mind, eq game.Equipment, err error) {
	if set, err = rulesNamed(rules); err == nil {
		mind, eq, err = cli.OpenMind(list)
	}
	return set, mind, eq, err
}

// rulesNamed returns the rule set with a name.
func rulesNamed(name string) (game.Rules, error) {
	sets := game.RuleSets()
	i := slices.IndexFunc(sets, func(r game.Rules) bool { return r.Name == name })
	if i < 0 {
		return game.Rules{}, cli.UsageError(fmt.Sprintf("unknown rule set %q", name))
	}
	return sets[i], nil
}

// A match that runs until it is sure enough has at most mostGames games.
const (
	mostGames    = 100_000
	mostParallel = 256
)

// readPositions returns the starting positions in a file, one CGP a line.
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
			err = fmt.Errorf("it has %d racks for %d players", len(p.Racks), players)
		}
		if err == nil {
			if _, whole := eq.Tiles.All().Minus(visibleTiles(p)); !whole {
				err = errors.New("it has more tiles of one letter than the set")
			}
		}
		if err != nil {
			return nil, cli.UsageError(fmt.Sprintf("%s:%d: %v", file, n, err))
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		return nil, cli.UsageError(file + " has no positions")
	}
	return all, nil
}

// visibleTiles returns the tiles visible in a position.
func visibleTiles(p record.Position) game.Tiles {
	all := p.Board.Tiles().Faces()
	for _, rack := range p.Racks {
		all += rack
	}
	return all
}

// anyRobot returns the level or yardstick with a name.
func anyRobot(name string) (robot.Level, error) {
	for _, l := range robots() {
		if l.Name == name {
			return l, nil
		}
	}
	return robot.Level{}, cli.UsageError(fmt.Sprintf("unknown robot %q: name one of %s", name, strings.Join(robotNames(), ", ")))
}

// A match plays games between the same contestants. A round has as many games as contestants; each
// sits first once, with the same racks. With two contestants, each seat also draws the same tiles
// in both games of a round, as long as both last.
type match struct {
	mind        *robot.Mind
	eq          game.Equipment
	rules       game.Rules
	seed        uint64
	limit       time.Duration     // processor time for a move; 0 is no limit
	positions   int               // positions searched for a move; 0 is the robots' default
	starts      []record.Position // starting positions; nil for an empty board
	contestants []contestant
}

// A contestant is a robot or another engine in a match. Each game played in parallel has its own
// player for it.
type contestant struct {
	name string
	sit  func(context.Context) (player, error)
}

// A player chooses moves for a contestant.
type player interface {
	// ready makes the player load what it needs, by choosing a move that doesn't count, off its
	// clock.
	ready(context.Context, robot.View) error
	// choose chooses an action in about the time limit; 0 is no limit.
	choose(ctx context.Context, v robot.View, limit time.Duration, seed uint64) (game.Action, error)
	// clock returns the processor time used so far.
	clock() time.Duration
	close() error
}

// A robotPlayer is a robot of a level, timed by its thread's processor time.
type robotPlayer struct {
	*match
	robot.Level
}

// robot returns a function that seats a robot of a level.
func (m *match) robot(l robot.Level) func(context.Context) (player, error) {
	return func(context.Context) (player, error) { return robotPlayer{m, l}, nil }
}

func (p robotPlayer) choose(ctx context.Context, v robot.View, limit time.Duration, seed uint64) (game.Action, error) {
	if limit > 0 {
		ctx = cli.WithProcessorTime(ctx, limit)
	}
	return p.mind.Choose(ctx, p.Level, v, p.positions, seed)
}

func (p robotPlayer) ready(ctx context.Context, v robot.View) error {
	_, err := p.mind.Choose(ctx, p.Level, v, 1, p.seed)
	return err
}

func (robotPlayer) clock() time.Duration { return cli.ThreadTime() }
func (robotPlayer) close() error         { return nil }

// An enginePlayer is an external engine, which never challenges. It is timed by its
// process's processor time, without child processes.
type enginePlayer struct {
	*match
	*engine.Engine
	command string
}

// engine returns a function that seats an engine: one process for each player.
func (m *match) engine(command string, errors io.Writer) func(context.Context) (player, error) {
	return func(ctx context.Context) (player, error) {
		e, err := engine.Start(ctx, command, errors)
		return enginePlayer{m, e, command}, err
	}
}

func (p enginePlayer) choose(_ context.Context, v robot.View, limit time.Duration, _ uint64) (game.Action, error) {
	if v.Phase == game.Closing {
		return game.Pass{}, nil
	}
	ops := []string{"lex " + p.mind.Words().Name(), "rules " + p.rules.Name}
	if limit > 0 {
		ops = append(ops, fmt.Sprintf("ms %d", max(1, limit.Milliseconds())))
	}
	move, err := p.Choose(v, ops...)
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

func (p enginePlayer) ready(ctx context.Context, v robot.View) error {
	if _, err := p.choose(ctx, v, time.Millisecond, 0); err != nil {
		return fmt.Errorf("--engine %q: %w", p.command, err)
	}
	return nil
}

func (p enginePlayer) clock() time.Duration { return cli.ProcessTime(p.PID()) }
func (p enginePlayer) close() error         { return p.Close() }

// A round holds its games, or the first of them and the error that stopped the others.
type round struct {
	number int
	games  []playedGame
	err    error
}

// run plays the games with numbers in [from, to), several in parallel, and passes them to done in
// order until done returns false. from must be the first game of a round.
func (m *match) run(ctx context.Context, parallel, from, to int, done func(playedGame) (more bool, err error)) error {
	size := len(m.contestants)
	var next atomic.Int64
	next.Store(int64(from / size))
	var stop atomic.Bool
	ctx = stoppable{ctx, &stop}
	rounds := make(chan round)
	var workers sync.WaitGroup
	for range parallel {
		workers.Go(func() {
			runtime.LockOSThread() // its processor time is the robots'
			defer runtime.UnlockOSThread()
			players, err := m.sit(ctx)
			for k := int(next.Add(1) - 1); k*size < to; k = int(next.Add(1) - 1) {
				r := round{number: k, err: err}
				if err == nil {
					r = m.round(ctx, players, k, to)
				}
				if rounds <- r; r.err != nil {
					break
				}
			}
			for _, p := range players {
				p.close()
			}
		})
	}
	go func() {
		workers.Wait()
		close(rounds)
	}()
	var err error
	early := map[int]round{}
	k := from / size
	for r := range rounds {
		early[r.number] = r
		for r, ok := early[k]; ok && !stop.Load(); r, ok = early[k] {
			delete(early, k)
			k++
			more := true
			for i := 0; i < len(r.games) && more && err == nil; i++ {
				more, err = done(r.games[i])
			}
			if err == nil && more {
				err = r.err
			}
			stop.Store(!more || err != nil)
		}
	}
	return err
}

// round plays the games of round k that are numbered below to.
func (m *match) round(ctx context.Context, players []player, k, to int) round {
	r := round{number: k}
	size := len(m.contestants)
	for n := k * size; n < min((k+1)*size, to) && r.err == nil; n++ {
		var p playedGame
		if p, r.err = m.play(ctx, players, n); r.err == nil {
			r.games = append(r.games, p)
		}
	}
	return r
}

// sit seats the contestants and waits until each is ready.
func (m *match) sit(ctx context.Context) (all []player, err error) {
	for _, c := range m.contestants {
		p, err := c.sit(ctx)
		if err != nil {
			return all, err
		}
		all = append(all, p)
		if err := p.ready(ctx, m.trial()); err != nil {
			return all, err
		}
	}
	return all, nil
}

// trial returns a first turn that isn't played, for players to get ready with.
func (m *match) trial() robot.View {
	n := len(m.contestants)
	p := record.Position{Racks: make([]game.Tiles, n), Scores: make([]int, n)}
	set := m.eq.Tiles.All()
	for i := range m.rules.RackSize { // spread over the set
		at := i * len(set) / m.rules.RackSize
		p.Racks[0] += set[at : at+1]
	}
	return engine.PositionView(m.rules, m.eq, p)
}

// A stoppable context can also be cancelled by a call.
type stoppable struct {
	context.Context
	stop *atomic.Bool
}

func (s stoppable) Err() error {
	if s.stop.Load() {
		return context.Canceled
	}
	return s.Context.Err()
}
