// Mkfacts extracts facts about Slack's API from what Slack has published: names, types
// and limits, without a sentence. The tests compare the adapter with these facts, which
// are in the testdata folders of the packages that read them.
//
//	go generate ./adapters/slack
//
// It reads checkouts of three repositories of github.com/slackapi, in the folder that
// RACKMATE_SLACKAPI names: slack-api-specs, manifest-schema and java-slack-sdk, at the
// commits in SOURCES.md. It refuses files with a checksum other than the one here.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// A source describes one file of facts and how to make it.
type source struct {
	facts    string // the file, from the adapter's folder
	from     string // the files, in the checkouts
	sum      string // sha256 of their contents, joined
	reduce   func(files []file) ([]byte, error)
	licence  string
	fromText string // where they come from, in SOURCES.md
}

type file struct {
	name    string
	content []byte
}

var sources = []source{
	{
		"slacktest/testdata/web-api.txt", "slack-api-specs/web-api/slack_web_openapi_v2_without_examples.json", "8b92da26a3c5b11d20042a9f36d81f1fa6fc9382c5ddc471babb68b91936bc3a", methods,
		"MIT, Copyright (c) 2017 SlackAPI", "slackapi/slack-api-specs at bc08db49625630e3585bf2f1322128ea04f2a7f3: methods of the Web API and their parameters",
	},
	{
		"testdata/manifest.schema.json", "manifest-schema/schemas/manifest.schema.1.0.0.json", "f2adf9f9800230e2fe44bab0762796492871edaab817e9160fdcdf0eb4642e58", schema,
		"MIT, Copyright (c) Slack Technologies, LLC", "slackapi/manifest-schema at c50cfa8508ff1017344550a5e5fb29a1416e5b98: the schema of an app's manifest",
	},
	{
		"testdata/payloads.jsonl", "java-slack-sdk/json-logs/samples/{events,app-backend/slash-commands,app-backend/views,app-backend/interactive-components,app-backend/dialogs}/*.json", "25c50dc21b2f954e3f8921c3ff4bf18b9e52fef7d23bb390aeba61b848a5f660", payloads,
		"MIT, Copyright (c) 2020 Slack Technologies, LLC, 2016-2019 Kazuhiro Sera", "slackapi/java-slack-sdk at 86ff7ca: the shapes of what Slack sends, with blanks for values",
	},
}

func main() {
	if err := run(os.Getenv("RACKMATE_SLACKAPI")); err != nil {
		fmt.Fprintln(os.Stderr, "mkfacts:", err)
		os.Exit(1)
	}
}

func run(checkouts string) error {
	if checkouts == "" {
		return errors.New("RACKMATE_SLACKAPI must name the folder with the checkouts: see the comment in main.go")
	}
	for _, s := range sources {
		files, err := read(checkouts, s.from)
		if err != nil {
			return err
		}
		sum := sha256.New()
		for _, f := range files {
			sum.Write(f.content)
		}
		if got := fmt.Sprintf("%x", sum.Sum(nil)); got != s.sum {
			return fmt.Errorf("%s: the sha256 is %s, not %s: check out the commit that SOURCES.md names", s.from, got, s.sum)
		}
		facts, err := s.reduce(files)
		if err != nil {
			return fmt.Errorf("%s: %w", s.from, err)
		}
		if err := os.WriteFile(s.facts, facts, 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile("testdata/SOURCES.md", sourcesText(), 0o644)
}

// read reads the files of a pattern, in which {a,b} matches either.
func read(dir, pattern string) (all []file, err error) {
	patterns := []string{pattern}
	if before, rest, braces := strings.Cut(pattern, "{"); braces {
		either, after, _ := strings.Cut(rest, "}")
		patterns = nil
		for one := range strings.SplitSeq(either, ",") {
			patterns = append(patterns, before+one+after)
		}
	}
	for _, p := range patterns {
		names, err := filepath.Glob(filepath.Join(dir, p))
		if err != nil || len(names) == 0 {
			return nil, fmt.Errorf("there is no %s in %s (%v)", p, dir, err)
		}
		for _, name := range names {
			content, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			all = append(all, file{strings.TrimPrefix(name, dir), content})
		}
	}
	return all, nil
}

// methods writes a line for each method: its name and its parameters with their types,
// and a "!" behind each required one.
func methods(files []file) ([]byte, error) {
	var description struct {
		Paths map[string]map[string]struct {
			Parameters []struct {
				Name, Type string
				Required   bool
			}
		}
	}
	if err := json.Unmarshal(files[0].content, &description); err != nil {
		return nil, err
	}
	var lines []string
	for path, verbs := range description.Paths {
		line := strings.TrimPrefix(path, "/")
		for _, verb := range verbs {
			for _, p := range verb.Parameters {
				if line += " " + p.Name + ":" + p.Type; p.Required {
					line += "!"
				}
			}
		}
		lines = append(lines, line+"\n")
	}
	slices.Sort(lines)
	return []byte(strings.Join(lines, "")), nil
}

// schema removes the sentences from a JSON Schema.
func schema(files []file) ([]byte, error) {
	var whole any
	if err := json.Unmarshal(files[0].content, &whole); err != nil {
		return nil, err
	}
	return json.Marshal(stripDescriptions(whole))
}

// stripDescriptions returns a schema without its titles and descriptions. Properties with such
// names stay: their values are objects.
func stripDescriptions(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if _, sentence := value.(string); sentence && (key == "description" || key == "title") {
				delete(v, key)
				continue
			}
			v[key] = stripDescriptions(value)
		}
	case []any:
		for i := range v {
			v[i] = stripDescriptions(v[i])
		}
	}
	return v
}

// payloads writes a line for each payload: the kind of its envelope, and the payload with
// blank values. Only an event keeps the value of its type.
func payloads(files []file) ([]byte, error) {
	kinds := map[string]string{"events": "events_api", "slash-commands": "slash_commands"}
	var b bytes.Buffer
	for _, f := range files {
		kind := kinds[filepath.Base(filepath.Dir(f.name))]
		if kind == "" {
			kind = "interactive"
		}
		var payload any
		if err := json.Unmarshal(f.content, &payload); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		line, err := json.Marshal(map[string]any{"kind": kind, "payload": blank("", payload)})
		if err != nil {
			return nil, err
		}
		b.Write(append(line, '\n'))
	}
	return b.Bytes(), nil
}

// blank empties the strings that people could read. A list keeps one of several equal
// items.
func blank(key string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			v[key] = blank(key, value)
		}
	case []any:
		var different []any
		for _, item := range v {
			item = blank(key, item)
			if !slices.ContainsFunc(different, func(other any) bool { return reflect.DeepEqual(other, item) }) {
				different = append(different, item)
			}
		}
		return different
	case string:
		if key == "type" || key == "tab" {
			return v
		}
		return ""
	}
	return v
}

// sourcesText returns the text of SOURCES.md, which names the origin of each file of facts.
func sourcesText() []byte {
	var b strings.Builder
	b.WriteString("# Where these facts come from\n\nMade by `go generate ./adapters/slack` (`mkfacts/`): names, types and limits of what\nSlack has published, without its sentences. None of it comes inside the program.\n\n| file | of | licence | sha256 of what it is made of |\n| --- | --- | --- | --- |\n")
	for _, s := range sources {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", s.facts, s.fromText, s.licence, s.sum)
	}
	return []byte(b.String())
}
