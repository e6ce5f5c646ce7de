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

	"github.com/rackmate/rackmate/bot/limit"
)

// Limits on connections, so that silent ones leave room for others. A page uses one to six.
const (
	maxConnections        = 20_000
	maxConnectionsOfOne   = 600 // from one network other than a proxy's
	bodyTimeout           = 15 * time.Second
	headerTimeout         = 10 * time.Second
	idleConnectionTimeout = 2 * time.Minute
)

// newHTTPServer returns the server for all HTTP requests. A request must arrive completely within
// bodyTimeout. Responses have no limit, because pages listen for events.
func newHTTPServer(h http.Handler, log *log.Logger) *http.Server {
	return &http.Server{
		Handler: h, ErrorLog: log,
		ReadHeaderTimeout: headerTimeout, ReadTimeout: bodyTimeout, IdleTimeout: idleConnectionTimeout,
	}
}

// networks is a flag value of proxy addresses: 10.0.0.1 or 10.0.0.0/8.
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

// A boundedListener closes new connections beyond its limits: total for all, and each for one
// network (see [limit.NetworkOf]) unless the address is a trusted proxy's.
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

// Accept returns the next connection within the limits.
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
		if !l.admit(from) {
			c.Close()
			continue
		}
		return &boundedConn{Conn: c, release: sync.OnceFunc(func() { l.release(from) })}, nil
	}
}

func (l *boundedListener) admit(from netip.Addr) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open >= l.total {
		return false
	}
	net, _ := limit.NetworkOf(from)
	if !l.proxies.contains(from) && l.of[net] >= l.each {
		return false
	}
	l.open++
	l.of[net]++
	return true
}

func (l *boundedListener) release(from netip.Addr) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open--
	net, _ := limit.NetworkOf(from)
	if l.of[net]--; l.of[net] == 0 {
		delete(l.of, net)
	}
}

// A boundedConn frees its place when it is closed.
type boundedConn struct {
	net.Conn
	release func()
}

func (c *boundedConn) Close() error {
	c.release()
	return c.Conn.Close()
}
