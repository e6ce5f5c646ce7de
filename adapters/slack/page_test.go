package slack_test

import (
	"crypto/rand"
	"log/slog"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/adapters/web/webtest"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestBoardLinkLetsPlayersMove checks that a board's button gives a player a link of their own, and
// that moves on its page are theirs and posted in the channel as usual.
func TestBoardLinkLetsPlayersMove(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.url = "https://play.example.org"
	w.restart(0)
	first, second := w.deal("")
	w.press(first, w.post("it's your turn"), "Play on the board", nil)
	link := ""
	w.await("the link", func() bool {
		for _, m := range w.s.Private(first) {
			if b, _ := slacktest.Find(m.Blocks, "Open my board"); b != nil {
				link, _ = b["url"].(string)
			}
		}
		return link != ""
	})
	page, pass, found := strings.Cut(link, "#pass=")
	if !found || !strings.HasPrefix(page, "https://play.example.org/g/") {
		t.Fatalf("the link: %q", link)
	}

	room, err := web.New(web.Config{
		Host: w.host, Tables: w.host.TablePages(), Pages: w.host.Pages(), Notes: w.db.Notes(web.Platform), Now: w.now, Random: rand.Reader,
		Log: slog.New(slog.DiscardHandler), URL: w.url, Hosts: []string{"play.example.org"}, Door: web.DoorInvite,
	})
	gametest.Must(t, err)
	defer room.Close()
	visitor := &webtest.Visitor{Room: room, Page: page}
	if got := visitor.Post(t, "/enter", map[string]string{"pass": pass}); got.Code != 200 {
		t.Fatalf("the pass: %d %s", got.Code, got.Body)
	}
	if got := visitor.Post(t, "/act", map[string]any{"id": "request-1", "command": "pass", "args": map[string]string{"sure": "true"}}); got.Code != 200 || strings.Contains(got.Body.String(), `"refused":true`) {
		t.Fatalf("the move: %d %s", got.Code, got.Body)
	}
	if w.turn() != second {
		t.Error("it is still the turn of the player who passed")
	}
	w.post("passes")
}
