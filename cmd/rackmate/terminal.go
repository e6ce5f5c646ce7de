package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/adapters/terminal"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game/robot"
)

// terminalOptions holds the options of the terminal subcommand.
type terminalOptions struct {
	names, robot, data, lexicon, language string
	plain                                 bool
}

// terminalCommand returns the command that plays a game in the terminal.
func terminalCommand() *cobra.Command {
	var o terminalOptions
	c := &cobra.Command{
		Use: "terminal [FLAG]... [OPTION:VALUE]...", Short: "a game in this terminal, against a robot or for people who share it",
		Long:              "plays a game in this terminal, against a robot or for people who share it. Options are those of /new, such as time:10m or rules:club.",
		Example:           "rackmate terminal\nrackmate terminal --names Ann,Bob rules:club",
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(c *cobra.Command, args []string) error { return o.run(c.Context(), cli.StdOf(c), args) },
	}
	flags := c.Flags()
	flags.StringVar(&o.names, "names", "", "the `NAMES` of the people who play, separated by commas")
	flags.StringVar(&o.robot, "robot", "", "the `LEVEL` of the robot; without it medium")
	cli.Choices(c, "robot", robotLevels()...)
	flags.BoolVar(&o.plain, "plain", false, "write line by line, as for screen readers")
	cli.LexiconFlag(c, &o.lexicon, "")
	cli.LanguageFlag(c, &o.language, "the language of the tiles: a `CODE`, or the file of a language")
	flags.StringVar(&o.data, "data", "", "the `FILE` that the game is kept in; without it in memory")
	cli.FileFlag(c, "data")
	return c
}

// robotLevels returns the names of the robots' levels.
func robotLevels() (names []string) {
	for _, l := range robot.Levels() {
		names = append(names, l.Name)
	}
	return names
}

// run plays a game.
func (o terminalOptions) run(ctx context.Context, std cli.Std, options []string) error {
	people := strings.FieldsFunc(o.names, func(r rune) bool { return r == ',' })
	for i, name := range people {
		people[i] = strings.TrimSpace(name)
	}
	var open string
	switch {
	case isURL(o.data):
		return cli.UsageError("terminal can't use a database: name a data file with --data")
	case len(people) > 1 && o.robot != "":
		return cli.UsageError("a robot plays against one person: leave out --robot, or all --names but one")
	case len(people) > 1:
		open = fmt.Sprintf("/new seats:%d", len(people))
	default:
		if len(people) == 0 {
			people = []string{"Player"}
		}
		open = "/new robots:" + cmp.Or(o.robot, "medium")
	}
	var serving serveConfig
	with, err := serving.playWith(o.lexicon, o.language)
	if err != nil {
		return err
	}
	options = append(with, options...)
	c := terminal.Config{
		People: people, Open: strings.Join(append([]string{open}, options...), " "),
		In: std.In, Out: std.Out, Random: rand.Reader, Locale: locale(os.Getenv),
		Save: func(name string, data []byte) error {
			return cli.WriteNew(name, func(w *os.File) error { _, err := w.Write(data); return err })
		},
	}
	if cli.IsTerminal(std.Out) {
		c.Clear = "\x1b[H\x1b[2J\x1b[3J" // cursor to the top, clear the screen and the scrollback
	}
	var late bytes.Buffer // log lines held back while the screen is drawn
	log := io.Writer(std.Err)
	if in, ok := std.In.(*os.File); ok && !o.plain && cli.IsTerminal(in) && cli.IsTerminal(std.Out) && os.Getenv("TERM") != "dumb" {
		if c.Screen, err = terminal.NewScreen(); err != nil {
			return err
		}
		log = &late
	}
	err = playInTerminal(ctx, c, &serving, o.data, slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn})))
	_, errLate := late.WriteTo(std.Err)
	return errors.Join(err, errLate)
}

// playWith registers a word list and a language with the host, each a shipped one or a file, and
// returns the options of /new that select them.
func (c *serveConfig) playWith(lexicon, language string) (options []string, err error) {
	if lexicon != "" {
		lex, err := cli.OpenLexicon(lexicon)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(data.Lexicons(), lexicon) {
			c.lexicons = append(c.lexicons, lexicon)
		}
		options = append(options, "lexicon:"+lex.Name())
	}
	if language != "" {
		l, _, err := cli.ListLanguage(language, "")
		if err != nil {
			return nil, err
		}
		if !slices.Contains(data.Languages(), language) {
			c.speaks = append(c.speaks, language)
		}
		options = append(options, "language:"+l.Code)
	}
	return options, nil
}

// locale returns the language of messages in an environment, without the encoding: "de_DE" for
// "de_DE.UTF-8".
func locale(env func(string) string) string {
	name := cmp.Or(env("LC_ALL"), env("LC_MESSAGES"), env("LANG"))
	if i := strings.IndexAny(name, ".@"); i >= 0 {
		name = name[:i]
	}
	return name
}

// playInTerminal hosts a table for a terminal, stored in a file or, if file is empty, in memory.
func playInTerminal(ctx context.Context, c terminal.Config, serving *serveConfig, file string, log *slog.Logger) error {
	config, err := serving.hostConfig(log)
	if err != nil {
		return err
	}
	if file == "" {
		kept := memory.New()
		config.Store, config.Notes = kept, kept.Notes(hostNotes)
	} else {
		db, err := bolt.Open(file, time.Now)
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
