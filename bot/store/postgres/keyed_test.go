package postgres_test

import (
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/game/gametest"
)

// A database of format 3 opens with its rooms' messages; from then on a program of that format
// refuses it.
func TestJournalsBecomeNotes(t *testing.T) {
	url := database(t)
	open(t, url).Close()
	changes(t, url)(`
		create table journals (adapter bytea, name bytea, last bigint, primary key (adapter, name));
		create table lines (adapter bytea, journal bytea, number bigint, data bytea, primary key (adapter, journal, number));
		create table linekeys (adapter bytea, journal bytea, key bytea, number bigint, primary key (adapter, journal, key));
		insert into journals values ('web', 'said/den', 2);
		insert into lines values ('web', 'said/den', 1, 'hello'), ('web', 'said/den', 2, 'hello again');
		insert into linekeys values ('web', 'said/den', 'k2', 2);
		update meta set version = 3 where key = 'schema';
		update meta set version = 1 where key = 'needs'`)
	db := open(t, url)
	entries, err := notes.Log("said/den").Read(t.Context(), db.Notes("web"), 0, 9)
	gametest.Must(t, err)
	if len(entries) != 2 || string(entries[0].Data) != "hello" || entries[1].Number != 2 || string(entries[1].Data) != "hello again" {
		t.Errorf("the log has %+v", entries)
	}
	gametest.Must(t, db.Notes("web").Change(t.Context(), func(rows bot.Rows) error {
		for key, want := range map[string]uint64{"k2": 2, "k3": 3} {
			if n, _, err := notes.Log("said/den").Add(rows, key, []byte("anew")); err != nil || n != want {
				t.Errorf("%s is entry %d, %v; want %d", key, n, err, want)
			}
		}
		return nil
	}))
	changes(t, url)("do $$ begin assert (select version = 4 from meta where key = 'needs'); end $$")
}
