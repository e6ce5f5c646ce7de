package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/rackmate/rackmate/bot/store/bolt"
)

// runBackup copies the file of data, or a database as such a file, while hosts run
// too.
func runBackup(ctx context.Context, std stdio, args []string) error {
	flags := newFlags("backup")
	data := dataFlag(flags)
	rest, err := parse(flags, args)
	if err != nil {
		return err
	}
	if len(rest) != 1 {
		return usageError("name the file to write, or - for standard output")
	}
	told := newProgress(std.err, "copying "+shownData(*data), 0)
	defer told.done()
	if rest[0] == "-" {
		return copyData(ctx, *data, std.out)
	}
	if err := writeNew(rest[0], func(f *os.File) error { return copyData(ctx, *data, f) }); err != nil {
		return err
	}
	told.done()
	fmt.Fprintf(std.err, "%s is a copy of %s as it was just now\n", rest[0], shownData(*data))
	return nil
}

// copyData writes a consistent copy of a file of data, or of a database.
func copyData(ctx context.Context, data string, w io.Writer) error {
	return onData(ctx, data, http.MethodGet, "/backup", func(body io.Reader) error {
		if _, err := io.Copy(w, body); err != nil {
			return fmt.Errorf("copy from the running host: %w", err)
		}
		return nil
	}, func(db database) error {
		if file, ok := db.(*bolt.DB); ok {
			return file.Backup(w)
		}
		return copyDatabase(ctx, db, w)
	})
}

// copyDatabase writes what is in a database as a file of data.
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
	if _, err := carry(ctx, db, file, func(string) {}); err != nil {
		return err
	}
	return file.Backup(w)
}

// unfinishedSuffix stands behind the name of a file that is being written.
const unfinishedSuffix = ".unfinished-"

// writeNew writes a file that isn't there yet: whole, or not at all.
func writeNew(name string, write func(*os.File) error) error {
	if _, err := os.Stat(name); err == nil {
		return fmt.Errorf("%s is there already: choose another name, or move it away", name)
	}
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+unfinishedSuffix+"*")
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
