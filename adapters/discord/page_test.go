package discord_test

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/adapters/web/webtest"
	"github.com/rackmate/rackmate/game"
)

// TestBoardLinkLetsPlayersMove checks that a board's button gives each player a link of their own,
// and that moves on its page are theirs and posted in the channel as usual.
func TestBoardLinkLetsPlayersMove(t *testing.T) {
	w := newWorld(t, func(w *world) {
		w.url = "https://play.example.org"
		w.build(discord.Config{}, w.store)
	})
	room := w.room()
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	w.ann.Gives(w.channel, "play", "word", "horn", "at", "8h").Answer()
	board := w.channel.Posts(1)[0]

	link := w.bob.Presses(board, "Play on the board").Answer().Link("Open my board")
	page, pass, found := strings.Cut(link, "#pass=")
	if !found || !strings.HasPrefix(page, "https://play.example.org/g/") {
		t.Fatalf("Bob's link: %q", link)
	}
	visitor := &webtest.Visitor{Room: room, Page: page}
	if got := visitor.Post(t, "/enter", map[string]string{"pass": pass}); got.Code != 200 {
		t.Fatalf("the pass: %d %s", got.Code, got.Body)
	}
	if got := visitor.Post(t, "/act", map[string]any{"id": "request-1", "command": "play", "args": map[string]string{"word": "FARM", "at": "9G"}}); got.Code != 200 || strings.Contains(got.Body.String(), `"refused":true`) {
		t.Fatalf("the play: %d %s", got.Code, got.Body)
	}
	post := w.channel.Posts(2)[1]
	if !post.Says("Bob plays **FARM** at 9G") {
		t.Errorf("posted %q", post.Content)
	}

	// Under a private answer it is a separate message.
	rack := w.ann.Gives(w.channel, "rack").Answer()
	if got := w.ann.Presses(rack, "Play on the board").Answer(); got.ID == rack.ID || got.Link("Open my board") == "" {
		t.Errorf("the rack became %q", got.Content)
	}

	// A person without a seat gets the page for spectators.
	if link := w.eve.Presses(post, "Play on the board").Answer().Link("Open the game's page"); link != page {
		t.Errorf("Eve's link: %q", link)
	}
}

// TestNoPageButtonWithoutAddress checks that there is no such button if the host has no public
// address.
func TestNoPageButtonWithoutAddress(t *testing.T) {
	w := newWorld(t)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	w.ann.Gives(w.channel, "play", "word", "horn", "at", "8h").Answer()
	if labels := strings.Join(w.channel.Posts(1)[0].Labels(), ","); strings.Contains(labels, "board") {
		t.Errorf("buttons %s", labels)
	}
}

// TestBoardButtonOpensActivity checks that the button opens the Activity if it is enabled,
// and returns the link if Discord refuses to.
func TestBoardButtonOpensActivity(t *testing.T) {
	w := newWorld(t, func(w *world) { w.url = "https://play.example.org" }, withActivity)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	w.ann.Gives(w.channel, "play", "word", "horn", "at", "8h").Answer()
	board := w.channel.Posts(1)[0]
	if kind := w.bob.Presses(board, "Play").Response(); kind != 12 {
		t.Errorf("answered by a response of type %d", kind)
	}
	w.d.Fail(discordtest.Fault{Request: "POST /interactions", Times: 1, Status: 400, Code: 50035})
	if got := w.bob.Presses(board, "Play").Answer(); got.Link("Open my board") == "" {
		t.Errorf("where it is refused: %q", got.Content)
	}
}
