package lab

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/game/record"
)

// movesOptions holds the options of the moves command.
type movesOptions struct {
	list         string
	count, stdin bool
	top          int
	all          bool // overrides top
}

// movesCommand returns the command that lists the legal plays of the side to move, best score
// first.
func movesCommand() *cobra.Command {
	var o movesOptions
	c := &cobra.Command{
		Use: "moves [--lexicon L] [--count] [--top N] 'CGP' | --stdin", Short: "lists the legal plays of the side to move, best score first",
		Example:           "rackmate moves --top 5 '15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0'\nrackmate moves --stdin < positions.cgp",
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, args []string) error {
			o.all = !c.Flags().Changed("top")
			return o.run(c.Context(), cli.StdOf(c), args)
		},
	}
	cli.LexiconFlag(c, &o.list, cli.DefaultLexicon)
	c.Flags().BoolVar(&o.count, "count", false, "print how many plays there are, the best score, and the sum of all scores")
	c.Flags().IntVar(&o.top, "top", 0, "list the best `N`; without it all")
	c.Flags().BoolVar(&o.stdin, "stdin", false, "count the plays of each position that is read, a CGP a line")
	return c
}

func (o movesOptions) run(ctx context.Context, std cli.Std, args []string) error {
	switch {
	case o.stdin && len(args) > 0:
		return cli.UsageError("--stdin reads the positions: leave out the arguments")
	case !o.stdin && len(args) == 0:
		return cli.UsageError("give a position as CGP, in quotes: \"rackmate help cgp\" explains it")
	case o.top < 0:
		return cli.UsageError(fmt.Sprintf("--top can't be %d: list at least 1 move", o.top))
	}
	var cgp string
	if !o.stdin {
		var err error
		if cgp, err = position(args); err != nil {
			return err
		}
	}
	mind, eq, err := cli.OpenMind(o.list)
	if err != nil {
		return err
	}
	gen, err := movegen.New(mind.Words(), eq, game.Classic())
	if err != nil {
		return err
	}
	noteTiles(std.Err, eq.Tiles, cgp)
	m := moves{gen: gen, eq: eq, out: bufio.NewWriter(std.Out)}
	switch {
	case o.stdin:
		err = m.countEach(ctx, bufio.NewScanner(std.In))
	case o.count:
		err = m.count(cgp)
	case o.all:
		err = m.list(cgp, -1)
	default:
		err = m.list(cgp, o.top)
	}
	return errors.Join(err, m.out.Flush())
}

type moves struct {
	gen *movegen.Generator
	eq  game.Equipment
	out *bufio.Writer
}

// plays returns the plays of the side to move in a position.
func (m moves) plays(cgp string) ([]movegen.Play, error) {
	p, err := record.ParseCGP(m.eq, cgp)
	if err != nil {
		return nil, cli.UsageError(err.Error())
	}
	return m.gen.Plays(&p.Board, p.Racks[0]), nil
}

// list prints the best plays, or all if top is negative.
func (m moves) list(cgp string, top int) error {
	plays, err := m.plays(cgp)
	if err != nil {
		return err
	}
	if top >= 0 && top < len(plays) { // format only plays that can be among the best
		plays = bestOf(plays, top)
	}
	type line struct {
		text  string
		score int32
	}
	lines := make([]line, len(plays))
	for i := range plays {
		lines[i] = line{plays[i].Move().Text(m.eq.Tiles), plays[i].Score}
	}
	slices.SortFunc(lines, func(a, b line) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.text, b.text))
	})
	if top >= 0 {
		lines = lines[:min(top, len(lines))]
	}
	for _, l := range lines {
		fmt.Fprintln(m.out, l.text, l.score)
	}
	return nil
}

// bestOf returns the plays that score at least as much as the n-th best, unordered.
func bestOf(plays []movegen.Play, n int) []movegen.Play {
	if n == 0 {
		return nil
	}
	var times [2000]int // number of plays by score
	most := len(times) - 1
	at := func(p *movegen.Play) int { return min(max(int(p.Score), 0), most) }
	for i := range plays {
		times[at(&plays[i])]++
	}
	least := most
	for n -= times[least]; n > 0 && least > 0; n -= times[least] {
		least--
	}
	var best []movegen.Play
	for i := range plays {
		if at(&plays[i]) >= least {
			best = append(best, plays[i])
		}
	}
	return best
}

// count prints the number of plays, their highest score and the sum of their scores.
func (m moves) count(cgp string) error {
	plays, err := m.plays(cgp)
	if err != nil {
		return err
	}
	top, sum := 0, 0
	for i := range plays {
		score := int(plays[i].Score)
		top = max(top, score)
		sum += score
	}
	_, err = fmt.Fprintf(m.out, "plays=%d top=%d sum=%d\n", len(plays), top, sum)
	return err
}

// countEach prints the counts for each position of a file.
func (m moves) countEach(ctx context.Context, lines *bufio.Scanner) error {
	for n := 1; lines.Scan() && ctx.Err() == nil; n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		if err := m.count(lines.Text()); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return cmp.Or(ctx.Err(), lines.Err())
}
