package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/cmd/internal/cli"
)

// copyCommand returns the command that copies everything from a data file to a database, or back.
func copyCommand() *cobra.Command {
	return &cobra.Command{
		Use: "copy FROM TO", Short: "copies everything from a data file to a database, or back",
		Long:    "copies everything from a data file to a database (postgres://...), or back, and compares the two; if it's interrupted, run it again and it carries on.",
		Example: "rackmate copy rackmate.db postgres://rackmate@db.example.org/rackmate\nrackmate copy postgres://rackmate@db.example.org/rackmate rackmate.db",
		Args:    cli.Args(2, 2, "name the source and the destination: each is a data file or a database (postgres://...)"),
		RunE:    func(c *cobra.Command, args []string) error { return copyAll(c.Context(), cli.StdOf(c), args) },
	}
}

func copyAll(ctx context.Context, std cli.Std, rest []string) error {
	if _, err := os.Stat(rest[0]); err == nil && !isURL(rest[0]) {
		if _, err := soundFile(ctx, rest[0]); err != nil {
			return fmt.Errorf("nothing was copied, because %s is damaged: %w", rest[0], err)
		}
	}
	from, err := openData(ctx, rest[0])
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := openUnfinished(ctx, rest[1], 0, time.Now)
	if err != nil {
		return err
	}
	defer func() {
		if to != nil {
			to.Close()
		}
	}()
	for i, db := range []database{from, to} {
		living, err := db.Holders(ctx, db.Now())
		if err != nil {
			return err
		}
		if len(living) > 0 {
			host, _, _ := strings.Cut(string(living[0].Holder), " ")
			return fmt.Errorf("the host %s runs on %s: stop all hosts first, and wait ten seconds", host, shownData(rest[i]))
		}
	}
	progress := cli.NewProgress(std.Err, "copying "+shownData(rest[0]), 0)
	defer progress.Done()
	sums, err := carry(ctx, from, to, progress.Note)
	progress.Done()
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("the copy isn't finished: repeat the command to continue")
	}
	if err != nil {
		return err
	}
	db := to
	to = nil
	if err := db.Close(); err != nil {
		return err
	}
	fmt.Fprintf(std.Out, "ok tables=%d\n", sums.Tables())
	return nil
}

// carryAtOnce is the approximate number of bytes copied in one transaction.
const carryAtOnce = 1 << 20

// carry copies all records to an empty database, or resumes an interrupted copy, and compares
// the result with the source. It reports progress to note.
func carry(ctx context.Context, from, to store.Carrier, note func(string)) (store.Sums, error) {
	skip, unfinished, err := to.CountRecords(ctx)
	if err != nil {
		return nil, err
	}
	if !unfinished {
		if empty, err := isEmpty(ctx, to); err != nil {
			return nil, err
		} else if !empty {
			return nil, errors.New("the target already has data: name an empty database, or a new file")
		}
	}
	there := store.Sums{}
	var waiting []store.Record
	n, size := 0, 0
	flush := func() error {
		if err := to.Carry(ctx, waiting, n); err != nil {
			return fmt.Errorf("copy: %w; repeat the command to continue", err)
		}
		waiting, size = nil, 0
		note(fmt.Sprintf("%d records", n))
		return nil
	}
	if err := from.Records(ctx, func(r store.Record) error {
		if err := there.Add(r); err != nil {
			return err
		}
		if n++; n <= skip {
			return nil
		}
		waiting = append(waiting, r)
		if size += r.Size(); size >= carryAtOnce {
			return flush()
		}
		return nil
	}); err != nil {
		return nil, err
	}
	if err := flush(); err != nil {
		return nil, err
	}
	note("comparing")
	came := store.Sums{}
	if err := to.Records(ctx, came.Add); err != nil {
		return nil, err
	}
	if differ := there.Differ(came); len(differ) > 0 {
		return nil, fmt.Errorf("the copy differs from its source in %d parts, first in %s. If the source changed meanwhile, remove the copy and begin again", len(differ), differ[0])
	}
	return there, to.Finish(ctx)
}

// errNotEmpty stops the search for a record.
var errNotEmpty = errors.New("the database isn't empty")

// isEmpty reports whether a database has no records.
func isEmpty(ctx context.Context, db store.Carrier) (bool, error) {
	err := db.Records(ctx, func(r store.Record) error {
		if _, ok := r.(store.Counters); ok {
			return nil
		}
		return errNotEmpty
	})
	if errors.Is(err, errNotEmpty) {
		return false, nil
	}
	return err == nil, err
}
