package slack_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dlclark/regexp2"
	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// This file holds us against Slack's own descriptions and samples, in a folder
// beside the repository.

// sharedFile reads a file of it, and skips the test where there is none.
func sharedFile(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(shared(), name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("../shared/platform/slack/%s is not there: we are not held against it", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestManifestIsValid(t *testing.T) {
	c := jsonschema.NewCompiler()
	c.UseRegexpEngine(func(s string) (jsonschema.Regexp, error) {
		re, err := regexp2.Compile(s, regexp2.ECMAScript)
		return (*lookahead)(re), err
	})
	const base = "https://raw.githubusercontent.com/slackapi/manifest-schema/v0.5.0/schemas/"
	for _, name := range []string{"manifest.schema.json", "manifest.schema.1.0.0.json", "manifest.schema.2.0.0.json"} {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(sharedFile(t, "manifest-schema/"+name))))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource(base+name, doc); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := c.Compile(base + "manifest.schema.1.0.0.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]slack.ManifestOptions{
		"socket": {}, "prefix": {Prefix: "rm-"}, "http": {URL: "https://play.example.org/", Rotation: true, OwnPosts: true},
	} {
		b, err := slack.Manifest(features.Commands(), o)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(b)))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	wrong, _ := jsonschema.UnmarshalJSON(strings.NewReader(`{"display_information":{"name":"x"},"features":{"slash":1}}`))
	if schema.Validate(wrong) == nil {
		t.Error("the schema takes anything")
	}
}

// lookahead is a regular expression with (?!, which Go's own don't have.
type lookahead regexp2.Regexp

func (r *lookahead) MatchString(s string) bool {
	ok, err := (*regexp2.Regexp)(r).MatchString(s)
	return err == nil && ok
}
func (r *lookahead) String() string { return (*regexp2.Regexp)(r).String() }

// The schema takes invented events; of a real one there is a sample.
func TestEventsExist(t *testing.T) {
	sharedFile(t, "README.md")
	files, err := filepath.Glob(filepath.Join(shared(), "samples", "events", "*.json"))
	if err != nil || len(files) < 90 {
		t.Fatalf("%d samples of events (%v)", len(files), err)
	}
	var known strings.Builder
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		known.Write(b)
	}
	b, err := slack.Manifest(features.Commands(), slack.ManifestOptions{URL: "https://play.example.org"})
	if err != nil {
		t.Fatal(err)
	}
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
		if !strings.Contains(known.String(), `"type": "`+e+`"`) {
			t.Errorf("there is no event %s", e)
		}
	}
}

// The stand-in knows the parameters that Slack's description names.
func TestStandInKnowsTheWebAPI(t *testing.T) {
	var official struct {
		Paths map[string]map[string]struct {
			Parameters []struct {
				Name     string `json:"name"`
				Required bool   `json:"required"`
			} `json:"parameters"`
		} `json:"paths"`
	}
	if err := json.Unmarshal(sharedFile(t, "web-api.json"), &official); err != nil {
		t.Fatal(err)
	}
	checked := 0
	for name, m := range slacktest.Methods() {
		verbs, known := official.Paths["/"+name]
		if known != m.Official {
			t.Errorf("%s is described: %v; the stand-in says %v", name, known, m.Official)
		}
		for _, v := range verbs {
			checked++
			var names []string
			for _, p := range v.Parameters {
				names = append(names, p.Name)
				if p.Required && p.Name != "token" && !slices.Contains(m.Must, p.Name) && name != "oauth.v2.access" {
					t.Errorf("%s must have %s", name, p.Name)
				}
			}
			for _, own := range slices.Concat(m.Must, m.Can) {
				if !slices.Contains(names, own) {
					t.Errorf("%s has no parameter %s", name, own)
				}
			}
		}
	}
	if checked < 10 {
		t.Errorf("only %d methods checked", checked)
	}
}

// Every recorded payload is taken without harm: none panics, and what is no
// request of ours changes nothing.
func TestSamples(t *testing.T) {
	if _, err := os.Stat(filepath.Join(shared(), "samples")); errors.Is(err, fs.ErrNotExist) {
		t.Skip("../shared/platform/slack/samples is not there: no recorded payload is read")
	}
	w := newWorld(t, slacktest.Options{})
	read := map[string]int{}
	for kind, pattern := range map[string][]string{
		"events_api":     {"events/*.json"},
		"slash_commands": {"app-backend/slash-commands/*.json"},
		"interactive":    {"app-backend/views/*.json", "app-backend/interactive-components/*.json", "app-backend/dialogs/*.json"},
	} {
		for _, p := range pattern {
			files, err := filepath.Glob(filepath.Join(shared(), "samples", p))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				raw, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				read[kind]++
				// As it is, and as an event with people in it.
				for _, body := range []string{string(raw), strings.NewReplacer(`"id": ""`, `"id": "U0ANN"`, `"user_id": ""`, `"user_id": "U0ANN"`, `"channel_id": ""`, `"channel_id": "C0GAMES"`, `"command": ""`, `"command": "/rack"`).Replace(string(raw)), `{"type":"event_callback","team_id":"T0SLACK","event":` + string(raw) + `}`} {
					_, _ = w.adapter.Receive(kind, []byte(body)) // that it is none of ours is no news
				}
			}
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

// An app has two slash commands by default, which reach every command; those
// that Slack reserves for itself are reached by them alone.
func TestEveryCommandHasAWay(t *testing.T) {
	for _, all := range []bool{false, true} {
		b, err := slack.Manifest(features.Commands(), slack.ManifestOptions{AllCommands: all})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"rackmate", "rm"} {
			if !strings.Contains(string(b), `"command": "/`+name+`"`) {
				t.Errorf("/%s is missing", name)
			}
		}
		for _, c := range features.Commands().Elsewhere() {
			has := strings.Contains(string(b), `"command": "/`+c.Name+`"`)
			if has != (all && !slack.Reserved(c.Name)) {
				t.Errorf("/%s: in the manifest %v, with all commands %v, reserved by Slack %v", c.Name, has, all, slack.Reserved(c.Name))
			}
		}
	}
}
