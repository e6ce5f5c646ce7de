package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/postgres"
	"github.com/rackmate/rackmate/bot/store/postgres/pgtest"
	"github.com/rackmate/rackmate/game/gametest"
)

// The ways in which a line breaks at a round trip.
const (
	cutBefore = "before the request"
	cutAmid   = "amid the request"
	cutAfter  = "before the answer"
)

// A cutter breaks the line to a database at one round trip.
type cutter struct {
	left atomic.Int64 // round trips until then; below 1 for never
	way  string
}

// A cuttable is a connection that a cutter may cut.
type cuttable struct {
	net.Conn
	by    *cutter
	asked atomic.Bool // whether it waits for an answer
	mute  atomic.Bool // whether the answer is lost
}

var errCut = &net.OpError{Op: "read", Err: errors.New("the line is cut")}

func (c *cuttable) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte("pg_notify")) || c.asked.Swap(true) || c.by.left.Add(-1) != 0 {
		return c.Conn.Write(b)
	}
	switch c.by.way {
	case cutAfter:
		c.mute.Store(true)
		return c.Conn.Write(b)
	case cutAmid:
		c.Conn.Write(b[:len(b)/2])
	}
	c.Close()
	return 0, errCut
}

func (c *cuttable) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.asked.Store(false)
	if c.mute.Load() {
		c.Close()
		return 0, errCut
	}
	return n, err
}

// The line to the database breaks at each round trip of a change, that of the commit among them: each
// change is carried out once, even if the answer to its commit was lost.
func TestLineCutAtEachTrip(t *testing.T) {
	t.Parallel()
	direct := database(t)
	for name, url := range map[string]string{"direct": direct, "behind PgBouncer": pgtest.Shared(t).Bouncer(t)(database(t))} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			by := &cutter{}
			db, err := postgres.Open(t.Context(), postgres.Config{URL: url, Connections: 2, Now: time.Now}.Through(
				func(ctx context.Context, network, address string) (net.Conn, error) {
					conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
					return &cuttable{Conn: conn, by: by}, err
				}))
			gametest.Must(t, err)
			t.Cleanup(func() { db.Close() })
			plus := func() error {
				return db.Notes("web").Change(t.Context(), func(r bot.Rows) error {
					b, err := r.Get("count", "all")
					n, _ := strconv.Atoi(string(b))
					return errors.Join(err, r.Put("count", "all", []byte(strconv.Itoa(n+1))))
				})
			}
			gametest.Must(t, plus())
			post(t, db, den, "first")
			count := 1
			for _, by.way = range []string{cutBefore, cutAmid, cutAfter} {
				for trip := int64(1); trip <= 4; trip++ {
					cut := func(what string, do func() error) {
						t.Helper()
						by.left.Store(trip)
						err := do()
						by.left.Store(0)
						if err != nil {
							t.Errorf("%s, cut %s of trip %d: %v", what, by.way, trip, err)
						}
					}
					request := fmt.Sprint(by.way, trip)
					cut("update", func() error { return db.Update(t.Context(), den, request, turn(t)) })
					post(t, db, den, request)
					cut("change", plus)
					count++
					b, err := db.Notes("web").Get(t.Context(), "count", "all")
					gametest.Must(t, err)
					if n := string(b); n != strconv.Itoa(count) {
						t.Errorf("cut %s of trip %d: after change %d the count is %s", by.way, trip, count, n)
						count, _ = strconv.Atoi(n)
					}
				}
			}
			if n := events(t, db); n != count {
				t.Errorf("there are %d events of %d requests", n, count)
			}
		})
	}
}
