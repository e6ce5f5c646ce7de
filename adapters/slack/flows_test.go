package slack_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/game/gametest"
)

const pagesURL = "https://play.example.org"

// TestUnfurlShowsBoard checks that a link to a game's page in a channel shows the game's board
// without a rack, and that an invented address shows nothing.
func TestUnfurlShowsBoard(t *testing.T) {
	for _, http := range []bool{false, true} {
		t.Run(map[bool]string{false: "by socket", true: "over HTTP"}[http], func(t *testing.T) {
			t.Parallel()
			changes := []func(*slack.Config){func(c *slack.Config) { c.PagesURL = pagesURL }}
			if http {
				changes = append(changes, overHTTP, func(c *slack.Config) { c.OAuth.URL = pagesURL })
			}
			w := newWorld(t, slacktest.Options{}, changes...)
			w.deal("")
			key, err := w.host.TablePages().Key(t.Context(), 1)
			gametest.Must(t, err)
			address := pagesURL + "/g/" + key
			for _, c := range []struct {
				channel string
				rack    bool
			}{{games, true}, {"C0TALK", false}} {
				ts, err := w.s.Share(bob, c.channel, "https://elsewhere.example.org/g/"+key, address, pagesURL+"/g/1-aaaaaaaaaaaaaaaa")
				gametest.Must(t, err)
				var shown map[string][]map[string]any
				w.await("the unfurl", func() bool {
					for _, m := range w.s.Messages(c.channel) {
						if m.TS == ts {
							shown = m.Unfurls
						}
					}
					return shown != nil
				})
				blocks := shown[address]
				m := slacktest.Message{Channel: c.channel, TS: ts, Blocks: blocks}
				if len(shown) != 1 || !strings.Contains(m.Said(), "goes first") {
					t.Fatalf("unfurled: %v", shown)
				}
				if pictured := slices.ContainsFunc(blocks, func(b map[string]any) bool { return b["image_url"] != nil }); pictured != http {
					t.Errorf("a picture %v: %v", pictured, blocks)
				}
				watch, _ := slacktest.Find(blocks, "Watch")
				if watch == nil || watch["url"] != address {
					t.Errorf("Watch leads to %v", watch)
				}
				rack, _ := slacktest.Find(blocks, "My rack")
				if (rack != nil) != c.rack {
					t.Errorf("My rack is there: %v", rack != nil)
				}
				for _, held := range racks(w.db) {
					if strings.Contains(strings.ReplaceAll(m.Said(), " ", ""), held) {
						t.Errorf("a rack is unfurled: %s", m.Said())
					}
				}
				if c.rack {
					gametest.Must(t, w.s.Press(bob, m, "My rack", nil))
					w.await("the rack, to Bob alone", func() bool {
						all := w.s.Private(bob)
						return len(all) > 0 && strings.Contains(all[len(all)-1].Said(), "Your rack")
					})
				}
			}
		})
	}
}

// TestWorkflowSteps checks that workflows can open tables for the people who started
// them, and post the daily board, and that failures are reported to them.
func TestWorkflowSteps(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	run := func(step string, inputs map[string]any) slacktest.Step {
		t.Helper()
		id, err := w.s.RunStep(step, inputs)
		gametest.Must(t, err)
		w.await("the step to be done", func() bool { return w.s.Step(id).Done })
		return w.s.Step(id)
	}
	by := func(user string) map[string]any { return map[string]any{"id": user, "secret": "a-secret-of-" + user} }
	if s := run("open_table", map[string]any{"channel_id": games, "user_context": by(bob), "rules": "seats:2"}); s.Error != "" || !strings.Contains(s.Outputs["link"], "/archives/"+games+"/p") {
		t.Errorf("a table: %+v", s)
	}
	if m := w.post("wants to play"); !strings.Contains(m.Said(), "Bob") {
		t.Errorf("Bob's table: %s", m.Said())
	}
	for name, inputs := range map[string]map[string]any{
		"nobody":                {"channel_id": games},
		"whom its author named": {"channel_id": games, "user_id": ann},
		"a name for a person":   {"channel_id": games, "user_context": ann},
		"no rules":              {"channel_id": games, "user_context": by(ann), "rules": "seats:99"},
		"no where":              {"user_context": by(ann)},
		"a command":             {"channel_id": games, "user_context": by(ann), "rules": "nonsense of all kinds"},
	} {
		if s := run("open_table", inputs); s.Error == "" || strings.Contains(s.Error, "secret") {
			t.Errorf("%s: %+v", name, s)
		}
	}
	if s := run("no_such_step", map[string]any{"channel_id": games}); s.Error == "" {
		t.Errorf("no such step: %+v", s)
	}
	if s := run("daily_board", map[string]any{"channel_id": "C0TALK"}); s.Error != "" {
		// The small list makes no boards: the answer says why.
		t.Logf("no board of the day: %s", s.Error)
	} else if !strings.Contains(said(w.s.Messages("C0TALK")), "Board") {
		t.Errorf("the board of the day: %s", said(w.s.Messages("C0TALK")))
	}
}
