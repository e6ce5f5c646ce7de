package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

var listNew = flag.Bool("dialects", false, "add to testdata/rows.txt what has come since, in the latest dialect")

// rowsOf maps the types of adapters' rows to their shelves.
var rowsOf = map[string]string{
	"discord.formerEntry":   "discord/last",
	"discord.launch":        "discord/launches",
	"discord.session":       "discord/session",
	"discord.tagging":       "discord/tags",
	"discord.visit":         "discord/visits",
	"slack.installation":    "slack/installations",
	"outbox.Entry":          "discord/last slack/last",
	"slack.formerEntry":     "slack/last",
	"slack.ackedRequest":    "slack/taken",
	"web.pushKeys":          "web/secret",
	"web.storedAddress":     "web/addresses",
	"web.storedBar":         "web/bars",
	"web.storedChannel":     "web/channels",
	"web.storedCount":       "web/count",
	"web.storedInvitation":  "web/invitations",
	"web.storedLine":        "web/said/",
	"web.storedPerson":      "web/people",
	"web.storedPush":        "web/push/",
	"web.storedReservation": "web/names-at-rest",
	"web.storedStanding":    "web/standing",
	"web.storedWait":        "web/waiting",
}

// An adapterRow is a shelf of an adapter, or a field of its rows.
type adapterRow struct{ shelf, field string }

// keptByAdapters returns all of them, from the adapters' source: a shelf is a named constant, and
// what is stored as JSON is a type with a version field.
func keptByAdapters(t *testing.T) (all []adapterRow) {
	t.Helper()
	left := maps.Clone(rowsOf)
	for _, adapter := range []string{"discord", "outbox", "slack", "web"} {
		files, err := filepath.Glob("../../adapters/" + adapter + "/*.go")
		within, err1 := filepath.Glob("../../adapters/" + adapter + "/push/*.go")
		if err := errors.Join(err, err1); err != nil || len(files) == 0 {
			t.Fatal(err)
		}
		files = append(files, within...)
		types, shelves := map[string]*ast.StructType{}, map[string]bool{}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			gametest.Must(t, err)
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.TypeSpec:
					if s, ok := n.Type.(*ast.StructType); ok {
						types[n.Name.Name] = s
					}
				case *ast.ValueSpec:
					if value, ok := onlyOf(n.Values).(*ast.BasicLit); ok && strings.HasSuffix(n.Names[0].Name, "Shelf") {
						shelf, err := strconv.Unquote(value.Value)
						gametest.Must(t, err)
						shelves[adapter+"/"+shelf] = true
					}
				}
				return true
			})
		}
		for name, s := range types {
			at, ok := rowsOf[adapter+"."+name]
			delete(left, adapter+"."+name)
			if fields := fieldsOf(s, types); ok {
				for _, shelf := range strings.Fields(at) {
					shelves[shelf] = true
					for _, field := range fields {
						all = append(all, adapterRow{shelf, field})
					}
				}
			} else if slices.Contains(fields, "v") && s.Fields.List[0].Names[0].Name == "V" {
				t.Errorf("adapters/%s has a type %s with a version, so that it is stored: rowsOf doesn't say on which shelf", adapter, name)
			}
		}
		for shelf := range shelves {
			all = append(all, adapterRow{shelf: shelf})
		}
	}
	for name := range left {
		t.Errorf("the adapters have no type %s", name)
	}
	slices.SortFunc(all, func(a, b adapterRow) int { return cmp.Compare(a.shelf+"."+a.field, b.shelf+"."+b.field) })
	return slices.Compact(all) // an entry of today has fields of former ones
}

func onlyOf(values []ast.Expr) ast.Expr {
	if len(values) != 1 {
		return nil
	}
	return values[0]
}

// fieldsOf returns the JSON fields of a struct, including the fields of nested types of the same
// package.
func fieldsOf(s *ast.StructType, types map[string]*ast.StructType) (all []string) {
	for _, f := range s.Fields.List {
		if f.Tag == nil || len(f.Names) == 0 {
			continue
		}
		name, _, _ := strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		all = append(all, name)
		var within *ast.StructType
		ast.Inspect(f.Type, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.StructType:
				within = n
				return false
			case *ast.Ident:
				if types[n.Name] != s { // a type may contain itself
					within = cmp.Or(types[n.Name], within)
				}
			case *ast.SelectorExpr: // of another package
				return false
			}
			return true
		})
		if within != nil {
			for _, field := range fieldsOf(within, types) {
				all = append(all, name+"."+field)
			}
		}
	}
	return all
}

// TestOlderProgramsRefuseNewerData checks that a program that can't read what this one writes won't open it.
// Every shelf, every field of its rows, the adapters' included, and every shipped word list is
// listed with the dialect that introduced it: 1 if older programs handle it safely and keep it;
// otherwise older programs must refuse the store from the first row or table that has it.
func TestOlderProgramsRefuseNewerData(t *testing.T) {
	const file = "testdata/rows.txt"
	text, err := os.ReadFile(file)
	if err != nil && !*listNew {
		t.Fatal(err)
	}
	listed := map[string]int{}
	for line := range strings.Lines(string(text)) {
		var dialect int
		if _, err := fmt.Sscan(line, &dialect); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		_, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		listed[name] = dialect
	}
	var lines []string
	of := func(name string, is int, how string) {
		was, ok := listed[name]
		switch {
		case !ok && *listNew:
			was = max(is, 1)
		case !ok:
			t.Errorf("%s is new. Where a program that doesn't know it would do something wrong, %s. Then run go test ./cmd/rackmate -run TestOlderProgramsRefuseNewerData -dialects", name, how)
		case was != is:
			t.Errorf("%s came with dialect %d, and is written in %d", name, was, is)
		}
		delete(listed, name)
		lines = append(lines, fmt.Sprint(was, " ", name))
	}

	c := &serveConfig{}
	config, err := c.hostConfig(slog.New(slog.DiscardHandler))
	gametest.Must(t, err)
	store := memory.New()
	config.Store, config.Notes = store, store.Notes(hostNotes)
	config.Platforms = func() []bot.Platform { return nil }
	const raise = "raise record.Dialect and put it into record's notesSince with it"
	for _, l := range host.New(config).Shelves() {
		shelf := hostNotes + "/" + l.Name
		of(shelf, record.DialectOfNote(hostNotes, l.Name, []byte("{}")), raise)
		for _, field := range l.Fields {
			row := `null`
			for _, part := range slices.Backward(strings.Split(field, ".")) {
				row = fmt.Sprintf("{%q:%s}", part, row)
			}
			of(shelf+"."+field, record.DialectOfNote(hostNotes, l.Name, []byte(row)), raise)
		}
	}
	for _, row := range keptByAdapters(t) {
		adapter, shelf, _ := strings.Cut(row.shelf, "/")
		value := `null`
		if row.field != "" {
			for _, part := range slices.Backward(strings.Split(row.field, ".")) {
				value = fmt.Sprintf("{%q:%s}", part, value)
			}
			row.shelf += "."
		}
		of(row.shelf+row.field, record.DialectOfNote(adapter, shelf, []byte(value)), raise)
	}
	for _, l := range slices.Concat(config.Lexicons, config.FormerLexicons) {
		opened := fmt.Sprintf(`{"kind":"opened","fact":{"lexicon":{"name":%q,"hash":%q}}}`, l.Name(), l.Hash())
		of("list "+l.Name()+" "+l.Hash(), record.DialectOf([]byte(opened)),
			`raise record.Dialect, put "opened.lexicon.hash=`+l.Hash()+`" into record's since with it, and keep the list that it replaces among the former ones`)
	}
	for name := range listed {
		t.Errorf("%s is gone, and what is stored may have it", name)
	}
	if len(lines) < 150 {
		t.Errorf("only %d were found", len(lines))
	}
	if *listNew {
		slices.Sort(lines)
		gametest.Must(t, os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o644))
	}
}
