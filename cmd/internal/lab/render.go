package lab

import (
	"github.com/rackmate/rackmate/cmd/internal/cli"

	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rackmate/rackmate/game/record"
	"github.com/rackmate/rackmate/imaging"
)

// runRender draws a position, which it reads as CGP, or a whole game, which it
// reads as GCG. Racks are not drawn. With --plain gg draws the position as a whole,
// and nothing is placed.
func runRender(ctx context.Context, std cli.Std, args []string) error {
	flags := cli.NewFlags("render")
	theme := flags.String("theme", "light", "")
	out := flags.String("o", "", "")
	replay := flags.String("replay", "", "")
	code := flags.String("language", "", "")
	plain := flags.Bool("plain", false, "")
	rest, err := cli.Parse(flags, args)
	if err != nil {
		return err
	}
	if (len(rest) == 0) == (*replay == "") {
		return cli.UsageError("give a position as CGP, in quotes, or a recorded game with --replay")
	}
	if *plain && *replay != "" {
		return cli.UsageError("--plain draws a position: leave it out with --replay")
	}
	renderer, err := cli.NewRenderer(*theme)
	if err != nil {
		return cli.UsageError(err.Error())
	}
	var picture []byte
	if *replay != "" {
		picture, err = renderReplay(renderer, *replay, *code)
	} else {
		picture, err = renderPosition(renderer, *plain, cmp.Or(*code, cli.DefaultLanguage), strings.Join(rest, " "))
	}
	if err != nil {
		return err
	}
	if *out != "" {
		return os.WriteFile(*out, picture, 0o644)
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
