package main

import (
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store"
)

// A figures value collects the host's metrics for Prometheus as a [bot.Observer]. No label names a
// person, a channel or a table, so each has few values.
type figures struct {
	registry *prometheus.Registry

	commands       *prometheus.CounterVec
	commandSeconds *prometheus.HistogramVec
	heavyWaiting   prometheus.Gauge
	heavyRunning   prometheus.Gauge
	commits        *prometheus.CounterVec
	commitSeconds  *prometheus.HistogramVec
	posts          *prometheus.CounterVec
	postSeconds    *prometheus.HistogramVec
	timers         *prometheus.CounterVec
	thoughtSeconds *prometheus.HistogramVec
	pictureSeconds prometheus.Histogram
	held           *prometheus.CounterVec
	heldSeconds    *prometheus.CounterVec
	connected      *prometheus.GaugeVec
	reconnects     *prometheus.CounterVec
	listeners      *prometheus.GaugeVec
	backups        *prometheus.CounterVec

	mu     sync.Mutex
	failed *failure // latest failure of the store

	broken store.Troubles // rows of adapters that aren't JSON any more
}

// A failure is an error that needs the operator's attention.
type failure struct {
	at  time.Time
	err error
}

// stillFailing sets how long a failure counts even if smaller changes succeed.
const stillFailing = time.Minute

// quick lists the histogram bounds, in seconds, for work that people wait for.
var quick = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// newFigures returns the metrics of a host.
func newFigures() *figures {
	f := &figures{registry: prometheus.NewRegistry()}
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
		f.registry.MustRegister(c)
		return c
	}
	gauge := func(name, help string, labels ...string) *prometheus.GaugeVec {
		g := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, labels)
		f.registry.MustRegister(g)
		return g
	}
	histogram := func(name, help string, labels ...string) *prometheus.HistogramVec {
		h := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: quick}, labels)
		f.registry.MustRegister(h)
		return h
	}
	f.commands = counter("rackmate_commands_total", "Commands that were answered, by name and result.", "command", "result")
	f.commandSeconds = histogram("rackmate_command_seconds", "How long commands took to be answered.", "command")
	f.heavyWaiting = prometheus.NewGauge(prometheus.GaugeOpts{Name: "rackmate_heavy_waiting", Help: "Heavy work, such as replays, that waits for a processor."})
	f.heavyRunning = prometheus.NewGauge(prometheus.GaugeOpts{Name: "rackmate_heavy_running", Help: "Heavy work that is being done."})
	f.commits = counter("rackmate_commits_total", "Changes of the store, by what they change (room, notes, queue) and result.", "kind", "result")
	f.commitSeconds = histogram("rackmate_commit_seconds", "How long changes of the store took to be on disk.", "kind")
	f.posts = counter("rackmate_posts_total", "Tries to deliver a post, by platform and result: later is a retry.", "platform", "result")
	f.postSeconds = histogram("rackmate_post_seconds", "How long tries to deliver a post took.", "platform")
	f.timers = counter("rackmate_timers_total", "Timers that fell due, by kind and result.", "kind", "result")
	f.thoughtSeconds = histogram("rackmate_robot_thought_seconds", "How long robots thought, by level.", "level")
	f.pictureSeconds = prometheus.NewHistogram(prometheus.HistogramOpts{Name: "rackmate_picture_seconds", Help: "How long pictures took to be drawn.", Buckets: quick})
	f.held = counter("rackmate_rate_limit_waits_total", "Requests that a limit of the platform held back.", "platform")
	f.heldSeconds = counter("rackmate_rate_limit_wait_seconds_total", "How long limits of the platform held requests back.", "platform")
	f.connected = gauge("rackmate_connected", "Connections to a platform: 1 while one is there, or with another process, else 0.", "platform", "connection")
	f.reconnects = counter("rackmate_reconnects_total", "How often a connection was lost, or could not be made.", "platform", "connection")
	f.listeners = gauge("rackmate_listeners", "Windows that are open to a platform.", "platform")
	f.backups = counter("rackmate_backups_total", "Scheduled backups, by result.", "result")
	version := "devel"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	gauge("rackmate_build_info", "Always 1: the version, and what built it.", "version", "go").WithLabelValues(version, runtime.Version()).Set(1)
	f.registry.MustRegister(f.heavyWaiting, f.heavyRunning, f.pictureSeconds, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return f
}

// Command counts a command.
func (f *figures) Command(name string, r bot.Result, took time.Duration) {
	f.commands.WithLabelValues(name, string(r)).Inc()
	f.commandSeconds.WithLabelValues(name).Observe(took.Seconds())
}

// Queue records how many heavy jobs wait and run.
func (f *figures) Queue(waiting, running int) {
	f.heavyWaiting.Set(float64(waiting))
	f.heavyRunning.Set(float64(running))
}

// Post counts an attempt to deliver a post.
func (f *figures) Post(platform string, r bot.Result, took time.Duration) {
	f.posts.WithLabelValues(platform, string(r)).Inc()
	f.postSeconds.WithLabelValues(platform).Observe(took.Seconds())
}

// Timer counts a fired timer.
func (f *figures) Timer(kind string, r bot.Result, took time.Duration) {
	if kind == "" {
		kind = "stands"
	}
	f.timers.WithLabelValues(kind, string(r)).Inc()
}

// Thought records how long a robot thought.
func (f *figures) Thought(level string, took time.Duration) {
	f.thoughtSeconds.WithLabelValues(level).Observe(took.Seconds())
}

// Drew records how long a picture took.
func (f *figures) Drew(took time.Duration) { f.pictureSeconds.Observe(took.Seconds()) }

// Held counts a wait for a platform's rate limit.
func (f *figures) Held(platform string, wait time.Duration) {
	f.held.WithLabelValues(platform).Inc()
	f.heldSeconds.WithLabelValues(platform).Add(max(wait, 0).Seconds())
}

// Connection records the state of a connection.
func (f *figures) Connection(platform, name string, s bot.State) {
	switch s {
	case bot.Closed:
		f.connected.DeleteLabelValues(platform, name)
	case bot.Connected, bot.Standby:
		f.connected.WithLabelValues(platform, name).Set(1)
	default:
		f.connected.WithLabelValues(platform, name).Set(0)
	}
	if s == bot.Retrying {
		f.reconnects.WithLabelValues(platform, name).Inc()
	}
}

// Listeners records how many pages are listening.
func (f *figures) Listeners(platform string, n int) {
	f.listeners.WithLabelValues(platform).Set(float64(n))
}

// commit counts a change to the store and remembers a failure.
func (f *figures) commit(kind string, began time.Time, r bot.Result, err error) {
	now := time.Now()
	f.commits.WithLabelValues(kind, string(r)).Inc()
	f.commitSeconds.WithLabelValues(kind).Observe(now.Sub(began).Seconds())
	f.mu.Lock()
	defer f.mu.Unlock()
	switch r {
	case bot.Done:
		if f.failed != nil && now.Sub(f.failed.at) > stillFailing {
			f.failed = nil
		}
	case bot.Failed:
		if !isDamage(err) { // affects single tables; see describeDamage
			f.failed = &failure{now, err}
		}
	}
}

// storeFailure returns the latest failure of the store, or nil if it works.
func (f *figures) storeFailure() *failure {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failed
}
