package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/bot/store/postgres/pgtest"
	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/game/gametest"
)

// freePort returns an unused address of this computer.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	gametest.Must(t, err)
	defer l.Close()
	return l.Addr().String()
}

// fetch returns the status and body of a page.
func fetch(t *testing.T, url string) (status int, body string) {
	t.Helper()
	resp, err := http.Get(url)
	gametest.Must(t, err)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	gametest.Must(t, err)
	return resp.StatusCode, string(b)
}

// TestHealth checks that a host reports its health: one word for each check to anyone, reasons to
// its operator. It isn't ready while a platform is away.
func TestHealth(t *testing.T) {
	t.Parallel()
	s := newServer(t, "--metrics", "127.0.0.1:0", "--log-level", "info")
	metrics := regexp.MustCompile(`msg="serving metrics" at=(\S+)`).FindStringSubmatch(s.log.String())
	if metrics == nil {
		t.Fatalf("the log doesn't say where the figures are:\n%s", s.log)
	}
	if status, body := fetch(t, s.base+"/healthz"); status != 200 || body != "ok\n" {
		t.Errorf("/healthz: %d %q", status, body)
	}
	if status, body := fetch(t, s.base+"/readyz"); status != 200 || !strings.Contains(body, "ok store\n") || !strings.Contains(body, "ok timers\n") || !strings.Contains(body, "ok disk\n") {
		t.Errorf("/readyz: %d %q", status, body)
	}
	if status, out, err := command(t, "", "health", "--data", s.data); status != 0 || !strings.Contains(out, "ok store\n") {
		t.Errorf("rackmate health: %d %q %s", status, out, err)
	}
	listen := strings.TrimPrefix(s.base, "http://")
	if status, out, err := command(t, "", "health", "--live", "--listen", listen); status != 0 || out != "ok\n" {
		t.Errorf("rackmate health --live: %d %q %s", status, out, err)
	}
	ann := s.enter("Ann")
	if status, err := ann.post("/api/say", map[string]string{"stream": "general", "id": ann.nextID(), "text": "/new robots:beginner"}, nil); status != 200 {
		t.Fatal(status, err)
	}
	var figures string
	eventually(t, "the figures have a post", func() bool {
		_, figures = fetch(t, "http://"+metrics[1]+"/metrics")
		return strings.Contains(figures, `rackmate_posts_total{platform="web",result="done"}`)
	})
	for _, want := range []string{
		`rackmate_commands_total{command="new",result="done"} 1`, `rackmate_commits_total{kind="room",result="done"}`,
		`rackmate_ready{check="store"} 1`, "rackmate_timer_oldest_seconds", `rackmate_post_oldest_seconds{platform="web"}`, "rackmate_disk_free_bytes", "go_goroutines",
	} {
		if !strings.Contains(figures, want) {
			t.Errorf("the figures lack %s", want)
		}
	}
	if ids := regexp.MustCompile(`(?m)^rackmate_.*="[^"]*(general|Ann|:)[^"]*".*$`).FindString(figures); ids != "" {
		t.Errorf("a label names somebody or something: %s", ids)
	}
	s.stop()
	if status, _, err := command(t, "", "health", "--data", s.data); status != 1 || !strings.Contains(err, "no host runs") {
		t.Errorf("rackmate health without a host: %d %s", status, err)
	}
	if status, _, err := command(t, "", "health", "--live", "--listen", listen); status != 1 || !strings.Contains(err, "doesn't answer") {
		t.Errorf("rackmate health --live without a host: %d %s", status, err)
	}
}

// TestHealthOfAbsentPlatform checks that only the operator learns why a platform is away, and
// that a host waiting for it stops in time.
func TestHealthOfAbsentPlatform(t *testing.T) {
	t.Parallel()
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "600")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	t.Cleanup(slow.Close)
	s := newServerIn(t, []string{"SLACK_APP_TOKEN=xapp-secret-app", "SLACK_BOT_TOKEN=xoxb-secret-bot"}, "--slack-api", slow.URL, "--log-level", "debug")
	eventually(t, "health tells of Slack", func() bool {
		_, out, _ := command(t, "", "health", "--data", s.data)
		return strings.Contains(out, "bad slack: ") && strings.Contains(out, "rate limit")
	})
	if status, body := fetch(t, s.base+"/readyz"); status != 503 || !strings.Contains(body, "bad slack\n") {
		t.Errorf("/readyz: %d %q", status, body)
	}
	if status, _, err := command(t, "", "sign-out", "--yes", "--data", s.data); status != 1 || !strings.Contains(err, "a host runs on") {
		t.Errorf("sign-out beside an unwell host: %d, %s", status, err)
	}
	s.stopsInTime()
	if strings.Contains(s.log.String(), "secret") {
		t.Errorf("the log has a token:\n%s", s.log)
	}
}

// A fullDatabase rejects changes while it is full.
type fullDatabase struct {
	database
	full *bool
}

func (d fullDatabase) Update(ctx context.Context, ch bot.ChannelID, request string, fn func(*bot.Room) error) error {
	if *d.full {
		return syscall.ENOSPC
	}
	return d.database.Update(ctx, ch, request, fn)
}

// TestTroubleShowsInHealth checks that a full store shows in the health checks, and stays there for
// a while because smaller changes may succeed. So do a wrong clock and a nearly full disk.
func TestTroubleShowsInHealth(t *testing.T) {
	t.Parallel()
	now := time.Now()
	db, err := bolt.Open(filepath.Join(t.TempDir(), "rackmate.db"), func() time.Time { return now })
	gametest.Must(t, err)
	defer db.Close()
	var full bool
	var off time.Duration
	free := uint64(1 << 40)
	seen := newFigures()
	kept := watched{fullDatabase{db, &full}, seen}
	h := &health{
		db: kept, figures: seen, backups: newBackups(backupSettings{}, db, "", seen, slog.New(slog.DiscardHandler)),
		now: func() time.Time { return now }, own: func() time.Time { return now.Add(off) }, space: func(string) (uint64, bool) { return free, true },
	}
	tell := func() string {
		now = now.Add(2 * healthAge)
		w := httptest.NewRecorder()
		h.serveAll(w, httptest.NewRequest("GET", "/readyz", nil))
		return w.Body.String()
	}
	if got := tell(); strings.Contains(got, "bad") {
		t.Fatalf("a host that is well says %s", got)
	}
	if err := kept.Update(t.Context(), "web:x", "", func(*bot.Room) error { return errors.New("a mistake of the player's") }); err == nil {
		t.Fatal("the mistake is gone")
	}
	if got := tell(); strings.Contains(got, "bad") {
		t.Errorf("after a player's mistake it says %s", got)
	}
	off = -time.Hour
	if got := tell(); !strings.Contains(got, "warn store: this computer's clock is 1h0m0s behind that of the database") {
		t.Errorf("with a wrong clock it says %s", got)
	}
	off, full = 0, true
	if err := kept.Update(t.Context(), "web:x", "", func(*bot.Room) error { return nil }); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	if got := tell(); !strings.Contains(got, "bad store") || !strings.Contains(got, "no space left") {
		t.Errorf("with a full disk it says %s", got)
	}
	free = 1000
	if got := tell(); !strings.Contains(got, "bad disk") {
		t.Errorf("with a disk nearly full it says %s", got)
	}
}

// TestDamageStaysInHealth checks that health tells of a damaged row that a command met, though all
// other changes succeed and much time has passed, and that the host stays ready.
func TestDamageStaysInHealth(t *testing.T) {
	t.Parallel()
	now := time.Now()
	path := filepath.Join(t.TempDir(), "rackmate.db")
	open := func() *bolt.DB {
		db, err := bolt.Open(path, func() time.Time { return now })
		gametest.Must(t, err)
		return db
	}
	db := open()
	gametest.Must(t, db.Notes(hostNotes).Put(t.Context(), "settings", "web:ann", []byte(`{"v":1,"zone":"Europe/London"}`)))
	gametest.Must(t, db.Close())
	b, err := os.ReadFile(path)
	gametest.Must(t, err)
	gametest.Must(t, os.WriteFile(path, bytes.ReplaceAll(b, []byte("London"), []byte("Lisbon")), 0o600))
	db = open()
	defer db.Close()
	seen := newFigures()
	h := &health{
		db: watched{db, seen}, figures: seen, backups: newBackups(backupSettings{}, db, "", seen, slog.New(slog.DiscardHandler)),
		now: func() time.Time { return now }, own: func() time.Time { return now }, space: func(string) (uint64, bool) { return 1 << 40, true },
	}
	ask := func(serve http.HandlerFunc) (status int, body string) {
		now = now.Add(time.Hour)
		w := httptest.NewRecorder()
		serve(w, httptest.NewRequest("GET", "/readyz", nil))
		return w.Code, w.Body.String()
	}
	if status, body := ask(h.serveReady); status != 200 || !strings.Contains(body, "ok damage\n") {
		t.Fatalf("before the row is read: %d %s", status, body)
	}
	if _, err := h.db.Notes(hostNotes).Get(t.Context(), "settings", "web:ann"); err == nil {
		t.Fatal("the damaged row is read")
	}
	for range 2 {
		if status, body := ask(h.serveReady); status != 200 || !strings.Contains(body, "warn damage\n") {
			t.Errorf("/readyz: %d %s", status, body)
		}
		if status, body := ask(h.serveAll); status != 200 || !strings.Contains(body, "warn damage: the data file") {
			t.Errorf("/readyz with reasons: %d %s", status, body)
		}
		gametest.Must(t, h.db.Notes(hostNotes).Put(t.Context(), "settings", "web:bob", []byte("{}")))
	}
	h.broken = func() []error { return []error{errors.New(`read settings "web:ann": unexpected end of JSON input`)} }
	if status, body := ask(h.serveAll); status != 200 || !strings.Contains(body, `; read settings "web:ann"`) {
		t.Errorf("with a row that isn't JSON: %d %s", status, body)
	}
}

// TestBrokenRowsOfAdaptersAreInHealth checks that health tells of an adapter's row that isn't JSON any
// more, however it is read, and of no other.
func TestBrokenRowsOfAdaptersAreInHealth(t *testing.T) {
	t.Parallel()
	const row = "ann"
	for name, read := range map[string]func(context.Context, bot.Notes) error{
		"":    func(context.Context, bot.Notes) error { return nil },
		"get": func(ctx context.Context, n bot.Notes) error { _, err := n.Get(ctx, "people", row); return err },
		"get all": func(ctx context.Context, n bot.Notes) error {
			_, err := n.GetAll(ctx, "people", "bob", row)
			return err
		},
		"scan": func(ctx context.Context, n bot.Notes) error { _, err := n.Scan(ctx, "people", "", "", 9); return err },
		"get in a change": func(ctx context.Context, n bot.Notes) error {
			return n.Change(ctx, func(r bot.Rows) error { _, err := r.Get("people", row); return err })
		},
		"get all in a change": func(ctx context.Context, n bot.Notes) error {
			return n.Change(ctx, func(r bot.Rows) error { _, err := r.GetAll("people", row); return err })
		},
		"scan in a change": func(ctx context.Context, n bot.Notes) error {
			return n.Change(ctx, func(r bot.Rows) error { _, err := r.Scan("people", "", "", 9); return err })
		},
	} {
		db, err := bolt.Open(filepath.Join(t.TempDir(), "rackmate.db"), time.Now)
		gametest.Must(t, err)
		seen := newFigures()
		h := &health{db: watched{db, seen}, figures: seen, now: time.Now, own: time.Now}
		notes := h.db.Notes("web")
		for key, value := range map[string]string{"bob": `{"v":1}`, "cat": "2026-11-28T20:00:00Z", "dan": "", row: `{"v":1,"name":"A`} {
			gametest.Must(t, notes.Put(t.Context(), "people", key, []byte(value)))
		}
		if err := read(t.Context(), notes); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		damage := h.describeDamage()
		if (name != "") != strings.Contains(damage, `read people "ann" of web: unexpected end of JSON input; rackmate check`) || name == "" && damage != "" {
			t.Errorf("%s: health says %q", name, damage)
		}
		gametest.Must(t, db.Close())
	}
}

// TestMetricsRejectForeignHost checks that a foreign page that points its own domain at the metrics'
// address reads nothing there.
func TestMetricsRejectForeignHost(t *testing.T) {
	t.Parallel()
	c := &serveConfig{metrics: "figures.example.org:9090"}
	c.web.hosts = list{"play.example.org"}
	h := (&health{figures: newFigures()}).handler(c.ownNames()...)
	for host, status := range map[string]int{
		"127.0.0.1:9090": 200, "10.1.2.3:9090": 200, "[::1]:9090": 200, "localhost:9090": 200, "rackmate:9090": 200,
		"figures.example.org:9090": 200, "PLAY.example.org": 200, "evil.example.com:9090": 421, "127.0.0.1.evil.example.com": 421,
	} {
		w := httptest.NewRecorder()
		req := httptest.NewRequest("GET", "/healthz", nil)
		req.Host = host
		h.ServeHTTP(w, req)
		if w.Code != status {
			t.Errorf("the host %q is answered with %d, want %d", host, w.Code, status)
		}
	}
}

// TestBackupDrill makes scheduled backups, checks them and removes the oldest, loses the data,
// restores the latest backup and checks that everything is back.
func TestBackupDrill(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "backups")
	s := newServer(t)
	ann, bob := s.enter("Ann"), s.enter("Bob")
	say := func(v *visitor, line string) {
		t.Helper()
		if status, err := v.post("/api/say", map[string]string{"stream": "general", "id": v.nextID(), "text": line}, nil); status != 200 {
			t.Fatal(line, status, err)
		}
	}
	say(ann, "/new seats:2")
	say(bob, "/join")
	s.stop()

	db, err := bolt.Open(s.data, time.Now)
	gametest.Must(t, err)
	b := newBackups(backupSettings{every: 6 * time.Hour, to: dir, keep: 3}, db, s.data, newFigures(), slog.New(slog.DiscardHandler))
	now := time.Date(2026, 3, 14, 6, 0, 0, 0, time.UTC)
	b.now = func() time.Time { return now }
	b.setOwner(true)
	if got := b.trouble(); got != "" {
		t.Errorf("before the first backup: %s", got)
	}
	gametest.Must(t, os.MkdirAll(dir, 0o700))
	const killed = "rackmate-20260314T060000Z.db" + cli.Unfinished + "123"
	for _, name := range []string{"notes.txt", "rackmate-before-the-move.db", "mine.db" + cli.Unfinished + "1", killed} {
		gametest.Must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	for range 5 {
		now = now.Add(6 * time.Hour)
		b.make(t.Context(), b.settings())
		if f := b.failure(); f != nil {
			t.Fatal(f.err)
		}
	}
	names, err := listBackups(dir)
	if err != nil || len(names) != 3 || names[2] != "rackmate-20260315T120000Z.db" {
		t.Fatalf("kept are %v, %v", names, err)
	}
	if all, _ := os.ReadDir(dir); len(all) != 6 || slices.ContainsFunc(all, func(e os.DirEntry) bool { return e.Name() == killed }) {
		t.Errorf("the folder has %v: what isn't ours is gone, or something was left behind", all)
	}
	latest := filepath.Join(dir, names[2])
	if info, err := os.Stat(latest); err != nil || info.Mode() != 0o600 {
		t.Errorf("the backup has the mode %v, %v", info.Mode(), err)
	}
	now = now.Add(13 * time.Hour)
	if got := b.trouble(); !strings.Contains(got, "13h0m0s old") {
		t.Errorf("when backups stop health says %q", got)
	}
	b.set(backupSettings{every: 6 * time.Hour, to: "/dev/null/nowhere", keep: 3})
	b.make(t.Context(), b.settings())
	if got := b.trouble(); !strings.Contains(got, "failed") {
		t.Errorf("when a backup fails health says %q", got)
	}
	db.Close()

	// The data is lost and restored.
	if status, _, err := command(t, "", "restore", "--data", s.data, latest); status != 1 || !strings.Contains(err, "isn't overwritten") {
		t.Errorf("restore over a file: %d %s", status, err)
	}
	gametest.Must(t, os.Remove(s.data))
	damaged := filepath.Join(t.TempDir(), "damaged.db")
	data, err := os.ReadFile(latest)
	if err == nil {
		err = os.WriteFile(damaged, data[:len(data)/2], 0o600)
	}
	gametest.Must(t, err)
	if status, _, err := command(t, "", "restore", "--data", s.data, damaged); status != 1 || !strings.Contains(err, "is damaged") {
		t.Errorf("restore of half a backup: %d %s", status, err)
	}
	if _, err := os.Stat(s.data); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("half a backup was restored: %v", err)
	}
	const service = 65532 // owns the folder when root restores for a service
	if os.Geteuid() == 0 {
		gametest.Must(t, os.Chown(filepath.Dir(s.data), service, service))
	}
	status, out, stderr := command(t, "", "restore", "--data", s.data, latest)
	if info, err := os.Stat(s.data); err == nil && os.Geteuid() == 0 {
		if uid, known := ownerOf(info); known && uid != service {
			t.Errorf("what root restored belongs to %d, and the service can't open it", uid)
		}
	}
	if status != 0 || !strings.Contains(out, " tables=1 people=2 last=20") {
		t.Fatalf("restore: %d %q %s", status, out, stderr)
	}
	s.start()
	say(ann, "/rack")
	// Posts that were queued when the host stopped are delivered now.
	eventually(t, "the room has the lobby and the board after the restore", func() bool { return len(ann.messages("general")) >= 2 })
	if status, _, err := command(t, "", "restore", "--data", s.data, latest); status != 1 || !strings.Contains(err, "a host runs") {
		t.Errorf("restore under a running host: %d %s", status, err)
	}
}

// TestScheduledBackup checks that the host makes backups itself, the first one at once if there is
// none.
func TestScheduledBackup(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "backups")
	newServer(t, "--backup-every", "6h", "--backup-to", dir)
	eventually(t, "there is a backup", func() bool {
		names, _ := listBackups(dir)
		return len(names) == 1
	})
	for _, args := range [][]string{{"--backup-every", "6h"}, {"--backup-to", dir}, {"--backup-every", "1s", "--backup-to", dir}, {"--backup-every", "6h", "--backup-to", dir, "--keep", "0"}} {
		if status, _, err := command(t, "", append([]string{"serve", "--listen", "127.0.0.1:0", "--data", dir + ".db"}, args...)...); status != 2 || !strings.Contains(err, "--") {
			t.Errorf("%v: status %d, %s", args, status, err)
		}
	}
}

// TestScheduledBackupOfDatabase checks that one of several hosts on a database makes the backups,
// and that a backup can be restored as a data file.
func TestScheduledBackupOfDatabase(t *testing.T) {
	t.Parallel()
	url := pgtest.Shared(t).Database(t)
	first := started(&server{t: t, here: true, data: url})
	ann, bob := first.enter("Ann"), first.enter("Bob")
	for _, line := range []struct {
		by   *visitor
		text string
	}{{ann, "hello"}, {ann, "/new seats:2"}, {bob, "/join"}} {
		if status, err := line.by.post("/api/say", map[string]string{"stream": "general", "id": line.by.nextID(), "text": line.text}, nil); status != 200 {
			t.Fatal(line.text, status, err)
		}
	}
	first.stop()
	dir := filepath.Join(t.TempDir(), "backups")
	var crew []*server
	for range 2 {
		crew = append(crew, started(&server{t: t, here: true, data: url, args: []string{"--backup-every", "6h", "--backup-to", dir}}))
	}
	var names []string
	eventually(t, "there is a backup", func() bool {
		names, _ = listBackups(dir)
		return len(names) > 0
	})
	for _, s := range crew {
		s.stop()
	}
	if names, _ = listBackups(dir); len(names) != 1 {
		t.Errorf("two hosts made %v", names)
	}
	back := &server{t: t, here: true, data: filepath.Join(t.TempDir(), "rackmate.db")}
	if status, out, err := command(t, "", "restore", "--data", back.data, filepath.Join(dir, names[0])); status != 0 || !strings.Contains(out, " tables=1 people=2 ") {
		t.Fatalf("restore: %d %q %s", status, out, err)
	}
	back.start()
	t.Cleanup(back.kill)
	ann = back.enter("Ann again") // backups have no keys, so she signs in again
	// Posts queued when the backup was made are delivered now.
	eventually(t, "the room comes back", func() bool {
		all := ann.messages("general")
		return len(all) >= 2 && all[0].String() == "hello"
	})
}

// TestReloadSettings checks that SIGHUP applies the settings that can change and logs the
// others, and that settings with a mistake change nothing.
func TestReloadSettings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "rackmate.toml")
	write := func(text string) {
		t.Helper()
		gametest.Must(t, os.WriteFile(file, []byte(text), 0o600))
	}
	write("log-level = 'warn'\n")
	s := newProcess(t, "--config", file)
	hup := func() { s.cmd.Process.Signal(syscall.SIGHUP) }
	ann := s.enter("Ann")
	write("log-level = 'debug'\ntheme = 'dark'\nbackup-every = '6h'\nbackup-to = '" + dir + "'\n")
	hup()
	eventually(t, "there is a backup", func() bool { names, _ := listBackups(dir); return len(names) == 1 })
	if status, err := ann.post("/api/say", map[string]string{"stream": "general", "id": ann.nextID(), "text": "/help"}, nil); status != 200 {
		t.Fatal(status, err)
	}
	write("log-level = 'loud'\n")
	hup()
	eventually(t, "the mistake is told", func() bool { return strings.Contains(s.log.String(), "nothing was changed") })
	for _, want := range []string{"after a restart", "settings=theme", "log-level", "msg=command"} {
		eventually(t, "the log has "+want, func() bool { return strings.Contains(s.log.String(), want) })
	}
	s.stop()
}

// TestRemovedDataFileIsNoticed checks that removing the data file under a running host is noticed at once: the
// host isn't ready, gives the reason and rejects changes that it couldn't keep. What it still has
// can be saved.
func TestRemovedDataFileIsNoticed(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	ann := s.enter("Ann")
	say := func(text string) (int, error) {
		return ann.post("/api/say", map[string]string{"stream": "general", "id": ann.nextID(), "text": text}, nil)
	}
	if status, err := say("hello"); status != 200 {
		t.Fatal(status, err)
	}
	gametest.Must(t, os.Rename(s.data, s.data+".away"))
	eventually(t, "the host isn't ready", func() bool {
		status, body := fetch(t, s.base+"/readyz")
		return status == 503 && strings.Contains(body, "bad store\n")
	})
	if status, out, _ := command(t, "", "health", "--data", s.data); status != 1 || !strings.Contains(out, "taken away") || !strings.Contains(out, "rackmate backup") {
		t.Errorf("rackmate health: %d %q", status, out)
	}
	if status, _ := say("is anybody there?"); status < 500 {
		t.Errorf("what can't be kept is answered with %d", status)
	}
	saved := filepath.Join(t.TempDir(), "saved.db")
	if status, _, err := command(t, "", "backup", "--data", s.data, saved); status != 0 {
		t.Fatalf("the backup: %d %s", status, err)
	}
	if status, out, _ := command(t, "", "check", saved); status != 0 || !strings.HasPrefix(out, "ok ") {
		t.Errorf("a check of what was saved: %d %s", status, out)
	}
	gametest.Must(t, os.Rename(s.data+".away", s.data))
}

// TestHostStartsDuringBackup checks that a host starting while a backup reads the file doesn't
// wait for it, and that the backup is complete or fails.
func TestHostStartsDuringBackup(t *testing.T) {
	data := filepath.Join(t.TempDir(), "rackmate.db")
	db, err := bolt.Open(data, time.Now)
	gametest.Must(t, err)
	db.Close()
	begun := false
	var copied bytes.Buffer
	whole, err := bolt.CopyUnlocked(data, writerFunc(func(p []byte) (int, error) {
		if !begun {
			begun = true
			host, err := bolt.Open(data, time.Now)
			gametest.Must(t, err)
			gametest.Must(t, errors.Join(host.Notes("web").Put(t.Context(), "a", "b", []byte("c")), host.Close()))
		}
		return copied.Write(p)
	}))
	if err != nil || whole || !begun {
		t.Errorf("with a commit meanwhile the copy is whole: %v, %v", whole, err)
	}
	copied.Reset()
	if whole, err := bolt.CopyUnlocked(data, &copied); err != nil || !whole {
		t.Errorf("with none it isn't: %v, %v", whole, err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// TestCheckDatabase checks that a database can be checked while hosts run, and that the result
// is unsure without page checksums.
func TestCheckDatabase(t *testing.T) {
	t.Parallel()
	url := pgtest.Shared(t).Database(t)
	db, err := openDatabase(t.Context(), url, 0, time.Now)
	gametest.Must(t, err)
	defer db.Close()
	for _, ch := range []bot.ChannelID{"web:one", "web:two"} {
		gametest.Must(t, db.Update(t.Context(), ch, "", func(r *bot.Room) error {
			r.Append = gametest.Log(t, 30)
			return nil
		}))
	}
	if status, out, err := command(t, "", "check", url); status != 0 || !strings.HasPrefix(out, "ok postgres://") || !strings.Contains(out, " tables=2 people=2 ") {
		t.Errorf("a sound one: %d %s%s", status, out, err)
	}
	gametest.Must(t, db.Notes("web").Put(t.Context(), "people", "ann", []byte(`{"v":1,"name":"A`)))
	if status, out, _ := command(t, "", "check", url); status != 1 || !strings.HasPrefix(out, "bad postgres://") || !strings.Contains(out, `people "ann" of web`) {
		t.Errorf("with a row that isn't JSON: %d %s", status, out)
	}
	gametest.Must(t, db.Notes("web").Put(t.Context(), "people", "ann", nil))
	gametest.Must(t, pgtest.Shared(t).SQLIn(pgtest.Name(url), "delete from events where table_id = 2 and number = 9"))
	if status, out, _ := command(t, "", "check", url); status != 1 || !strings.HasPrefix(out, "bad postgres://") || !strings.Contains(out, "table 2") {
		t.Errorf("with an event gone: %d %s", status, out)
	}
}
