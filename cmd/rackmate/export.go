package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/cmd/internal/cli"
)

// exportCommand returns the command that exports a finished game: as GCG, with the proof of its
// draws.
func exportCommand() *cobra.Command {
	var data, folder string
	c := &cobra.Command{
		Use: "export [--data FILE] [-o FOLDER] GAME", Short: "writes a finished game as GCG, with the proof of its draws",
		Example: "rackmate export 12\nrackmate export -o games 12",
		Args:    cli.Args(1, 1, "name one game, by its table's number"), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, args []string) error {
			return export(c.Context(), cli.StdOf(c), data, folder, args[0])
		},
	}
	dataFlag(c, &data)
	c.Flags().StringVarP(&folder, "output", "o", ".", "the `FOLDER` for the files")
	cli.FolderFlag(c, "output")
	return c
}

func export(ctx context.Context, std cli.Std, data, folder, id string) error {
	files, err := exportFrom(ctx, data, id)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, f := range files {
		name := filepath.Join(folder, f.Name)
		err := cli.WriteNew(name, func(w *os.File) error { _, err := w.Write(f.Data); return err })
		if err != nil {
			return err
		}
		fmt.Fprintln(std.Out, name)
	}
	return nil
}

// exportFrom returns the export files of a game, from the running host or from the data file.
func exportFrom(ctx context.Context, data, id string) (files []bot.File, err error) {
	err = onData(ctx, data, http.MethodGet, "/tables/"+url.PathEscape(id), func(body io.Reader) error {
		return json.NewDecoder(body).Decode(&files)
	}, func(db database) error {
		files, err = exportFiles(ctx, db, id)
		return err
	})
	return files, err
}
