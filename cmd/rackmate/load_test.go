package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"github.com/rackmate/rackmate/bot/store/postgres/pgtest"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestLoad measures a host under load if a flag asks for it:
//
//	go test ./cmd/rackmate -run TestLoad -v -load 20s -tables 400
//	go test ./cmd/rackmate -run TestLoad -v -load 20s -tables 200 -open 10000 -hosts 2 -postgres
//	go test ./cmd/rackmate -run TestLoad -v -load 15s -hosts 4 -share 0.2
//	go test ./cmd/rackmate -run TestLoad -v -day 200s -moves 10000 -tables 500 -hosts 2
//
// The last plays the moves of a day, compressed, at their times: moves don't wait for late answers
// (an open loop).
//
// The room limits a person to two actions a second after a burst of twenty. With fewer tables than a
// quarter of the host's commands a second, the test measures that limit instead.
var (
	loadFor      = flag.Duration("load", 0, "how long TestLoad plays, each of the two ways")
	loadTables   = flag.Int("tables", 400, "of TestLoad: tables that are played at, by two people each")
	loadOpen     = flag.Int("open", 0, "of TestLoad: tables that are open besides")
	loadHosts    = flag.Int("hosts", 1, "of TestLoad: processes, on PostgreSQL where they are several")
	loadShare    = flag.Float64("share", 0, "of TestLoad: the share of a processor that each process has, as if it had a machine of its own; root on Linux")
	loadPostgres = flag.Bool("postgres", false, "TestLoad plays on PostgreSQL")
	loadCount    = flag.Bool("statements", false, "TestLoad tells how often a command asks PostgreSQL for what, by its pg_stat_statements")
	loadSay      = flag.String("say", "", "of TestLoad: what people say instead of making moves, with commas between, such as /unseen,/score")
	loadThink    = flag.Duration("think", 0, "of TestLoad: how long people think; without it, such that half of the greatest throughput comes")
	loadDay      = flag.Duration("day", 0, "how long TestLoad takes for a day, instead of playing the two ways")
	loadMoves    = flag.Int("moves", 10_000, "of TestLoad: moves in that day")
	loadProfile  = flag.String("serverprofile", "", "where TestLoad has the first process write a profile of its time, and behind .2 that of the second way")
)

// A load is a group of people who play at tables.
type load struct {
	t      *testing.T
	hosts  []*server
	pg     *pgtest.Server // nil without PostgreSQL
	client *http.Client
	games  []*loadGame
	people int // people in all groups
	next   atomic.Int64

	mu   sync.Mutex
	took []time.Duration
	said atomic.Int64
}

// A loadGame is a table of two people who take turns to exchange a tile.
type loadGame struct {
	l       *load
	stream  string
	players [2]*loadPlayer
	turn    int
	lines   int // lines said instead of moves
}

type loadPlayer struct {
	name, id, cookie string
	address          string
	asked            int
	rack             string
}

// loadName returns a name unlike any other.
func loadName(i int) string {
	return strings.Map(func(digit rune) rune { return rune("abcdefghkm"[digit-'0']) }, fmt.Sprintf("%06d", i))
}

// post sends a request to one of the processes.
func (l *load) post(p *loadPlayer, path string, in, out any) (status int) {
	body, err := json.Marshal(in)
	if err != nil {
		panic(err)
	}
	s := l.hosts[int(l.next.Add(1))%len(l.hosts)]
	req, err := http.NewRequest(http.MethodPost, s.base+path, bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Cookie", p.cookie)
	req.Header.Set("X-Forwarded-For", p.address)
	resp, err := l.client.Do(req)
	if err != nil {
		l.t.Error(err)
		return 0
	}
	defer resp.Body.Close()
	for _, c := range resp.Cookies() {
		p.cookie = c.Name + "=" + c.Value
	}
	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode == http.StatusOK && out != nil {
		err = json.Unmarshal(text, out)
	}
	if err != nil {
		l.t.Error(err)
	}
	if resp.StatusCode == http.StatusUnprocessableEntity {
		l.t.Errorf("%s: %s", path, text)
	}
	return resp.StatusCode
}

// say sends a command, and waits while the room rejects it for its rate.
func (g *loadGame) say(p *loadPlayer, line string) said {
	p.asked++
	in := map[string]string{"stream": g.stream, "id": fmt.Sprintf("%s-%08d", p.name, p.asked), "text": line}
	for !g.l.t.Failed() {
		var out struct{ Reply said }
		began := time.Now()
		switch status := g.l.post(p, "/api/say", in, &out); status {
		case http.StatusOK:
			g.l.mu.Lock()
			g.l.took = append(g.l.took, time.Since(began))
			g.l.mu.Unlock()
			g.l.said.Add(1)
			if text := out.Reply.String(); strings.Contains(text, "Your rack: ") {
				p.rack = strings.Fields(strings.SplitAfter(text, "Your rack: ")[1])[0]
			}
			return out.Reply
		case http.StatusTooManyRequests:
			time.Sleep(50 * time.Millisecond)
		default:
			g.l.t.Errorf("the room refuses %s: %d", line, status)
		}
	}
	return said{}
}

// once sends one command: a line given by flag, or a move.
func (g *loadGame) once() {
	if *loadSay == "" {
		g.turnOnce()
		return
	}
	lines := strings.Split(*loadSay, ",")
	g.lines++
	g.say(g.players[g.lines%2], lines[g.lines%len(lines)])
}

// turnOnce sends one command: an exchange, or one that begins a game.
func (g *loadGame) turnOnce() {
	switch g.turn {
	case 0:
		g.say(g.players[0], "/new seats:2 challenge:void")
	case 1:
		g.say(g.players[1], "/join")
		for _, p := range g.players {
			p.rack = ""
		}
	default:
		p := g.players[g.turn%2]
		line := "/rack"
		if p.rack != "" {
			line = "/exchange " + p.rack
		}
		r := g.say(p, line)
		switch {
		case p.rack == "":
			p.rack = "?"
			return
		case strings.Contains(r.String(), "over"):
			g.turn = 0
			return
		case r.Refused && strings.Contains(r.String(), "turn"): // the other player goes first
		case r.Refused:
			p.rack = ""
			return
		}
	}
	g.turn++
}

// cpu returns the processor time that a process has used.
func cpu(pid int) time.Duration {
	own, _ := cpuTimes(pid)
	return own
}

// cpuTimes returns the processor time used by a process, and by its children that have ended.
func cpuTimes(pid int) (own, ended time.Duration) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0
	}
	var times [4]int // user and system time, then the times of ended children
	for i, field := range strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))[11:15] {
		times[i], _ = strconv.Atoi(field)
	}
	const tick = 10 * time.Millisecond
	return time.Duration(times[0]+times[1]) * tick, time.Duration(times[2]+times[3]) * tick
}

// databaseCPU returns the processor time that a database has used.
func databaseCPU(pg *pgtest.Server) (all time.Duration) {
	if pg == nil {
		return 0
	}
	b, err := os.ReadFile(filepath.Join(pg.Dir, "data", "postmaster.pid"))
	if err != nil {
		return 0
	}
	postmaster, _, _ := strings.Cut(string(b), "\n")
	pid, _ := strconv.Atoi(postmaster)
	own, ended := cpuTimes(pid)
	all = own + ended
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%s/task/%[1]s/children", postmaster))
	for _, child := range strings.Fields(string(children)) {
		pid, _ := strconv.Atoi(child)
		all += cpu(pid)
	}
	return all
}

func (l *load) cpu() (all time.Duration) {
	for _, s := range l.hosts {
		all += cpu(s.cmd.Process.Pid)
	}
	return all
}

// profile starts or stops profiling the first process, if requested.
func (l *load) profile() {
	if *loadProfile != "" {
		l.hosts[0].cmd.Process.Signal(syscall.SIGUSR1)
		time.Sleep(500 * time.Millisecond)
	}
}

// settle waits until the processes have delivered all posts and are idle.
func (l *load) settle() {
	for before := l.cpu(); ; {
		time.Sleep(500 * time.Millisecond)
		now := l.cpu()
		if now-before < 30*time.Millisecond {
			return
		}
		before = now
	}
}

// play lets everyone play for a time, with a pause before each command, and logs the results.
func (l *load) play(what string, pause time.Duration) (perSecond float64) {
	l.took = l.took[:0]
	l.said.Store(0)
	l.profile()
	defer l.profile()
	before, database, asking, began := l.cpu(), databaseCPU(l.pg), cpu(os.Getpid()), time.Now()
	var playing sync.WaitGroup
	for _, g := range l.games {
		playing.Go(func() {
			time.Sleep(time.Duration(rand.Float64() * float64(pause)))
			for time.Since(began) < *loadFor && !l.t.Failed() {
				g.once()
				time.Sleep(pause/2 + time.Duration(rand.Float64()*float64(pause)))
			}
		})
	}
	playing.Wait()
	n, took, asked := float64(l.said.Load()), time.Since(began), cpu(os.Getpid())-asking
	l.settle()
	slices.Sort(l.took)
	at := func(share float64) time.Duration {
		return l.took[int(share*float64(len(l.took)-1))].Round(10 * time.Microsecond)
	}
	perSecond = n / took.Seconds()
	l.t.Logf("%s: %.0f commands/s, half within %v, 99%% within %v, %.2f ms of processors a command with its posts, %.2f more for those who ask; the posts took %v more",
		what, perSecond, at(0.5), at(0.99), (l.cpu()-before).Seconds()*1000/n, asked.Seconds()*1000/n, (time.Since(began) - took).Round(100*time.Millisecond))
	if l.pg != nil {
		l.t.Logf("%.2f ms of the database's processors a command", (databaseCPU(l.pg)-database).Seconds()*1000/n)
	}
	return perSecond
}

// group creates tables among some people, one for each pair. The room has names for 20,000 people,
// and one person can have 20 channels.
func (l *load) group(size int) (games []*loadGame) {
	var people []*loadPlayer
	for range size {
		n := l.people
		l.people++
		for _, other := range people {
			games = append(games, &loadGame{l: l, players: [2]*loadPlayer{other, nil}})
		}
		p := &loadPlayer{name: loadName(n), address: fmt.Sprintf("10.%d.%d.%d", n/62500, n/250%250, n%250)}
		for i := range people {
			games[len(games)-1-i].players[1] = p
		}
		people = append(people, p)
	}
	return games
}

// confine limits a process to a share of a processor with a control group of its own.
func confine(t *testing.T, pid int, share float64) {
	t.Helper()
	const period = 100_000 // microseconds
	quota := int(share * period)
	dir, limits := "/sys/fs/cgroup/cpu", map[string]string{"cpu.cfs_period_us": strconv.Itoa(period), "cpu.cfs_quota_us": strconv.Itoa(quota)}
	if _, err := os.Stat("/sys/fs/cgroup/cgroup.controllers"); err == nil { // version 2
		dir, limits = "/sys/fs/cgroup", map[string]string{"cpu.max": fmt.Sprintf("%d %d", quota, period)}
	}
	dir = filepath.Join(dir, fmt.Sprintf("rackmate-%d", pid))
	gametest.Must(t, os.Mkdir(dir, 0o755))
	t.Cleanup(func() { os.Remove(dir) })
	limits["cgroup.procs"] = strconv.Itoa(pid)
	for _, name := range slices.Sorted(maps.Keys(limits)) {
		gametest.Must(t, os.WriteFile(filepath.Join(dir, name), []byte(limits[name]), 0o644))
	}
}

func lastLines(log string) string { return log[max(0, len(log)-2000):] }

// open lets a group's people enter and opens a conversation for each pair. If begin is set, they
// begin their games.
func (l *load) open(games []*loadGame, begin bool) {
	for _, g := range games {
		for _, p := range g.players {
			if p.cookie != "" {
				continue
			}
			if status := l.post(p, "/api/enter", map[string]string{"name": p.name}, nil); status != http.StatusOK {
				l.t.Errorf("%s can't come in: %d; the host's log ends with %.2000s", p.name, status, lastLines(l.hosts[0].log.String()+l.hosts[len(l.hosts)-1].log.String()))
				return
			}
			var me struct{ Me struct{ ID string } }
			l.get(p, "/api/me", &me)
			p.id = me.Me.ID
		}
		var direct struct{ ID string }
		l.post(g.players[0], "/api/direct", map[string]string{"person": g.players[1].id}, &direct)
		g.stream = direct.ID
		for range 6 {
			if begin {
				g.turnOnce()
			}
		}
	}
}

func TestLoad(t *testing.T) {
	if *loadFor == 0 && *loadDay == 0 {
		t.Skip("it measures with -load 10s or -day 200s")
	}
	data := filepath.Join(t.TempDir(), "rackmate.db")
	var pg *pgtest.Server
	if *loadPostgres || *loadHosts > 1 {
		pg = pgtest.Start(t)
		data = pg.Database(t)
	}
	if pg != nil && *loadCount {
		countStatements(t, pg)
	}
	l := &load{t: t, pg: pg, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 10_000}, Timeout: time.Minute}}
	for i := range *loadHosts {
		s := &server{t: t, data: data, args: []string{"--trust-proxy", "127.0.0.1", "--door", "open", "--person-share", "0"}}
		if i == 0 && *loadProfile != "" {
			t.Setenv(profileTo, *loadProfile)
		}
		s.start()
		os.Unsetenv(profileTo)
		if *loadShare > 0 {
			confine(t, s.cmd.Process.Pid, *loadShare)
		}
		t.Cleanup(s.kill)
		l.hosts = append(l.hosts, s)
	}
	var entering sync.WaitGroup
	var groups [][]*loadGame
	for n := 0; n < *loadTables; n++ {
		groups = append(groups, l.group(2))
	}
	for n := 0; n < *loadOpen; n += 10 {
		groups = append(groups, l.group(5)[:min(10, *loadOpen-n)])
	}
	for part := range 16 {
		entering.Go(func() {
			for i := part; i < len(groups) && !t.Failed(); i += 16 {
				l.open(groups[i], i >= *loadTables || *loadSay != "")
			}
		})
	}
	entering.Wait()
	if t.Failed() {
		t.FailNow()
	}
	for _, g := range groups[:*loadTables] {
		l.games = append(l.games, g...)
	}
	l.settle() // don't count the posts from the start
	if pg != nil && *loadCount {
		gametest.Must(t, pg.SQL("select pg_stat_statements_reset()"))
	}
	txBefore := l.transactions(pg)
	l.said.Store(0)
	if *loadDay > 0 {
		l.day(*loadMoves, *loadDay)
		if pg != nil {
			t.Logf("%.2f transactions a command", float64(l.transactions(pg)-txBefore)/float64(l.said.Load()))
		}
		for _, s := range l.hosts {
			s.stop()
		}
		return
	}
	most := l.play("as fast as they can", 0)
	pause := *loadThink
	if pause == 0 {
		pause = time.Duration(float64(*loadTables) / (most / 2) * float64(time.Second))
	}
	commands := l.said.Load()
	tx := l.transactions(pg) - txBefore
	if pg != nil && *loadCount {
		l.statements(pg, commands)
	}
	l.play("at half of that", pause)
	if pg != nil {
		t.Logf("%.2f transactions a command", float64(tx)/float64(commands))
		t.Logf("beside it, pgbench of one insert: %s", pgbench(pg))
	}
	for _, s := range l.hosts {
		s.stop()
	}
	if pg == nil {
		db, err := bbolt.Open(data, 0o600, &bbolt.Options{Timeout: time.Second})
		gametest.Must(t, err)
		defer db.Close()
		tx, err := db.Begin(true)
		gametest.Must(t, err)
		t.Logf("transactions in all, of the beginning too: %d, two fsyncs each", tx.ID())
		tx.Rollback()
		t.Logf("beside it, bare commits of 2 kB: %.0f/s", bare(t))
	}
}

// hours is the relative amount of play in each hour of a day: by players of one part of the world,
// who play little at night and most in the evening.
var hours = [24]float64{3, 2, 1, 1, 1, 2, 4, 6, 7, 7, 6, 6, 8, 8, 6, 6, 6, 7, 8, 9, 10, 10, 8, 5}

// atNine is the share of a day's moves made in the first minute after nine o'clock, when many are
// reminded.
const atNine = 0.01

func allHours() (sum float64) {
	for _, weight := range hours {
		sum += weight
	}
	return sum
}

// arrivals returns the times of some moves in a day, as shares of it, in order.
func arrivals(n int, r *rand.Rand) []float64 {
	sum := allHours()
	all := make([]float64, n)
	for i := range all {
		if r.Float64() < atNine {
			all[i] = (9 + r.Float64()/60) / 24
			continue
		}
		left, hour := r.Float64()*sum, 0
		for ; hour < 23 && left > hours[hour]; hour++ {
			left -= hours[hour]
		}
		all[i] = (float64(hour) + min(left/hours[hour], 1)) / 24
	}
	slices.Sort(all)
	return all
}

// day makes the moves of a day at their times, each at a table whose player has thought for long
// enough, and logs the delay of each answer.
func (l *load) day(moves int, lasts time.Duration) {
	free := make(chan *loadGame, len(l.games))
	for _, i := range rand.Perm(len(l.games)) {
		free <- l.games[i]
	}
	// With these think times, half of the tables are free at the busiest hour.
	most := float64(moves) * slices.Max(hours[:]) / allHours() / (lasts.Seconds() / 24)
	think := time.Duration(float64(len(l.games)) / 2 / most * float64(time.Second))
	var mu sync.Mutex
	var all, nine []time.Duration
	late := 0
	before, database, asking, began := l.cpu(), databaseCPU(l.pg), cpu(os.Getpid()), time.Now()
	var playing sync.WaitGroup
	for _, share := range arrivals(moves, rand.New(rand.NewPCG(1, 2))) {
		due := began.Add(time.Duration(share * float64(lasts)))
		time.Sleep(time.Until(due))
		if l.t.Failed() {
			break
		}
		playing.Go(func() {
			var g *loadGame
			select {
			case g = <-free:
			default:
				mu.Lock()
				late++
				mu.Unlock()
				g = <-free
				due = time.Now() // no player was ready to move: not the host's delay
			}
			g.once()
			took := time.Since(due)
			mu.Lock()
			all = append(all, took)
			if hour := share * 24; hour >= 9 && hour < 9.25 {
				nine = append(nine, took)
			}
			mu.Unlock()
			time.AfterFunc(time.Duration(rand.ExpFloat64()*float64(think)), func() { free <- g })
		})
	}
	playing.Wait()
	took := time.Since(began)
	l.settle()
	tell := func(what string, took []time.Duration) {
		slices.Sort(took)
		at := func(share float64) time.Duration {
			return took[int(share*float64(len(took)-1))].Round(10 * time.Microsecond)
		}
		l.t.Logf("%s: %d commands, half within %v, 99%% within %v, the last within %v of its time", what, len(took), at(0.5), at(0.99), at(1))
	}
	tell("the day", all)
	tell("the quarter of an hour from nine on", nine)
	n := float64(len(all))
	l.t.Logf("a day of %d moves in %v, %.1f a second, %.1f in the busiest hour; %.2f ms of processors a command with its posts, %.2f more for those who ask; for %d no table was free; the posts took %v more",
		moves, lasts, n/lasts.Seconds(), most, (l.cpu()-before).Seconds()*1000/n, (cpu(os.Getpid())-asking).Seconds()*1000/n, late, (time.Since(began) - took).Round(100*time.Millisecond))
	if l.pg != nil {
		l.t.Logf("%.2f ms of the database's processors a command", (databaseCPU(l.pg)-database).Seconds()*1000/n)
	}
}

// get sends a read-only request.
func (l *load) get(p *loadPlayer, path string, out any) {
	req, err := http.NewRequest(http.MethodGet, l.hosts[0].base+path, nil)
	if err != nil {
		panic(err)
	}
	req.Header.Set("Cookie", p.cookie)
	req.Header.Set("X-Forwarded-For", p.address)
	resp, err := l.client.Do(req)
	if err != nil {
		l.t.Error(err)
		return
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(out); err != nil {
		l.t.Error(err)
	}
}

// transactions returns the number of transactions that PostgreSQL has committed.
func (l *load) transactions(pg *pgtest.Server) int {
	if pg == nil {
		return 0
	}
	out, err := exec.Command(pg.Program("psql"), "-h", pg.Dir, "-U", "rackmate", "-d", "postgres", "-Atc", "select sum(xact_commit) from pg_stat_database").Output()
	n, _ := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		l.t.Error(err)
	}
	return n
}

// countStatements makes PostgreSQL count statements.
func countStatements(t *testing.T, pg *pgtest.Server) {
	for _, step := range []func() error{
		func() error { return pg.SQL("alter system set shared_preload_libraries = 'pg_stat_statements'") },
		pg.Stop, pg.Run,
		func() error { return pg.SQL("create extension pg_stat_statements") },
	} {
		gametest.Must(t, step())
	}
}

// statements logs how often a command runs each statement and how long that takes.
func (l *load) statements(pg *pgtest.Server, commands int64) {
	query := fmt.Sprintf("select round(calls / %d.0, 3), round(rows / %[1]d.0, 3), round(total_exec_time::numeric / %[1]d, 4), left(regexp_replace(query, '\\s+', ' ', 'g'), 150) from pg_stat_statements where calls > %[1]d * 0.02 order by calls desc", commands)
	out, err := exec.Command(pg.Program("psql"), "-h", pg.Dir, "-U", "rackmate", "-d", "postgres", "-Atc", query).CombinedOutput()
	if err != nil {
		l.t.Error(err)
	}
	l.t.Logf("a command asks (calls, rows, ms, statement):\n%s", out)
}

// pgbench returns how many inserts of 2 kB a second PostgreSQL commits for eight clients.
func pgbench(pg *pgtest.Server) string {
	script := filepath.Join(os.TempDir(), "rackmate-bench.sql")
	os.WriteFile(script, []byte("insert into bench values (repeat('x', 2000));\n"), 0o644)
	defer os.Remove(script)
	if err := pg.SQL("create table bench (v text)"); err != nil {
		return err.Error()
	}
	out, _ := exec.Command(pg.Program("pgbench"), "-h", pg.Dir, "-U", "rackmate", "-n", "-c", "8", "-T", "3", "-f", script, "postgres").CombinedOutput()
	for line := range strings.SplitSeq(string(out), "\n") {
		if strings.HasPrefix(line, "tps") {
			return line
		}
	}
	return string(out)
}

// bare returns how many commits a second bbolt makes for one client.
func bare(t *testing.T) float64 {
	db, err := bbolt.Open(filepath.Join(t.TempDir(), "bare.db"), 0o600, nil)
	gametest.Must(t, err)
	defer db.Close()
	n, began := 0, time.Now()
	for ; time.Since(began) < 2*time.Second; n++ {
		gametest.Must(t, db.Update(func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists([]byte("b"))
			if err != nil {
				return err
			}
			return b.Put(fmt.Append(nil, n), make([]byte, 2000))
		}))
	}
	return float64(n) / time.Since(began).Seconds()
}
