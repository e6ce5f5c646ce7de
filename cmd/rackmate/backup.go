package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/cmd/internal/cli"
)

// backupCommand returns the command that copies a data file, or a database into a data file, even
// while hosts run.
func backupCommand() *cobra.Command {
	var data string
	c := &cobra.Command{
		Use: "backup [--data FILE] FILE", Short: "writes a consistent copy of the data, also while hosts run",
		Long:    "writes a consistent copy of the data file, or of a database as such a file, also while hosts run. - is standard output.",
		Example: "rackmate backup copy.db\nrackmate backup --data postgres://rackmate@db.example.org/rackmate copy.db",
		Args:    cli.Args(1, 1, "name the file to write, or - for standard output"),
		RunE:    func(c *cobra.Command, args []string) error { return backup(c.Context(), cli.StdOf(c), data, args[0]) },
	}
	dataFlag(c, &data)
	return c
}

func backup(ctx context.Context, std cli.Std, data, file string) error {
	progress := cli.NewProgress(std.Err, "copying "+shownData(data), 0)
	defer progress.Done()
	if file == "-" {
		return copyData(ctx, data, countingWriter{std.Out, progress})
	}
	if err := cli.WriteNew(file, func(f *os.File) error { return copyData(ctx, data, countingWriter{f, progress}) }); err != nil {
		return err
	}
	progress.Done()
	fmt.Fprintf(std.Err, "%s is a copy of %s as it was just now\n", file, shownData(data))
	return nil
}

// A countingWriter reports how many bytes were written.
type countingWriter struct {
	io.Writer
	progress *cli.Progress
}

func (c countingWriter) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	c.progress.Note(fmt.Sprintf("%d MB", c.progress.Step.Add(int64(n))>>20))
	return n, err
}

// copyData writes a consistent copy of a data file or a database.
func copyData(ctx context.Context, data string, w io.Writer) error {
	if isURL(data) {
		db, err := openData(ctx, data)
		if err != nil {
			return err
		}
		return errors.Join(copyDatabase(ctx, db, w), db.Close())
	}
	for range copyTries {
		body, err := ask(ctx, data, http.MethodGet, "/backup")
		if err == nil {
			defer body.Close()
			if _, err := io.Copy(w, body); err != nil {
				return fmt.Errorf("copy from the running host: %w", err)
			}
			return nil
		}
		if !errors.Is(err, errNoHost) {
			return err
		}
		// a host that starts now must not find the file locked
		if done, err := copyQuietly(data, w); done || err != nil {
			return err
		}
	}
	return fmt.Errorf("%s keeps changing, and no host answers: does another program write to it? Try again", data)
}

// copyTries is the number of attempts to copy a file while hosts start on it.
const copyTries = 3

// copyQuietly copies a data file that no host has open. done is false if one opens it.
func copyQuietly(data string, w io.Writer) (done bool, err error) {
	f, err := os.CreateTemp("", "rackmate-backup-*")
	if err != nil {
		return false, err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	done, err = bolt.CopyUnlocked(data, f)
	if errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("no data file %s: name yours with --data", data)
	}
	if err != nil || !done {
		return false, err
	}
	return true, bolt.BackupOf(f.Name(), w)
}

// copyDatabase writes the contents of a database as a data file.
func copyDatabase(ctx context.Context, db database, w io.Writer) error {
	dir, err := os.MkdirTemp("", "rackmate-backup-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file, err := bolt.Open(filepath.Join(dir, "copy.db"), time.Now)
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := carry(ctx, withoutKeys{db}, file, func(string) {}); err != nil {
		return err
	}
	return file.Backup(w)
}
