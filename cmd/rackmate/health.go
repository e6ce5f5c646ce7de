package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/loops"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/bot/store/postgres"
	"github.com/rackmate/rackmate/cmd/internal/cli"
)

// A finding is the result of one health check.
type finding struct {
	check   string
	trouble string // "" if healthy
	apart   bool   // affects only single tables; the host is still ready
	warning string // a warning for the operator although it is healthy; "" for none
}

// bad reports whether the finding makes the host not ready.
func (f finding) bad() bool { return f.trouble != "" && !f.apart }

// verdict returns the word for a finding that every page and command shows: bad if it makes
// the host not ready, warn for other problems, or ok. The reason may be "".
func (f finding) verdict() (word, reason string) {
	switch {
	case f.bad():
		return "bad", f.trouble
	case f.trouble != "":
		return "warn", f.trouble
	case f.warning != "":
		return "warn", f.warning
	}
	return "ok", ""
}

// A health value runs the checks of a running host. It is also the collector of the
// metrics that are computed on request.
type health struct {
	db          watched
	data        string
	adapters    []bot.Adapter
	figures     *figures
	backups     *backups
	now         func() time.Time // the database's clock
	own         func() time.Time // this computer's
	space       func(dir string) (free uint64, known bool)
	failedTasks func() []loops.FailedTask // nil if no task can fail
	broken      func() []error            // rows that couldn't be decoded; nil if nobody decodes any
	drain       drain                     // drain of the server

	mu    sync.Mutex
	at    time.Time // time of found
	found []finding
}

const (
	// healthAge sets how long results are cached, so that frequent requests don't wear out the
	// disk.
	healthAge = 3 * time.Second
	// healthTime is the time limit for the store to answer.
	healthTime = 5 * time.Second
	// lateTimer limits how late a timer may be.
	lateTimer = 2 * time.Minute
	// scarce is the least free disk space, in bytes.
	scarce = 128 << 20
)

// runChecks runs all checks, or returns recent results.
func (h *health) runChecks(ctx context.Context) []finding {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.found != nil && h.now().Sub(h.at) < healthAge {
		return h.found
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), healthTime)
	defer cancel()
	found := []finding{{check: "store", trouble: h.storeTrouble(ctx), warning: h.clockWarning()}, {check: "damage", trouble: h.describeDamage(), apart: true}, {check: "tables", trouble: h.describeFailedWork(), apart: true}}
	for _, a := range h.adapters {
		if r, ok := a.(bot.Reporter); ok {
			state := r.Health()
			found = append(found, finding{check: a.Platform().Name, trouble: platformTrouble(state), warning: state.Warning})
		}
	}
	found = append(found, finding{check: "timers", trouble: h.timerTrouble(ctx)}, finding{check: "disk", trouble: h.diskTrouble()}, finding{check: "backup", trouble: h.backups.trouble()})
	h.found, h.at = found, h.now()
	return found
}

// storeTrouble checks whether the store accepts writes. A small note may fit when nothing else
// does, so a recent failure counts too.
func (h *health) storeTrouble(ctx context.Context) string {
	for _, err := range h.db.Trouble() {
		if gone := new(bolt.GoneError); errors.As(err, &gone) {
			return gone.Error()
		}
	}
	now := h.now().UTC().Format(time.RFC3339)
	if err := h.db.Notes("health").Put(ctx, "probe", "at", []byte(now)); err != nil {
		return fmt.Sprintf("it accepts no changes: %v", err)
	}
	if f := h.figures.storeFailure(); f != nil {
		return fmt.Sprintf("it refused a change %s ago: %v", h.own().Sub(f.at).Round(time.Second), f.err)
	}
	return ""
}

// clockWarning returns a warning if this computer's clock is wrong, or "". The host goes by the
// database's.
func (h *health) clockWarning() string {
	if err := clockOff(h.own(), h.now(), "the database"); err != nil {
		return err.Error() + "; the host goes by the database's"
	}
	return ""
}

// isDamage reports whether an error is about a damaged table or row.
func isDamage(err error) bool {
	return errors.As(err, new(*bolt.DamagedError)) || errors.As(err, new(*postgres.DamagedError))
}

// describeDamage describes damaged tables and rows. The tables can't go on, but all others can.
func (h *health) describeDamage() string {
	var all []string
	found := h.db.Trouble()
	if h.broken != nil {
		found = append(found, h.broken()...)
	}
	for _, err := range found {
		if !errors.As(err, new(*bolt.GoneError)) {
			all = append(all, err.Error())
		}
	}
	if len(all) == 0 {
		return ""
	}
	return strings.Join(all, "; ") + "; rackmate check finds all of it in a backup"
}

// describeFailedWork describes work on single tables that failed and is being retried.
func (h *health) describeFailedWork() string {
	if h.failedTasks == nil {
		return ""
	}
	const most = 10
	var all []string
	list := h.failedTasks()
	for _, s := range list[:min(len(list), most)] {
		all = append(all, s.String())
	}
	if more := len(list) - most; more > 0 {
		all = append(all, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(all, "; ")
}

func platformTrouble(h bot.Health) string {
	switch {
	case h.Trouble != "":
		return h.Trouble
	case !h.Up:
		return "not connected yet"
	}
	return ""
}

func (h *health) timerTrouble(ctx context.Context) string {
	late, err := h.oldestTimer(ctx)
	switch {
	case err != nil:
		return err.Error()
	case late > lateTimer:
		return fmt.Sprintf("the oldest is %s late", late.Round(time.Second))
	}
	return ""
}

// oldestTimer returns how late the most overdue timer is.
func (h *health) oldestTimer(ctx context.Context) (time.Duration, error) {
	due, _, err := h.db.DueTimers(ctx, h.now(), 1)
	if err != nil || len(due) == 0 {
		return 0, err
	}
	return h.now().Sub(due[0].At), nil
}

func (h *health) diskTrouble() string {
	if free, known := h.freeSpace(); known && free < scarce {
		return fmt.Sprintf("only %d MB are free where %s is", free>>20, h.data)
	}
	return ""
}

func (h *health) freeSpace() (free uint64, known bool) {
	if isURL(h.data) {
		return 0, false
	}
	return h.space(filepath.Dir(h.data))
}

// oldestPost returns how many queues of a platform have a post ready to send, and the age of the
// event that the oldest one announces.
func (h *health) oldestPost(ctx context.Context, platform string) (waiting int, age time.Duration, err error) {
	now := h.now()
	ready, _, err := h.db.PendingPosts(ctx, platform, now)
	if err != nil || len(ready) == 0 {
		return 0, 0, err
	}
	p := ready[0]
	at := p.At
	if at.IsZero() && p.To > 0 {
		_, events, err := h.db.Events(ctx, p.Table, p.To)
		if err != nil {
			return len(ready), 0, err
		}
		at = events[len(events)-1].At
	}
	return len(ready), max(0, now.Sub(at)), nil
}

// serveLive reports that the process is alive.
func serveLive(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") }

// serveReady writes one line for each check, without reasons, because anyone may ask.
func (h *health) serveReady(w http.ResponseWriter, req *http.Request) { h.writeChecks(w, req, false) }

// serveAll writes the checks with their reasons, for the operator.
func (h *health) serveAll(w http.ResponseWriter, req *http.Request) { h.writeChecks(w, req, true) }

func (h *health) writeChecks(w http.ResponseWriter, req *http.Request, why bool) {
	found := h.runChecks(req.Context())
	if h.drain.on.Load() {
		found = append([]finding{{check: "stopping", trouble: "the host was asked to stop"}}, found...)
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	for _, f := range found {
		if f.bad() {
			w.WriteHeader(http.StatusServiceUnavailable)
			break
		}
	}
	for _, f := range found {
		word, reason := f.verdict()
		if reason == "" || !why {
			fmt.Fprintf(w, "%s %s\n", word, f.check)
		} else {
			fmt.Fprintf(w, "%s %s: %s\n", word, f.check, reason)
		}
	}
}

// The metrics that are computed on request.
var (
	readyFigure    = prometheus.NewDesc("rackmate_ready", "What the checks of /readyz find: 1 is well.", []string{"check"}, nil)
	waitingFigure  = prometheus.NewDesc("rackmate_posts_waiting", "Lanes that have a post to be delivered now.", []string{"platform"}, nil)
	postLagFigure  = prometheus.NewDesc("rackmate_post_oldest_seconds", "How long ago it happened what the oldest post tells that waits to be delivered now.", []string{"platform"}, nil)
	timerLagFigure = prometheus.NewDesc("rackmate_timer_oldest_seconds", "How late the oldest timer is.", nil, nil)
	freeFigure     = prometheus.NewDesc("rackmate_disk_free_bytes", "What is free where the file of data is.", nil, nil)
	backupFigure   = prometheus.NewDesc("rackmate_backup_age_seconds", "How old the latest scheduled backup is.", nil, nil)
)

// Describe implements [prometheus.Collector].
func (h *health) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{readyFigure, waitingFigure, postLagFigure, timerLagFigure, freeFigure, backupFigure} {
		out <- d
	}
}

// Collect implements [prometheus.Collector].
func (h *health) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	ctx, cancel := context.WithTimeout(context.Background(), healthTime)
	defer cancel()
	for _, f := range h.runChecks(ctx) {
		well := 0.0
		if f.trouble == "" {
			well = 1
		}
		gauge(readyFigure, well, f.check)
	}
	for _, a := range h.adapters {
		name := a.Platform().Name
		if n, age, err := h.oldestPost(ctx, name); err == nil {
			gauge(waitingFigure, float64(n), name)
			gauge(postLagFigure, age.Seconds(), name)
		}
	}
	if late, err := h.oldestTimer(ctx); err == nil {
		gauge(timerLagFigure, late.Seconds())
	}
	if free, known := h.freeSpace(); known {
		gauge(freeFigure, float64(free))
	}
	if says := h.backups.settings(); says.every > 0 {
		if at, err := latestBackup(says.to); err == nil {
			gauge(backupFigure, h.own().Sub(at).Seconds())
		}
	}
}

// handler returns the handler of the --metrics address. names are further names of this host.
func (h *health) handler(names ...string) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(h.figures.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /healthz", serveLive)
	mux.HandleFunc("GET /readyz", h.serveAll)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if !isOwnName(req.Host, names) {
			http.Error(w, fmt.Sprintf("%q isn't a known name of this host: use its address, or add the name to --host or --metrics", req.Host), http.StatusMisdirectedRequest)
			return
		}
		mux.ServeHTTP(w, req)
	})
}

// ownNames returns the names by which others may ask this host for its figures.
func (c *serveConfig) ownNames() []string {
	names := slices.Clone([]string(c.web.hosts))
	if name, _, err := net.SplitHostPort(c.metrics); err == nil {
		names = append(names, name)
	}
	if name, err := os.Hostname(); err == nil {
		names = append(names, name)
	}
	return names
}

// isOwnName reports whether a Host header can only mean this host: an address, a name without a dot,
// or one of its names. A foreign page that points its own domain here still sends that domain.
func isOwnName(hostPort string, names []string) bool {
	name := hostPort
	if h, _, err := net.SplitHostPort(hostPort); err == nil {
		name = h
	}
	name = strings.Trim(strings.ToLower(name), "[]")
	return net.ParseIP(name) != nil || !strings.Contains(name, ".") || slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}

// healthCommand returns the command that checks a running host.
func healthCommand() *cobra.Command {
	var conf serveConfig
	s := conf.settings("health")
	live := s.flags.Bool("live", false, "ask only whether it answers")
	return s.addReader(&cobra.Command{
		Use: "health [--live] [SETTING]...", Short: "asks the host with these settings how it is",
		Long:    "asks the host with these settings how it is; exit status 1 if it isn't ready or, with --live, if it doesn't answer.",
		Example: "rackmate health\nrackmate health --live --listen 127.0.0.1:8080",
	}, func(c *cobra.Command, err error) error {
		if err != nil {
			return err
		}
		return conf.printHealth(c.Context(), cli.StdOf(c), *live)
	})
}

// printHealth asks the host with these settings for its health and prints the answer.
func (c *serveConfig) printHealth(ctx context.Context, std cli.Std, live bool) error {
	ctx, cancel := context.WithTimeout(ctx, 2*healthTime)
	defer cancel()
	if live || isURL(c.data) {
		return askHealth(ctx, std, c.listen, live)
	}
	body, err := ask(ctx, c.data, http.MethodGet, "/health")
	var bad hostError
	switch {
	case errors.Is(err, errNoHost):
		return fmt.Errorf("no host runs on %s: start one with \"rackmate serve\", or name its data file with --data", c.data)
	case errors.As(err, &bad):
		fmt.Fprint(std.Out, bad.Error())
		return cli.ErrFailed
	case err != nil:
		return err
	}
	defer body.Close()
	_, err = io.Copy(std.Out, body)
	return err
}

// localURL returns the URL of a path at a host that listens on an address of this computer.
func localURL(listen, path string) (string, error) {
	name, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "", cli.UsageError(err.Error())
	}
	if ip := net.ParseIP(name); name == "" || ip != nil && ip.IsUnspecified() {
		name = "localhost"
	}
	return "http://" + net.JoinHostPort(name, port) + path, nil
}

// askHealth asks a host at its listening address.
func askHealth(ctx context.Context, std cli.Std, listen string, live bool) error {
	path := "/readyz"
	if live {
		path = "/healthz"
	}
	url, err := localURL(listen, path)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("the host doesn't answer: %w", err)
	}
	defer resp.Body.Close()
	if _, err := io.Copy(std.Out, io.LimitReader(resp.Body, 1<<16)); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return cli.ErrFailed
	}
	return nil
}
