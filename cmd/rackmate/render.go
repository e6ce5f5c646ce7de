package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rackmate/rackmate/game/record"
	"github.com/rackmate/rackmate/imaging"
)

// runRender draws a position, which it reads as CGP. Racks are not drawn.
func runRender(ctx context.Context, std stdio, args []string) error {
	flags := newFlags("render")
	theme := flags.String("theme", "light", "")
	out := flags.String("o", "", "")
	rest, err := parse(flags, args)
	if err != nil {
		return err
	}
	if len(rest) == 0 {
		return usageError("give a position as CGP, in quotes")
	}
	renderer, err := newRenderer(*theme)
	if err != nil {
		return usageError(err.Error())
	}
	eq, err := standard()
	if err != nil {
		return err
	}
	p, err := record.ParseCGP(eq, strings.Join(rest, " "))
	if err != nil {
		return usageError(err.Error())
	}
	view := imaging.View{Equipment: eq, Board: p.Board, Bag: -1}
	for i, score := range p.Scores {
		view.Players = append(view.Players, imaging.Player{Name: fmt.Sprintf("Player %d", i+1), Score: score, ToMove: i == 0})
	}
	png, err := renderer.PNG(view)
	if err != nil {
		return err
	}
	if *out != "" {
		return os.WriteFile(*out, png, 0o644)
	}
	if f, ok := std.out.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return usageError("that would print a picture to the terminal: name a file with -o")
		}
	}
	_, err = io.Copy(std.out, strings.NewReader(string(png)))
	return err
}
