package lab

import (
	"github.com/rackmate/rackmate/cmd/internal/cli"

	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/game/record"
)

// runMoves lists the legal plays of the side to move, best score first.
func runMoves(ctx context.Context, std cli.Std, args []string) error {
	flags := cli.NewFlags("moves")
	list := flags.String("lexicon", cli.DefaultLexicon, "")
	count := flags.Bool("count", false, "")
	top := flags.Int("top", -1, "")
	stdin := flags.Bool("stdin", false, "")
	rest, err := cli.Parse(flags, args)
	if err != nil {
		return err
	}
	switch {
	case *stdin && len(rest) > 0:
		return cli.UsageError("with --stdin the positions are read, not named")
	case !*stdin && len(rest) == 0:
		return cli.UsageError("give a position as CGP, in quotes")
	}
	mind, eq, err := cli.OpenMind(*list)
	if err != nil {
		return err
	}
	gen, err := movegen.New(mind.Words(), eq, game.Classic())
	if err != nil {
		return err
	}
	m := moves{gen: gen, eq: eq, out: bufio.NewWriter(std.Out)}
	switch {
	case *stdin:
		err = m.countEach(ctx, bufio.NewScanner(std.In))
	case *count:
		err = m.count(strings.Join(rest, " "))
	default:
		err = m.list(strings.Join(rest, " "), *top)
	}
	return errors.Join(err, m.out.Flush())
}

type moves struct {
	gen *movegen.Generator
	eq  game.Equipment
	out *bufio.Writer
}

// plays reads a position and finds the plays of the side to move.
func (m moves) plays(cgp string) ([]movegen.Play, error) {
	p, err := record.ParseCGP(m.eq, cgp)
	if err != nil {
		return nil, cli.UsageError(err.Error())
	}
	return m.gen.Plays(&p.Board, p.Racks[0]), nil
}

// list prints the best plays, or all when top is below 0.
func (m moves) list(cgp string, top int) error {
	plays, err := m.plays(cgp)
	if err != nil {
		return err
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

// count prints how many plays there are, their highest score, and the sum of
// their scores.
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

// countEach does so for a position a line.
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
