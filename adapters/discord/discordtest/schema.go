package discordtest

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

//go:generate go run ./mkfacts

// A schema is Discord's own description of its HTTP API, for the operations supported here;
// see testdata/SOURCES.md.
type schema struct {
	router routers.Router
	held   sync.Map // requests and answers found correct
}

//go:embed testdata/api.json
var description []byte

// load parses the description, once per process.
var load = sync.OnceValue(func() *schema {
	doc, err := openapi3.NewLoader().LoadFromData(description)
	if err != nil {
		panic(err) // covered by a test
	}
	doc.Servers = openapi3.Servers{{URL: "/api/v10"}}
	doc.OpenAPI = "3.0.3" // with 3.1, each request would compile its schema; a test checks that nothing here needs 3.1
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		panic(err)
	}
	return &schema{router: router}
})

// check checks a request against the description, with its JSON body. For a multipart
// request that is the part payload_json, which the description doesn't cover.
func (s *schema) check(r *http.Request, body []byte) error {
	return s.once("> ", r, body, s.checkBody)
}

// once checks a body against the description, unless the same one was correct before: bots
// of many tests send the same ones.
func (s *schema) once(way string, r *http.Request, body []byte, hold func(*http.Request, []byte) error) error {
	key := way + r.Method + " " + r.URL.String() + "\n" + string(body)
	if _, ok := s.held.Load(key); ok {
		return nil
	}
	if err := hold(r, body); err != nil {
		return err
	}
	s.held.Store(key, true)
	return nil
}

func (s *schema) checkBody(r *http.Request, body []byte) error {
	bare := r.Clone(context.Background())
	bare.Header.Set("Content-Type", "application/json")
	bare.ContentLength = int64(len(body))
	if len(body) == 0 {
		bare.Header.Del("Content-Type")
		bare.Body = http.NoBody
	}
	route, params, err := s.router.FindRoute(bare)
	if err != nil {
		return fmt.Errorf("%s %s: %w", r.Method, r.URL.Path, err)
	}
	// Listing all errors takes twice as long as finding out whether there are any.
	validate := func(all bool, more openapi3.SchemaValidationOption) error {
		if len(body) > 0 {
			bare.Body = io.NopCloser(bytes.NewReader(body))
		}
		return openapi3filter.ValidateRequest(context.Background(), &openapi3filter.RequestValidationInput{
			Request: bare, PathParams: params, Route: route,
			Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, SkipSettingDefaults: true, MultiError: all, SchemaValidationOptions: []openapi3.SchemaValidationOption{more}},
		})
	}
	if validate(false, openapi3.FailFast()) != nil {
		return fmt.Errorf("%s %s: %w\n%s", r.Method, route.Path, brief(validate(true, terse)), body)
	}
	if len(body) == 0 || route.Operation.RequestBody == nil {
		return nil
	}
	media := route.Operation.RequestBody.Value.Content["application/json"]
	if media == nil {
		return fmt.Errorf("%s %s takes no JSON", r.Method, route.Path)
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return err
	}
	if unknown := unknownKeys(media.Schema, value, ""); len(unknown) > 0 {
		return fmt.Errorf("%s %s: keys that Discord doesn't know: %s\n%s", r.Method, route.Path, strings.Join(unknown, ", "), body)
	}
	return nil
}

// An undescribed is an answer that newer versions of Discord give beyond the description.
type undescribed map[string]any

// checkAnswer checks the stand-in's own answer against the description, so that a bot which
// passes here also copes with Discord.
func (s *schema) checkAnswer(r *http.Request, answer []byte) error {
	return s.once("< ", r, answer, s.holdAnswer)
}

func (s *schema) holdAnswer(r *http.Request, answer []byte) error {
	route, _, err := s.router.FindRoute(r)
	if err != nil {
		return err
	}
	response := route.Operation.Responses.Status(http.StatusOK)
	if response == nil {
		response = route.Operation.Responses.Status(http.StatusCreated)
	}
	if response == nil || response.Value.Content["application/json"] == nil {
		return fmt.Errorf("%s %s is answered with JSON", r.Method, route.Path)
	}
	var value any
	if err := json.Unmarshal(answer, &value); err != nil {
		return err
	}
	schema := response.Value.Content["application/json"].Schema.Value
	if schema.VisitJSON(value, openapi3.FailFast()) != nil {
		return fmt.Errorf("%s %s is answered with %s: %w", r.Method, route.Path, answer, brief(schema.VisitJSON(value, openapi3.MultiErrors(), terse)))
	}
	return nil
}

// terse omits schemas and values from errors, which are written for each rejected branch of
// a choice.
var terse = openapi3.DisableSchemaErrorDetails()

// brief shortens an error that lists every branch of every choice.
func brief(err error) error {
	text := err.Error()
	if len(text) > 1500 {
		text = text[:1500] + " ..."
	}
	return errors.New(text)
}

// unknownKeys lists the keys of a value that its schema doesn't define, although the
// description accepts them. In a choice of schemas, it uses the one for the value's type,
// or else the one that defines the most keys.
func unknownKeys(ref *openapi3.SchemaRef, value any, path string) []string {
	if ref == nil || ref.Value == nil {
		return nil
	}
	s := ref.Value
	switch v := value.(type) {
	case []any:
		if items := itemsOf(s); items != nil {
			var all []string
			for i, x := range v {
				all = append(all, unknownKeys(items, x, fmt.Sprintf("%s[%d]", path, i))...)
			}
			return all
		}
	case map[string]any:
		best, found := []string(nil), false
		for _, branch := range branches(s) {
			if !isFor(branch.Value, v) {
				continue
			}
			if unknown := unknownIn(branch.Value, v, path); !found || len(unknown) < len(best) {
				best, found = unknown, true
			}
		}
		return best
	}
	return nil
}

func unknownIn(s *openapi3.Schema, v map[string]any, path string) []string {
	if len(s.OneOf)+len(s.AnyOf) > 0 {
		return unknownKeys(&openapi3.SchemaRef{Value: s}, v, path)
	}
	properties := map[string]*openapi3.SchemaRef{}
	collect(s, properties)
	if len(properties) == 0 {
		return nil // any keys are allowed
	}
	var unknown []string
	for key, x := range v {
		switch p := properties[key]; {
		case p != nil:
			unknown = append(unknown, unknownKeys(p, x, path+"."+key)...)
		case s.AdditionalProperties.Schema != nil:
			unknown = append(unknown, unknownKeys(s.AdditionalProperties.Schema, x, path+"."+key)...)
		case hasContent(x) && !slices.Contains(surplus, key):
			unknown = append(unknown, path+"."+key)
		}
	}
	slices.Sort(unknown)
	return unknown
}

// surplus lists keys that discordgo sends in edits, and Discord ignores.
var surplus = []string{"ID", "Channel"}

// hasContent reports whether a value has content: libraries send null, false, and
// empty texts and lists anywhere, and Discord ignores them.
func hasContent(x any) bool {
	switch x := x.(type) {
	case nil:
		return false
	case bool:
		return x
	case string:
		return x != ""
	case []any:
		return len(x) > 0
	}
	return true
}

func collect(s *openapi3.Schema, into map[string]*openapi3.SchemaRef) {
	maps.Copy(into, s.Properties)
	for _, part := range s.AllOf {
		collect(part.Value, into)
	}
}

func branches(s *openapi3.Schema) []*openapi3.SchemaRef {
	if all := slices.Concat(s.OneOf, s.AnyOf); len(all) > 0 {
		return all
	}
	return []*openapi3.SchemaRef{{Value: s}}
}

// isFor reports whether a schema applies to values of a value's type.
func isFor(s *openapi3.Schema, v map[string]any) bool {
	if s.Type != nil && s.Type.Is("null") {
		return false
	}
	p := s.Properties["type"]
	kind, given := v["type"].(float64)
	if p == nil || len(p.Value.Enum) == 0 || !given {
		return true
	}
	return slices.ContainsFunc(p.Value.Enum, func(e any) bool { return fmt.Sprint(e) == fmt.Sprint(kind) })
}

// itemsOf returns the schema of a list's items.
func itemsOf(s *openapi3.Schema) *openapi3.SchemaRef {
	if s.Items != nil {
		return s.Items
	}
	for _, b := range slices.Concat(s.OneOf, s.AnyOf) {
		if b.Value != nil && b.Value.Items != nil {
			return b.Value.Items
		}
	}
	return nil
}
