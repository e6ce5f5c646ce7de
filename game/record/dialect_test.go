package record

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
)

var dialects = flag.Bool("dialects", false, "add to testdata/dialects.txt what has come since, in the latest dialect")

// fields returns the paths of a stored type's fields.
func fields(at string, t reflect.Type) (all []string) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			all = append(all, fields(at, f.Type)...)
		case name != "" && name != "-":
			all = append(append(all, at+"."+name), fields(at+"."+name, f.Type)...)
		}
	}
	return all
}

// TestEverythingHasDialect checks that everything stored belongs to a dialect no earlier than the
// one that introduced it, because programs unaware of it must refuse the store.
func TestEverythingHasDialect(t *testing.T) {
	var all []string
	for kind, c := range byKind {
		all = append(append(all, kind), fields(kind, reflect.TypeOf(c.empty()))...)
	}
	slices.Sort(all)
	if len(all) < 150 {
		t.Fatalf("only %d kinds and fields were found", len(all))
	}
	const file = "testdata/dialects.txt"
	text, err := os.ReadFile(file)
	if err != nil && !*dialects {
		t.Fatal(err)
	}
	listed := map[string]int{}
	for line := range strings.Lines(string(text)) {
		var dialect int
		var name string
		if _, err := fmt.Sscan(line, &dialect, &name); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		listed[name] = dialect
	}
	var lines strings.Builder
	for _, name := range all {
		was, ok := listed[name]
		switch {
		case !ok && *dialects:
			was = Dialect
		case !ok:
			t.Errorf("%s is new: raise Dialect, put %q into since with it, and run go test ./game/record -run Dialect -dialects", name, name)
		case was != max(1, since[name]):
			t.Errorf("%s came with dialect %d, and since says %d", name, was, since[name])
		}
		delete(listed, name)
		fmt.Fprintln(&lines, was, name)
	}
	for name := range listed {
		t.Errorf("%s is gone, and stored events have it", name)
	}
	if *dialects {
		gametest.Must(t, os.WriteFile(file, []byte(lines.String()), 0o644))
	}
}

// TestDialectOf checks that an event has the newest dialect of its parts, wherever they are.
func TestDialectOf(t *testing.T) {
	log, err := MarshalLog(gametest.Log(t, 30))
	gametest.Must(t, err)
	for i, c := range []struct {
		since map[string]int
		want  int
	}{
		{nil, 1},
		{map[string]int{"shuffled": 2}, 1},
		{map[string]int{"opened": 2}, 2},
		{map[string]int{"opened": 2, "opened.rules.name": 3}, 3},
		{map[string]int{"opened.rules.name": 2, "opened.rules.flavour": 3}, 2},
		{map[string]int{"opened.tiles.kinds.letter": 4, "opened.host": 3}, 3},
		{map[string]int{"opened.lexicon.name=small": 4, "opened.lexicon.name=xx": 5}, 4},
	} {
		if got := dialectOf(log[0], c.since); got != c.want {
			t.Errorf("case %d: dialect %d, want %d", i, got, c.want)
		}
	}
	row := []byte(`{"v":1,"ping":"silent","quiet":[{"from":22}]}`)
	for i, c := range []struct {
		since map[string]int
		want  int
	}{
		{nil, 1},
		{map[string]int{"host/settings": 2}, 2},
		{map[string]int{"host/settings.ping": 3}, 3},
		{map[string]int{"host/settings.ping=silent": 3, "host/settings.ping=loud": 4}, 3},
		{map[string]int{"host/settings.quiet.from": 4}, 4},
		{map[string]int{"host/settings.quiet.until": 4, "web/settings": 3, "host/set": 3}, 1},
	} {
		if got := dialectOfNote("host/settings", row, c.since); got != c.want {
			t.Errorf("row %d: dialect %d, want %d", i, got, c.want)
		}
	}
	for _, data := range log {
		if got := DialectOf(data); got > Dialect {
			t.Errorf("this program writes dialect %d, and knows %d", got, Dialect)
		}
	}
}
