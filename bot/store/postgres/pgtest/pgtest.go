// Package pgtest starts PostgreSQL servers for tests.
package pgtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rackmate/rackmate/game/gametest"
)

// Required is the environment variable that, set to "required", makes tests fail without
// PostgreSQL.
const Required = "RACKMATE_POSTGRES_TESTS"

// patience limits how many seconds a server may take to start or stop on a busy machine.
const patience = "300"

// programs returns the folder of the newest PostgreSQL programs.
func programs() (string, bool) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		path, err := exec.LookPath("initdb")
		return filepath.Dir(path), err == nil
	}
	slices.Sort(found)
	return filepath.Dir(found[len(found)-1]), true
}

// A Server is a PostgreSQL server started by a test, on a socket in a temporary folder.
type Server struct {
	Dir   string // its data, and the socket
	bin   string
	cred  *syscall.Credential
	fsync string // on or off

	mu     sync.Mutex
	making *pgx.Conn // connection that creates databases; nil until there is one
}

// Start starts an empty server, and stops it when the test ends. If there is no PostgreSQL, the
// test is skipped.
func Start(t testing.TB) *Server {
	t.Helper()
	s, err := New()
	if err != nil {
		Skip(t, err)
	}
	t.Cleanup(s.Remove)
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
	return s
}

var shared struct {
	sync.Mutex
	server *Server
	err    error
}

// Shared returns the server that all tests of a process share, each with a database of its own. It
// runs without fsync until [StopShared]. If there is no PostgreSQL, the test is skipped.
func Shared(t testing.TB) *Server {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.server == nil && shared.err == nil {
		if shared.server, shared.err = New(); shared.err == nil {
			shared.server.fsync = "off" // it never crashes
			shared.err = shared.server.Run()
		}
	}
	if shared.err != nil {
		Skip(t, shared.err)
	}
	return shared.server
}

// StopShared stops the shared server, if there is one: for TestMain, after the tests.
func StopShared() {
	shared.Lock()
	defer shared.Unlock()
	if shared.server != nil {
		shared.server.Remove()
	}
}

// Skip skips a test because there is no PostgreSQL, or fails it if PostgreSQL is required.
func Skip(t testing.TB, err error) {
	t.Helper()
	if os.Getenv(Required) == "required" {
		t.Fatal(err)
	}
	t.Skipf("%v; Debian's is in the package postgresql", err)
}

// New returns an empty server that isn't running yet.
func New() (*Server, error) {
	s, err := place()
	if err != nil {
		return nil, err
	}
	if err := s.fill(); err != nil {
		s.Remove()
		return nil, err
	}
	return s, nil
}

// emptyData is the output of initdb for the first server of the process. Copying it takes a tenth
// of the time.
var emptyData struct {
	sync.Mutex
	in string // folder of a server, which may be gone
}

// fill makes the data of an empty server.
func (s *Server) fill() error {
	emptyData.Lock()
	defer emptyData.Unlock()
	if _, err := os.Stat(emptyData.in); err == nil {
		return s.run("cp", "-a", emptyData.in, s.Dir+"/data")
	}
	emptyData.in = s.Dir + "/empty"
	return errors.Join(
		s.runServers("initdb", "-D", emptyData.in, "-A", "trust", "-U", "rackmate", "-E", "UTF8", "--locale=C", "--no-sync", "--data-checksums"),
		s.run("cp", "-a", emptyData.in, s.Dir+"/data"),
	)
}

// room is the space that a server and some hundred databases need. Each has three hundred files,
// and creating them on a disk takes longer than the tests.
const room = 3 << 30

// place creates a folder for a server.
func place() (*Server, error) {
	bin, found := programs()
	if !found {
		return nil, fmt.Errorf("there is no PostgreSQL on this computer")
	}
	dir, err := os.MkdirTemp(gametest.Memory(room), "pg")
	if err != nil {
		return nil, err
	}
	s := &Server{Dir: dir, bin: bin, fsync: "on"}
	if os.Getuid() == 0 { // PostgreSQL refuses to run as root
		nobody, err := user.Lookup("postgres")
		if err != nil {
			if nobody, err = user.Lookup("nobody"); err != nil {
				return nil, err
			}
		}
		uid, _ := strconv.Atoi(nobody.Uid)
		gid, _ := strconv.Atoi(nobody.Gid)
		s.cred = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		if err := os.Chown(dir, uid, gid); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Program returns the path of one of PostgreSQL's programs.
func (s *Server) Program(name string) string { return filepath.Join(s.bin, name) }

// runServers runs one of PostgreSQL's programs.
func (s *Server) runServers(program string, args ...string) error {
	return s.run(s.Program(program), args...)
}

func (s *Server) run(program string, args ...string) error {
	cmd := exec.Command(program, args...)
	cmd.Dir = s.Dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.cred}
	var out bytes.Buffer
	// Use a file: a server that keeps running would keep a pipe open.
	if filepath.Base(program) == "pg_ctl" {
		log, err := os.Create(filepath.Join(s.Dir, "pg_ctl.log"))
		if err != nil {
			return err
		}
		defer log.Close()
		cmd.Stdout, cmd.Stderr = log, log
	} else {
		cmd.Stdout, cmd.Stderr = &out, &out
	}
	if err := cmd.Run(); err != nil {
		text, _ := os.ReadFile(filepath.Join(s.Dir, "pg_ctl.log"))
		server, _ := os.ReadFile(filepath.Join(s.Dir, "server.log"))
		return fmt.Errorf("%s: %w\n%s%s%s", program, err, out.Bytes(), text, server)
	}
	return nil
}

// Run starts the server and waits until it answers.
func (s *Server) Run() error {
	s.mu.Lock()
	s.making = nil // of the previous run
	s.mu.Unlock()
	return s.runServers("pg_ctl", "-D", s.Dir+"/data", "-l", s.Dir+"/server.log", "-w", "-t", patience, "-o",
		"-c listen_addresses='' -c fsync="+s.fsync+" -c max_connections=100 -k "+s.Dir, "start")
}

// Stop stops the server immediately, like a crash.
func (s *Server) Stop() error {
	return s.runServers("pg_ctl", "-D", s.Dir+"/data", "-m", "immediate", "-w", "-t", patience, "stop")
}

// Shutdown stops the server cleanly, with everything on disk.
func (s *Server) Shutdown() error {
	return s.runServers("pg_ctl", "-D", s.Dir+"/data", "-m", "fast", "-w", "-t", patience, "stop")
}

// Standby creates a server that follows this one. With it, the server confirms a commit only when
// the standby has it on disk.
func (s *Server) Standby() (*Server, error) {
	b, err := place()
	if err != nil {
		return nil, err
	}
	if err := b.runServers("pg_basebackup", "-h", s.Dir, "-U", "rackmate", "-D", b.Dir+"/data", "-R", "-X", "stream", "-c", "fast",
		"-d", "application_name=standby"); err != nil {
		b.Remove()
		return nil, err
	}
	if err := b.Run(); err != nil {
		b.Remove()
		return nil, err
	}
	if err := s.SQL("alter system set synchronous_standby_names = 'standby'"); err != nil {
		return nil, err
	}
	return b, s.SQL("select pg_reload_conf()")
}

// Promote makes a standby the primary.
func (s *Server) Promote() error {
	return s.runServers("pg_ctl", "-D", s.Dir+"/data", "-w", "-t", patience, "promote")
}

// SQL runs a statement.
func (s *Server) SQL(statement string) error { return s.SQLIn("postgres", statement) }

// SQLIn runs a statement in a database.
func (s *Server) SQLIn(database, statement string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.URL(database))
	if err != nil {
		return err
	}
	_, err = conn.PgConn().Exec(ctx, statement).ReadAll()
	return errors.Join(err, conn.Close(ctx))
}

// Number returns the number that a query returns.
func (s *Server) Number(query string) (n int, err error) {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.URL("postgres"))
	if err != nil {
		return 0, err
	}
	err = conn.QueryRow(ctx, query).Scan(&n)
	return n, errors.Join(err, conn.Close(ctx))
}

// Remove stops the server and removes its data.
func (s *Server) Remove() {
	s.Stop()
	emptyData.Lock() // others may be copying it
	defer emptyData.Unlock()
	os.RemoveAll(s.Dir)
}

// URL returns the URL of a database on this server, or on the primary of several.
func (s *Server) URL(database string, others ...*Server) string {
	dirs := []string{s.Dir}
	for _, o := range others {
		dirs = append(dirs, o.Dir)
	}
	url := fmt.Sprintf("postgres:///%s?user=rackmate&sslmode=disable&host=%s", database, strings.Join(dirs, ","))
	if len(others) > 0 {
		url += "&target_session_attrs=read-write"
	}
	return url
}

var made atomic.Int64

// Name returns the name of the database at a URL made by URL.
func Name(url string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(url, "postgres:///"), "?")
	return name
}

// Database creates an empty database, and returns its URL.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	return s.copyOf(t, "template1")
}

// Copy creates a copy of the database at a URL, which nobody may use meanwhile.
func (s *Server) Copy(t testing.TB, url string) string {
	t.Helper()
	return s.copyOf(t, Name(url))
}

func (s *Server) copyOf(t testing.TB, database string) string {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	if s.making == nil || s.making.IsClosed() {
		s.making, err = pgx.Connect(context.Background(), s.URL("postgres"))
	}
	name := fmt.Sprint("test", made.Add(1))
	if err == nil {
		_, err = s.making.PgConn().Exec(context.Background(), "create database "+name+" template "+database+" strategy file_copy").ReadAll()
	}
	if err != nil {
		t.Fatal(err)
	}
	return s.URL(name)
}
