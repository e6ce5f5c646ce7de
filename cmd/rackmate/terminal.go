package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/rackmate/rackmate/adapters/terminal"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/bot/store/memory"
)

// runTerminal plays at a table in the terminal.
func runTerminal(ctx context.Context, std stdio, args []string) error {
	flags := newFlags("terminal")
	names := flags.String("names", "", "")
	robot := flags.String("robot", "", "")
	data := flags.String("data", "", "")
	options, err := parse(flags, args)
	if err != nil {
		return err
	}
	people := strings.FieldsFunc(*names, func(r rune) bool { return r == ',' })
	for i, name := range people {
		people[i] = strings.TrimSpace(name)
	}
	open := "/new"
	switch {
	case len(people) > 1 && *robot != "":
		return usageError("a robot plays against one person: leave out --robot, or all --names but one")
	case len(people) > 1:
		open = fmt.Sprintf("/new seats:%d", len(people))
	default:
		if len(people) == 0 {
			people = []string{"Player"}
		}
		level := *robot
		if level == "" {
			level = "medium"
		}
		open = "/new robots:" + level
	}
	c := terminal.Config{
		People: people, Open: strings.Join(append([]string{open}, options...), " "),
		In: std.in, Out: std.out, Random: rand.Reader,
		Save: func(name string, data []byte) error {
			return writeNew(name, func(w *os.File) error { _, err := w.Write(data); return err })
		},
	}
	if isTerminal(std.out) {
		c.Clear = "\x1b[H\x1b[2J\x1b[3J" // to the top; clear the screen; and what was above it
	}
	return playInTerminal(ctx, c, *data, slog.New(slog.NewTextHandler(std.err, &slog.HandlerOptions{Level: slog.LevelWarn})))
}

// playInTerminal hosts a table for a terminal, kept in a file, or in memory
// where none is named.
func playInTerminal(ctx context.Context, c terminal.Config, data string, log *slog.Logger) error {
	var serving serveConfig
	config, err := serving.hostConfig(log)
	if err != nil {
		return err
	}
	if data == "" {
		kept := memory.New()
		config.Store, config.Notes = kept, kept.Notes(hostNotes)
	} else {
		db, err := bolt.Open(data, time.Now)
		if err != nil {
			return err
		}
		defer db.Close()
		config.Store, config.Notes = db, db.Notes(hostNotes)
	}
	var adapter *terminal.Adapter
	config.Platforms = func() []bot.Platform { return []bot.Platform{adapter.Platform()} }
	table := host.New(config)
	c.Host = table
	adapter = terminal.New(c)

	ctx, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { table.Deliver(ctx, terminal.Name, adapter) })
	running.Go(func() { table.RunTimers(ctx) })
	defer running.Wait()
	defer stop()
	return adapter.Run(ctx)
}
