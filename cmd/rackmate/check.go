package main

import (
	"context"
	"fmt"
	"os"

	"github.com/rackmate/rackmate/bot/store/bolt"
)

// runCheck looks through a whole file of data, or a backup of one.
func runCheck(ctx context.Context, std stdio, args []string) error {
	rest, err := parse(newFlags("check"), args)
	if err != nil {
		return err
	}
	if len(rest) != 1 {
		return usageError("name one file of data that no host runs on, or a backup")
	}
	if _, err := os.Stat(rest[0]); err != nil {
		return err
	}
	s, found := bolt.Check(ctx, rest[0])
	for _, err := range found {
		fmt.Fprintf(std.out, "bad %s %v\n", rest[0], err)
	}
	if len(found) > 0 {
		return errFailed
	}
	fmt.Fprintf(std.out, "ok %s %s\n", rest[0], summary(s))
	return nil
}
