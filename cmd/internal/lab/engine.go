package lab

import (
	"github.com/rackmate/rackmate/cmd/internal/cli"

	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/engine"
	"github.com/rackmate/rackmate/game/record"
)

// runEngine chooses moves for other programs, by the protocol of package
// game/engine.
func runEngine(ctx context.Context, std cli.Std, args []string) error {
	flags := cli.NewFlags("engine")
	name := flags.String("level", "expert", "")
	list := flags.String("lexicon", cli.DefaultLexicon, "")
	named := flags.String("rules", "classic", "")
	seed := flags.Uint64("seed", 1, "")
	limit := flags.Duration("time", 0, "")
	positions := flags.Int("positions", 0, "")
	if _, err := cli.ParseSome(flags, args, 0, 0, "the positions are read, not named"); err != nil {
		return err
	}
	level, err := anyRobot(*name)
	if err != nil {
		return err
	}
	rules, err := rulesNamed(*named)
	if err != nil {
		return err
	}
	mind, eq, err := cli.OpenMind(*list)
	if err != nil {
		return err
	}
	return engine.Serve(ctx, std.In, std.Out, eq, func(ctx context.Context, p record.Position) (game.Move, error) {
		rules, limit := rules, *limit
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
			var stop context.CancelFunc
			ctx, stop = context.WithTimeout(ctx, limit)
			defer stop()
		}
		// The same position gives the same move.
		sum := fnv.New64a()
		fmt.Fprint(sum, *seed, p.CGP(eq))
		a, err := mind.Choose(ctx, level, engine.See(rules, eq, p), *positions, sum.Sum64())
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
