package slack_test

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/slack/slacktest"
)

// A button tells by its mark whose store it is of: another store's table of the
// same number is another game. One from before there were marks is ours.
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
