package discordtest

import (
	"crypto/sha256"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// TestSchemaAcceptsAndRefuses checks which requests the description accepts and refuses.
func TestSchemaAcceptsAndRefuses(t *testing.T) {
	s := load()
	button := `{"type":1,"components":[{"type":2,"label":"x","style":1,"custom_id":"a"`
	for _, c := range []struct{ method, path, body, wrong string }{
		{"POST", "/channels/1/messages", `{"content":"hi","components":[` + button + `}]}],"nonce":"a-1","enforce_nonce":true}`, ""},
		{"POST", "/channels/1/messages", `{"content":"hi","bogus":1}`, ".bogus"},
		{"POST", "/channels/1/messages", `{"content":"hi","components":[` + button + `,"bogus":1}]}]}`, ".components[0].components[0].bogus"},
		{"POST", "/channels/1/messages", `{"content":1}`, "content"},
		{"POST", "/interactions/1/t/callback", `{"type":5,"data":{"flags":64}}`, ""},
		{"POST", "/interactions/1/t/callback", `{"type":4,"data":{"content":"x","title":"y"}}`, ".data.title"},
		{"POST", "/interactions/1/t/callback", `{"type":99}`, "type"},
		{"PATCH", "/webhooks/1/t/messages/@original", `{"attachments":[{"id":0}]}`, "attachments"},
		{"PUT", "/applications/1/commands", `[{"type":1,"name":"x","description":"y","options":[{"type":3,"name":"o","description":"d","wrong":1}]}]`, ".options[0].wrong"},
		{"GET", "/gateway/bot", "", ""},
		{"GET", "/nowhere", "", "no matching operation"},
	} {
		err := s.check(httptest.NewRequest(c.method, "/api/v10"+c.path, nil), []byte(c.body))
		switch {
		case c.wrong == "" && err != nil:
			t.Errorf("%s %s %s: %v", c.method, c.path, c.body, err)
		case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
			t.Errorf("%s %s %s: %v, want something about %s", c.method, c.path, c.body, err, c.wrong)
		}
	}
}

// TestSchemasUseNoOpenAPI31 checks that no schema has a keyword introduced with OpenAPI
// 3.1: requests are checked as if the description were of 3.0, which ignores such keywords.
func TestSchemasUseNoOpenAPI31(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(description)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	err = doc.WalkSchemas(func(where string, ref *openapi3.SchemaRef) error {
		seen++
		s := ref.Value
		if s.Const != nil || s.Contains != nil || s.PropertyNames != nil || s.ContentSchema != nil || s.If != nil || s.Then != nil || s.Else != nil ||
			len(s.PrefixItems)+len(s.PatternProperties)+len(s.DependentSchemas)+len(s.DependentRequired)+len(s.Defs) > 0 ||
			s.UnevaluatedItems != (openapi3.BoolSchema{}) || s.UnevaluatedProperties != (openapi3.BoolSchema{}) {
			t.Errorf("%s has a keyword of OpenAPI 3.1", where)
		}
		return nil
	})
	if err != nil || seen < 100 {
		t.Errorf("%d schemas were seen, %v", seen, err)
	}
}

// TestDataFilesMatchSources checks that the data files are the ones that testdata/SOURCES.md describes.
func TestDataFilesMatchSources(t *testing.T) {
	sources, err := os.ReadFile("testdata/SOURCES.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"api.json", "../../testdata/samples.json"} {
		b, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		if sum := fmt.Sprintf("%x", sha256.Sum256(b)); !regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(file) + ` \|.*\| ` + sum + ` \|$`).Match(sources) {
			t.Errorf("%s has the checksum %s, and SOURCES.md another", file, sum)
		}
	}
}
