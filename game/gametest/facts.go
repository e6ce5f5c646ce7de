package gametest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// FactNames are the names of all facts, from the source of package game: the
// types with a method apply.
func FactNames(tb testing.TB) []string {
	tb.Helper()
	_, here, _, _ := runtime.Caller(0)
	files, err := filepath.Glob(filepath.Join(filepath.Dir(here), "..", "*.go"))
	if err != nil {
		tb.Fatal(err)
	}
	var names []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			tb.Fatal(err)
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
	if len(names) < 30 {
		tb.Fatalf("only %d facts were found in package game: %q", len(names), names)
	}
	return slices.Sorted(slices.Values(names))
}
