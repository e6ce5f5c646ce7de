package gametest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// FactNames returns the names of all facts from the source of package game: the types with a method
// apply.
func FactNames(tb testing.TB) []string {
	tb.Helper()
	// Tests run in the folder of their package. With -trimpath the compiler's source paths don't
	// exist on this machine.
	root, err := os.Getwd()
	for err == nil && root != filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		root = filepath.Dir(root)
	}
	files, err := filepath.Glob(filepath.Join(root, "game", "*.go"))
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
