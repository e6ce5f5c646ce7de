package lab

import (
	"github.com/rackmate/rackmate/cmd/internal/cli"

	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/rackmate/rackmate/game/record"
)

// runReplay plays written games through the rules, a line of output for each and
// others for what was forgiven. For what is scored the rule sets don't differ;
// variants do, and a record names its own.
func runReplay(ctx context.Context, std cli.Std, args []string) error {
	flags := cli.NewFlags("replay")
	code := flags.String("language", "", "")
	files, err := cli.ParseSome(flags, args, 1, cli.Many, "name the files to replay")
	if err != nil {
		return err
	}
	failed := false
	for _, file := range files {
		lines, ok := replayFile(file, *code)
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

// replayFile is what there is to say of one file, in a line, and in one more for each
// sort of slip that was forgiven:
//
//	ok FILE moves=N scores=A-B
//	bad FILE:LINE recorded=X computed=Y reason
//	forgave FILE:LINE what (N times)
//
// N is the number of plays, exchanges and passes. The scores are player1's
// first. X and Y are "-" where there is nothing to be set side by side: a line
// that can't be read, a play that doesn't fit the board. A file that can't be
// opened is bad on line 0.
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
		err = path.Err // the file's name is there already
	}
	return fmt.Sprintf("bad %s:0 recorded=- computed=- %v", file, err)
}
