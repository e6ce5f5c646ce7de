package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/postgres"
	"github.com/rackmate/rackmate/bot/store/postgres/pgtest"
	"github.com/rackmate/rackmate/bot/store/storetest"
	"github.com/rackmate/rackmate/game/gametest"
)

// telling matches the store tests that are run behind PgBouncer in a short run: they use every
// query, and many connections.
var telling = regexp.MustCompile("at_once|in_pages|hinted_at|a_restart|random")

// Behind PgBouncer in transaction mode, with Debian's settings, everything works the same.
func TestStoreBehindPgBouncer(t *testing.T) {
	t.Parallel()
	s := pgtest.Shared(t)
	through := s.Bouncer(t)
	var mu sync.Mutex
	urls := map[string]string{} // by directory
	t.Cleanup(func() {
		if len(urls) < 10 {
			t.Errorf("only %d tests were run", len(urls))
		}
	})
	storetest.Run(t, func(t *testing.T, dir string, now func() time.Time) storetest.Store {
		if !gametest.Long() && !telling.MatchString(t.Name()) {
			t.Skip("asks nothing that others don't; run it with -long")
		}
		mu.Lock()
		if urls[dir] == "" {
			urls[dir] = through(database(t))
		}
		url := urls[dir]
		mu.Unlock()
		db, err := postgres.Open(t.Context(), postgres.Config{URL: url, Connections: 4, Now: now})
		gametest.Must(t, err)
		return db
	})
}

// Two hosts, one behind PgBouncer and one not, share a database. Its limits hold behind PgBouncer
// too: a transaction that hangs holds a lock for only a few seconds.
func TestTwoHostsOneBehindPgBouncer(t *testing.T) {
	t.Parallel()
	s := pgtest.Shared(t)
	direct := database(t)
	near, far := open(t, direct), open(t, s.Bouncer(t)(direct))
	heard := make(chan bool, 1)
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() {
		far.Watch(ctx, func(ch bot.ChannelID) {
			select {
			case heard <- true:
			default:
			}
		})
	})
	defer all.Wait()
	defer stop()
	var posting sync.WaitGroup
	for i := range 40 {
		posting.Go(func() { post(t, []*postgres.DB{near, far}[i%2], den, fmt.Sprint("both ", i)) })
	}
	posting.Wait()
	if n := events(t, far); n != 40 {
		t.Errorf("there are %d events, want 40", n)
	}
	<-heard
}

// While a room's row is locked and a hundred wait for it, others play on, holders stay alive, and
// reading goes on; when it is unlocked, the waiting ones get in.
func TestLockedRoomBlocksNobodyElse(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]string{"direct": database(t), "behind PgBouncer": pgtest.Shared(t).Bouncer(t)(database(t))} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t, url)
			post(t, db, den, "first")
			post(t, db, "web:neighbour", "first")
			free := postgres.LockRoom(t, db, den)
			const many = 100
			results := make(chan error, many)
			for i := range many {
				go func() {
					results <- db.Update(t.Context(), den, fmt.Sprint("waits ", i), turn(t))
				}()
			}
			postgres.AwaitTurns(t, db, many)
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			for i := range 20 {
				if err := db.Update(ctx, "web:neighbour", fmt.Sprint(i), turn(t)); err != nil {
					t.Fatalf("the neighbour's turn %d: %v", i, err)
				}
				_, _, err := db.Table(ctx, "web:neighbour")
				if err = errors.Join(err, db.Stay(ctx, "me", time.Now().Add(time.Minute)), db.Notes("web").Put(ctx, "a", "b", []byte("c"))); err != nil {
					t.Fatalf("beside it: %v", err)
				}
			}
			free()
			for range many {
				if err := <-results; err != nil {
					t.Errorf("one who waited: %v", err)
				}
			}
		})
	}
}

// A server without the database named says what to do about it.
func TestMissingDatabase(t *testing.T) {
	t.Parallel()
	_, err := postgres.Open(t.Context(), postgres.Config{URL: pgtest.Shared(t).URL("nowhere"), Now: time.Now})
	if err == nil || !strings.Contains(err.Error(), `database "nowhere" does not exist`) || !strings.HasSuffix(err.Error(), "create it with createdb, or name another database with --data") {
		t.Errorf("a database that doesn't exist is opened with %v", err)
	}
}

// A role with the rights that Grants prints can run a host, and one with fewer gets an error that
// says so.
func TestGrantedRightsSuffice(t *testing.T) {
	t.Parallel()
	url := pgtest.Shared(t).Database(t)
	limited := strings.Replace(url, "user=rackmate", fmt.Sprintf("user=o'host-%d", time.Now().UnixNano()), 1)
	change := changes(t, url)
	sql, err := postgres.Grants(limited)
	gametest.Must(t, err)
	lines := strings.SplitAfter(sql, ";\n")
	change("revoke all on schema public from public")
	change(lines[0])
	_, err = postgres.Open(t.Context(), postgres.Config{URL: limited, Now: time.Now})
	var rights *postgres.RightsError
	if !errors.As(err, &rights) || !strings.Contains(err.Error(), "rackmate hosts --grants") {
		t.Errorf("without rights it is opened with %v, want a RightsError", err)
	}
	if _, now, err := postgres.Diagnose(t.Context(), limited); !errors.As(err, &rights) || time.Since(now).Abs() > time.Minute {
		t.Errorf("without rights the diagnosis is %v at %v, want a RightsError", err, now)
	}
	change(strings.Join(lines[1:], ""))
	if version, _, err := postgres.Diagnose(t.Context(), limited); err != nil || version == "" {
		t.Errorf("with them it is %q, %v", version, err)
	}
	post(t, open(t, limited), den, "r")
}
