package main

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot/store/postgres/pgtest"
	"github.com/rackmate/rackmate/game/gametest"
)

// A balancer sends requests in turn to the hosts whose /readyz says that they are ready, and to the
// next if one doesn't take the connection, as proxies do. A request that a host took and didn't answer
// is cut.
type balancer struct {
	mu    sync.Mutex
	hosts []string // addresses, such as 127.0.0.1:41234
	ready []bool
	next  int
}

// choose returns the address of a ready host, or of any if none is.
func (b *balancer) choose() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	for range b.hosts {
		if b.next = (b.next + 1) % len(b.hosts); b.ready[b.next] {
			break
		}
	}
	return b.hosts[b.next]
}

// set sets the address of a host, which may not be ready yet.
func (b *balancer) set(host int, base string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hosts[host], b.ready[host] = strings.TrimPrefix(base, "http://"), false
}

// check asks all hosts whether they are ready.
func (b *balancer) check() {
	b.mu.Lock()
	hosts := slices.Clone(b.hosts)
	b.mu.Unlock()
	for i, address := range hosts {
		resp, err := http.Get("http://" + address + "/readyz")
		if err == nil {
			resp.Body.Close()
		}
		b.mu.Lock()
		if b.hosts[i] == address {
			b.ready[i] = err == nil && resp.StatusCode == http.StatusOK
		}
		b.mu.Unlock()
	}
}

// RoundTrip sends a request to a host that takes the connection.
func (b *balancer) RoundTrip(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		var err error
		if body, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
	}
	for {
		out := req.Clone(req.Context())
		out.URL.Scheme, out.URL.Host = "http", b.choose()
		if req.Body != nil {
			out.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
			out.Body, _ = out.GetBody()
		}
		resp, err := http.DefaultTransport.RoundTrip(out)
		if refused := new(net.OpError); errors.As(err, &refused) && refused.Op == "dial" {
			continue
		}
		return resp, err
	}
}

// TestRollingRestartsCutNothing checks that people who play through a balancer notice nothing of two
// hosts that restart in turn: each request is answered.
func TestRollingRestartsCutNothing(t *testing.T) {
	url := pgtest.Shared(t).Database(t)
	b := &balancer{hosts: make([]string, 2), ready: make([]bool, 2)}
	var hosts []*server
	for i := range b.hosts {
		hosts = append(hosts, started(&server{t: t, data: url, args: []string{"--trust-proxy", "127.0.0.1", "--door", "open", "--person-share", "0", "--drain", "1s"}}))
		b.set(i, hosts[i].base)
	}
	done := make(chan struct{})
	var checking sync.WaitGroup
	checking.Go(func() {
		for every := time.Tick(100 * time.Millisecond); ; {
			b.check()
			select {
			case <-every:
			case <-done:
				return
			}
		}
	})
	front := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.Out.Header["X-Forwarded-For"] = r.In.Header["X-Forwarded-For"] },
		Transport: b,
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			t.Errorf("%s was cut: %v", r.URL.Path, err)
			w.WriteHeader(http.StatusBadGateway)
		},
	})
	defer front.Close()
	l := &load{t: t, hosts: []*server{{base: front.URL}}, client: &http.Client{Timeout: time.Minute}}
	want, enough := gametest.Rounds[int64](300, 5000), make(chan struct{})
	var playing sync.WaitGroup
	for range gametest.Rounds(10, 60) {
		games := l.group(2)
		l.open(games, false)
		playing.Go(func() {
			for !t.Failed() {
				select {
				case <-enough:
					return
				default:
					games[0].once()
				}
			}
		})
	}
	restarts := 0
	for ; restarts < 2 || l.said.Load() < want && !t.Failed(); restarts++ {
		i := restarts % 2
		hosts[i].stop()
		hosts[i].start()
		b.set(i, hosts[i].base)
		b.check()
	}
	close(enough)
	playing.Wait()
	close(done)
	checking.Wait()
	t.Logf("%d commands through %d restarts", l.said.Load(), restarts)
}
