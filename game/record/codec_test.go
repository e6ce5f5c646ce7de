package record_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game/record"
)

// Every fact of package game is registered, once, under a kind of its own. A
// fact is a type with the method apply.
func TestEveryFactHasACodec(t *testing.T) {
	kinds, _, registered := record.StoredTypes()
	var names []string
	for i, f := range registered {
		names = append(names, f.Name())
		if slices.Contains(kinds[:i], kinds[i]) {
			t.Errorf("two facts are stored as %q", kinds[i])
		}
	}
	all := factNames(t)
	if len(all) < 30 {
		t.Fatalf("only %d facts were found in package game: %q", len(all), all)
	}
	for _, name := range all {
		if n := len(slices.DeleteFunc(slices.Clone(names), func(s string) bool { return s != name })); n != 1 {
			t.Errorf("the fact %s has %d codecs", name, n)
		}
	}
}

// factNames are the types of package game with a method apply, but State.
func factNames(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../*.go")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || f.Name.Name != "apply" {
				continue
			}
			if of, ok := f.Recv.List[0].Type.(*ast.Ident); ok {
				names = append(names, of.Name)
			}
		}
	}
	return names
}
