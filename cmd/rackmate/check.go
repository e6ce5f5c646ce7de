package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/bot/store/postgres"
	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/game"
)

// checkCommand returns the command that checks data for damage.
func checkCommand() *cobra.Command {
	return &cobra.Command{
		Use: "check FILE", Short: "looks for damage in a data file, a backup or a database",
		Long:    "looks for damage in a whole data file (with no host running on it), a backup or a database.",
		Example: "rackmate check copy.db\nrackmate check postgres://rackmate@db.example.org/rackmate",
		Args:    cli.Args(1, 1, "name one data file (with no host running on it), backup or database (postgres://...)"),
		RunE:    func(c *cobra.Command, args []string) error { return check(c.Context(), cli.StdOf(c), args[0]) },
	}
}

// check checks a whole data file, a backup or a database, and prints
//
//	ok FILE tables=N people=N last=TIME
//	bad FILE what is wrong
//	unsure DATABASE why nobody can tell
func check(ctx context.Context, std cli.Std, file string) error {
	if isURL(file) {
		return checkDatabase(ctx, std, file)
	}
	if _, err := os.Stat(file); err != nil {
		return err
	}
	progress := cli.NewProgress(std.Err, "checking "+file, 0)
	s, found := bolt.Check(ctx, file)
	progress.Done()
	for _, err := range found {
		// Errors about the whole file begin with its name.
		said := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "the data file "), file+" ")
		fmt.Fprintf(std.Out, "bad %s %s\n", file, said)
	}
	if len(found) > 0 {
		return cli.ErrFailed
	}
	fmt.Fprintf(std.Out, "ok %s %s\n", file, summary(s))
	return nil
}

// checkDatabase reads every row of a database, even while hosts run, and checks that the events of
// each table are readable and consistent. It can't verify that a row is as it was written: only the
// database's own page checksums can.
func checkDatabase(ctx context.Context, std cli.Std, url string) error {
	db, err := postgres.Open(ctx, postgres.Config{URL: url})
	if err != nil {
		return err
	}
	defer db.Close()
	name := shownData(url)
	var s bolt.Summary
	people := map[game.PlayerID]bool{}
	progress := cli.NewProgress(std.Err, "checking "+name, 0)
	defer progress.Done()
	if err := db.Records(ctx, func(r store.Record) error {
		if note, ok := r.(store.Note); ok {
			return checkRow(note.Adapter, note.Shelf, note.Key, note.Value)
		}
		t, ok := r.(store.Table)
		if !ok {
			return nil
		}
		s.Tables++
		progress.Note(fmt.Sprintf("%d tables", s.Tables))
		var cache store.Cache
		list, err := cache.Events(t.ID, t.Events)
		for _, e := range list {
			for _, p := range e.People() {
				people[p.ID] = true
			}
			if e.At.After(s.Last) {
				s.Last = e.At
			}
		}
		return err
	}); err != nil {
		progress.Done()
		fmt.Fprintf(std.Out, "bad %s %v\n", name, err)
		return cli.ErrFailed
	}
	progress.Done()
	s.People = len(people)
	if on, err := db.ChecksumsPages(ctx); err != nil || !on {
		fmt.Fprintf(std.Out, "unsure %s %s: nothing wrong was found, but the database keeps no checksums of its pages, so a damaged row may pass for a sound one; pg_checksums --enable, while the server is stopped, makes it keep them\n", name, summary(s))
		return cli.ErrFailed
	}
	fmt.Fprintf(std.Out, "ok %s %s\n", name, summary(s))
	return nil
}
