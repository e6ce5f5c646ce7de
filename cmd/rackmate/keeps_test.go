package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestKeptShelvesAreListed checks that the table shown to people lists exactly the shelves an
// adapter uses, as found in its source: in constants, reads and writes.
func TestKeptShelvesAreListed(t *testing.T) {
	t.Parallel()
	for dir, listed := range map[string][]bot.Keeping{"web": web.Keeps(), "discord": discord.Keeps(), "slack": slack.Keeps()} {
		known, named := map[string]bool{}, map[string]string{}
		for _, k := range listed {
			if k.Why == "" || k.Whose == "" || k.Until == "" || k.By == "" || known[k.Shelf] {
				t.Errorf("%s lists %+v", dir, k)
			}
			known[k.Shelf] = true
		}
		err := filepath.WalkDir(filepath.Join("..", "..", "adapters", dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.Name() == "discordtest" || d.Name() == "slacktest" {
				return fs.SkipDir
			}
			if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.ValueSpec:
					for i, name := range n.Names {
						if strings.HasSuffix(name.Name, "Shelf") && i < len(n.Values) {
							named[literal(n.Values[i])] = path
						}
					}
				case *ast.CallExpr:
					call, ok := n.Fun.(*ast.SelectorExpr)
					if !ok || !slices.Contains([]string{"Put", "Scan", "Keys", "ReadEach", "EachOf"}, call.Sel.Name) {
						break
					}
					for _, arg := range n.Args[:min(len(n.Args), 2)] {
						if shelf := literal(arg); shelf != "" {
							named[shelf] = path
							break
						}
					}
				}
				return true
			})
			return nil
		})
		gametest.Must(t, err)
		if len(named) < 5 {
			t.Errorf("%s: only %v was found", dir, named)
		}
		for shelf, path := range named {
			if !known[shelf] {
				t.Errorf("%s stores %q, which its Keeps doesn't list", path, shelf)
			}
		}
	}
}

// literal returns the string that an expression is, or that a concatenation begins with.
func literal(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return text
		}
	case *ast.BinaryExpr:
		return literal(e.X)
	}
	return ""
}
