package store

import (
	"encoding/json"
	"maps"
	"reflect"
	"strings"
)

// KeepUnknown returns a row in JSON that replaces an old one. It keeps fields of the old one that
// the new one's type doesn't have, since they belong to a newer version.
func KeepUnknown(old []byte, row any) ([]byte, error) {
	is, err := json.Marshal(row)
	if err != nil {
		return nil, err
	}
	var had, has map[string]json.RawMessage
	if err := json.Unmarshal(old, &had); err != nil {
		return nil, err
	}
	known := map[string]bool{}
	collectNames(reflect.TypeOf(row), known)
	for name := range had {
		if known[name] {
			delete(had, name)
		}
	}
	if len(had) == 0 {
		return is, nil
	}
	if err := json.Unmarshal(is, &has); err != nil {
		return nil, err
	}
	maps.Copy(has, had)
	return json.Marshal(has)
}

// collectNames collects the JSON names of a struct's fields.
func collectNames(t reflect.Type, into map[string]bool) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			collectNames(f.Type, into)
		case name == "":
			into[f.Name] = true
		default:
			into[name] = true
		}
	}
}
