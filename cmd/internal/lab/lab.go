// Package lab has the tools for positions, written games and robots.
package lab

import "github.com/rackmate/rackmate/cmd/internal/cli"

// Subcommands returns the laboratory's subcommands.
func Subcommands() []cli.Subcommand {
	return []cli.Subcommand{
		{Name: "render", Usage: "[--theme light|dark|cb] [--language CODE|FILE] [--plain] [--replay FILE.gcg] [-o FILE] 'CGP'", Help: "draws a position as PNG, or a recorded game as an animated GIF", Run: runRender},
		{Name: "gallery", Usage: "FOLDER", Help: "draws a picture of every kind, to look at", Run: runGallery},
		{Name: "replay", Usage: "[--language CODE] FILE...", Help: "plays written games through the rules and works out every score again", Run: runReplay},
		{Name: "review", Usage: "[--lexicon L] [--language CODE] FILE...", Help: "judges every move of written games: what it gave up, and what was best", Run: runReview},
		{Name: "verify", Usage: "FILE", Help: "checks the proof that an exported game's draws were fair, or that a daily board was made before its day", Run: runVerify},
		{Name: "moves", Usage: "[--lexicon L] [--count] [--top N] 'CGP' | --stdin", Help: "lists the legal plays of the side to move, best score first", Run: runMoves},
		{Name: "solve", Usage: "[--lexicon L] [--rules R] [--positions N] [--time DURATION] 'CGP'", Help: "finds the best play in an ending; the last line says what the side to move gains, and whether that's proven. With 1 to 4 tiles in the bag it gives the best moves' chances to win, whatever the bag holds, exact where it says so", Run: runSolve},
		{Name: "analyse", Usage: "[--lexicon L] [--json] FILE.gcg", Help: "what review says about a game, as JSON for other programs", Run: runAnalyse},
		{Name: "engine", Usage: "[--level ROBOT] [--lexicon L] [--rules R] [--seed S] [--time DURATION] [--positions N]", Help: "chooses moves for other programs: reads a position (CGP) a line and answers with a move a line (go doc ./game/engine)", Run: runEngine},
		{Name: "match", Usage: "[--games N] [--parallel N] [--error PERCENT] [--sprt LOW,HIGH] [--seed S] [--time DURATION] [--positions N] [--lexicon L] [--rules R] [--variant V] [--from FILE] [--out FILE.csv|FOLDER] [--resume] [--engine 'COMMAND']... ROBOT...", Help: "plays robots and other engines against each other and counts the wins. In each round everybody sits first once, with the same tiles; --parallel plays rounds at the same time, one on each processor, with the same games; --time is processor time; --error stops once the rates are that certain, --sprt once it's clear by which Elo difference the first is stronger; --from starts at positions, a CGP a line; --out keeps results (CSV), which --resume continues, or games (GCG)", Run: runMatch},
	}
}
