package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/bot/feature/daily"
	"github.com/rackmate/rackmate/bot/feature/ladder"
	"github.com/rackmate/rackmate/cmd/internal/cli"
)

// recountCommand returns the command that recomputes everything derived from game results, as after
// a change of the rating system.
func recountCommand() *cobra.Command {
	var data, answers string
	c := &cobra.Command{
		Use: "recount [--data FILE] [--answers FILE]", Short: "works out ratings, records and streaks again, also of a running host",
		Long:    "works out ratings, records, tables and streaks again from the games and answers that count, also of a running host.",
		Example: "rackmate recount\nrackmate recount --answers answers.jsonl",
		Args:    cli.Args(0, 0, "it takes no arguments; name the data file with --data"), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			return printRecount(c.Context(), cli.StdOf(c), data, answers)
		},
	}
	dataFlag(c, &data)
	c.Flags().StringVar(&answers, "answers", "", "a `FILE` that gets each answer to a daily board, a line of JSON each")
	cli.FileFlag(c, "answers")
	return c
}

// printRecount recounts and prints the totals.
func printRecount(ctx context.Context, std cli.Std, data, answers string) error {
	progress := cli.NewProgress(std.Err, "counting again", 0)
	var given bytes.Buffer
	games, err := recount(ctx, data, &given)
	progress.Done()
	if err != nil {
		return err
	}
	if answers != "" {
		if err := cli.Replace(answers, 0o600, func(f *os.File) error { _, err := f.Write(given.Bytes()); return err }); err != nil {
			return err
		}
	}
	fmt.Fprintln(std.Out, games)
	return nil
}

// recount recounts the data and writes the answers to daily boards to out.
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

// recountAll recounts games and daily boards, and writes the players' answers to out.
func recountAll(ctx context.Context, db database, out io.Writer) (string, error) {
	games, err := ladder.Recount(ctx, db.Notes(hostNotes))
	if err != nil {
		return "", err
	}
	boards, err := daily.Recount(ctx, db.Notes(hostNotes), out)
	return fmt.Sprintf("games=%d players=%d differences=%d", games, boards.Players, boards.Differences), err
}
