package main

import (
	"context"
	"fmt"
	"net/http"

	"github.com/rackmate/rackmate/bot/feature/daily"
	"github.com/rackmate/rackmate/bot/feature/ladder"
)

// runRecount makes all that is counted of games anew, from the results that are
// kept: after a program that rates in another way was put in place of the old one.
func runRecount(ctx context.Context, std stdio, args []string) error {
	flags := newFlags("recount")
	data := dataFlag(flags)
	rest, err := parse(flags, args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return usageError("there is nothing to name but the file of data, with --data")
	}
	told := newProgress(std.err, "counting again", 0)
	games, err := recount(ctx, *data)
	told.done()
	if err != nil {
		return err
	}
	fmt.Fprintln(std.out, games)
	return nil
}

func recount(ctx context.Context, data string) (games string, err error) {
	err = onData(ctx, data, http.MethodPost, "/recount", readText(&games), func(db database) error {
		games, err = recountAll(ctx, db)
		return err
	})
	return games, err
}

// recountAll counts games and daily boards again.
func recountAll(ctx context.Context, db database) (string, error) {
	games, err := ladder.Recount(ctx, db.Notes(hostNotes))
	if err != nil {
		return "", err
	}
	boards, err := daily.Recount(ctx, db.Notes(hostNotes), nil)
	return fmt.Sprintf("games=%d players=%d places=%d differences=%d", games, boards.Players, boards.Places, boards.Differences), err
}
