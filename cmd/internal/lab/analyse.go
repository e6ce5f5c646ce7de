package lab

import (
	"context"
	"encoding/json"
	"math"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/robot"
)

// An analysis is the review of a recorded game for other programs. Equities and losses are in
// points. Chances to win, and losses of them, are in percent with their standard error, and given
// only with tiles in the bag. sure is "" for exact numbers, and "at least" or "about" if an
// ending's search was unfinished. Fields may be added, but existing ones keep their names.
type analysis struct {
	File    string           `json:"file"`
	Lexicon string           `json:"lexicon"`
	Players []analysedPlayer `json:"players"`
	Turns   []analysedTurn   `json:"turns"`
}

type analysedPlayer struct {
	Name     string   `json:"name"`
	Turns    int      `json:"turns"`    // turns with a choice
	Loss     float64  `json:"loss"`     // average a turn
	Accuracy float64  `json:"accuracy"` // in percent
	Phonies  []string `json:"phonies"`  // invalid words that stood
}

type analysedTurn struct {
	Turn     int            `json:"turn"`   // from 1
	Player   int            `json:"player"` // index of the player, from 0
	Rack     string         `json:"rack"`
	Bag      int            `json:"bag"` // tiles in the bag
	Made     analysedMove   `json:"made"`
	TakenOff bool           `json:"taken_off"` // challenged, and not in the word list
	Phonies  []string       `json:"phonies"`
	Loss     float64        `json:"loss"`
	Sure     string         `json:"sure"`
	Mistake  bool           `json:"mistake"` // another move was surely better
	GivesUp  *chance        `json:"gives_up,omitempty"`
	Best     []analysedMove `json:"best"`
}

// A chance is a percentage.
type chance struct {
	Win   float64 `json:"win"`
	Error float64 `json:"error"`
}

func chanceOf(c robot.Chance) *chance {
	if !c.Known {
		return nil
	}
	return &chance{hundredths(100 * c.Win), hundredths(100 * c.Error)}
}

type analysedMove struct {
	Move   string  `json:"move"` // such as "8H HORN", "exchange QV", "pass"
	Points int     `json:"points"`
	Equity float64 `json:"equity"`
	Sure   string  `json:"sure"`
	Chance *chance `json:"chance,omitempty"`
}

// analyseCommand returns the command that reviews a recorded game, as text or JSON.
func analyseCommand() *cobra.Command {
	var list string
	var asJSON bool
	c := &cobra.Command{
		Use: "analyse [--lexicon L] [--json] FILE.gcg", Short: "what review says about a game, as JSON for other programs",
		Example: "rackmate analyse game.gcg\nrackmate analyse --json game.gcg | jq '.players[].loss'",
		Args:    cli.Args(1, 1, "name one file"), ValidArgsFunction: cli.Files("gcg"),
		RunE: func(c *cobra.Command, args []string) error {
			return analyse(c.Context(), cli.StdOf(c), list, asJSON, args[0])
		},
	}
	cli.LexiconFlag(c, &list, cli.DefaultLexicon)
	c.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return c
}

// analyse writes the review of a recorded game.
func analyse(ctx context.Context, std cli.Std, list string, asJSON bool, file string) error {
	progress := cli.NewProgress(std.Err, "reviewing", 0)
	defer progress.Done()
	g, err := judgeFile(ctx, list, "", file)
	progress.Done()
	if err != nil {
		return err
	}
	if !asJSON {
		printReview(std.Out, g.set, g.GCG, g.Review)
		return nil
	}
	out := json.NewEncoder(std.Out)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(analysisOf(file, list, g))
}

func analysisOf(file, list string, g reviewedGame) analysis {
	a := analysis{File: file, Lexicon: list, Players: []analysedPlayer{}, Turns: []analysedTurn{}}
	texts := func(all []game.Tiles) []string {
		s := []string{}
		for _, t := range all {
			s = append(s, g.set.Print(t))
		}
		return s
	}
	move := func(c robot.Choice) analysedMove {
		return analysedMove{c.Move.Text(g.set), c.Points, hundredths(c.Equity), c.Sure.String(), chanceOf(c.Chance)}
	}
	for i, p := range g.Players {
		r := g.Review.Players[i]
		a.Players = append(a.Players, analysedPlayer{nameOf(p), r.Turns, hundredths(r.Loss), hundredths(r.Accuracy), texts(r.Phonies)})
	}
	for _, j := range g.Review.Turns {
		t := analysedTurn{
			Turn: j.Turn, Player: j.View.Me, Rack: g.set.Print(j.View.Rack.Sorted()), Bag: j.View.Bag,
			Made: move(j.Made), TakenOff: j.TakenOff, Phonies: texts(j.Phonies), Loss: hundredths(j.Loss), Sure: j.Sure.String(),
			Mistake: j.Mistake(), GivesUp: chanceOf(j.GivesUp), Best: []analysedMove{},
		}
		for _, c := range j.Best {
			t.Best = append(t.Best, move(c))
		}
		a.Turns = append(a.Turns, t)
	}
	return a
}

// hundredths rounds points to hundredths.
func hundredths(points float64) float64 { return math.Round(100*points) / 100 }
