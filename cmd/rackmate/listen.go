package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"
)

// Bounds on the connections to the host, so that some that never say anything
// leave room for others. A live page needs one to six.
const (
	maxConnections        = 20_000
	maxConnectionsOfOne   = 600 // from one address that isn't a proxy's
	bodyTimeout           = 15 * time.Second
	headerTimeout         = 10 * time.Second
	idleConnectionTimeout = 2 * time.Minute
)

// newHTTPServer makes the server for all that comes by HTTP. A request must have
// come whole within bodyTimeout; its answer may take as long as it likes, as it
// does to a page that listens.
func newHTTPServer(h http.Handler, log *log.Logger) *http.Server {
	return &http.Server{
		Handler: h, ErrorLog: log,
		ReadHeaderTimeout: headerTimeout, ReadTimeout: bodyTimeout, IdleTimeout: idleConnectionTimeout,
	}
}

// networks are addresses of proxies as the value of a flag: 10.0.0.1 or
// 10.0.0.0/8.
type networks []netip.Prefix

func (n *networks) Set(text string) error {
	if !strings.Contains(text, "/") {
		ip, err := netip.ParseAddr(text)
		if err != nil {
			return fmt.Errorf("write an address, such as 10.0.0.1, or a network, such as 10.0.0.0/8")
		}
		*n = append(*n, netip.PrefixFrom(ip, ip.BitLen()))
		return nil
	}
	p, err := netip.ParsePrefix(text)
	if err != nil {
		return fmt.Errorf("write an address, such as 10.0.0.1, or a network, such as 10.0.0.0/8")
	}
	*n = append(*n, p.Masked())
	return nil
}

func (*networks) Type() string { return "networks" }

func (n *networks) String() string { return strings.Join(n.texts(), ",") }

func (n *networks) texts() []string {
	all := make([]string, len(*n))
	for i, p := range *n {
		all[i] = p.String()
	}
	return all
}

// contains reports whether an address is in one of the networks.
func (n networks) contains(ip netip.Addr) bool {
	for _, p := range n {
		if p.Contains(ip.Unmap()) {
			return true
		}
	}
	return false
}

// A boundedListener closes new connections beyond its bounds: all of them at
// most total, and those from one address at most each, unless it is a trusted
// proxy's.
type boundedListener struct {
	net.Listener
	total, each int
	proxies     networks

	mu   sync.Mutex
	open int
	of   map[netip.Prefix]int
}

func boundConnections(l net.Listener, total, each int, proxies networks) *boundedListener {
	return &boundedListener{Listener: l, total: total, each: each, proxies: proxies, of: map[netip.Prefix]int{}}
}

// Accept gives the next connection that is within the bounds.
func (l *boundedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		var from netip.Addr
		if tcp, ok := c.RemoteAddr().(*net.TCPAddr); ok {
			from = tcp.AddrPort().Addr().Unmap()
		}
		if !l.take(from) {
			c.Close()
			continue
		}
		return &boundedConn{Conn: c, release: sync.OnceFunc(func() { l.release(from) })}, nil
	}
}

func (l *boundedListener) take(from netip.Addr) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open >= l.total {
		return false
	}
	near, far := countedAs(from)
	if !l.proxies.contains(from) && (l.of[near] >= l.each || l.of[far] >= siteFactor*l.each) {
		return false
	}
	l.open++
	l.of[near]++
	l.of[far]++
	return true
}

func (l *boundedListener) release(from netip.Addr) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open--
	near, far := countedAs(from)
	for _, net := range []netip.Prefix{near, far} {
		if l.of[net]--; l.of[net] == 0 {
			delete(l.of, net)
		}
	}
}

// siteFactor is how many times the bound of one household holds for a site.
const siteFactor = 4

// countedAs returns the networks that an address counts for: of IPv6 a household's network, /64,
// and a site's, /48, for either can have any address of it; of IPv4 the address, and
// its /24.
func countedAs(ip netip.Addr) (near, far netip.Prefix) {
	if ip.Is6() {
		near, _ = ip.Prefix(64)
		far, _ = ip.Prefix(48)
		return near, far
	}
	near, _ = ip.Prefix(32)
	far, _ = ip.Prefix(24)
	return near, far
}

// A boundedConn makes room for another when it is closed.
type boundedConn struct {
	net.Conn
	release func()
}

func (c *boundedConn) Close() error {
	c.release()
	return c.Conn.Close()
}
