// Mkfacts reduces Discord's description of its API and the samples of its
// documentation to facts: names, types and limits, without a sentence. Go generate
// runs it in the folder of package discordtest.
//
//	git clone https://github.com/discord/discord-api-spec
//	git clone https://github.com/discord/discord-api-docs
//	DISCORD_SPEC=... DISCORD_DOCS=... go generate ./adapters/discord/discordtest
//
// It reads both at the commits that testdata/SOURCES.md names, and refuses a
// description with another checksum.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// Where the facts are from.
const (
	specCommit = "74fda0f"
	specFile   = "specs/openapi.json"
	specSum    = "8c1d0707ccdf8e380a86dfba04058820a66435c1b69d5ed82e04dd8c0520dd73"
	docsCommit = "c98d64b"
)

// operations lists the operations that the stand-in answers, by path.
var operations = map[string][]string{
	"/gateway":          {"get"},
	"/gateway/bot":      {"get"},
	"/applications/@me": {"get"},
	"/users/@me":        {"get"},
	"/users/@me/guilds": {"get"},
	"/applications/{application_id}/commands":                         {"get", "put"},
	"/applications/{application_id}/activity-instances/{instance_id}": {"get"},
	"/guilds/{guild_id}":                                           {"get"},
	"/guilds/{guild_id}/channels":                                  {"get"},
	"/guilds/{guild_id}/members/{user_id}":                         {"get"},
	"/users/@me/channels":                                          {"post"},
	"/channels/{channel_id}":                                       {"get", "patch"},
	"/channels/{channel_id}/messages":                              {"get", "post"},
	"/channels/{channel_id}/messages/{message_id}":                 {"patch", "delete"},
	"/channels/{channel_id}/messages/{message_id}/threads":         {"post"},
	"/channels/{channel_id}/messages/pins/{message_id}":            {"put"},
	"/channels/{channel_id}/threads":                               {"post"},
	"/interactions/{interaction_id}/{interaction_token}/callback":  {"post"},
	"/webhooks/{webhook_id}/{webhook_token}":                       {"post"},
	"/webhooks/{webhook_id}/{webhook_token}/messages/@original":    {"get", "patch", "delete"},
	"/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}": {"patch", "delete"},
}

func main() {
	log.SetFlags(0)
	spec := show(os.Getenv("DISCORD_SPEC"), specCommit, specFile)
	if sum := fmt.Sprintf("%x", sha256.Sum256(spec)); sum != specSum {
		log.Fatalf("%s has the checksum %s, want %s", specFile, sum, specSum)
	}
	write("testdata/api.json", reduce(spec))
	write("../testdata/samples.json", samples(os.Getenv("DISCORD_DOCS")))
}

// show returns a file as of a commit in a clone.
func show(clone, commit, file string) []byte {
	return git(clone, "show", commit+":"+file)
}

func git(clone string, args ...string) []byte {
	if clone == "" {
		log.Fatal("DISCORD_SPEC and DISCORD_DOCS name the clones to read")
	}
	out, err := exec.Command("git", append([]string{"-C", clone}, args...)...).Output()
	if err != nil {
		log.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return out
}

func write(file string, v any) {
	b, err := json.Marshal(v)
	if err == nil {
		err = os.WriteFile(file, append(b, '\n'), 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

type object = map[string]any

// reduce returns the part of a description that the operations need.
func reduce(spec []byte) object {
	var all object
	if err := json.Unmarshal(spec, &all); err != nil {
		log.Fatal(err)
	}
	paths := object{}
	for path, methods := range operations {
		there, ok := all["paths"].(object)[path].(object)
		if !ok {
			log.Fatalf("there is no %s", path)
		}
		kept := object{}
		if p, ok := there["parameters"]; ok {
			kept["parameters"] = facts(p, false)
		}
		for _, method := range methods {
			kept[method] = operation(there[method].(object))
		}
		paths[path] = kept
	}
	schemas, from := object{}, all["components"].(object)["schemas"].(object)
	for wanted := refs(paths); len(wanted) > 0; {
		name := wanted[0]
		wanted = wanted[1:]
		if _, done := schemas[name]; done {
			continue
		}
		schemas[name] = facts(from[name], false)
		wanted = append(wanted, refs(schemas[name])...)
	}
	return object{
		"openapi":    all["openapi"],
		"info":       object{"title": "Discord", "version": "10", "license": object{"name": "MIT"}},
		"paths":      paths,
		"components": object{"schemas": schemas},
	}
}

// operation returns an operation's parameters, and the bodies of its request and its
// successful responses, as JSON only.
func operation(op object) object {
	kept := object{"operationId": op["operationId"], "responses": object{}}
	if p, ok := op["parameters"]; ok {
		kept["parameters"] = facts(p, false)
	}
	if body, ok := op["requestBody"].(object); ok {
		kept["requestBody"] = asJSON(body)
	}
	for status, response := range op["responses"].(object) {
		if strings.HasPrefix(status, "2") {
			taken := asJSON(response.(object))
			taken["description"] = "" // which the format asks for
			kept["responses"].(object)[status] = taken
		}
	}
	return kept
}

// asJSON returns a body's JSON form alone.
func asJSON(body object) object {
	kept := object{}
	if r, ok := body["required"]; ok {
		kept["required"] = r
	}
	if content, ok := body["content"].(object); ok && content["application/json"] != nil {
		kept["content"] = object{"application/json": facts(content["application/json"], false)}
	}
	return kept
}

// prose lists the keys of a schema that only help human readers.
var prose = []string{"description", "title", "summary", "example", "examples", "externalDocs"}

// facts returns a value without prose. If names is set, the keys of an object are
// Discord's names for things, and all of them are kept.
func facts(v any, names bool) any {
	switch v := v.(type) {
	case []any:
		kept := make([]any, len(v))
		for i, x := range v {
			kept[i] = facts(x, false)
		}
		return kept
	case object:
		if values := constants(v); values != nil {
			return object{"type": v["type"], "enum": values}
		}
		kept := object{}
		for key, x := range v {
			if names || !slices.Contains(prose, key) {
				kept[key] = facts(x, !names && key == "properties")
			}
		}
		return kept
	}
	return v
}

// constants returns the values of a choice that consists only of constants, or nil.
func constants(v object) (values []any) {
	choices, _ := v["oneOf"].([]any)
	for _, c := range choices {
		value, is := c.(object)["const"]
		if !is {
			return nil
		}
		values = append(values, value)
	}
	return values
}

const schemaRef = "#/components/schemas/"

// refs returns the names of the schemas that a value refers to.
func refs(v any) (names []string) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			names = append(names, refs(x)...)
		}
	case object:
		for key, x := range v {
			if ref, is := x.(string); is && key == "$ref" {
				names = append(names, strings.TrimPrefix(ref, schemaRef))
			}
			names = append(names, refs(x)...)
		}
	}
	return names
}

// A sample is a block of JSON in Discord's documentation.
type sample struct {
	Page string          `json:"page"`
	Line int             `json:"line"`
	JSON json.RawMessage `json:"json"`
}

var block = regexp.MustCompile("(?ms)^```json[^\n]*\n(.*?)^```")

// samples returns the JSON examples on the pages about what Discord sends, with their
// sentences blanked out.
func samples(docs string) (all []sample) {
	pages := strings.Fields(string(git(docs, "ls-tree", "-r", "--name-only", docsCommit, "developers/components", "developers/events", "developers/interactions", "developers/resources")))
	for _, page := range pages {
		text := show(docs, docsCommit, page)
		for _, at := range block.FindAllSubmatchIndex(text, -1) {
			var v any
			dec := json.NewDecoder(bytes.NewReader(text[at[2]:at[3]]))
			dec.UseNumber()
			if dec.Decode(&v) != nil {
				continue // with remarks in it
			}
			b, err := json.Marshal(blanked(v))
			if err != nil {
				log.Fatal(err)
			}
			all = append(all, sample{page, 1 + bytes.Count(text[:at[0]], []byte("\n")), b})
		}
	}
	return all
}

// token matches strings that programs read: ids, names, times and numbers.
var token = regexp.MustCompile(`^[A-Za-z0-9_.:+-]*$`)

// blanked replaces each character of a sample's sentences and addresses with an x.
func blanked(v any) any {
	switch v := v.(type) {
	case string:
		if !token.MatchString(v) {
			return strings.Repeat("x", len([]rune(v)))
		}
	case []any:
		for i := range v {
			v[i] = blanked(v[i])
		}
	case object:
		for key := range v {
			v[key] = blanked(v[key])
		}
	}
	return v
}
