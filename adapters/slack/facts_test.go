package slack_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dlclark/regexp2"
	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// This file compares us with what Slack has published about its API: see
// testdata/SOURCES.md.

// facts reads a file from testdata.
func facts(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	gametest.Must(t, err)
	return b
}

// A payload is a payload of Slack's with blank values.
type payload struct {
	Kind    string          `json:"kind"`
	Payload json.RawMessage `json:"payload"`
}

// payloads returns one payload of each kind that Slack sends.
func payloads(t *testing.T) (all []payload) {
	t.Helper()
	for line := range bytes.Lines(facts(t, "payloads.jsonl")) {
		var p payload
		gametest.Must(t, json.Unmarshal(line, &p))
		all = append(all, p)
	}
	if len(all) < 100 {
		t.Fatalf("only %d payloads", len(all))
	}
	return all
}

func TestManifestIsValid(t *testing.T) {
	c := jsonschema.NewCompiler()
	c.UseRegexpEngine(func(s string) (jsonschema.Regexp, error) {
		re, err := regexp2.Compile(s, regexp2.ECMAScript)
		return (*lookahead)(re), err
	})
	const name = "manifest.schema.json"
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(facts(t, name)))
	gametest.Must(t, err)
	gametest.Must(t, c.AddResource(name, doc))
	schema, err := c.Compile(name)
	gametest.Must(t, err)
	for name, o := range map[string]slack.ManifestOptions{
		"socket": {}, "prefix": {Prefix: "rm-"}, "http": {URL: "https://play.example.org/", Rotation: true}, "minimal": {URL: "https://play.example.org/", Minimal: true},
	} {
		b, err := slack.Manifest(features.Commands(), o)
		gametest.Must(t, err)
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(b)))
		gametest.Must(t, err)
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, what := range []string{`"im:history"`, `"message.im"`, `"messages_tab_read_only_enabled": false`} {
			if strings.Contains(string(b), what) == o.Minimal {
				t.Errorf("%s: %s is in the manifest: %v", name, what, !o.Minimal)
			}
		}
	}
	wrong, _ := jsonschema.UnmarshalJSON(strings.NewReader(`{"display_information":{"name":"x"},"features":{"slash":1}}`))
	if schema.Validate(wrong) == nil {
		t.Error("the schema takes anything")
	}
}

// A lookahead is a regular expression with (?!, which Go's own package doesn't support.
type lookahead regexp2.Regexp

func (r *lookahead) MatchString(s string) bool {
	ok, err := (*regexp2.Regexp)(r).MatchString(s)
	return err == nil && ok
}
func (r *lookahead) String() string { return (*regexp2.Regexp)(r).String() }

// TestManifestEventsExist checks that the manifest's events occur in Slack's samples, because the
// schema accepts invented ones.
func TestManifestEventsExist(t *testing.T) {
	// Newer than the samples: https://docs.slack.dev/reference/events
	known := map[string]bool{"function_executed": true, "message_metadata_posted": true}
	for _, p := range payloads(t) {
		var e struct{ Event struct{ Type string } }
		if json.Unmarshal(p.Payload, &e) == nil && p.Kind == "events_api" {
			known[e.Event.Type] = true
		}
	}
	b, err := slack.Manifest(features.Commands(), slack.ManifestOptions{URL: "https://play.example.org"})
	gametest.Must(t, err)
	var m struct {
		Settings struct {
			Events struct {
				Bot []string `json:"bot_events"`
			} `json:"event_subscriptions"`
		} `json:"settings"`
	}
	if err := json.Unmarshal(b, &m); err != nil || len(m.Settings.Events.Bot) == 0 {
		t.Fatalf("no events (%v)", err)
	}
	for _, e := range m.Settings.Events.Bot {
		if kind, _, _ := strings.Cut(e, "."); !known[kind] { // message.im is a message in direct messages
			t.Errorf("there is no event %s", e)
		}
	}
}

// TestManifestMatchesHandlers checks that the manifest subscribes to the events that have a handler,
// and requests a scope for each that needs one: https://docs.slack.dev/reference/events
func TestManifestMatchesHandlers(t *testing.T) {
	needs := map[string]string{
		"app_mention": "app_mentions:read", "message": "im:history", "member_joined_channel": "channels:read groups:read",
		"message_metadata_posted": "metadata.message:read", "link_shared": "links:read",
	}
	for name, o := range map[string]slack.ManifestOptions{"whole": {URL: "https://play.example.org"}, "by socket": {}, "minimal": {Minimal: true}} {
		b, err := slack.Manifest(features.Commands(), o)
		gametest.Must(t, err)
		var m struct {
			OAuth struct {
				Scopes struct{ Bot []string } `json:"scopes"`
			} `json:"oauth_config"`
			Settings struct {
				Events struct {
					Bot []string `json:"bot_events"`
				} `json:"event_subscriptions"`
			} `json:"settings"`
		}
		gametest.Must(t, json.Unmarshal(b, &m))
		var kinds []string
		for _, e := range m.Settings.Events.Bot {
			kind, _, _ := strings.Cut(e, ".") // message.im is a message in direct messages
			kinds = append(kinds, kind)
			for scope := range strings.FieldsSeq(needs[kind]) {
				if !slices.Contains(m.OAuth.Scopes.Bot, scope) {
					t.Errorf("%s: for %s the scope %s is missing", name, e, scope)
				}
			}
		}
		slices.Sort(kinds)
		if name == "whole" && !slices.Equal(kinds, slack.Handled()) {
			t.Errorf("the manifest has the events %v, and there are handlers of %v", kinds, slack.Handled())
		}
		for _, kind := range kinds {
			if !slices.Contains(slack.Handled(), kind) {
				t.Errorf("%s: nothing handles %s", name, kind)
			}
		}
	}
}

// TestRecordedPayloadsAreHarmless sends every recorded payload: none may cause a panic or a post.
func TestRecordedPayloadsAreHarmless(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	read := map[string]int{}
	named := strings.NewReplacer(`"id":""`, `"id":"U0ANN"`, `"user_id":""`, `"user_id":"U0ANN"`, `"channel_id":""`, `"channel_id":"C0GAMES"`, `"command":""`, `"command":"/rack"`)
	for _, p := range payloads(t) {
		read[p.Kind]++
		raw := string(p.Payload)
		// Unchanged, with people in it, and as an event.
		for _, body := range []string{raw, named.Replace(raw), `{"type":"event_callback","team_id":"T0SLACK","event":` + raw + `}`} {
			_, _ = w.adapter.Receive(p.Kind, []byte(body)) // refusing it is fine
		}
	}
	w.adapter.Wait()
	if read["events_api"] < 90 || read["slash_commands"] < 1 || read["interactive"] < 6 {
		t.Errorf("read %v samples", read)
	}
	if strings.Contains(w.log.String(), "panicked") {
		t.Error("a sample made it panic")
	}
	if n := len(w.s.Messages(games)); n != 0 {
		t.Errorf("%d posts came of it", n)
	}
}

// TestSlashCommandsReachEveryCommand checks that the two default slash commands reach every command,
// even commands that Slack reserves for itself or that exceed the limit of an app.
func TestSlashCommandsReachEveryCommand(t *testing.T) {
	for _, all := range []bool{false, true} {
		b, err := slack.Manifest(features.Commands(), slack.ManifestOptions{AllCommands: all})
		gametest.Must(t, err)
		for _, name := range []string{"rackmate", "rm"} {
			if !strings.Contains(string(b), `"command": "/`+name+`"`) {
				t.Errorf("/%s is missing", name)
			}
		}
		for _, c := range features.Commands().Elsewhere() {
			has := strings.Contains(string(b), `"command": "/`+c.Name+`"`)
			full := strings.Count(string(b), `"command": "/`) == 50
			if want := all && !slack.Reserved(c.Name); has != want && (has || !full) {
				t.Errorf("/%s: in the manifest %v, with all commands %v, reserved by Slack %v", c.Name, has, all, slack.Reserved(c.Name))
			}
		}
	}
}
