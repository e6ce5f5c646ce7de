package postgres_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/bot/store/postgres"
	"github.com/rackmate/rackmate/bot/store/postgres/pgtest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// twoGames plays a game in each of two rooms, a few events at a time.
func twoGames(t *testing.T, db bot.Store) {
	log := gametest.Log(t, 30)
	for _, ch := range []bot.ChannelID{"web:one", "web:two"} {
		for n := 0; n < 30; n += 6 {
			gametest.Must(t, db.Update(t.Context(), ch, "", func(r *bot.Room) error {
				r.Append = log[n : n+6]
				return nil
			}))
		}
	}
}

// records reads a whole database, as a check, a copy and a backup do.
func records(t *testing.T, db *postgres.DB) error {
	return db.Records(t.Context(), func(r store.Record) error {
		if t, ok := r.(store.Table); ok {
			var cache store.Cache
			_, err := cache.Events(t.ID, t.Events)
			return err
		}
		return nil
	})
}

// One bit of an event, or of its link, is flipped in the database: reading the table finds it, and
// the other table's players don't notice. After the last event there is no link to check it; there
// the event itself must show it, or nothing does.
func TestChangedEventIsFound(t *testing.T) {
	t.Parallel()
	url := database(t)
	twoGames(t, open(t, url))
	change := changes(t, url)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range gametest.Share(200) {
		n, bit := rng.IntN(29), rng.IntN(120*8)
		column := []string{"data", "link"}[rng.IntN(2)]
		flip := fmt.Sprintf("update events set %[1]s = set_bit(%[1]s, %[2]d %% bit_length(%[1]s), 1 - get_bit(%[1]s, %[2]d %% bit_length(%[1]s))) where table_id = 1 and number = %[3]d", column, bit, n)
		change(flip)
		db := open(t, url)
		_, _, err := db.Table(t.Context(), "web:one")
		if !errors.As(err, new(*postgres.DamagedError)) {
			t.Errorf("bit %d of the %s of event %d: the table is read with %v", bit, column, n, err)
		}
		if err := records(t, db); err == nil {
			t.Errorf("bit %d of the %s of event %d: a check finds nothing", bit, column, n)
		}
		if _, list, err := db.Table(t.Context(), "web:two"); err != nil || len(list) != 30 {
			t.Errorf("the other table: %d events, %v", len(list), err)
		}
		db.Close()
		change(flip)
	}
	change("delete from events where table_id = 1 and number = 7")
	if _, _, err := open(t, url).Table(t.Context(), "web:one"); !errors.As(err, new(*postgres.DamagedError)) {
		t.Errorf("without event 7 the table is read with %v", err)
	}
}

// A host of the previous version appends events and erases names meanwhile: what it wrote is read
// as it is, and erasing a name here links everything again.
func TestLinksWithOlderHost(t *testing.T) {
	t.Parallel()
	url := database(t)
	db := open(t, url)
	twoGames(t, db)
	change := changes(t, url)
	change("update events set link = null where table_id = 1 and number >= 20")
	change("update events set data = replace(convert_from(data, 'UTF8'), 'Ann', 'Amy')::bytea where table_id = 2")
	change("update tables set edition = edition + 1 where id = 2")
	for _, ch := range []bot.ChannelID{"web:one", "web:two"} {
		post(t, db, ch, "r")
		if _, list, err := open(t, url).Table(t.Context(), ch); err != nil || len(list) != 31 {
			t.Errorf("%s: %d events, %v", ch, len(list), err)
		}
	}
	for table := bot.TableID(1); table <= 2; table++ {
		gametest.Must(t, db.Rename(t.Context(), table, "ann", game.Person{ID: "gone", Name: "Gone"}))
	}
	change("do $$ begin assert (select count(*) = 62 and count(link) = 62 from events); assert (select bool_and(linked = edition) from tables); end $$")
	other := open(t, url)
	if err := records(t, other); err != nil {
		t.Error(err)
	}
	for _, ch := range []bot.ChannelID{"web:one", "web:two"} {
		if _, list, err := other.Table(t.Context(), ch); err != nil || len(list) != 31 || strings.Contains(fmt.Sprint(list), "Amy") {
			t.Errorf("%s: %d events, %v", ch, len(list), err)
		}
	}
}

// A database reports whether it keeps checksums of its pages.
func TestReportsPageChecksums(t *testing.T) {
	t.Parallel()
	db, err := postgres.Open(t.Context(), postgres.Config{URL: database(t), Now: time.Now})
	gametest.Must(t, err)
	defer db.Close()
	if on, err := db.ChecksumsPages(t.Context()); err != nil || !on {
		t.Errorf("with initdb --data-checksums: %v, %v", on, err)
	}
}

// One bit is flipped in the files of a database that keeps checksums, in any page of one of its
// tables: reading all records finds it.
func TestFlippedBitIsFound(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a server of its own, which starts again and again")
	}
	s := pgtest.Start(t)
	url := s.Database(t)
	db := open(t, url)
	twoGames(t, db)
	for i := range 60 {
		web := db.Notes("web")
		err := web.Change(t.Context(), func(rows bot.Rows) error {
			_, _, err := notes.Log("den").Add(rows, fmt.Sprint("key ", i), []byte(strings.Repeat("hello ", i)))
			return err
		})
		if err = errors.Join(err, web.Put(t.Context(), "shelf", fmt.Sprint(i), []byte(strings.Repeat("x", i*i)))); err != nil {
			t.Fatal(err)
		}
		post(t, db, "web:one", fmt.Sprint("r", i))
	}
	was := store.Sums{}
	gametest.Must(t, db.Records(t.Context(), was.Add))
	db.Close()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	flips := map[string]string{} // by the URL of a database, the bit to flip in it
	for range gametest.Share(60) {
		copied := s.Copy(t, url)
		db := open(t, copied)
		files := postgres.TableFiles(t, db)
		if len(files) < 10 {
			t.Fatalf("only %d tables have files", len(files))
		}
		db.Close()
		flips[copied] = filepath.Join(s.Dir, "data", files[rng.IntN(len(files))])
	}
	gametest.Must(t, s.Shutdown())
	for url, path := range flips {
		data, err := os.ReadFile(path)
		if err != nil || len(data) == 0 {
			t.Fatal(path, len(data), err)
		}
		bit := rng.IntN(len(data) * 8)
		data[bit/8] ^= 1 << (bit % 8)
		gametest.Must(t, os.WriteFile(path, data, 0o600))
		flips[url] = fmt.Sprintf("bit %d of %s", bit, path)
	}
	gametest.Must(t, s.Run())
	for url, flip := range flips {
		is := store.Sums{}
		db, err := postgres.Open(t.Context(), postgres.Config{URL: url, Connections: 2, Now: time.Now})
		if err == nil {
			err = db.Records(t.Context(), is.Add)
			db.Close()
		}
		if err == nil {
			t.Errorf("%s: nothing is found, and %v differ", flip, was.Differ(is))
		}
	}
}
