package web_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
)

// A watcher is a page that waits for news.
type watcher struct{ lines *bufio.Scanner }

// watches opens a page's live connection, or returns nil if it is refused.
func watches(ctx context.Context, t *testing.T, url string) *watcher {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	gametest.Must(t, err)
	res, err := http.DefaultClient.Do(req)
	gametest.Must(t, err)
	t.Cleanup(func() { res.Body.Close() })
	if res.StatusCode != 200 {
		io.Copy(io.Discard, res.Body)
		return nil
	}
	return &watcher{bufio.NewScanner(res.Body)}
}

// hears waits for news. It returns false if the connection has ended.
func (w *watcher) hears() bool {
	for w.lines.Scan() {
		if w.lines.Text() == "event: table" {
			return true
		}
	}
	return false
}

// A game's page is notified of each move in that game, and the page of all games of every
// move. One address may open 24 such windows, and all are closed with the room.
func TestWatchersHearOfMoves(t *testing.T) {
	h, page, _ := playing(t)
	server := h.serves()
	ctx, leave := context.WithTimeout(t.Context(), patience)
	defer leave()
	game, all := watches(ctx, t, server.URL+page+"/live"), watches(ctx, t, server.URL+"/live/live")
	if game == nil || all == nil || !game.hears() || !all.hears() {
		t.Fatal("somebody who watches hears nothing at first")
	}
	mover := cora
	if s := h.stateIn(salon); s.Seats[s.Turn].Person.ID == dora.ID {
		mover = dora
	}
	h.says(mover, salon, "/pass sure:yes")
	if !game.hears() || !all.hears() {
		t.Error("somebody who watches doesn't hear of a move")
	}

	open := 2
	for watches(ctx, t, server.URL+"/live/live") != nil {
		if open++; open > 100 {
			t.Fatal("one address may have a hundred windows open")
		}
	}
	if open != 24 {
		t.Errorf("one address may have %d windows open, want 24", open)
	}
	h.room.Close()
	if game.hears() || all.hears() {
		t.Error("the connection outlives the room")
	}
}
