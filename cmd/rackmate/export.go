package main

import (
	"github.com/rackmate/rackmate/cmd/internal/cli"

	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"

	"github.com/rackmate/rackmate/bot"
)

// runExport writes a finished game as files: GCG, and the proof of its draws.
func runExport(ctx context.Context, std cli.Std, args []string) error {
	flags := cli.NewFlags("export")
	data := dataFlag(flags)
	folder := flags.String("o", ".", "")
	rest, err := cli.ParseSome(flags, args, 1, 1, "name one game, by its table's number")
	if err != nil {
		return err
	}
	files, err := exportFrom(ctx, *data, rest[0])
	if err != nil {
		return err
	}
	if err := os.MkdirAll(*folder, 0o755); err != nil {
		return err
	}
	for _, f := range files {
		name := filepath.Join(*folder, f.Name)
		err := writeNew(name, func(w *os.File) error { _, err := w.Write(f.Data); return err })
		if err != nil {
			return err
		}
		fmt.Fprintln(std.Out, name)
	}
	return nil
}

// exportFrom gets the files from the running host, or out of the file of data.
func exportFrom(ctx context.Context, data, id string) (files []bot.File, err error) {
	err = onData(ctx, data, http.MethodGet, "/tables/"+url.PathEscape(id), func(body io.Reader) error {
		return json.NewDecoder(body).Decode(&files)
	}, func(db database) error {
		files, err = exported(ctx, db, id)
		return err
	})
	return files, err
}
