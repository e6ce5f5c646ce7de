package store

import (
	"encoding/json"
	"maps"
	"reflect"
	"strings"
)

// KeepUnknown is a row in JSON that takes the place of an old one, with the fields that
// the old one has and the type of the new one doesn't: those of a newer version.
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
	names(reflect.TypeOf(row), known)
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

// names notes what the fields of a struct are called in JSON.
func names(t reflect.Type, into map[string]bool) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			names(f.Type, into)
		case name == "":
			into[f.Name] = true
		default:
			into[name] = true
		}
	}
}
