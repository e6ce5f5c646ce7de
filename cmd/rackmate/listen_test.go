package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/adapters/web/webtest"
	"github.com/rackmate/rackmate/game/gametest"
)

func TestBoundedListener(t *testing.T) {
	for _, c := range []struct {
		name        string
		total, each int
		proxies     networks
		want        int // accepted of 5 connections from one address
	}{
		{"of one address", 100, 3, nil, 3},
		{"of all", 2, 100, nil, 2},
		{"of a proxy", 100, 3, networks{netip.MustParsePrefix("127.0.0.0/8")}, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			inner, err := net.Listen("tcp", "127.0.0.1:0")
			gametest.Must(t, err)
			l := boundConnections(inner, c.total, c.each, c.proxies)
			defer l.Close()
			accepted := make(chan net.Conn, 10)
			go func() {
				for {
					conn, err := l.Accept()
					if err != nil {
						return
					}
					fmt.Fprint(conn, "in")
					accepted <- conn
				}
			}()
			// in reports whether a new connection is accepted.
			in := func() bool {
				conn, err := net.Dial("tcp", inner.Addr().String())
				gametest.Must(t, err)
				t.Cleanup(func() { conn.Close() })
				_, err = io.ReadFull(conn, make([]byte, 2))
				return err == nil
			}
			n := 0
			for range 5 {
				if in() {
					n++
				}
			}
			if n != c.want {
				t.Errorf("%d of 5 connections are let in, want %d", n, c.want)
			}
			first := <-accepted
			first.Close()
			first.Close() // frees one place only
			if c.want < 5 && (!in() || in()) {
				t.Error("where one is closed there is room for one more, and no more")
			}
		})
	}
}

// TestNetworksShareConnections checks that an IPv4 address has a limit of its own, and an IPv6 /48 one
// for all its addresses.
func TestNetworksShareConnections(t *testing.T) {
	for _, c := range []struct {
		first, second string
		shared        bool
	}{
		{"192.0.2.1", "192.0.2.1", true},
		{"192.0.2.1", "192.0.2.2", false},
		{"2001:db8:1:1::1", "2001:db8:1:ffff::2", true},
		{"2001:db8:1::1", "2001:db8:2::1", false},
	} {
		l := boundConnections(nil, 10, 1, nil)
		first, second := netip.MustParseAddr(c.first), netip.MustParseAddr(c.second)
		if !l.admit(first) || l.admit(second) == c.shared {
			t.Errorf("%s and %s: want a shared limit: %v", c.first, c.second, c.shared)
		}
		if l.release(first); !l.admit(first) {
			t.Errorf("%s finds no room after its connection has closed", c.first)
		}
	}
}

func TestNetworksFlag(t *testing.T) {
	var n networks
	for _, text := range []string{"10.1.2.3", "10.9.8.7/8", "2001:db8::/32"} {
		if err := n.Set(text); err != nil {
			t.Error(err)
		}
	}
	if got, want := n.String(), "10.1.2.3/32,10.0.0.0/8,2001:db8::/32"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, bad := range []string{"", "proxy", "10.0.0.0/33", "10.0.0"} {
		if err := n.Set(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// TestSlowBodyIsCutOff checks that a request body that never arrives doesn't hold its connection.
func TestSlowBodyIsCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newHTTPServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			_, err := io.ReadAll(req.Body)
			if errors.Is(err, os.ErrDeadlineExceeded) {
				w.WriteHeader(http.StatusRequestTimeout)
			}
		}), nil)
		l := webtest.NewWires()
		go s.Serve(l)
		defer s.Close()
		conn, err := l.Dial(t.Context(), "", "")
		gametest.Must(t, err)
		defer conn.Close()
		fmt.Fprint(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
		conn.SetReadDeadline(time.Now().Add(2 * s.ReadTimeout))
		status, err := bufio.NewReader(conn).ReadString('\n')
		if err != nil || !strings.Contains(status, "408") {
			t.Errorf("%q, %v", status, err)
		}
	})
}
