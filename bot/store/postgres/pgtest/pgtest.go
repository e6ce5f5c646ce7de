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

// Required is the environment variable that, when it is "required", lets a test
// fail that finds no PostgreSQL.
const Required = "RACKMATE_POSTGRES_TESTS"

// patience is how many seconds a server may take to start or stop on a busy machine.
const patience = "300"

// programs is the folder of PostgreSQL's programs, the newest there is.
func programs() (string, bool) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		path, err := exec.LookPath("initdb")
		return filepath.Dir(path), err == nil
	}
	slices.Sort(found)
	return filepath.Dir(found[len(found)-1]), true
}

// A Server is a PostgreSQL that a test has started, on a socket in a temporary
// folder.
type Server struct {
	Dir   string // its data, and the socket
	bin   string
	cred  *syscall.Credential
	fsync string // on or off

	mu     sync.Mutex
	making *pgx.Conn // that databases are made by; nil until there is one
}

// Start starts an empty server, and stops it when the test ends. Without
// PostgreSQL the test is skipped.
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

// Shared is the server that all tests of a process share, who take a database of
// their own each; it runs, without fsync, until [StopShared]. Without PostgreSQL the test is skipped.
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

// Skip skips a test that finds no PostgreSQL, or fails it where there must be
// one.
func Skip(t testing.TB, err error) {
	t.Helper()
	if os.Getenv(Required) == "required" {
		t.Fatal(err)
	}
	t.Skipf("%v; Debian's is in the package postgresql", err)
}

// New makes an empty server, which doesn't run yet.
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

// emptyData is what initdb made for the first server of the process: a copy of it is made
// in a tenth of the time.
var emptyData struct {
	sync.Mutex
	in string // a folder of a server, which may be gone
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

// room is how much a server and some hundred databases need. Each has three hundred files,
// which a disk takes longer to make than the tests take.
const room = 3 << 30

// place makes a folder for a server.
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
	if os.Getuid() == 0 { // which PostgreSQL refuses to run as
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

// Program is the path of one of PostgreSQL's programs.
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
	// A file, for a server that goes on would keep a pipe open.
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
	s.making = nil // of before
	s.mu.Unlock()
	return s.runServers("pg_ctl", "-D", s.Dir+"/data", "-l", s.Dir+"/server.log", "-w", "-t", patience, "-o",
		"-c listen_addresses='' -c fsync="+s.fsync+" -c max_connections=100 -k "+s.Dir, "start")
}

// Stop stops the server at once, as a crash does.
func (s *Server) Stop() error {
	return s.runServers("pg_ctl", "-D", s.Dir+"/data", "-m", "immediate", "-w", "-t", patience, "stop")
}

// Shutdown stops the server with all it has on disk, as an administrator does.
func (s *Server) Shutdown() error {
	return s.runServers("pg_ctl", "-D", s.Dir+"/data", "-m", "fast", "-w", "-t", patience, "stop")
}

// Standby makes a server that follows this one. With it the server answers a
// commit only when the standby has it on disk.
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

// SQL carries out a statement.
func (s *Server) SQL(statement string) error { return s.SQLIn("postgres", statement) }

// SQLIn carries out a statement in a database.
func (s *Server) SQLIn(database, statement string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.URL(database))
	if err != nil {
		return err
	}
	_, err = conn.PgConn().Exec(ctx, statement).ReadAll()
	return errors.Join(err, conn.Close(ctx))
}

// Number is what a query answers with, where that is a number.
func (s *Server) Number(query string) (n int, err error) {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.URL("postgres"))
	if err != nil {
		return 0, err
	}
	err = conn.QueryRow(ctx, query).Scan(&n)
	return n, errors.Join(err, conn.Close(ctx))
}

// Remove stops the server and removes all it has.
func (s *Server) Remove() {
	s.Stop()
	emptyData.Lock() // others may be copying it
	defer emptyData.Unlock()
	os.RemoveAll(s.Dir)
}

// URL is a database's on this server, or on the one of several that is the
// primary.
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

// Name is the name of the database at a url that URL made.
func Name(url string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(url, "postgres:///"), "?")
	return name
}

// Database makes a database that is empty, and returns its URL.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	return s.copyOf(t, "template1")
}

// Copy makes a database with all that the one at a URL has, which nobody uses meanwhile.
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
