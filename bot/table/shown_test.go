package table_test

import (
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/bot/store/storetest"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game/gametest"
)

const channel = bot.ChannelID("test:1")

func shownIn(n bot.Notes) *table.Shown { return table.NewShown(shelf.NewRoom(n, nil).Owner("host")) }

var noon = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

// arrives records that the news of a table up to an event has arrived, some seconds after
// noon.
func arrives(t *testing.T, n bot.Notes, at bot.TableID, to int, over bool, second int) {
	t.Helper()
	gametest.Must(t, shownIn(n).Note(t.Context(), bot.Post{Channel: channel, Table: at, To: to}, over, noon.Add(time.Duration(second)*time.Second)))
}

func wantNews(t *testing.T, n bot.Notes, at bot.TableID, to, second int) {
	t.Helper()
	got, err := shownIn(n).In(t.Context(), channel)
	if want := noon.Add(time.Duration(second) * time.Second); err != nil || got.Table != at || got.To != to || !got.At.Equal(want) {
		t.Errorf("shown %+v, %v; want table %d up to %d at %v", got, err, at, to, want)
	}
}

// A process that stood still while posting, and reports after another has posted more,
// doesn't overwrite the record: a clock would stop.
func TestLatePostKeepsNewerRecord(t *testing.T) {
	n := memory.New().Notes("host")
	arrives(t, n, 1, 5, false, 1)
	arrives(t, n, 1, 7, false, 3)
	arrives(t, n, 1, 5, false, 4)
	wantNews(t, n, 1, 7, 3)
	arrives(t, n, 1, 7, false, 5) // a repeat
	wantNews(t, n, 1, 7, 3)
	arrives(t, n, 2, 2, false, 6)
	arrives(t, n, 1, 9, true, 7)
	wantNews(t, n, 2, 2, 6)
	arrives(t, n, 2, 9, true, 8)
	if got, err := shownIn(n).In(t.Context(), channel); err != nil || got != (table.News{}) {
		t.Errorf("after the game there is %+v, %v", got, err)
	}
}

// A record that another process writes at the same time isn't lost.
func TestConcurrentRecordsSurvive(t *testing.T) {
	plain := memory.New().Notes("host")
	beside := storetest.BesideNotes{Notes: plain, Then: func(shelf, key string) { arrives(t, plain, 1, 7, false, 3) }}
	arrives(t, plain, 1, 3, false, 1)
	arrives(t, beside, 1, 5, false, 2)
	arrives(t, plain, 1, 7, false, 3)
	arrives(t, beside, 1, 5, false, 4)
	wantNews(t, plain, 1, 7, 3)
}
