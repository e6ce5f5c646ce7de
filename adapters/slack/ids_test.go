package slack_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// TestEqualIDsOfDifferentHomesDontMix checks that equal ids of different homes are
// different channels and people, because Slack's ids are only unique within a workspace or
// an organisation: commands, presses and pages never reach the other home.
func TestEqualIDsOfDifferentHomesDontMix(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	type fields = map[string]any
	homes := []struct {
		home string
		of   fields // fields of its slash commands
	}{
		{"T1", fields{"team_id": "T1"}},
		{"T2", fields{"team_id": "T2", "enterprise_id": "E1"}}, // in an organisation, but installed separately
		{"E1", fields{"team_id": "T2", "enterprise_id": "E1", "is_enterprise_install": "true"}},
		{"E2", fields{"team_id": nil, "enterprise_id": "E2", "is_enterprise_install": true}},
	}
	send := func(kind string, payload fields) {
		t.Helper()
		if _, err := w.s.Send(kind, payload); err != nil {
			t.Fatal(err)
		}
		w.adapter.Wait()
	}
	for n, h := range homes {
		c := fields(w.s.Type(cat, games, "/new", "seats:2"))
		maps.Copy(c, h.of)
		send("slash_commands", c)
		for i, h := range homes {
			table, events, err := w.db.Table(t.Context(), bot.ChannelID("slack:"+h.home+"/"+games))
			if err != nil || (table != 0) != (i <= n) {
				t.Fatalf("after %d homes %s has table %d (%v)", n+1, h.home, table, err)
			}
			if table != 0 {
				if who := events[1].Fact.(game.Joined).Person.ID; string(who) != "slack:"+h.home+"/"+cat {
					t.Errorf("at the table of %s sits %s", h.home, who)
				}
			}
		}
	}
	// Bob joins only in an organisation's channel, whose presses have no team.
	w.await("the four tables", func() bool { return strings.Count(said(w.s.Messages(games)), "wants to play") >= 2*len(homes) })
	var join slacktest.Message
	for _, m := range w.s.Messages(games) {
		if key, _ := m.Metadata["event_payload"].(fields); key["table"] == float64(4) {
			join = m
		}
	}
	element, block := slacktest.Find(join.Blocks, "Join")
	if element == nil {
		t.Fatalf("the fourth table has no Join: %s", join.Said())
	}
	send("interactive", fields{
		"type": "block_actions", "trigger_id": "trigger.org", "team": nil, "enterprise": fields{"id": "E2"}, "is_enterprise_install": true,
		"user": fields{"id": bob, "username": "bob", "team_id": "T3"}, "channel": fields{"id": games},
		"container": fields{"type": "message", "message_ts": join.TS, "channel_id": games},
		"actions":   []any{fields{"type": "button", "action_id": element["action_id"], "block_id": block["block_id"], "value": element["value"], "action_ts": "1.1"}},
	})
	for _, h := range homes {
		for _, who := range []string{cat, bob} {
			played, err := w.host.Games(t.Context(), bot.PlayerID("slack:"+h.home+"/"+who))
			if err != nil || (len(played) == 1) != (h.home == "E2") {
				t.Errorf("%s plays %d games in %s (%v)", who, len(played), h.home, err)
			}
		}
	}
}
