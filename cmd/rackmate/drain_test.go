package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/game/gametest"
)

// A plainClient keeps connections open like a proxy, polls which servers are ready, and never
// retries.
type plainClient struct {
	ready func() []*pipes
	seen  []*pipes // last result of ready
	at    time.Time
	idle  map[*pipes][]net.Conn
}

// look returns the servers that were ready at most 20 ms ago.
func (c *plainClient) look() []*pipes {
	if time.Since(c.at) > 20*time.Millisecond {
		c.seen, c.at = c.ready(), time.Now()
	}
	return c.seen
}

func (c *plainClient) post() error {
	ready := c.look()
	if len(ready) == 0 {
		return errors.New("nobody takes the request")
	}
	at := ready[0]
	var conn net.Conn
	var err error
	if all := c.idle[at]; len(all) > 0 {
		conn, c.idle[at] = all[len(all)-1], all[:len(all)-1]
	} else if conn, err = at.dial(); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: %s\r\nContent-Length: 2\r\n\r\nhi", at.Addr()); err != nil {
		conn.Close()
		return fmt.Errorf("cut while asking: %w", err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		conn.Close()
		return fmt.Errorf("cut before the answer: %w", err)
	}
	_, err = io.Copy(io.Discard, resp.Body)
	if resp.Close {
		conn.Close()
	} else {
		c.idle[at] = append(c.idle[at], conn)
	}
	return err
}

// A pipes value is a listener without a network, so that it works in a synctest bubble.
type pipes struct {
	coming chan net.Conn
	closed chan struct{}
	close  func()
}

func newPipes() *pipes {
	p := &pipes{coming: make(chan net.Conn), closed: make(chan struct{})}
	p.close = sync.OnceFunc(func() { close(p.closed) })
	return p
}

// dial connects to the listener. It fails once no one accepts.
func (p *pipes) dial() (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.coming <- there:
		return here, nil
	case <-p.closed:
		return nil, syscall.ECONNREFUSED
	}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.coming:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.close()
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes", Net: "unix"} }

// TestDrainCutsNoRequest checks that none of 1,000 requests (5,000 in a long run) is cut off while
// servers are replaced one after another.
func TestDrainCutsNoRequest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, drainCutsNobodyOff)
}

// drainCutsNobodyOff runs TestDrainCutsNoRequest in a synctest bubble.
func drainCutsNobodyOff(t *testing.T) {
	wanted := gametest.Rounds(int64(1000), 5000)
	var mu sync.Mutex
	servers := map[*pipes]*drain{}
	var served atomic.Int64
	begin := func() (stop func()) {
		l := newPipes()
		var d drain
		s := newHTTPServer(d.handler(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			io.Copy(io.Discard, req.Body)
			<-time.After(3 * time.Millisecond) // so that some are always in progress
			served.Add(1)
		})), log.New(io.Discard, "", 0))
		var running sync.WaitGroup
		running.Go(func() {
			if err := ignoreClosed(s.Serve(boundConnections(l, 1000, 1000, nil))); err != nil {
				t.Error(err)
			}
		})
		mu.Lock()
		servers[l] = &d
		mu.Unlock()
		return func() {
			d.empty(context.Background(), l, 100*time.Millisecond) // longer than a client takes from polling to connecting
			s.Shutdown(context.Background())
			running.Wait()
		}
	}
	stop := begin()
	var asking sync.WaitGroup
	var cut atomic.Int64
	ended := make(chan struct{})
	for n := range 8 {
		asking.Go(func() {
			c := plainClient{idle: map[*pipes][]net.Conn{}, ready: func() (all []*pipes) {
				mu.Lock()
				defer mu.Unlock()
				for at, d := range servers {
					if !d.on.Load() {
						all = append(all, at)
					}
				}
				return all
			}}
			often := time.NewTicker(time.Duration(3+n) * time.Millisecond) // each at its own interval
			defer often.Stop()
			for {
				select {
				case <-ended:
					return
				case <-often.C:
				}
				if err := c.post(); err != nil {
					cut.Add(1)
					t.Error(err)
				}
			}
		})
	}
	for restarts := 0; restarts < gametest.Rounds(2, 3) || served.Load() < wanted; restarts++ {
		next := begin()
		stop()
		stop = next
	}
	close(ended)
	asking.Wait()
	stop()
	t.Logf("%d requests, %d cut off", served.Load(), cut.Load())
}

// TestDrainingHostIsNotReady checks that a draining host isn't ready and closes connections after responding.
func TestDrainingHostIsNotReady(t *testing.T) {
	h := &health{now: time.Now}
	h.found, h.at = []finding{{check: "store"}}, time.Now()
	h.drain.on.Store(true)
	w := httptest.NewRecorder()
	h.drain.handler(http.HandlerFunc(h.serveReady)).ServeHTTP(w, httptest.NewRequest("GET", "/readyz", nil))
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Connection") != "close" {
		t.Errorf("/readyz: %d, Connection: %s", w.Code, w.Header().Get("Connection"))
	}
}

func TestDrainTime(t *testing.T) {
	here, there := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}, &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1)}
	for _, c := range []struct {
		args []string
		at   net.Addr
		want time.Duration
	}{
		{nil, here, 0},
		{nil, there, usualDrain},
		{[]string{"--drain", "0s"}, there, 0},
		{[]string{"--drain", "20s"}, here, 20 * time.Second},
	} {
		var s serveConfig
		if err := s.settings("serve").parse(c.args, nil); err != nil {
			t.Fatal(err)
		}
		if got := s.drains(c.at); got != c.want {
			t.Errorf("%q at %s: %v, want %v", c.args, c.at, got, c.want)
		}
	}
	var d drainFor
	for _, wrong := range []string{"soon", "-1s", "2m"} {
		if d.Set(wrong) == nil {
			t.Errorf("%s is taken", wrong)
		}
	}
}
