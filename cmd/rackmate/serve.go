package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/imaging"
)

// hostNotes are whose notes the host's own are.
const hostNotes = "host"

// serveConfig is what the operator says.
type serveConfig struct {
	listen   string
	data     string
	theme    string   // of all boards; empty: what suits each platform
	lexicons list     // files of compiled word lists, beside those that ship
	speaks   list     // files of languages, beside those that come along
	hosts    list     // names that browsers may call the room by
	proxies  networks // whose word counts for where requests come from
	discord  discordConfig
	slack    slackConfig

	logLevel  slog.Level
	logFormat string
	verbose   bool
}

// logger is the host's log, as the operator wants it.
func (c *serveConfig) logger(w io.Writer) (*slog.Logger, error) {
	options := &slog.HandlerOptions{Level: c.logLevel}
	if c.verbose {
		options.Level = min(c.logLevel, slog.LevelInfo)
	}
	switch c.logFormat {
	case "text":
		return slog.New(slog.NewTextHandler(w, options)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(w, options)), nil
	}
	return nil, usageError(fmt.Sprintf("the log is written as text or json, not as %q", c.logFormat))
}

// list is a flag that can be given more than once.
type list []string

func (l *list) String() string     { return fmt.Sprint(*l) }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

// defaultData is the file of data where none is named: in the folder that the
// program is started in, where it is easily found.
const defaultData = "rackmate.db"

// settings are the host's settings, read into c.
func (c *serveConfig) settings(subcommand string) *settings {
	s := newSettings(subcommand)
	s.flags.StringVar(&c.listen, "listen", "127.0.0.1:8080", "the `ADDR`ess that the web room listens on")
	s.flags.StringVar(&c.data, "data", defaultData, "the `FILE` that everything is kept in")
	s.flags.StringVar(&c.theme, "theme", "", "how boards look: light, dark or cb; without it, what suits each reader")
	s.flags.Var(&c.lexicons, "lexicon", "a `FILE` that \"rackmate lexicon build\" made, beside the lists that ship; may be given again")
	s.flags.Var(&c.speaks, "language", "a `FILE` that says how the game is played in a language, see \"rackmate language check\"; may be given again")
	s.flags.Var(&c.hosts, "host", "a `NAME` that browsers may call the room by; may be given again")
	s.flags.Var(&c.proxies, "trust-proxy", "the address or `CIDR` of a proxy before the host, which says whom it asks for in X-Forwarded-For; may be given again")
	s.flags.TextVar(&c.logLevel, "log-level", slog.LevelWarn, "what the log tells: debug, info (a line for each command), warn or error")
	s.flags.StringVar(&c.logFormat, "log", "text", "how the log is written: text or json")
	s.flags.BoolVar(&c.verbose, "verbose", false, "the same as --log-level info")
	c.discord.settings(s)
	c.slack.settings(s)
	return s
}

func runServe(ctx context.Context, std stdio, args []string) error {
	var c serveConfig
	rest, err := c.settings("serve").parse(args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return usageError(fmt.Sprintf("%q means nothing here", rest[0]))
	}
	log, err := c.logger(std.err)
	if err != nil {
		return err
	}
	return serve(ctx, c, log, func(address string) {
		fmt.Fprintf(std.err, "Rackmate is at http://%s\nEverything is kept in %s. Stop with Ctrl-C; nothing is lost.\n", address, c.data)
	})
}

// serve runs the host until ctx is done. It calls ready with the address when
// the room can be entered.
func serve(ctx context.Context, c serveConfig, log *slog.Logger, ready func(address string)) (err error) {
	eq, err := standard()
	if err != nil {
		return err
	}
	languages, err := openLanguages(c.speaks)
	if err != nil {
		return err
	}
	lexicons, err := openLexicons(c.lexicons)
	if err != nil {
		return err
	}
	renderer, err := newRenderer(cmp.Or(c.theme, "light"))
	if err != nil {
		return usageError(err.Error())
	}
	dark, err := newRenderer(cmp.Or(c.theme, "dark"))
	if err != nil {
		return usageError(err.Error())
	}
	themes := map[imaging.Theme]func() *imaging.Renderer{}
	for _, theme := range imaging.Themes() {
		themes[theme] = sync.OnceValue(func() *imaging.Renderer {
			r, err := newRenderer(theme.String())
			if err != nil {
				log.Error("can't draw in a theme", "theme", theme, "error", err)
				return renderer
			}
			return r
		})
	}
	// The port first: whoever starts a second host should hear of that, and
	// not that the file is in use.
	listener, err := net.Listen("tcp", c.listen)
	if err != nil {
		return fmt.Errorf("can't listen on %s: %w. Choose another address with --listen", c.listen, err)
	}
	defer listener.Close()
	db, err := bolt.Open(c.data, time.Now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()

	minds, err := newMinds(lexicons, languages)
	if err != nil {
		return err
	}
	boards, err := layouts()
	if err != nil {
		return err
	}
	// Those who need the host, and whom it needs.
	var keepers []bot.Keeper
	var room *web.Room
	var onDiscord *discord.Adapter
	var onSlack *slack.Adapter
	host := host.New(host.Config{
		Store: db, Notes: db.Notes(hostNotes), Equipment: eq, Languages: languages, Lexicons: lexicons,
		DefaultLexicon: func(platform string) string {
			if platform == slack.Platform {
				return workLexicon
			}
			return defaultLexicon
		},
		Renderer: func(platform string) *imaging.Renderer {
			if platform == discord.Platform {
				return dark // as most people have Discord
			}
			return renderer
		},
		TurnRacks: func(platform string) bool { return platform == discord.Platform || platform == slack.Platform },
		Now:       time.Now, Random: rand.Reader, Log: log, Dark: dark,
		Theme: func(t imaging.Theme) *imaging.Renderer { return themes[t]() },
		Link: func(ctx context.Context, ch bot.ChannelID, home string) string {
			switch {
			case ch.Platform() == discord.Platform && onDiscord != nil:
				return onDiscord.Link(ctx, ch, home)
			case ch.Platform() == slack.Platform && onSlack != nil:
				return onSlack.Link(ctx, ch)
			}
			return room.Link(ctx, roomURL(c.hosts, listener.Addr()), ch)
		},
		Keepers: func() []bot.Keeper { return keepers },
		Mind:    minds.of, Thinkers: runtime.NumCPU() - 1,
		Layouts: boards, Common: minds.common,
	})
	hosts := []string(c.hosts)
	if len(hosts) == 0 && !onlyHere(listener.Addr()) {
		hosts = []string{"*"}
	}
	room, err = web.New(web.Config{Host: host, Notes: db.Notes("web"), Now: time.Now, Random: rand.Reader, Log: log, Hosts: hosts, Proxies: c.proxies})
	if err != nil {
		return fmt.Errorf("open the web room: %w", err)
	}
	onDiscord, err = c.discord.open(host, db, log)
	if err != nil {
		return err
	}
	onSlack, err = c.slack.open(host, db, log)
	if err != nil {
		return err
	}
	keepers = append(keepers, room)
	if onDiscord != nil {
		keepers = append(keepers, onDiscord)
	}
	if onSlack != nil {
		keepers = append(keepers, onSlack)
	}
	control, err := listenControl(c.data, db)
	if err != nil {
		return err
	}

	// What runs beside each other; the first to fail stops the rest.
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var running sync.WaitGroup
	start := func(what string, run func() error) {
		running.Go(func() {
			if err := run(); err != nil {
				stop(fmt.Errorf("%s: %w", what, err))
			}
		})
	}
	handler := http.NewServeMux()
	handler.Handle("/", room)
	if onDiscord != nil {
		handler.Handle(interactionsPath, onDiscord)
		start("Discord", func() error { return onDiscord.Run(ctx) })
		start("deliver to Discord", func() error { return host.Deliver(ctx, discord.Platform, onDiscord) })
	}
	if onSlack != nil {
		handler.Handle(slackPath, onSlack)
		start("Slack", func() error { return onSlack.Run(ctx) })
		start("deliver to Slack", func() error { return host.Deliver(ctx, slack.Platform, onSlack) })
	}
	server := newHTTPServer(handler, slog.NewLogLogger(log.Handler(), slog.LevelDebug))
	bounded := boundConnections(listener, maxConnections, maxConnectionsOfOne, c.proxies)
	start("web room", func() error { return unlessClosed(server.Serve(bounded)) })
	start("control socket", func() error { return unlessClosed(control.serve()) })
	start("deliver posts", func() error { return host.Deliver(ctx, "web", room) })
	start("timers", func() error { return host.RunTimers(ctx) })
	ready(address(listener.Addr()))

	<-ctx.Done()
	// No new requests; those under way finish; then the store is closed.
	room.Close()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		server.Close()
	}
	control.close()
	running.Wait()
	if onSlack != nil {
		onSlack.Wait()
	}
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil
}

// roomURL is where the web room is: at the first name that the operator gave
// it, else where it listens.
func roomURL(hosts []string, listening net.Addr) string {
	if len(hosts) > 0 && hosts[0] != "*" {
		return "https://" + hosts[0]
	}
	return "http://" + address(listening)
}

func unlessClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// onlyHere reports whether only this computer can reach an address.
func onlyHere(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// address is what to type into a browser on this computer.
func address(a net.Addr) string {
	tcp, ok := a.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return a.String()
	}
	name, err := os.Hostname()
	if err != nil {
		name = "localhost"
	}
	return net.JoinHostPort(name, fmt.Sprint(tcp.Port))
}
