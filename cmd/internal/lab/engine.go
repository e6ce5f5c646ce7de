package lab

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/engine"
	"github.com/rackmate/rackmate/game/record"
)

// engineOptions holds the options of the engine command.
type engineOptions struct {
	level, list, rules string
	seed               uint64
	limit              time.Duration
	positions          int
}

// engineCommand returns the command that chooses moves for other programs.
func engineCommand() *cobra.Command {
	var o engineOptions
	c := &cobra.Command{
		Use: "engine [FLAG]...", Short: "chooses moves for other programs, a line for a line",
		Long:    "reads a position (CGP) a line and answers with a move a line (go doc ./game/engine).",
		Example: "echo '15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0' | rackmate engine\nrackmate match --engine 'rackmate engine --level expert' advanced",
		Args:    cli.Args(0, 0, "the positions are read, not named"), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error { return o.run(c.Context(), cli.StdOf(c)) },
	}
	c.Flags().StringVar(&o.level, "level", "expert", "the `ROBOT` that chooses: "+strings.Join(robotNames(), ", "))
	cli.Choices(c, "level", robotNames()...)
	cli.LexiconFlag(c, &o.list, cli.DefaultLexicon)
	rulesFlag(c, &o.rules)
	c.Flags().Uint64Var(&o.seed, "seed", 1, "a `NUMBER` that chance begins with")
	c.Flags().DurationVar(&o.limit, "time", 0, "the processor `TIME` for a move, such as 500ms, whatever a position allows; without it as long as the level takes")
	c.Flags().IntVar(&o.positions, "positions", 0, "how many `POSITIONS` are searched for a move, also within --time; 0 is the level's own number, and the same number gives the same moves anywhere")
	return c
}

// run chooses moves with the protocol of package game/engine.
func (o engineOptions) run(ctx context.Context, std cli.Std) error {
	level, err := anyRobot(o.level)
	if err != nil {
		return err
	}
	rules, mind, eq, err := openPlay(o.rules, o.list)
	if err != nil {
		return err
	}
	runtime.LockOSThread() // its time is measured
	defer runtime.UnlockOSThread()
	return engine.Serve(ctx, std.In, std.Out, eq, func(ctx context.Context, p record.Position) (game.Move, error) {
		rules, limit := rules, o.limit
		for _, op := range p.Ops {
			what, value, _ := strings.Cut(op, " ")
			switch what {
			case "rules":
				if rules, err = rulesNamed(value); err != nil {
					return game.Move{}, err
				}
			case "ms":
				if ms, err := strconv.Atoi(value); err == nil && ms > 0 {
					limit = cmp.Or(limit, time.Duration(ms)*time.Millisecond)
				}
			}
		}
		if limit > 0 {
			ctx = cli.WithProcessorTime(ctx, limit)
		}
		// Seed by the position, so that it always gives the same move.
		sum := fnv.New64a()
		fmt.Fprint(sum, o.seed, p.CGP(eq))
		a, err := mind.Choose(ctx, level, engine.PositionView(rules, eq, p), o.positions, sum.Sum64())
		if err != nil {
			return game.Move{}, err
		}
		switch a := a.(type) {
		case game.Play:
			return a.Move, nil
		case game.Exchange:
			return game.Move{Kind: game.ExchangeTiles, Tiles: a.Tiles}, nil
		}
		return game.Move{Kind: game.PassTurn}, nil
	})
}
