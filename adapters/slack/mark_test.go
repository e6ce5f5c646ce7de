package slack_test

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/slack/slacktest"
)

// TestButtonsOfAnotherStore checks that a button's mark identifies its store, because the
// same table number in another store is another game. Buttons from before there were marks
// count as ours.
func TestButtonsOfAnotherStore(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	first, _ := w.deal("")
	board := w.post("it's your turn")
	button, _ := slacktest.Find(board.Blocks, "My rack")
	id, _ := button["value"].(string)
	mark, rest, _ := strings.Cut(id, ":")
	if !strings.HasPrefix(mark, "1~") || rest == "" {
		t.Fatalf("the button's value is %q", id)
	}
	for value, says := range map[string]string{
		id:               "Your rack",
		"1:" + rest:      "Your rack",
		"1~zzzz:" + rest: "isn't stored here",
		"2:" + rest:      "from an older version",
	} {
		button["value"] = value
		if got := w.press(first, board, "My rack", nil); !strings.Contains(got.Said(), says) {
			t.Errorf("%s: told %q", value, got.Said())
		}
	}
}
