package slack_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestAnswersWithRowsHaveTable checks that private answers with rows contain a table: /history during a game,
// /top and /stats after it. If Slack refuses tables, the same appears in columns.
func TestAnswersWithRowsHaveTable(t *testing.T) {
	for _, refused := range []bool{false, true} {
		t.Run(map[bool]string{false: "taken", true: "refused"}[refused], func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, slacktest.Options{NoTables: refused})
			first, second, line := w.dealWord("")
			tableIn := func(m slacktest.Message) (table map[string]any) {
				for _, b := range m.Blocks {
					if b["type"] == "table" {
						table = b
					}
				}
				return table
			}
			check := func(command, text string, says ...string) {
				t.Helper()
				m := w.slash(ann, command, text)
				if got := tableIn(m) != nil; got == refused {
					t.Errorf("%s: a table %v in %v", command, got, m.Blocks)
				}
				if fenced := strings.Contains(m.Said(), "```"); fenced && !refused {
					t.Errorf("%s has a code fence: %s", command, m.Said())
				}
				for _, one := range says {
					if !strings.Contains(m.Said(), one) {
						t.Errorf("%s lacks %q: %s", command, one, m.Said())
					}
				}
				if !refused && m.Text == "" {
					t.Errorf("%s has nothing for those who see no table", command)
				}
			}
			w.slash(first, "/play", line)
			w.slash(second, "/pass", "sure:yes")
			check("/history", "", "Ann", "Bob", "passe")
			for line := featuretest.Fills(w.state()); line != ""; line = featuretest.Fills(w.state()) {
				w.slash(w.turn(), "/play", strings.TrimPrefix(line, "/play "))
			}
			for w.state().End == nil {
				w.slash(w.turn(), "/pass", "sure:yes")
			}
			w.post("the game ends")
			check("/top", "", "Ann", "Bob")
			check("/top", "month", "Ann", "Bob")
			check("/stats", "", "Ann", "1")
		})
	}
}

// TestOnePrimaryButton checks that only one button under a post is primary, and that rarely
// used ones are in an overflow menu.
func TestOnePrimaryButton(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	check := func(m slacktest.Message, want ...string) {
		t.Helper()
		var shown []string
		primary := 0
		for _, b := range m.Blocks {
			list, _ := b["elements"].([]any)
			for _, e := range list {
				o, _ := e.(map[string]any)
				if o["type"] == "button" {
					shown = append(shown, o["text"].(map[string]any)["text"].(string))
					if o["style"] == "primary" {
						primary++
					}
				}
			}
		}
		if primary > 1 || !slices.Equal(shown, want) {
			t.Errorf("%d primary buttons; %v shown, want %v, of %v", primary, shown, want, slacktest.Labels(m.Blocks))
		}
	}
	w.slash(ann, "/new", "seats:3")
	check(w.post("wants to play"), "Join")
	gametest.Must(t, w.s.Press(bob, w.post("wants to play"), "Join", nil))
	check(w.post("Bob"), "Join", "Start")
	w.slash(ann, "/start", "")
	check(w.post("it's your turn"), "Play", "My rack")
}
