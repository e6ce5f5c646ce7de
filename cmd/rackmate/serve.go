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
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/imaging"
	"github.com/rackmate/rackmate/lexicon"
)

// hostNotes is the adapter name under which the host keeps its own notes.
const hostNotes = "host"

// serveConfig holds the operator's settings.
type serveConfig struct {
	listen      string
	data        string
	connections int    // most connections to a database
	theme       string // theme of all boards; "" for each platform's default
	lexicons    list   // files of compiled word lists, besides the shipped ones
	speaks      list   // files of languages, besides the shipped ones
	url         outside
	web         webConfig
	discord     discordConfig
	slack       slackConfig
	served      []platform // see platforms

	// drain sets how long the server still takes requests after it is asked to stop. A negative
	// value is the default, which only applies if other computers can reach the host.
	drain time.Duration

	personShare share // largest part of the processors that one person may use

	forgetAfter days // time after a game's end when its names are removed

	key     string  // seals the keys in the store; "" to use the key file beside the data
	contact contact // the operator's address; "" for none
	metrics string  // address of the metrics server; "" for none
	backups backupSettings

	level     slog.LevelVar // current log level
	logLevel  logLevel
	logFormat string
	verbose   bool

	demo *demo // nil unless the host serves a demo

	read, latest *settings                               // settings at the start, and as last read
	again        func() (*serveConfig, *settings, error) // reads the settings again
}

// logger returns the host's log in the configured format and level.
func (c *serveConfig) logger(w io.Writer) *slog.Logger {
	c.setLevel(c)
	options := &slog.HandlerOptions{Level: &c.level}
	if c.logFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

// setLevel sets the log level from other settings.
func (c *serveConfig) setLevel(says *serveConfig) {
	level := slog.Level(says.logLevel)
	if says.verbose {
		level = min(level, slog.LevelInfo)
	}
	c.level.Set(level)
}

// list is a flag that can be given more than once.
type list []string

func (l *list) String() string     { return fmt.Sprint(*l) }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }
func (l *list) Type() string       { return "list" }

// defaultData is the default data file: in the current folder, where it is easily found.
const defaultData = "rackmate.db"

// dataFlag adds a tool's --data flag. Its default is the host's setting in the same environment, so
// that a container's tools find the container's data.
func dataFlag(c *cobra.Command, data *string) {
	c.Flags().StringVar(data, "data", cmp.Or(os.Getenv(envName("data")), defaultData), "the data `FILE`, or the database (postgres://...)")
	cli.FileFlag(c, "data")
}

// settings returns the host's settings, which will be parsed into c.
func (c *serveConfig) settings(subcommand string) *settings {
	s := newSettings(subcommand)
	s.flags.StringVar(&c.listen, "listen", "127.0.0.1:8080", "the `ADDR`ess that the web room listens on")
	s.flags.StringVar(&c.data, "data", defaultData, "the `FILE` that everything is kept in, or a PostgreSQL database for any number of hosts: postgres://user@server/name (a password in PGPASSWORD)")
	s.flags.IntVar(&c.connections, "connections", 10, "how many connections to a database there are at most")
	s.secret(&c.key, keySetting, "what the host's own keys are sealed with in the store, from openssl rand -base64 32; hosts on one database share it; without it a file of data has its key in FILE.key")
	s.flags.StringVar(&c.theme, "theme", "", "how boards look: "+imaging.ThemeNames()+"; without it, what suits each reader")
	s.flags.Var(&c.url, "url", "the `URL` that browsers elsewhere find the host at, such as https://play.example.org; with it each game has a page that posts lead to")
	s.flags.Var(&c.lexicons, "lexicon", "a `FILE` that \"rackmate lexicon build\" made, beside the lists that ship; may be given again")
	s.flags.Var(&c.speaks, "language", "a `FILE` that says how the game is played in a language, see \"rackmate language check\"; may be given again")
	c.logLevel = logLevel(slog.LevelWarn)
	s.flags.Var(&c.logLevel, "log-level", "what the log tells: debug, info (a line for each command), warn or error")
	s.flags.StringVar(&c.logFormat, "log", "text", "how the log is written: text or json")
	s.flags.BoolVar(&c.verbose, "verbose", false, "the same as --log-level info")
	s.flags.Var(&c.personShare, "person-share", "the `SHARE` of the processors that one person may keep busy; a network four times as much; 0 sets no limit")
	s.flags.Var(&c.forgetAfter, "forget-after", "how many `DAYS` after its end the names in a game are forgotten, such as 400d; without it they stay until somebody asks")
	s.flags.Var(&c.contact, "contact", "how people reach whoever runs the host, for the command /privacy and the pages /privacy and /support: an `ADDRESS` of mail, or one that begins with https://")
	s.flags.StringVar(&c.metrics, "metrics", "", "the `ADDR`ess for Prometheus, apart from the room's, such as 127.0.0.1:9090: /metrics, and what is wrong at /readyz; without it there is none")
	s.flags.Var((*drainFor)(&c.drain), "drain", "how long requests are taken still when the host is asked to stop, for a proxy to send them elsewhere: 0s to 60s; without it 3s, and not at all where only this computer reaches the host")
	c.drain = -usualDrain
	c.personShare = usualShare
	c.backups.settings(s)
	for _, p := range c.platforms() {
		p.settings(s)
	}
	return s
}

// A share is a flag value such as "4%": a part of the host.
type share float64

func (s *share) String() string { return strconv.FormatFloat(100*float64(*s), 'g', 4, 64) + "%" }

func (s *share) Set(said string) error {
	percent, err := strconv.ParseFloat(strings.TrimSuffix(said, "%"), 64)
	if err != nil || !(percent >= 0 && percent <= 100) {
		return errors.New("write a percentage, such as 4%, or 0 for no limit")
	}
	*s = share(percent / 100)
	return nil
}

func (s *share) Type() string { return "share" }

// logLevel is a flag value such as "warn".
type logLevel slog.Level

func (l *logLevel) String() string { return strings.ToLower(slog.Level(*l).String()) }
func (l *logLevel) Type() string   { return "level" }

func (l *logLevel) Set(said string) error {
	if (*slog.Level)(l).UnmarshalText([]byte(said)) != nil {
		return errors.New("write debug, info, warn or error")
	}
	return nil
}

// usualShare is the default share of the host that one person may use.
const usualShare = 0.04

// serveCommand returns the command that runs the host.
func serveCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "serve [SETTING]...", Short: "runs the host, with the web room",
		Long:    "runs the host, with the web room: on Discord when DISCORD_TOKEN is set, on Slack when SLACK_BOT_TOKEN is. So does rackmate without a command. Each setting is a flag, a variable of the environment (RACKMATE_LISTEN for --listen), or a line of the file that --config names; \"rackmate config\" prints them all.",
		Example: "rackmate serve\nrackmate serve --listen :8080 --host play.example.org",
		Args:    cli.NoArgs,
	}
	makeServe(c)
	return c
}

// makeServe makes a command run the host.
func makeServe(c *cobra.Command) {
	new(serveConfig).settings("serve").addTo(c)
	c.ValidArgsFunction = cobra.NoFileCompletions
	c.RunE = func(c *cobra.Command, _ []string) error {
		return serveIn(c.Context(), cli.StdOf(c), arguments(c.Flags()), os.Environ())
	}
}

// serveIn runs the host with flags and an environment.
func serveIn(ctx context.Context, std cli.Std, args, environ []string) error {
	var c serveConfig
	c.read = c.settings("serve")
	c.latest = c.read
	if err := c.read.parse(args, environ); err != nil {
		return err
	}
	if err := c.check(); err != nil {
		return err
	}
	log := c.logger(std.Err)
	c.again = func() (*serveConfig, *settings, error) {
		var now serveConfig
		s := now.settings("serve")
		return &now, s, s.parse(args, environ)
	}
	return serve(ctx, &c, log, func(address string) {
		fmt.Fprintf(std.Err, "Rackmate is at http://%s\n%sEverything is kept in %s. Stop with Ctrl-C; nothing is lost.\n", address, c.web.howToComeIn(ctx, log), shownData(c.data))
	})
}

// serve runs the host until ctx is done. It calls ready with the address once the room is open.
func serve(ctx context.Context, c *serveConfig, log *slog.Logger, ready func(address string)) (err error) {
	defer cli.CollectLess()()
	// Open the port first, so that an operator who starts a second host hears about the port and
	// not about the locked file.
	listener, err := listen(c.listen, "--listen")
	if err != nil {
		return err
	}
	defer listener.Close()
	var metrics net.Listener
	if c.metrics != "" {
		if metrics, err = listen(c.metrics, "--metrics"); err != nil {
			return err
		}
		defer metrics.Close()
	}
	db, err := openDatabase(ctx, c.data, c.connections, c.now)
	if err != nil {
		return err
	}
	keepPrivate(c.data, log) // only once it is known to be a data file
	sealed, db, err := c.sealedOf(ctx, db, log)
	defer func() {
		if db != nil {
			err = errors.Join(err, db.Close())
		}
	}()
	if err != nil {
		return err
	}

	// The host needs its platforms, and their adapters need the host.
	var platforms []bot.Platform
	config, err := c.hostConfig(log)
	if err != nil {
		return err
	}
	seen := newFigures()
	kept := watched{sealed, seen}
	config.Store, config.Notes, config.Now, config.Observer = kept, kept.Notes(hostNotes), kept.Now, seen
	config.Platforms = func() []bot.Platform { return platforms }
	if c.demo != nil {
		config.Life, config.PersonShare = demoLife, 0
	}
	host := host.New(config)
	adapters, err := c.openAdapters(c.adapterEnv(host, config, kept, listener.Addr(), log))
	if err != nil {
		return err
	}
	platforms = describe(adapters, c.theme)
	healthy := &health{db: kept, data: c.data, adapters: adapters, figures: seen, backups: newBackups(c.backups, db, c.data, seen, log), now: kept.Now, own: c.now, space: diskSpace, failedTasks: host.FailedTasks, broken: host.Broken}
	seen.registry.MustRegister(healthy)
	var control *control
	if file, ok := db.(*bolt.DB); ok {
		if control, err = listenControl(c.data, file, healthy, host); err != nil {
			return err
		}
	}
	return c.run(ctx, host, adapters, healthy, control, listener, metrics, log, func(address string) {
		if c.demo != nil {
			c.demo.setHost(host, config, address)
		}
		ready(address)
		buildIndexes(ctx, config.Lexicons[0])
	})
}

// listen listens at the address of an option. If the port is taken, the error suggests a free one.
func listen(address, option string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if err == nil {
		return l, nil
	}
	host, port, _ := net.SplitHostPort(address)
	if n, e := strconv.Atoi(port); e == nil && n > 0 {
		for next := n + 1; next <= n+100 && next < 1<<16; next++ {
			free := net.JoinHostPort(host, strconv.Itoa(next))
			if l, e := net.Listen("tcp", free); e == nil {
				l.Close()
				return nil, fmt.Errorf("can't listen on %s: %w. Port %d is free: %s %s", address, errors.Unwrap(err), next, option, free)
			}
		}
	}
	return nil, fmt.Errorf("can't listen on %s: %w. Choose another address with %s", address, errors.Unwrap(err), option)
}

// buildIndexes builds the indexes of a list that robots need, so that their first move is
// faster. It starts after 5 seconds, when players have reconnected after a restart.
func buildIndexes(ctx context.Context, list *lexicon.Lexicon) {
	timer := time.AfterFunc(5*time.Second, func() {
		list.Gaddag()
		list.Jumbles()
	})
	context.AfterFunc(ctx, func() { timer.Stop() })
}

// adapterEnv returns what adapters need from the host.
func (c *serveConfig) adapterEnv(host *host.Host, config host.Config, kept watched, listening net.Addr, log *slog.Logger) platformEnv {
	return platformEnv{
		host:      host,
		locales:   config.Locales,
		tables:    host.TablePages(),
		pages:     host.Pages(),
		url:       c.url,
		notes:     kept.Notes,
		observer:  kept.figures,
		listening: listening,
		now:       kept.Now,
		random:    c.random(),
		demo:      c.demo != nil,
		log:       log,
		alone:     host.RunElected,
		shared:    isURL(c.data),
		keeps:     host.Keeps,
		contact:   string(c.contact),
		forget: func(ctx context.Context, what, which string) error {
			_, err := eraser{kept.database, host, true}.erase(ctx, what, which, true)
			return err
		},
	}
}

// hostConfig returns the host's configuration, except the store and the platforms. Its clock is this
// computer's.
func (c *serveConfig) hostConfig(log *slog.Logger) (config host.Config, err error) {
	eq, err := cli.StandardEquipment()
	if err != nil {
		return config, err
	}
	languages, err := cli.OpenLanguages(c.speaks)
	if err != nil {
		return config, err
	}
	lexicons, former, err := cli.OpenLexicons(c.lexicons)
	if err != nil {
		return config, err
	}
	minds, err := cli.NewMinds(lexicons, languages)
	if err != nil {
		return config, err
	}
	boards, err := cli.OpenLayouts()
	if err != nil {
		return config, err
	}
	locales, err := sentences.Load(data.Sentences())
	if err != nil {
		return config, err
	}
	draw, err := renderers(log)
	return host.Config{
		Features: features.All, Order: features.Order(),
		URL: string(c.url), Equipment: eq, Layouts: boards, Languages: languages, Lexicons: lexicons, FormerLexicons: former, DefaultLexicon: cli.HostLexicon, Common: minds.Common, Locales: locales,
		Contact: string(c.contact), ForgetAfter: time.Duration(c.forgetAfter), PersonShare: float64(c.personShare),
		Renderer: draw, Mind: minds.Of, Thinkers: runtime.NumCPU() - 1,
		Now: c.now, Name: processName(), Life: life, Random: c.random(), Log: log,
	}, err
}

// now returns the time on this computer's clock; in a demo, on the demo's.
func (c *serveConfig) now() time.Time {
	if c.demo != nil {
		return c.demo.now()
	}
	return time.Now()
}

// random returns the source of random bytes; in a demo they follow from its seed.
func (c *serveConfig) random() io.Reader {
	if c.demo != nil {
		return c.demo
	}
	return rand.Reader
}

// life limits how long other processes wait for a killed one; 0 for the default. Only tests shorten
// it.
var life time.Duration

// renderers returns a function that returns the renderer of a theme and creates it on first use.
func renderers(log *slog.Logger) (func(imaging.Theme) *imaging.Renderer, error) {
	// Create one now, so that problems with the fonts show at the start.
	light, err := cli.NewRenderer(imaging.Light.String())
	if err != nil {
		return nil, err
	}
	all := map[imaging.Theme]func() *imaging.Renderer{imaging.Light: func() *imaging.Renderer { return light }}
	for _, theme := range imaging.Themes() {
		if all[theme] != nil {
			continue
		}
		all[theme] = sync.OnceValue(func() *imaging.Renderer {
			r, err := cli.NewRenderer(theme.String())
			if err != nil {
				log.Error("can't draw in a theme", "theme", theme, "error", err)
				return light
			}
			return r
		})
	}
	return func(theme imaging.Theme) *imaging.Renderer { return all[theme]() }, nil
}

// stopWithin is the time limit for all work in progress when the host stops, whatever a platform or
// a browser does.
const stopWithin = 4 * time.Second

// run runs the host, the adapters and the servers concurrently until ctx is done or one of them
// fails.
func (c *serveConfig) run(ctx context.Context, host *host.Host, adapters []bot.Adapter, healthy *health, control *control, listener, metrics net.Listener, log *slog.Logger, ready func(address string)) error {
	asked := ctx // done when the host is asked to stop
	ctx, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	work := work{stop: stop}
	for _, a := range adapters {
		p := a.Platform()
		work.start(p.Title, func() error { return a.Run(ctx) })
		work.start("deliver to "+p.Title, func() error { return host.Deliver(ctx, p.Name, a) })
	}
	server := newHTTPServer(healthy.drain.handler(c.handler(host, adapters, healthy)), slog.NewLogLogger(log.Handler(), slog.LevelDebug))
	bounded := boundConnections(listener, maxConnections, maxConnectionsOfOne, c.web.proxies)
	work.start("HTTP server", func() error { return ignoreClosed(server.Serve(bounded)) })
	if control != nil {
		work.start("control socket", func() error { return ignoreClosed(control.serve()) })
	}
	figures := newHTTPServer(healthy.handler(c.ownNames()...), slog.NewLogLogger(log.Handler(), slog.LevelDebug))
	if metrics != nil {
		log.Info("serving metrics", "at", metrics.Addr())
		work.start("figures", func() error { return ignoreClosed(figures.Serve(metrics)) })
	}
	work.start("backups", func() error { return host.RunElected(ctx, "backups", healthy.backups.run) })
	work.start("leavers", func() error { return host.RunElected(ctx, "leavers", eraseLoop(host, log)) })
	if c.forgetAfter > 0 {
		work.start("old games", func() error { return host.RunElected(ctx, "old games", host.RunForgetting) })
	}
	hangups := hangups() // before ready, because then a reload may be requested
	work.start("settings", func() error { return c.reload(ctx, hangups, healthy.backups, log) })
	work.start("timers", func() error { return host.RunTimers(ctx) })
	ready(address(listener.Addr()))

	select {
	case <-ctx.Done(): // a part failed
	case <-asked.Done():
		healthy.drain.empty(ctx, bounded, c.drains(listener.Addr()))
		stop(context.Cause(asked))
	}
	// Refuse new requests, finish the current ones, then close the store.
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWithin)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		server.Close()
	}
	figures.Close()
	if control != nil {
		control.close()
	}
	if !finishesBefore(grace, func() { work.wait(adapters) }) {
		log.Warn("not everything was answered in time; what was done is on disk, and what is to be posted is posted after the next start", "waited", stopWithin)
	}
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil
}

// work holds what runs concurrently until the host stops.
type work struct {
	running sync.WaitGroup
	stop    context.CancelCauseFunc
}

// start runs a function in the background. If it fails, everything stops.
func (w *work) start(what string, run func() error) {
	w.running.Go(func() {
		if err := run(); err != nil {
			w.stop(fmt.Errorf("%s: %w", what, err))
		}
	})
}

func (w *work) wait(adapters []bot.Adapter) {
	w.running.Wait()
	for _, a := range adapters {
		a.Wait()
	}
}

// handler returns the handler for the adapters, the pages about the host and its health checks.
func (c *serveConfig) handler(host *host.Host, adapters []bot.Adapter, healthy *health) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", serveLive)
	mux.HandleFunc("GET /readyz", healthy.serveReady)
	pages := aboutPages{host: host, contact: c.contact}
	if c.slack.installs() {
		pages.install = "/slack/install"
	}
	pages.register(mux)
	for _, a := range adapters {
		if h, ok := a.(http.Handler); ok && a.Platform().Path != "" {
			mux.Handle(a.Platform().Path, h)
		}
	}
	return mux
}

// finishesBefore calls wait, and reports whether it returned before ctx was done.
func finishesBefore(ctx context.Context, wait func()) bool {
	done := make(chan struct{})
	go func() {
		wait()
		close(done)
	}()
	select {
	case <-done:
		return true
	case <-ctx.Done():
		return false
	}
}

func ignoreClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// drains returns how long the server still takes requests after it is asked to stop. If only this
// computer can reach it, that is 0 unless configured.
func (c *serveConfig) drains(a net.Addr) time.Duration {
	if c.drain < 0 && onlyHere(a) {
		return 0
	}
	return max(c.drain, -c.drain)
}

// onlyHere reports whether only this computer can reach an address.
func onlyHere(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// address returns the host and port to type into a browser on this computer.
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
