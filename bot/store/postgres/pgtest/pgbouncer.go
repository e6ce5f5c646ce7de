package pgtest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Bouncer starts Debian's PgBouncer in front of the server, in transaction mode with default
// settings. through converts the URL of a database to one through it. If there is no PgBouncer, the
// test is skipped.
func (s *Server) Bouncer(t testing.TB) (through func(url string) string) {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		program = "/usr/sbin/pgbouncer"
	}
	if _, err := os.Stat(program); err != nil {
		Skip(t, fmt.Errorf("there is no PgBouncer on this computer"))
	}
	dir, err := os.MkdirTemp(s.Dir, "bouncer")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "pgbouncer.ini")
	config := fmt.Sprintf(`[databases]
* = host=%s user=rackmate
[pgbouncer]
listen_port = 6432
unix_socket_dir = %s
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 500
server_idle_timeout = 1
logfile = %s/log
pidfile = %s/pid
`, s.Dir, dir, dir, dir)
	if err := os.WriteFile(file, []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	if s.cred != nil {
		if err := os.Chown(dir, int(s.cred.Uid), int(s.cred.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(program, "-q", file)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.cred}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	socket := filepath.Join(dir, ".s.PGSQL.6432")
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		conn, err := net.Dial("unix", socket)
		if err == nil {
			conn.Close()
			break
		}
		if time.Since(began) > time.Minute {
			log, _ := os.ReadFile(filepath.Join(dir, "log"))
			t.Fatalf("PgBouncer doesn't answer: %v\n%s", err, log)
		}
	}
	return func(url string) string { return strings.Replace(url, "host="+s.Dir, "port=6432&host="+dir, 1) }
}
