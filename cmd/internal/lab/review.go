package lab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/record"
	"github.com/rackmate/rackmate/game/robot"
)

// reviewCommand returns the command that judges the moves of recorded games by what their players
// could see. It skips moves whose rack wasn't fully recorded.
func reviewCommand() *cobra.Command {
	var list, code string
	c := &cobra.Command{
		Use: "review [--lexicon L] [--language CODE] FILE...", Short: "judges every move of written games: what it gave up, and the best",
		Long:    "judges every move of written games: what it gave up, and what was best.",
		Example: "rackmate review game.gcg\nrackmate review --lexicon mine.lex club/*.gcg",
		Args:    cli.Args(1, cli.Many, "name the files to review"), ValidArgsFunction: cli.Files("gcg"),
		RunE: func(c *cobra.Command, args []string) error {
			return reviewFiles(c.Context(), cli.StdOf(c), list, code, args)
		},
	}
	cli.LexiconFlag(c, &list, "")
	cli.LanguageFlag(c, &code, "the `CODE` of the language, if the record doesn't name it")
	return c
}

// reviewFiles judges the moves of files.
func reviewFiles(ctx context.Context, std cli.Std, list, code string, files []string) error {
	progress := cli.NewProgress(std.Err, "reviewing", len(files))
	defer progress.Done()
	var out bytes.Buffer
	for _, file := range files {
		if len(files) > 1 {
			fmt.Fprintln(&out, file)
		}
		if err := reviewFile(ctx, &out, list, code, file); err != nil {
			return err
		}
		progress.Step.Add(1)
	}
	progress.Done()
	_, err := out.WriteTo(std.Out)
	return err
}

// reviewFile judges the moves of one file.
func reviewFile(ctx context.Context, out io.Writer, list, code, file string) error {
	g, err := judgeFile(ctx, list, code, file)
	if err == nil {
		printReview(out, g.set, g.GCG, g.Review)
	}
	return err
}

// A reviewedGame is a recorded game with its review.
type reviewedGame struct {
	record.GCG
	set    *game.TileSet
	Review robot.Review
}

// judgeFile reads a file and judges its moves.
func judgeFile(ctx context.Context, list, code, file string) (reviewedGame, error) {
	g, err := openRecording(file, code)
	if err != nil {
		return reviewedGame{}, fmt.Errorf("read %s: %w", file, err)
	}
	eq := g.eq
	result, err := g.replay()
	var bad *record.Mismatch
	if errors.As(err, &bad) {
		return reviewedGame{}, fmt.Errorf("the record doesn't follow the rules, %s:%d: recorded %s, computed %s: %s", file, bad.Line, bad.Recorded, bad.Computed, bad.Reason)
	}
	if err != nil {
		return reviewedGame{}, err
	}
	if list == "" {
		if list, err = cli.ListFor(eq.Tiles); err != nil {
			return reviewedGame{}, fmt.Errorf("%s: %w", file, err)
		}
	}
	mind, by, err := cli.OpenMind(list)
	if err != nil {
		return reviewedGame{}, err
	}
	if !by.Tiles.Alphabet().Equal(eq.Tiles.Alphabet()) {
		return reviewedGame{}, fmt.Errorf("%s is played with %s tiles, and the word list %s isn't: name another with --lexicon", file, eq.Tiles.Name(), list)
	}
	r, err := mind.Review(ctx, len(g.Players), recordedDecisions(g.rules, eq, g.GCG, result))
	return reviewedGame{g.GCG, eq.Tiles, r}, err
}

// recordedDecisions returns the moves of a record whose racks are known.
func recordedDecisions(rules game.Rules, eq game.Equipment, g record.GCG, result record.Result) []robot.Decision {
	var all []robot.Decision
	var board game.Board
	scores := make([]int, len(g.Players))
	turn := 0
	for i, t := range g.Turns {
		switch t.Kind {
		case record.Play, record.Exchange, record.Pass:
			turn++
			v := recordedView(rules, eq, &board, t.Player, result.Racks[i], scores)
			whole := v.Rack != "" && (len(v.Rack) == rules.RackSize || v.Bag == 0)
			if whole && result.Made[i].Kind != 0 {
				all = append(all, robot.Decision{Turn: turn, Number: i, View: v, Move: result.Made[i]})
			}
		case record.Withdrawn:
			if n := len(all); n > 0 && all[n-1].View.Me == t.Player {
				all[n-1].TakenOff = true
			}
		}
		board = result.Boards[i]
		scores[t.Player] = t.Total
	}
	return all
}

// recordedView returns what a player saw before a turn.
func recordedView(rules game.Rules, eq game.Equipment, b *game.Board, me int, rack game.Tiles, scores []int) robot.View {
	unseen, _ := eq.Tiles.All().Minus(b.Tiles().Faces() + rack)
	others := len(scores) - 1
	v := robot.View{
		Phase: game.Playing, Rules: rules, Equipment: eq, Board: *b,
		Me: me, Turn: me, Rack: rack, Unseen: unseen, Bag: max(0, len(unseen)-others*rules.RackSize),
	}
	for i, score := range scores {
		tiles := len(rack)
		if i != me {
			tiles = (len(unseen) - v.Bag) / others
		}
		v.Seats = append(v.Seats, robot.SeatView{Score: score, Tiles: tiles})
	}
	return v
}

// printReview writes a line for each move and one for each player.
func printReview(w io.Writer, set *game.TileSet, g record.GCG, r robot.Review) {
	for _, j := range r.Turns {
		line := fmt.Sprintf("%3d. %s  %s  %s %d", j.Turn, nameOf(g.Players[j.View.Me]), set.Print(j.View.Rack.Sorted()), j.Move.Text(set), j.Made.Points)
		switch {
		case j.TakenOff:
			line += ", challenged off"
		case len(j.Phonies) > 0:
			line += ", a phony that stood"
		}
		best := j.Best[0]
		switch up := j.GivesUp; {
		case j.Mistake() && up.Known:
			line += fmt.Sprintf("  gave up %.1f+-%.1f%% to win, %.1f points: %s %d", 100*up.Win, 100*up.Error, j.Loss, best.Move.Text(set), best.Points)
		case j.Mistake():
			line += fmt.Sprintf("  gave up %s%.1f: %s %d", surenessPrefix(j.Sure), j.Loss, best.Move.Text(set), best.Points)
		case up.Known && best.Move != j.Move:
			line += "  nothing surely better"
		default:
			line += "  best"
		}
		fmt.Fprintln(w, line)
	}
	for i, p := range r.Players {
		line := fmt.Sprintf("%s: moves=%d loss=%.1f accuracy=%.0f%%", nameOf(g.Players[i]), p.Turns, p.Loss, p.Accuracy)
		if len(p.Phonies) > 0 {
			var words []string
			for _, phony := range p.Phonies {
				words = append(words, set.Print(phony))
			}
			line += " phonies=" + strings.Join(words, ",")
		}
		fmt.Fprintln(w, line)
	}
}

// surenessPrefix returns the words before a number: "at least ", "about ", or none.
func surenessPrefix(s robot.Sureness) string {
	if s == robot.Plain {
		return ""
	}
	return s.String() + " "
}
