package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/engine"
	"github.com/rackmate/rackmate/game/record"
	"github.com/rackmate/rackmate/game/robot"
)

// solvePositions is the default number of positions to search: enough to prove nearly all endings
// of ordinary games.
const solvePositions = 2_000_000

// forecastTime is the default time to search a position with tiles in the bag: its best moves stand
// out by then.
const forecastTime = 5 * time.Second

// solveOptions holds the options of the solve command.
type solveOptions struct {
	list, rules string
	positions   int
	limit       time.Duration
	bounded     bool // --positions or --time was given
}

// solveCommand returns the command that solves endings.
func solveCommand() *cobra.Command {
	var o solveOptions
	c := &cobra.Command{
		Use: "solve [FLAG]... 'CGP'", Short: "finds the best play in an ending",
		Long:    "finds the best play in an ending; the last line says what the side to move gains, and whether that's proven. With 1 to 4 tiles in the bag it gives the best moves' chances to win, whatever the bag holds, exact where it says so.",
		Example: "rackmate solve \"$(cat ending.cgp)\"\nrackmate solve --lexicon fr --time 10s \"$(cat ending.cgp)\"",
		Args:    cli.Args(1, cli.Many, "give a position as CGP, in quotes: \"rackmate help cgp\" explains it"), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, args []string) error {
			o.bounded = c.Flags().Changed("positions") || c.Flags().Changed("time")
			return o.run(c.Context(), cli.StdOf(c), args)
		},
	}
	cli.LexiconFlag(c, &o.list, cli.DefaultLexicon)
	rulesFlag(c, &o.rules)
	c.Flags().IntVar(&o.positions, "positions", solvePositions, "how many `POSITIONS` are searched at most, also within --time; the same number gives the same answer anywhere")
	c.Flags().DurationVar(&o.limit, "time", 0, "the processor `TIME` that it searches at most, such as 30s; without it and --positions 5s if there are tiles in the bag")
	return c
}

// run plays an ending out with best play. It prints a line for each move with its points and
// its side's gain from there on, then the gain of the side to move. With a few tiles in the bag
// it prints a line for each of the best moves with the chance to win after it.
func (o solveOptions) run(ctx context.Context, std cli.Std, args []string) error {
	cgp, err := position(args)
	if err != nil {
		return err
	}
	rules, mind, eq, err := openPlay(o.rules, o.list)
	if err != nil {
		return err
	}
	p, err := record.ParseCGP(eq, cgp)
	if err != nil {
		return cli.UsageError(err.Error())
	}
	noteTiles(std.Err, eq.Tiles, cgp)
	v := engine.PositionView(rules, eq, p)
	if v.Bag > 0 && !o.bounded {
		o.limit = forecastTime
		fmt.Fprintf(std.Err, "searching for %s of a processor's time at most: --time takes another, --positions a number of positions\n", o.limit)
	}
	limited := ctx
	if o.limit > 0 {
		runtime.LockOSThread() // its time is measured
		defer runtime.UnlockOSThread()
		limited = cli.WithProcessorTime(ctx, o.limit)
	}
	progress := cli.NewProgress(std.Err, "solving", 0)
	defer progress.Done()
	if v.Bag > 0 && len(v.Seats) == 2 {
		f, err := mind.Foresee(limited, v, o.positions)
		progress.Done()
		if errors.Is(err, robot.ErrNotForeseen) {
			return cli.UsageError(fmt.Sprintf("a pre-ending has two racks, one of them known, and at most %d tiles in the bag: here %d tiles are unseen, %d of them in the bag", robot.MostForeseen, len(v.Unseen), v.Bag))
		}
		if err != nil {
			return err
		}
		exact := printForecast(std.Out, eq.Tiles, f)
		if o.limit > 0 && limited.Err() != nil && ctx.Err() == nil {
			fmt.Fprintf(std.Err, "after %s %d of %d moves are exact; a longer --time makes more so\n", o.limit, exact, len(f.Moves))
		}
		return nil
	}
	e, err := mind.Solve(limited, v, o.positions)
	progress.Done()
	if errors.Is(err, robot.ErrNoEnding) {
		return cli.UsageError(fmt.Sprintf("an ending has two racks and an empty bag: here %d tiles are unseen, %d of them in the bag", len(v.Unseen), v.Bag))
	}
	if err != nil {
		return err
	}
	for i, m := range e.Moves {
		fmt.Fprintf(std.Out, "%d. %s %d  %+.0f\n", i+1, m.Move.Text(eq.Tiles), m.Points, m.Equity)
	}
	proven := "no"
	if e.Proven {
		proven = "yes"
	}
	fmt.Fprintf(std.Out, "value=%d proven=%s\n", e.Value, proven)
	return nil
}

// printForecast writes a line for each move: its points, the chance to win over all possible bags,
// and the average final lead; then the number of possible bags. It returns the number of exact
// moves.
func printForecast(w io.Writer, set *game.TileSet, f robot.Forecast) (exact int) {
	for i, m := range f.Moves {
		sure := fmt.Sprintf("+-%.2f%%", 100*m.Chance.Error)
		if m.Exact {
			sure = " exact"
			exact++
		}
		fmt.Fprintf(w, "%d. %s %d  win=%.2f%%%s ahead=%+.1f\n", i+1, m.Move.Text(set), m.Points, 100*m.Chance.Win, sure, m.Ahead)
	}
	fmt.Fprintf(w, "deals=%d exact=%d\n", f.Deals, exact)
	return exact
}
