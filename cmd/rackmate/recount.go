package main

import (
	"github.com/rackmate/rackmate/cmd/internal/cli"

	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/rackmate/rackmate/bot/feature/daily"
	"github.com/rackmate/rackmate/bot/feature/ladder"
)

// runRecount makes all that is counted of games anew, from the results that are
// kept: after a program that rates in another way was put in place of the old one.
func runRecount(ctx context.Context, std cli.Std, args []string) error {
	flags := cli.NewFlags("recount")
	data := dataFlag(flags)
	answers := flags.String("answers", "", "`FILE` that gets each answer to a daily board, a line of JSON each, for whoever counts for themselves")
	if _, err := cli.ParseSome(flags, args, 0, 0, "it takes no arguments; name the data file with --data"); err != nil {
		return err
	}
	told := cli.NewProgress(std.Err, "counting again", 0)
	var given bytes.Buffer
	games, err := recount(ctx, *data, &given)
	told.Done()
	if err != nil {
		return err
	}
	if *answers != "" {
		if err := os.WriteFile(*answers, given.Bytes(), 0o600); err != nil {
			return err
		}
	}
	fmt.Fprintln(std.Out, games)
	return nil
}

// recount writes answers to daily boards to out.
func recount(ctx context.Context, data string, out io.Writer) (games string, err error) {
	read := func(body io.Reader) error {
		lines := bufio.NewReader(body)
		for {
			line, err := lines.ReadString('\n')
			switch {
			case strings.HasPrefix(line, "{"):
				io.WriteString(out, line)
			case line != "":
				games = line
			}
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
		}
	}
	err = onData(ctx, data, http.MethodPost, "/recount?answers=yes", read, func(db database) error {
		games, err = recountAll(ctx, db, out)
		return err
	})
	return games, err
}

// recountAll counts games and daily boards again, and writes what people answered to out.
func recountAll(ctx context.Context, db database, out io.Writer) (string, error) {
	games, err := ladder.Recount(ctx, db.Notes(hostNotes))
	if err != nil {
		return "", err
	}
	boards, err := daily.Recount(ctx, db.Notes(hostNotes), out)
	return fmt.Sprintf("games=%d players=%d places=%d differences=%d", games, boards.Players, boards.Places, boards.Differences), err
}
