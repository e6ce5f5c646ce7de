package notes

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// This file preserves fields that a newer version of the program has added to a row. They
// survive when a row is read, changed and written back.

// KeepUnknown returns now, a row of type t, with the fields of was, the row it replaces, that t
// doesn't have.
func KeepUnknown(t reflect.Type, was, now []byte) []byte {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	known := fieldsOf(t)
	if known == nil && t.Kind() != reflect.Map {
		return now
	}
	var before, after map[string]json.RawMessage
	if json.Unmarshal(was, &before) != nil || json.Unmarshal(now, &after) != nil || after == nil {
		return now
	}
	changed := false
	for name, value := range before {
		field, ok := known[name]
		if t.Kind() == reflect.Map {
			field, ok = t.Elem(), true
		}
		is, there := after[name]
		switch {
		case !ok:
			after[name], changed = value, true
		case there: // a known field missing from the new row was removed on purpose
			if with := KeepUnknown(field, value, is); string(with) != string(is) {
				after[name], changed = with, true
			}
		}
	}
	if !changed {
		return now
	}
	b, err := json.Marshal(after)
	if err != nil {
		return now
	}
	return b
}

var knownFields sync.Map // map[string]reflect.Type by type

// fieldsOf returns the JSON fields of a type's values, with their types. It returns nil if
// the values aren't objects or the type has its own encoding.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	if t.Kind() != reflect.Struct || marshalsItself(t) {
		return nil
	}
	if known, ok := knownFields.Load(t); ok {
		return known.(map[string]reflect.Type)
	}
	fields := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-", f.Anonymous && name == "", !f.IsExported():
			continue
		case name == "":
			name = f.Name
		}
		fields[name] = f.Type
	}
	knownFields.Store(t, fields)
	return fields
}

// Fields returns the JSON fields of a type's values and of their parts, each by its path:
// "spans.from".
func Fields(t reflect.Type) (all []string) {
	listFields(t, "", nil, func(at string) { all = append(all, at) })
	slices.Sort(all)
	return all
}

// listFields calls fn with the path of each field. within holds the enclosing types, to
// stop at recursive ones.
func listFields(t reflect.Type, at string, within []reflect.Type, fn func(at string)) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Array || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if slices.Contains(within, t) {
		return
	}
	for name, field := range fieldsOf(t) {
		fn(at + name)
		listFields(field, at+name+".", append(slices.Clip(within), t), fn)
	}
}

func marshalsItself(t reflect.Type) bool {
	marshaler := reflect.TypeFor[json.Marshaler]()
	return t.Implements(marshaler) || reflect.PointerTo(t).Implements(marshaler)
}
