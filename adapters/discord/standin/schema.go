package standin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

// A Schema is Discord's own description of its HTTP API.
type Schema struct {
	// Every, where it is more than 1, has only the first requests of each route
	// held against all of the description, and then one in a number: that takes
	// many milliseconds. Keys that the description lacks are looked for in all.
	Every int

	router routers.Router
	held   sync.Map // requests that were right

	mu   sync.Mutex
	seen map[string]int // requests by route
}

// due reports whether another request of a route is to be held against all of
// the description.
func (s *Schema) due(route string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen == nil {
		s.seen = map[string]int{}
	}
	n := s.seen[route]
	s.seen[route]++
	return n < 5 || s.Every < 2 || n%s.Every == 0
}

// LoadSchema reads the description; the error is fs.ErrNotExist where it isn't
// there.
func LoadSchema(file string) (*Schema, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	doc, err := openapi3.NewLoader().LoadFromData(b)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	doc.Servers = openapi3.Servers{{URL: "/api/v10"}}
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	return &Schema{router: router}, nil
}

// check holds a request against the description, with JSON for its body: of a
// multipart request that is the part payload_json, which the description
// doesn't know of.
func (s *Schema) check(r *http.Request, body []byte) error {
	key := r.Method + " " + r.URL.String() + "\n" + string(body)
	if _, ok := s.held.Load(key); ok {
		return nil
	}
	if err := s.hold(r, body); err != nil {
		return err
	}
	s.held.Store(key, true)
	return nil
}

func (s *Schema) hold(r *http.Request, body []byte) error {
	bare := r.Clone(context.Background())
	bare.Header.Set("Content-Type", "application/json")
	bare.Body, bare.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	if len(body) == 0 {
		bare.Header.Del("Content-Type")
		bare.Body = http.NoBody
	}
	route, params, err := s.router.FindRoute(bare)
	if err != nil {
		return fmt.Errorf("%s %s: %w", r.Method, r.URL.Path, err)
	}
	if s.due(r.Method + " " + route.Path) {
		err = openapi3filter.ValidateRequest(context.Background(), &openapi3filter.RequestValidationInput{
			Request: bare, PathParams: params, Route: route,
			Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, MultiError: true},
		})
		if err != nil {
			return fmt.Errorf("%s %s: %w\n%s", r.Method, route.Path, brief(err), body)
		}
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

// brief shortens an error that lists every branch of every choice.
func brief(err error) error {
	text := err.Error()
	if len(text) > 1500 {
		text = text[:1500] + " ..."
	}
	return errors.New(text)
}

// unknownKeys lists the keys of a value that its schema doesn't have, which
// the description would let pass. Where there is a choice of schemas it is that
// for the value's type, or the one that knows most.
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
		return nil // anything goes
	}
	var unknown []string
	for key, x := range v {
		switch p := properties[key]; {
		case p != nil:
			unknown = append(unknown, unknownKeys(p, x, path+"."+key)...)
		case s.AdditionalProperties.Schema != nil:
			unknown = append(unknown, unknownKeys(s.AdditionalProperties.Schema, x, path+"."+key)...)
		default:
			unknown = append(unknown, path+"."+key)
		}
	}
	slices.Sort(unknown)
	return unknown
}

func collect(s *openapi3.Schema, into map[string]*openapi3.SchemaRef) {
	for name, p := range s.Properties {
		into[name] = p
	}
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

// isFor reports whether a schema is for values of a value's type.
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

// itemsOf is the schema of a list's items.
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
