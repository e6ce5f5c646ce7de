package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// usualDrain is how long a server is emptied where nobody said how long, and
// longestDrain how long it may take.
const (
	usualDrain   = 3 * time.Second
	longestDrain = time.Minute
)

// drainFor is the value of --drain.
type drainFor time.Duration

func (*drainFor) Type() string { return "duration of a stop" }

func (d *drainFor) String() string { return max(time.Duration(*d), -time.Duration(*d)).String() }

func (d *drainFor) Set(said string) error {
	t, err := time.ParseDuration(said)
	if err != nil || t < 0 || t > longestDrain {
		return errors.New("write how long, from 0s to 60s")
	}
	*d = drainFor(t)
	return nil
}

// settleFor is how long connections stay open after the port is closed, for those
// who are just asking on one that was idle.
const settleFor = 500 * time.Millisecond

// A drain empties a server, so that nobody is cut off when it stops and others go
// on: a proxy that looks at /readyz sends nobody any more, each answer asks to
// close its connection, then no new connection is taken, and those that are idle
// end last. Its zero value serves.
type drain struct{ on atomic.Bool }

// handler asks for each connection to be closed with its answer while the server is
// being emptied.
func (d *drain) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if d.on.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, req)
	})
}

// empty takes new connections for some time still, then none. It returns early when
// ctx is done.
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
