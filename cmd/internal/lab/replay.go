package lab

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/game/record"
)

// replayCommand returns the command that plays recorded games through the rules and prints a line
// for each, and further lines for forgiven slips. All rule sets score alike; variants don't, but a
// record names its own.
func replayCommand() *cobra.Command {
	var code string
	c := &cobra.Command{
		Use: "replay [--language CODE] FILE...", Short: "plays written games through the rules and checks every score",
		Long:    "plays written games (GCG, or the JSON of Woogles) through the rules and works out every score again. A line for each file:\n\n  ok FILE moves=N scores=A-B\n  bad FILE:LINE recorded=X computed=Y reason\n\nThe exit status is 1 if one is bad or can't be read.",
		Example: "rackmate replay game.gcg\nrackmate replay --language pl games/*.gcg",
		Args:    cli.Args(1, cli.Many, "name the files to replay"), ValidArgsFunction: cli.Files("gcg", "json"),
		RunE: func(c *cobra.Command, args []string) error { return replayFiles(cli.StdOf(c), args, code) },
	}
	cli.LanguageFlag(c, &code, "the `CODE` of the language, if the record doesn't name it")
	return c
}

// replayFiles replays files. It reports files that it can't open and continues with the others.
func replayFiles(std cli.Std, files []string, code string) error {
	failed := false
	for _, file := range files {
		if _, err := os.Stat(file); err != nil {
			fmt.Fprintf(std.Err, "rackmate replay: can't read %s: %v\n", file, errors.Unwrap(err))
			failed = true
			continue
		}
		lines, ok := replayFile(file, code)
		for _, line := range lines {
			fmt.Fprintln(std.Out, line)
		}
		failed = failed || !ok
	}
	if failed {
		return cli.ErrFailed
	}
	return nil
}

// replayFile returns a line with the verdict on a file, and a line for each kind of slip that was
// forgiven:
//
//	ok FILE moves=N scores=A-B
//	bad FILE:LINE recorded=X computed=Y reason
//	forgave FILE:LINE what (N times)
//
// N is the number of plays, exchanges and passes. player1's score comes first. X and Y are "-" if
// there is nothing to compare: an unreadable line, or a play that doesn't fit the board. A file that
// can't be opened is bad on line 0.
func replayFile(file, code string) (lines []string, ok bool) {
	g, err := openRecording(file, code)
	var result record.Result
	if err == nil {
		result, err = g.replay()
	}
	lines = []string{verdict(file, result, err)}
	times := map[string]int{}
	for _, slip := range g.Forgiven {
		times[slip.What]++
	}
	for _, slip := range g.Forgiven {
		switch n := times[slip.What]; n {
		case 0:
		case 1:
			lines = append(lines, fmt.Sprintf("forgave %s:%d %s", file, slip.Line, slip.What))
		default:
			lines = append(lines, fmt.Sprintf("forgave %s:%d %s (%d times)", file, slip.Line, slip.What, n))
		}
		times[slip.What] = 0
	}
	return lines, err == nil
}

func verdict(file string, result record.Result, err error) string {
	var unread *record.LineError
	var bad *record.Mismatch
	switch {
	case err == nil:
		scores := strings.Trim(strings.ReplaceAll(fmt.Sprint(result.Scores), " ", "-"), "[]")
		return fmt.Sprintf("ok %s moves=%d scores=%s", file, result.Moves, scores)
	case errors.As(err, &bad):
		return fmt.Sprintf("bad %s:%d recorded=%s computed=%s %s", file, bad.Line, bad.Recorded, bad.Computed, bad.Reason)
	case errors.As(err, &unread):
		return fmt.Sprintf("bad %s:%d recorded=- computed=- %v", file, unread.Line, unread.Err)
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err // the line already has the file's name
	}
	return fmt.Sprintf("bad %s:0 recorded=- computed=- %v", file, err)
}
