package discord

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A limits keeps the requests within Discord's limits. A request that exceeds one waits for
// a moment. If it would have to wait longer, it fails at once, and its caller decides what
// to do in the meantime.
//
// It also stops all requests long before Discord would: an address that gets 10,000 answers
// with status 401, 403 or 429 within ten minutes is banned.
type limits struct {
	now  func() time.Time
	held func(time.Duration) // receives each wait for a limit
	// outcast runs at the start of each period in which nothing can be sent from this
	// address, and with 0 at its end.
	onBan func(time.Duration)
	next  http.RoundTripper

	mu      sync.Mutex
	tell    func(spentLimit)     // informs other processes of exhausted limits; nil if there are none
	global  time.Time            // end of the bot's global limit
	banned  time.Time            // end of the ban of this address
	buckets map[string]allowance // by bucketOf
	refused []time.Time          // times of refused requests, oldest first
}

// An allowance is the number of requests that may be sent until a time.
type allowance struct {
	left  int
	until time.Time
}

const (
	mostRefusals = 1000
	refusalSpan  = 10 * time.Minute
	// mostWait limits how long a request waits for its rate limit.
	mostWait = 2 * time.Second
	// mostBuckets is the number of allowances above which expired ones are removed.
	mostBuckets = 1000
)

// A notSent is an error of a request that was not sent, and may be sent later.
type notSent struct {
	why  string
	wait time.Duration
}

// isBanned reports whether a request was not sent, or refused, because of a ban.
func isBanned(err error) bool {
	var unsent *notSent
	return errors.As(err, &unsent) && unsent.why == banned
}

func (e *notSent) Error() string { return fmt.Sprintf("%s; sending nothing for %s", e.why, e.wait) }

// RoundTrip sends a request as soon as it may be sent.
func (l *limits) RoundTrip(req *http.Request) (*http.Response, error) {
	bucket := bucketOf(req)
	for wait := l.take(bucket); wait != nil; wait = l.take(bucket) {
		l.held(wait.wait)
		if wait.wait > mostWait {
			return nil, wait
		}
		select {
		case <-req.Context().Done():
			return nil, req.Context().Err()
		case <-time.After(wait.wait):
		}
	}
	resp, err := l.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if wait := l.note(bucket, resp); wait != nil {
		resp.Body.Close()
		return nil, wait
	}
	return resp, nil
}

// banned explains why nothing is sent while Cloudflare, in front of Discord, blocks this
// address: its 429 isn't Discord's JSON, and applies to all requests from the address.
const banned = "Cloudflare, in front of Discord, has banned this host's address, because too many requests from it were refused"

// isBan reports whether an answer comes from Cloudflare rather than Discord.
func isBan(resp *http.Response) bool {
	return resp.StatusCode == http.StatusTooManyRequests && resp.Header.Get("X-RateLimit-Scope") == "" && !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json")
}

// shortestBan is the length of a ban if Cloudflare doesn't give one.
const shortestBan = time.Minute

// bucketOf returns the name of the limit that applies to a request: its method and path,
// where all messages of a channel count as one. Requests with an interaction's token fall
// under none of the bot's limits.
func bucketOf(req *http.Request) string {
	if strings.HasPrefix(req.Header.Get("Authorization"), "Bearer ") {
		return noLimit // another user's token isn't subject to the bot's limits
	}
	parts := strings.Split(strings.TrimPrefix(req.URL.Path, "/api/v"+version), "/")
	switch parts[1] {
	case "interactions", "webhooks":
		return noLimit
	case "channels":
		if len(parts) > 4 {
			parts[4] = ""
		}
	}
	return req.Method + " " + strings.Join(parts, "/")
}

const noLimit = ""

// take counts a request. If it may not be sent now, it returns the reason.
func (l *limits) take(bucket string) *notSent {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	for len(l.refused) > 0 && now.Sub(l.refused[0]) >= refusalSpan {
		l.refused = l.refused[1:]
	}
	if wait := l.banned.Sub(now); wait > 0 {
		return &notSent{banned, wait}
	}
	if len(l.refused) >= mostRefusals {
		return &notSent{fmt.Sprintf("Discord has refused %d requests in %s", mostRefusals, refusalSpan), refusalSpan - now.Sub(l.refused[0])}
	}
	if bucket == noLimit {
		return nil
	}
	if wait := l.global.Sub(now); wait > 0 {
		return &notSent{"the bot's limit is reached", wait}
	}
	allowed, ok := l.buckets[bucket]
	wait := allowed.until.Sub(now)
	switch {
	case !ok:
	case wait <= 0:
		delete(l.buckets, bucket)
	case allowed.left == 0:
		return &notSent{"the limit of " + bucket + " is reached", wait}
	default:
		allowed.left--
		l.buckets[bucket] = allowed
	}
	return nil
}

// note records the limits in an answer. If the answer isn't from Discord, it returns an
// error.
func (l *limits) note(bucket string, resp *http.Response) *notSent {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	seconds := func(header string) time.Duration {
		n, err := strconv.ParseFloat(resp.Header.Get(header), 64)
		if err != nil {
			return 0
		}
		return time.Duration(n * float64(time.Second))
	}
	if isBan(resp) {
		wait := max(seconds("Retry-After"), shortestBan)
		l.held(wait)
		if !l.banned.After(now) {
			l.onBan(wait)
		}
		l.banned = now.Add(wait)
		return &notSent{banned, wait}
	}
	if !l.banned.IsZero() && !l.banned.After(now) { // otherwise the request was sent before the ban
		l.banned = time.Time{}
		l.onBan(0)
	}
	tooMany := resp.StatusCode == http.StatusTooManyRequests
	scope := resp.Header.Get("X-RateLimit-Scope")
	if resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden ||
		tooMany && scope != "shared" { // a limit shared with others doesn't count against us
		l.refused = append(l.refused, now)
	}
	if tooMany {
		l.held(seconds("Retry-After"))
	}
	left, err := strconv.Atoi(resp.Header.Get("X-RateLimit-Remaining"))
	switch {
	case bucket == noLimit:
	case tooMany && (scope == "global" || resp.Header.Get("X-RateLimit-Global") == "true"):
		l.global = now.Add(seconds("Retry-After"))
		l.tellOthers("", l.global)
	case tooMany:
		until := now.Add(cmp.Or(seconds("X-RateLimit-Reset-After"), seconds("Retry-After")))
		l.allow(bucket, allowance{0, until})
		l.tellOthers(bucket, until)
	case err == nil:
		until := now.Add(seconds("X-RateLimit-Reset-After"))
		l.allow(bucket, allowance{left, until})
		if left == 0 {
			l.tellOthers(bucket, until)
		}
	}
	return nil
}

func (l *limits) allow(bucket string, a allowance) {
	if l.buckets == nil {
		l.buckets = map[string]allowance{}
	}
	if len(l.buckets) >= mostBuckets {
		for name, old := range l.buckets {
			if !old.until.After(l.now()) {
				delete(l.buckets, name)
			}
		}
	}
	l.buckets[bucket] = a
}
