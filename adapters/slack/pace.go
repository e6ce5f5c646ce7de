package slack

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// limits obeys Slack's 429s: until the requested wait is over, it answers further calls
// of the same method with the same token itself, with a 429. Calls about messages are
// limited by channel.
type limits struct {
	now      func() time.Time
	heldBack func(time.Duration) // called with each wait
	mu       sync.Mutex
	held     map[string]time.Time // end of the wait, by token, method and channel
}

// transport returns the transport for calls with a token.
func (l *limits) transport(token string) http.RoundTripper { return limited{l, token} }

type limited struct {
	*limits
	token string
}

func (l limited) RoundTrip(req *http.Request) (*http.Response, error) {
	key := l.token + " " + req.URL.Path + " " + channelOf(req)
	l.mu.Lock()
	wait := l.held[key].Sub(l.now())
	l.mu.Unlock()
	if wait > 0 {
		l.heldBack(wait)
		return tooMany(req, wait), nil
	}
	resp, err := sendIfHeld(req)
	if err != nil || resp.StatusCode != http.StatusTooManyRequests {
		return resp, err
	}
	if s, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && s > 0 {
		l.heldBack(time.Duration(s) * time.Second)
		l.mu.Lock()
		l.held[key] = l.now().Add(time.Duration(s) * time.Second)
		l.mu.Unlock()
	}
	return resp, nil
}

// sendIfHeld sends a request. A new message is sent only if this process still holds the
// lease of the post. That is checked while the body is sent, so that a process that has
// stalled doesn't repeat another's post. A message that has begun is finished even when the
// host stops: otherwise it could arrive after the next process searched for it in vain, and
// be posted twice.
func sendIfHeld(req *http.Request) (*http.Response, error) {
	if !strings.HasSuffix(req.URL.Path, "/chat.postMessage") || req.Body == nil {
		return http.DefaultTransport.RoundTrip(req)
	}
	if err := req.Context().Err(); err != nil {
		req.Body.Close()
		return nil, err
	}
	finishing, end := context.WithCancel(context.WithoutCancel(req.Context()))
	context.AfterFunc(req.Context(), func() { time.AfterFunc(finishWithin, end) })
	var lost atomic.Bool
	looking := req.WithContext(finishing)
	looking.Body = heldBody{req.Body, req.Context(), &lost}
	if req.GetBody != nil {
		looking.GetBody = func() (io.ReadCloser, error) {
			body, err := req.GetBody()
			return heldBody{body, req.Context(), &lost}, err
		}
	}
	resp, err := http.DefaultTransport.RoundTrip(looking)
	if err != nil && lost.Load() {
		err = bot.ErrLost
	}
	return resp, err
}

// finishWithin limits the time for sending a new message once the host stops. It is
// shorter than the host waits for running work.
const finishWithin = 3 * time.Second

// A heldBody can be read while this process holds the lease of the post in it.
type heldBody struct {
	io.ReadCloser
	ctx  context.Context
	lost *atomic.Bool
}

func (b heldBody) Read(p []byte) (int, error) {
	if err := bot.Held(b.ctx); err != nil {
		b.lost.Store(true)
		return 0, err
	}
	return b.ReadCloser.Read(p)
}

// channelOf returns the channel of a call about messages, or "" for other methods.
func channelOf(req *http.Request) string {
	if !strings.Contains(req.URL.Path, "/chat.") || req.GetBody == nil {
		return ""
	}
	body, err := req.GetBody()
	if err != nil {
		return ""
	}
	defer body.Close()
	text, err := io.ReadAll(body)
	if err != nil {
		return ""
	}
	form, err := url.ParseQuery(string(text))
	if err != nil {
		return ""
	}
	return form.Get("channel")
}

func tooMany(req *http.Request, wait time.Duration) *http.Response {
	seconds := int(wait/time.Second) + 1
	return &http.Response{
		Status: "429 Too Many Requests", StatusCode: http.StatusTooManyRequests, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Retry-After": {strconv.Itoa(seconds)}}, Body: io.NopCloser(bytes.NewReader(nil)), Request: req,
	}
}
