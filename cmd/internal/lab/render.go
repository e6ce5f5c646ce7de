package lab

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/game/record"
	"github.com/rackmate/rackmate/imaging"
)

// renderOptions holds the options of the render command.
type renderOptions struct {
	theme, out, replay, code string
	plain                    bool
}

// renderCommand returns the command that draws a position or a recorded game. It doesn't draw
// racks.
func renderCommand() *cobra.Command {
	var o renderOptions
	c := &cobra.Command{
		Use: "render [FLAG]... 'CGP' | --replay FILE.gcg", Short: "draws a position as PNG, or a recorded game as an animated GIF",
		Example:           "rackmate render -o board.png '15/15/15/15/15/15/15/7HORN4/15/15/15/15/15/15/15 / 14/0 0'\nrackmate render --theme dark --replay game.gcg -o game.gif",
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(c *cobra.Command, args []string) error { return o.run(cli.StdOf(c), args) },
	}
	c.Flags().StringVar(&o.theme, "theme", "light", "how the board looks: "+imaging.ThemeNames())
	cli.Choices(c, "theme", cli.Themes()...)
	c.Flags().StringVarP(&o.out, "output", "o", "", "the `FILE` to write; without it standard output")
	cli.FileFlag(c, "output", "png", "gif")
	c.Flags().StringVar(&o.replay, "replay", "", "the `FILE` of a recorded game (GCG)")
	cli.FileFlag(c, "replay", "gcg")
	cli.LanguageFlag(c, &o.code, "the language of the tiles: a `CODE`, or the file of a language")
	c.Flags().BoolVar(&o.plain, "plain", false, "draw the whole position anew, without pieces that were drawn before")
	return c
}

func (o renderOptions) run(std cli.Std, args []string) error {
	if (len(args) == 0) == (o.replay == "") {
		return cli.UsageError("give a position as CGP, in quotes, or a recorded game with --replay")
	}
	if o.plain && o.replay != "" {
		return cli.UsageError("--plain draws a position: leave it out with --replay")
	}
	renderer, err := cli.NewRenderer(o.theme)
	if err != nil {
		return cli.UsageError(err.Error())
	}
	var picture []byte
	if o.replay != "" {
		picture, err = renderReplay(renderer, o.replay, o.code)
	} else {
		var cgp string
		if cgp, err = position(args); err == nil {
			picture, err = renderPosition(renderer, o.plain, cmp.Or(o.code, cli.DefaultLanguage), cgp)
		}
	}
	if err != nil {
		return err
	}
	if o.out != "" {
		return os.WriteFile(o.out, picture, 0o644)
	}
	if cli.IsTerminal(std.Out) {
		return cli.UsageError("that would print a picture to the terminal: name a file with -o")
	}
	_, err = io.Copy(std.Out, bytes.NewReader(picture))
	return err
}

func renderPosition(renderer *imaging.Renderer, plain bool, code, cgp string) ([]byte, error) {
	eq, err := cli.StandardEquipment()
	if err != nil {
		return nil, err
	}
	l, _, err := cli.ListLanguage(code, code)
	if err != nil {
		return nil, cli.UsageError(err.Error())
	}
	eq.Tiles = l.Tiles
	p, err := record.ParseCGP(eq, cgp)
	if err != nil {
		return nil, cli.UsageError(err.Error())
	}
	view := imaging.View{Equipment: eq, Board: p.Board, Bag: -1}
	for i, score := range p.Scores {
		view.Players = append(view.Players, imaging.Player{Name: fmt.Sprintf("Player %d", i+1), Score: score, ToMove: i == 0})
	}
	if plain {
		return renderer.Plain(view)
	}
	return renderer.PNG(view)
}

func renderReplay(renderer *imaging.Renderer, file, code string) ([]byte, error) {
	g, err := openRecording(file, code)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	views, _, err := recordedViews(g)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return renderer.Replay(context.Background(), views)
}
