package discord

import (
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// A guard stands before all our requests. It sends them to the server that
// the operator names, for discordgo's addresses are fixed when the program
// starts; and it stops them long before Discord would: an address that causes
// 10,000 answers 401, 403 and 429 in ten minutes is banned.
type guard struct {
	api  *url.URL
	next http.RoundTripper
	now  func() time.Time

	mu      sync.Mutex
	refused []time.Time // when such answers came, oldest first
}

const (
	mostRefusals = 1000
	refusalSpan  = 10 * time.Minute
)

func newGuard(api *url.URL, now func() time.Time) *guard {
	return &guard{api: api, next: http.DefaultTransport, now: now}
}

// A tooManyRefusals is a request that was not sent.
type tooManyRefusals struct{ wait time.Duration }

func (e *tooManyRefusals) Error() string {
	return fmt.Sprintf("Discord has refused %d requests in %s; sending no more for %s", mostRefusals, refusalSpan, e.wait)
}

func (g *guard) RoundTrip(req *http.Request) (*http.Response, error) {
	if wait := g.wait(); wait > 0 {
		return nil, &tooManyRefusals{wait}
	}
	req = req.Clone(req.Context())
	req.URL.Scheme, req.URL.Host, req.Host = g.api.Scheme, g.api.Host, g.api.Host
	resp, err := g.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	switch resp.StatusCode {
	case http.StatusTooManyRequests:
		// A limit shared with others is not counted against us.
		if resp.Header.Get("X-RateLimit-Scope") == "shared" {
			break
		}
		fallthrough
	case http.StatusUnauthorized, http.StatusForbidden:
		g.mu.Lock()
		g.refused = append(g.refused, g.now())
		g.mu.Unlock()
	}
	return resp, nil
}

// wait is how long no request may be sent, 0 when one may.
func (g *guard) wait() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	for len(g.refused) > 0 && now.Sub(g.refused[0]) >= refusalSpan {
		g.refused = g.refused[1:]
	}
	if len(g.refused) < mostRefusals {
		return 0
	}
	return refusalSpan - now.Sub(g.refused[0])
}
