package postgres_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/postgres"
	"github.com/rackmate/rackmate/game/gametest"
)

// ownClock returns the address of a database whose clock set moves ahead of the system's.
func ownClock(t *testing.T) (address string, set func(ahead time.Duration)) {
	address = database(t)
	change := changes(t, address)
	change("create schema clock")
	change("create table clock.ahead (by interval)")
	change("insert into clock.ahead values ('0')")
	change("create function clock.clock_timestamp() returns timestamptz language sql as 'select pg_catalog.clock_timestamp() + by from clock.ahead'")
	return address + "&options=" + url.QueryEscape("-csearch_path=public,clock,pg_catalog"), func(ahead time.Duration) {
		change("update clock.ahead set by = '" + ahead.String() + "'")
	}
}

// mustShow fails the test unless a host's time is ahead of the system's as wanted.
func mustShow(t *testing.T, when string, db *postgres.DB, ahead time.Duration) {
	t.Helper()
	if got := time.Until(db.Now()); (got - ahead).Abs() > time.Minute {
		t.Errorf("%s a host's clock is %v ahead, want %v", when, got, ahead)
	}
}

// TestHostsGoByDatabaseClock moves the database's clock. All hosts follow it, and none gets what another
// holds, until that one's life has ended by the database's clock.
func TestHostsGoByDatabaseClock(t *testing.T) {
	t.Parallel()
	address, set := ownClock(t)
	set(time.Hour)
	var dbs []*postgres.DB
	for range 2 {
		db, err := postgres.Open(t.Context(), postgres.Config{URL: address, Connections: 4})
		gametest.Must(t, err)
		t.Cleanup(func() { db.Close() })
		dbs = append(dbs, db)
	}
	fox, owl := dbs[0], dbs[1]
	stay := func(db *postgres.DB, h bot.Holder) {
		t.Helper()
		gametest.Must(t, db.Stay(t.Context(), h, db.Now().Add(10*time.Minute)))
	}
	owlGets := func(when string, want int) {
		t.Helper()
		posts, _, err := owl.ClaimPosts(t.Context(), "owl", "web", nil, owl.Now(), 1)
		if err != nil || len(posts) != want {
			t.Errorf("%s the owl claims %d posts of the fox's (%v), want %d", when, len(posts), err, want)
		}
	}
	mustShow(t, "after the start", fox, time.Hour)
	post(t, fox, den, "r")
	stay(fox, "fox")
	stay(owl, "owl")
	if posts, _, err := fox.ClaimPosts(t.Context(), "fox", "web", nil, fox.Now(), 9); err != nil || len(posts) != 2 {
		t.Fatal(posts, err)
	}
	owlGets("at first", 0)

	set(2 * time.Hour)
	stay(fox, "fox")
	mustShow(t, "after its next renewal", fox, 2*time.Hour)
	mustShow(t, "before its next renewal", owl, time.Hour)
	owlGets("an hour behind,", 0)
	stay(fox, "fox") // by the new time; then it dies
	stay(owl, "owl")
	owlGets("when it has followed,", 0)

	set(0)
	stay(owl, "owl")
	mustShow(t, "after the clock was put back", owl, 0)
	stay(owl, "owl")
	list, err := owl.Holders(t.Context(), owl.Now())
	gametest.Must(t, err)
	for _, h := range list {
		if left := h.Until.Sub(owl.Now()); left > 12*time.Minute {
			t.Errorf("after the clock was put back the %s lives for %v", h.Holder, left)
		}
	}
	if len(list) != 2 {
		t.Errorf("%d live after the clock was put back", len(list))
	}
	owlGets("when its clock was put back,", 0)
	set(11 * time.Minute)
	stay(owl, "owl")
	stay(owl, "owl")
	owlGets("when the fox's life has ended,", 1)
}

// TestLateRenewalShortensNoLife lets a renewal reach the database after the life that it renews has
// ended: other holders live on.
func TestLateRenewalShortensNoLife(t *testing.T) {
	t.Parallel()
	db, err := postgres.Open(t.Context(), postgres.Config{URL: database(t), Connections: 2})
	gametest.Must(t, err)
	defer db.Close()
	gametest.Must(t, db.Stay(t.Context(), "fox", db.Now().Add(10*time.Minute)))
	gametest.Must(t, db.Stay(t.Context(), "owl", db.Now().Add(-time.Second)))
	list, err := db.Holders(t.Context(), db.Now())
	if err != nil || len(list) != 1 || list[0].Until.Sub(db.Now()) < 9*time.Minute {
		t.Errorf("after another's late renewal these live: %v, %v", list, err)
	}
}
