package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/rackmate/rackmate/game/record"
)

// runReplay plays GCG files through the rules, a line of output for each. For
// what is scored the rule sets don't differ; variants do, and a record names its
// own.
func runReplay(ctx context.Context, std stdio, args []string) error {
	files, err := parse(newFlags("replay"), args)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return usageError("name the files to replay")
	}
	failed := false
	for _, file := range files {
		line, ok := replayFile(file)
		fmt.Fprintln(std.out, line)
		failed = failed || !ok
	}
	if failed {
		return errFailed
	}
	return nil
}

// replayFile is the line about one file:
//
//	ok FILE moves=N scores=A-B
//	bad FILE:LINE recorded=X computed=Y reason
//
// N is the number of plays, exchanges and passes. The scores are player1's
// first. X and Y are "-" where there is nothing to be set side by side: a line
// that can't be read, a play that doesn't fit the board. A file that can't be
// opened is bad on line 0.
func replayFile(file string) (line string, ok bool) {
	result, err := replayed(file)
	var unread *record.LineError
	var bad *record.Mismatch
	switch {
	case err == nil:
		scores := strings.Trim(strings.ReplaceAll(fmt.Sprint(result.Scores), " ", "-"), "[]")
		return fmt.Sprintf("ok %s moves=%d scores=%s", file, result.Moves, scores), true
	case errors.As(err, &bad):
		return fmt.Sprintf("bad %s:%d recorded=%s computed=%s %s", file, bad.Line, bad.Recorded, bad.Computed, bad.Reason), false
	case errors.As(err, &unread):
		return fmt.Sprintf("bad %s:%d recorded=- computed=- %v", file, unread.Line, unread.Err), false
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err // the file's name is there already
	}
	return fmt.Sprintf("bad %s:0 recorded=- computed=- %v", file, err), false
}

func replayed(file string) (record.Result, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return record.Result{}, err
	}
	g, err := record.ParseGCG(data)
	if err != nil {
		return record.Result{}, err
	}
	rules, eq, err := recordedBy(g)
	if err != nil {
		return record.Result{}, err
	}
	return record.Replay(rules, eq, g)
}
