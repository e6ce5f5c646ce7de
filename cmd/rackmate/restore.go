package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/cmd/internal/cli"
)

// restoreCommand returns the command that restores a missing data file from a backup.
func restoreCommand() *cobra.Command {
	var data string
	c := &cobra.Command{
		Use: "restore [--data FILE] BACKUP", Short: "makes a data file from a backup; it never overwrites one",
		Long:    "makes a data file from a backup and says what it restored; it never overwrites one.",
		Example: "rackmate restore copy.db\nrackmate restore --data /var/lib/rackmate/rackmate.db /var/backups/rackmate-20260314T060000Z.db",
		Args:    cli.Args(1, 1, "name one backup"),
		RunE: func(c *cobra.Command, args []string) error {
			if isURL(data) {
				return cli.UsageError("restore makes a data file; \"rackmate copy BACKUP postgres://...\" brings a backup into a database")
			}
			progress := cli.NewProgress(c.ErrOrStderr(), "restoring "+data, 0)
			s, err := restore(c.Context(), args[0], data)
			progress.Done()
			if err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "ok %s %s\n", data, summary(s))
			if _, err := os.Stat(data + keySuffix); errors.Is(err, fs.ErrNotExist) && os.Getenv(keySetting) == "" {
				fmt.Fprintf(c.ErrOrStderr(), "a backup has no keys: unless you bring the old %s%s back, everybody in the room signs in again, and links to pages are new\n", data, keySuffix)
			}
			return nil
		},
	}
	dataFlag(c, &data)
	return c
}

// restore checks a backup and copies it to a data file that must not exist yet. If root runs it,
// the file is given to the owner of its folder, who runs the host.
func restore(ctx context.Context, backup, data string) (s bolt.Summary, err error) {
	from, err := os.Open(backup)
	if err != nil {
		return s, err
	}
	defer from.Close()
	if err := refuseServed(ctx, data); err != nil {
		return s, err
	}
	if _, err := os.Lstat(data); !errors.Is(err, fs.ErrNotExist) {
		return s, fmt.Errorf("%s already exists and isn't overwritten: stop the host and move the file away first, such as with mv %s %s.old", data, data, data)
	}
	err = cli.WriteNew(data, func(f *os.File) error {
		if _, err := io.Copy(f, from); err != nil {
			return err
		}
		if s, err = soundFile(ctx, f.Name()); err != nil {
			return fmt.Errorf("%s wasn't restored: %w; try an earlier backup", backup, damageIn(err))
		}
		return giveToOwnerOf(filepath.Dir(data), f)
	})
	return s, err
}

// damageIn returns what is wrong with a backup, without its temporary name and what to do about a
// data file in use.
func damageIn(err error) error {
	var foreign *bolt.ForeignError
	var damaged *bolt.DamagedError
	switch {
	case errors.As(err, &foreign):
		return fmt.Errorf("it isn't a Rackmate data file, or is damaged (%w)", foreign.Err)
	case errors.As(err, &damaged):
		return fmt.Errorf("it is damaged (%w)", damaged.Err)
	}
	return err
}

// summary returns a one-line summary of a data file.
func summary(s bolt.Summary) string {
	last := "never"
	if !s.Last.IsZero() {
		last = s.Last.UTC().Format(time.RFC3339)
	}
	return fmt.Sprintf("tables=%d people=%d last=%s", s.Tables, s.People, last)
}
