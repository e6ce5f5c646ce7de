package discord_test

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game"
)

// TestButtonsOfAnotherStore checks that a button's mark identifies its store, because the
// same table number in another store is another game. Buttons from before there were marks
// count as ours.
func TestButtonsOfAnotherStore(t *testing.T) {
	w := newWorld(t)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	w.ann.Gives(w.channel, "pass", "sure", "true").Answer()
	post := w.channel.Posts(1)[0]
	all := post.CustomIDs()
	if len(all) == 0 {
		t.Fatal("no buttons")
	}
	rack := ""
	for _, id := range all {
		if !strings.HasPrefix(id, "1~") || len(id) > 100 {
			t.Errorf("an id without a mark, or too long: %q", id)
		}
		if strings.Contains(id, ":rack:") {
			rack = id
		}
	}
	mark, rest, _ := strings.Cut(rack, ":")
	if rest == "" {
		t.Fatalf("no button shows the rack among %q", all)
	}
	for id, says := range map[string]string{
		mark + ":" + rest: "Your rack",
		"1:" + rest:       "Your rack",
		"1~zzzz:" + rest:  "isn't stored here",
		"2:" + rest:       "from an older version",
	} {
		if got := w.bob.UsesID(post, id).Answer(); !got.Private() || !got.Says(says) {
			t.Errorf("%s: told %q", id, got.Content)
		}
	}
}
