package main

import (
	"github.com/rackmate/rackmate/cmd/internal/cli"

	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/store/postgres/pgtest"
	"github.com/rackmate/rackmate/game/gametest"
)

// asRackmate is a variable that makes the test binary run as the program: see TestMain.
const asRackmate = "RACKMATE_TEST_RUN_MAIN"

// withLife is a variable with the time that others wait for the program after it was killed.
const withLife = "RACKMATE_TEST_LIFE"

// room is the disk space that the tests need, including builds of other releases.
const room = 2 << 30

func TestMain(m *testing.M) {
	if os.Getenv(asRackmate) != "" {
		profile()
		life, _ = time.ParseDuration(os.Getenv(withLife))
		main()
		return
	}
	cache, err := os.MkdirTemp(gametest.Memory(room), "rackmate")
	if err != nil {
		panic(err)
	}
	os.Setenv("TMPDIR", cache) // the tests write their data files thousands of times
	if user, err := os.UserCacheDir(); err == nil && os.Getenv("GOCACHE") == "" {
		os.Setenv("GOCACHE", filepath.Join(user, "go-build")) // keep the cache, or other releases are built from scratch
	}
	os.Setenv("XDG_CACHE_HOME", cache) // don't touch the user's own cache
	flag.Set("test.parallel", "6")     // unless -parallel is given: many tests wait for processes
	done := cli.CollectLess()          // commands run in this process
	code := m.Run()
	done()
	os.RemoveAll(cache)
	pgtest.StopShared()
	os.Exit(code)
}

// profileTo is a variable with the file for a profile of the program's processor time between two
// SIGUSR1. A second file, with the suffix .allocs, has the allocations up to then.
const profileTo = "RACKMATE_TEST_PROFILE"

// profile waits for the signals if a profile is requested, because the program ends by os.Exit.
// Each later profile goes to a file with a number as its suffix.
func profile() {
	name := os.Getenv(profileTo)
	if name == "" {
		return
	}
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGUSR1)
	go func() {
		for n := 1; ; n++ {
			<-told
			f, err := os.Create(name)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				return
			}
			pprof.StartCPUProfile(f)
			<-told
			pprof.StopCPUProfile()
			f.Close()
			if f, err := os.Create(name + ".allocs"); err == nil {
				pprof.Lookup("allocs").WriteTo(f, 0)
				f.Close()
			}
			name = fmt.Sprintf("%s.%d", os.Getenv(profileTo), n+1)
		}
	}()
}

// A server is the program serving a room.
type server struct {
	t    *testing.T
	data string
	args []string
	env  []string // added to the test's own, such as onDiscord
	// here makes the test's own process serve, because starting a process takes several times as
	// long as a test does. Such a server can only be stopped as by Ctrl-C.
	here bool
	// Of a separate process:
	program string // the program to run; "" for this one
	cmd     *exec.Cmd

	interrupt func()
	wait      func() error // waits until it has ended
	base      string       // http://127.0.0.1:...
	log       *bottest.Log
	told      chan struct{} // closed once the log is complete
}

// Environments of a host on Discord, on Slack, and on both.
var (
	onDiscord = []string{"DISCORD_TOKEN=" + discordtest.Token}
	onSlack   = []string{"SLACK_APP_TOKEN=" + slacktest.AppToken, "SLACK_BOT_TOKEN=" + slacktest.BotToken}
	onBoth    = slices.Concat(onDiscord, onSlack)
)

// newServer starts a server in the test's process.
func newServer(t *testing.T, args ...string) *server {
	t.Helper()
	return newServerIn(t, nil, args...)
}

// newServerIn starts a server in the test's process with an environment.
func newServerIn(t *testing.T, env []string, args ...string) *server {
	t.Helper()
	return started(&server{t: t, here: true, env: env, args: args})
}

// newProcess starts a server as a separate process.
func newProcess(t *testing.T, args ...string) *server {
	t.Helper()
	return started(&server{t: t, args: args})
}

// started starts a server for the duration of the test, with a new data file unless it has one.
func started(s *server) *server {
	s.t.Helper()
	if s.data == "" {
		s.data = filepath.Join(s.t.TempDir(), "rackmate.db")
	}
	s.start()
	s.t.Cleanup(s.kill)
	return s
}

// start starts the server and waits until the room is open.
func (s *server) start() {
	s.t.Helper()
	if err := s.begin(); err != nil {
		s.t.Fatalf("the server did not start: %v: %s", err, s.log)
	}
}

// begin starts the server and waits until the room is open. If the server ends first, it returns
// the reason.
func (s *server) begin() (ended error) {
	s.t.Helper()
	args := append([]string{"--listen", "127.0.0.1:0", "--data", s.data}, s.args...)
	stderr := s.run
	if !s.here {
		stderr = s.spawn
	}
	s.log = &bottest.Log{}
	lines := bufio.NewReader(io.TeeReader(stderr(args), s.log))
	for {
		line, err := lines.ReadString('\n')
		if _, address, ok := strings.Cut(strings.TrimSpace(line), "Rackmate is at "); ok {
			s.base = address
			break
		}
		if err != nil {
			return cmp.Or(s.wait(), errors.New("it ended"))
		}
	}
	told := make(chan struct{})
	s.told = told
	go func() {
		defer close(told)
		io.Copy(io.Discard, lines)
	}()
	return nil
}

// run serves in this process.
func (s *server) run(args []string) (stderr io.Reader) {
	ctx, stop := context.WithCancel(context.Background())
	stderr, told := io.Pipe()
	var failed error
	go func() {
		defer told.Close()
		failed = serveIn(ctx, cli.Std{In: strings.NewReader(""), Out: io.Discard, Err: told}, args, slices.Concat(os.Environ(), s.env))
	}()
	s.interrupt = stop
	s.wait = func() error {
		io.Copy(io.Discard, stderr)
		return failed
	}
	return stderr
}

// spawn serves in a separate process.
func (s *server) spawn(args []string) io.Reader {
	s.t.Helper()
	s.cmd = exec.Command(cmp.Or(s.program, os.Args[0]), append([]string{"serve"}, args...)...)
	s.cmd.Env = slices.Concat(os.Environ(), s.env, []string{asRackmate + "=1"})
	stderr, err := s.cmd.StderrPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	gametest.Must(s.t, err)
	s.interrupt, s.wait = func() { s.cmd.Process.Signal(syscall.SIGTERM) }, s.cmd.Wait
	return stderr
}

// kill kills a separate process like a power cut; a server in this process it just stops.
func (s *server) kill() {
	if s.here {
		s.interrupt()
	} else {
		s.cmd.Process.Kill()
	}
	<-s.told // Wait would truncate it
	s.wait()
}

// stop stops the server like Ctrl-C.
func (s *server) stop() {
	s.t.Helper()
	s.interrupt()
	<-s.told
	if err := s.wait(); err != nil {
		s.t.Fatalf("the server ended with %v: %s", err, s.log)
	}
}

// stopsInTime stops the process, and fails if that takes longer than its own work explains. The
// program promises five seconds; the test allows more on a busy computer.
func (s *server) stopsInTime() {
	s.t.Helper()
	began := time.Now()
	s.stop()
	if took := time.Since(began); stopWithin >= 5*time.Second || took > 2*time.Minute {
		s.t.Errorf("the process took %v to stop; it waits for %v", took, stopWithin)
	}
}

// A visitor is a person in the room.
type visitor struct {
	s      *server
	name   string
	cookie string
	asked  int
}

// post sends one request to the room.
func (v *visitor) post(path string, in, out any) (status int, err error) {
	body, err := json.Marshal(in)
	gametest.Must(v.s.t, err)
	req, err := http.NewRequest(http.MethodPost, v.s.base+path, bytes.NewReader(body))
	gametest.Must(v.s.t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Origin", v.s.base)
	req.Header.Set("Cookie", v.cookie)
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 2 * time.Minute}).Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	for _, c := range resp.Cookies() {
		v.cookie = c.Name + "=" + c.Value
	}
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err
	}
	if resp.StatusCode == http.StatusOK && out != nil {
		err = json.Unmarshal(text, out)
	}
	return resp.StatusCode, err
}

// enter enters the room under a name.
func (s *server) enter(name string) *visitor {
	s.t.Helper()
	v := &visitor{s: s, name: name}
	if status, err := v.post("/api/enter", map[string]string{"name": name}, nil); status != http.StatusOK {
		s.t.Fatalf("%s can't enter: %d, %v", name, status, err)
	}
	return v
}

// A said value is a message or an answer.
type said struct {
	Number  uint64
	Table   uint64
	Events  int
	Refused bool
	Text    []struct{ Text string }
	Picture *struct{ Src, Dark, Alt string }
	Buttons []struct{ ID, Label string }
	Files   []struct {
		Name string
		Data []byte
	}
}

func (m said) String() string {
	var b strings.Builder
	for _, s := range m.Text {
		b.WriteString(s.Text)
	}
	return b.String()
}

// messages returns the latest messages of a stream.
func (v *visitor) messages(stream string) (all []said) {
	v.s.t.Helper()
	var out struct{ Messages []said }
	if status, err := v.post("/api/messages", map[string]any{"stream": stream}, &out); status != http.StatusOK {
		v.s.t.Fatalf("read %s: %d, %v", stream, status, err)
	}
	return out.Messages
}

func TestServeReportsErrors(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	address := strings.TrimPrefix(s.base, "http://")
	for _, tt := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"serve", "--listen", address, "--data", s.data + "2"}, 1, "--listen"},
		{[]string{"serve", "--listen", "127.0.0.1:0", "--data", s.data}, 1, "in use"},
		{[]string{"--listen", "127.0.0.1:0", "--data", "/nowhere/at/all.db"}, 1, "/nowhere/at/all.db"},
		{[]string{"serve", "--theme", "pink"}, 2, "light"},
		{[]string{"serve", "now"}, 2, "now"},
		{[]string{"--port", "80"}, 2, "unknown flag --port"},
		{[]string{"--listen", "127.0.0.1:0", "--data", s.data + "3", "--lexicon", "nowhere.lex"}, 2, "nowhere.lex"},
		{[]string{"surf"}, 2, "rackmate help"},
	} {
		if status, out, err := command(t, "", tt.args...); status != tt.status || !strings.Contains(err, tt.want) || out != "" {
			t.Errorf("rackmate %v: status %d, %q, %q; want %d and %q", tt.args, status, out, err, tt.status, tt.want)
		}
	}
}

// TestBackupOfRunningHost checks that a backup of a running host is a complete data file.
func TestBackupOfRunningHost(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	ann := s.enter("Ann")
	if status, err := ann.post("/api/say", map[string]string{"stream": "general", "id": "0123456789abcdef", "text": "hello"}, nil); status != http.StatusOK {
		t.Fatal(status, err)
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	if status, _, err := command(t, "", "backup", "--data", s.data, copied); status != 0 {
		t.Fatal(err)
	}
	if status, _, err := command(t, "", "backup", "--data", s.data, copied); status != 1 || !strings.Contains(err, "already") {
		t.Errorf("a second copy over the first: status %d, %s", status, err)
	}
	s.stop()
	for _, name := range []string{s.data, copied} {
		if status, _, err := command(t, "", "backup", "--data", name, filepath.Join(t.TempDir(), "again.db")); status != 0 {
			t.Errorf("copy %s without a host: %s", name, err)
		}
	}
	key, err := os.ReadFile(s.data + keySuffix)
	gametest.Must(t, err)
	gametest.Must(t, os.WriteFile(copied+keySuffix, key, 0o600)) // needed for Ann's cookie
	ann.s = started(&server{t: t, here: true, data: copied})
	if all := ann.messages("general"); len(all) != 1 || all[0].String() != "hello" {
		t.Errorf("the copy has the messages %v", all)
	}
	if status, _, err := command(t, "", "backup", "--data", filepath.Join(t.TempDir(), "none.db"), copied+"2"); status != 1 || !strings.Contains(err, "--data") {
		t.Errorf("a copy of nothing: status %d, %s", status, err)
	}
}

// eventually waits for something that another process will do.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	eventuallyIn(t, 3*time.Minute, what, ok)
}

func eventuallyIn(t *testing.T, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	deadline := time.After(limit)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-deadline:
			t.Fatalf("never: %s", what)
		case <-tick.C:
		}
	}
}

func (v *visitor) nextID() string {
	v.asked++
	return fmt.Sprintf("%s-%08d", strings.ToLower(v.name), v.asked)
}

// TestThemes checks that boards match the reader's screen, or the operator's choice, and stay the
// same after a restart.
func TestThemes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		theme string
		args  []string
		two   bool // light and dark screens get different boards
	}{{"the reader's", nil, true}, {"cb", []string{"--theme", "cb"}, false}, {"dark", []string{"--theme", "dark"}, false}} {
		t.Run(tt.theme, func(t *testing.T) {
			s := newServer(t, tt.args...)
			ann, bob := s.enter("Ann"), s.enter("Bob")
			say := func(v *visitor, line string, dark bool) said {
				t.Helper()
				var out struct{ Reply said }
				if status, err := v.post("/api/say", map[string]any{"stream": "general", "id": v.nextID(), "text": line, "dark": dark}, &out); status != http.StatusOK || out.Reply.Refused {
					t.Fatalf("%s: %d, %v, %s", line, status, err, out.Reply)
				}
				return out.Reply
			}
			get := func(path string) string {
				t.Helper()
				req, err := http.NewRequest(http.MethodGet, s.base+path, nil)
				gametest.Must(t, err)
				req.Header.Set("Cookie", bob.cookie)
				resp, err := http.DefaultClient.Do(req)
				gametest.Must(t, err)
				defer resp.Body.Close()
				b, err := io.ReadAll(resp.Body)
				if err != nil || resp.StatusCode != http.StatusOK || len(b) < 1000 {
					t.Fatalf("%s: %s, %v, %d bytes", path, resp.Status, err, len(b))
				}
				return string(b)
			}
			say(ann, "/new seats:2 challenge:void", false)
			say(bob, "/join", false)
			var board said
			eventually(t, "a board is posted", func() bool {
				if all := ann.messages("general"); len(all) > 0 {
					board = all[len(all)-1]
				}
				return board.Picture != nil
			})
			light, dark := get(board.Picture.Src), get(board.Picture.Dark)
			if (light != dark) != tt.two {
				t.Errorf("the board for a dark screen differs: %v, want %v", light != dark, tt.two)
			}
			if rack := say(ann, "/rack", false).Picture.Src != say(ann, "/rack", true).Picture.Src; rack != tt.two {
				t.Errorf("the rack for a dark screen differs: %v, want %v", rack, tt.two)
			}
			s.kill()
			s.start()
			if get(board.Picture.Src) != light || get(board.Picture.Dark) != dark {
				t.Error("after a restart the board is drawn differently")
			}
		})
	}
}

// TestStalledBackupBlocksNobody checks that a stalled reader of a backup blocks no one, and
// that the copy passes the check.
func TestStalledBackupBlocksNobody(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	body, err := ask(t.Context(), s.data, http.MethodGet, "/backup")
	gametest.Must(t, err)
	defer body.Close()                                                 // no one reads it
	for _, name := range []string{"Ann", "Bob", "Cat", "Dan", "Eve"} { // each stays below the rate limit
		p := s.enter(name)
		for said := range 8 {
			if status, err := p.post("/api/say", map[string]string{"stream": "general", "id": p.nextID(), "text": strings.Repeat("word ", 350)}, nil); status != http.StatusOK {
				t.Fatalf("%s, after %d lines: %d, %v", name, said, status, err)
			}
		}
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	if status, _, err := command(t, "", "backup", "--data", s.data, copied); status != 0 {
		t.Fatal(err)
	}
	if status, out, _ := command(t, "", "check", copied); status != 0 || !strings.HasPrefix(out, "ok ") {
		t.Errorf("check of the copy: status %d, %s", status, out)
	}
	gametest.Must(t, os.Truncate(copied, 20000))
	if status, out, _ := command(t, "", "check", copied); status != 1 || !strings.Contains(out, "backup") || strings.Count(out, copied) != 1 {
		t.Errorf("check of half the copy: status %d, %s", status, out)
	}
	s.stop()
}
