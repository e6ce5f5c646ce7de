package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// usualDrain is the default time for draining a server, longestDrain the longest.
const (
	usualDrain   = 3 * time.Second
	longestDrain = time.Minute
)

// drainFor is the value of --drain.
type drainFor time.Duration

func (*drainFor) Type() string { return "duration" }

func (d *drainFor) String() string { return max(time.Duration(*d), -time.Duration(*d)).String() }

func (d *drainFor) Set(said string) error {
	t, err := time.ParseDuration(said)
	if err != nil || t < 0 || t > longestDrain {
		return errors.New("write a duration from 0s to 60s")
	}
	*d = drainFor(t)
	return nil
}

// settleFor sets how long connections stay open after the port is closed, because a
// request may just be arriving on an idle one.
const settleFor = 500 * time.Millisecond

// A drain shuts a server down without cutting off requests. A proxy that checks /readyz stops
// sending requests, responses close their connections, then the server accepts no new connections,
// and idle ones are closed last. Its zero value serves normally.
type drain struct{ on atomic.Bool }

// handler wraps next to close each connection after its response while the server drains.
func (d *drain) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if d.on.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, req)
	})
}

// empty starts the drain, accepts connections for the time still and then closes the listener. It
// returns early if ctx is done.
func (d *drain) empty(ctx context.Context, l net.Listener, still time.Duration) {
	d.on.Store(true)
	if still <= 0 {
		return
	}
	wait(ctx, still)
	l.Close()
	wait(ctx, settleFor)
}

// wait waits for d, or until ctx is done.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
