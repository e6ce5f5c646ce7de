package slacktest

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestMethodsMatchSlack checks that the stand-in's parameters match Slack's description:
// see ../testdata/SOURCES.md.
func TestMethodsMatchSlack(t *testing.T) {
	b, err := os.ReadFile("testdata/web-api.txt")
	if err != nil {
		t.Fatal(err)
	}
	official := map[string][]string{} // by method; a parameter is written like "channel:string!"
	for line := range bytes.Lines(b) {
		words := strings.Fields(string(line))
		official[words[0]] = words[1:]
	}
	checked := 0
	for name, m := range Methods() {
		parameters, known := official[name]
		if known != m.Official {
			t.Errorf("%s is described: %v; the stand-in says %v", name, known, m.Official)
		}
		if !known {
			continue
		}
		checked++
		var names []string
		for _, p := range parameters {
			p, kind, _ := strings.Cut(p, ":")
			names = append(names, p)
			if strings.HasSuffix(kind, "!") && p != "token" && !slices.Contains(m.Must, p) && name != "oauth.v2.access" && name != "chat.unfurl" { // since the description was written, an unfurl can also be identified by its unfurl_id
				t.Errorf("%s must have %s", name, p)
			}
		}
		for _, own := range slices.Concat(m.Must, m.Can) {
			if !slices.Contains(names, own) {
				t.Errorf("%s has no parameter %s", name, own)
			}
		}
	}
	if checked < 10 {
		t.Errorf("only %d methods checked", checked)
	}
}
