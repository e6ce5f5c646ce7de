// Command rename changes the wording of English sentences in the code, in the pages, and as keys of the
// catalogues, whose translations stay:
//
//	go run ./data/sentences/rename CHANGES.json
//
// CHANGES.json is an object that maps current sentences to new ones. A sentence must keep the names of
// its values; if their order changes, the values in the code are reordered. If the meaning changes,
// update the translations by hand.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"html"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/data/sentences"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./data/sentences/rename CHANGES.json, at the top of the repository")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(file string) error {
	var changes map[string]string
	if err := readJSON(file, &changes); err != nil {
		return err
	}
	for old, is := range changes {
		if old == is {
			delete(changes, old)
			continue
		}
		if err := sameValues(old, is); err != nil {
			return err
		}
	}
	used := map[string]bool{}
	for _, top := range []string{"adapters", "bot", "cmd", "game", "imaging"} {
		if err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			switch {
			case strings.HasSuffix(path, "_test.go"):
			case strings.HasSuffix(path, ".go"):
				return inGo(path, changes, used)
			case filepath.Dir(path) == filepath.Join("adapters", "web", "static") && filepath.Ext(path) == ".js", filepath.Ext(path) == ".html":
				return inPage(path, changes, used)
			}
			return nil
		}); err != nil {
			return err
		}
	}
	catalogues, err := filepath.Glob("data/sentences/*.json")
	if err != nil {
		return err
	}
	for _, path := range catalogues {
		if err := inCatalogue(path, changes, used); err != nil {
			return err
		}
	}
	for _, old := range slices.Sorted(maps.Keys(changes)) {
		if !used[old] {
			fmt.Printf("no code and no page contains %q\n", old)
		}
	}
	return nil
}

func readJSON(path string, v any) error {
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return err
}

// sameValues returns an error unless both sentences name the same values.
func sameValues(old, is string) error {
	was, err1 := sentences.Parse(old)
	now, err2 := sentences.Parse(is)
	if err := errors.Join(err1, err2); err != nil {
		return fmt.Errorf("%q: %w", is, err)
	}
	if !slices.Equal(slices.Sorted(slices.Values(was.Names())), slices.Sorted(slices.Values(now.Names()))) {
		return fmt.Errorf("%q names %q, and %q names %q", old, was.Names(), is, now.Names())
	}
	return nil
}

// inGo changes the constants of a file, and the order of their values.
func inGo(path string, changes map[string]string, used map[string]bool) error {
	src, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, path, src, parser.ParseComments)
	if err != nil {
		return err
	}
	edits := editsOf(f, src, func(p token.Pos) int { return files.Position(p).Offset }, changes, used)
	if len(edits) == 0 {
		return nil
	}
	slices.SortFunc(edits, func(a, b edit) int { return b.from - a.from })
	for i, e := range edits {
		if i > 0 && e.to > edits[i-1].from {
			return fmt.Errorf("%s: the values inside a value change their order: edit %s by hand", path, files.Position(files.File(f.Pos()).Pos(e.from)))
		}
		src = slices.Concat(src[:e.from], []byte(e.text), src[e.to:])
	}
	if src, err = format.Source(src); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, src, 0o666)
}

// An edit replaces a part of a file with a text.
type edit struct {
	from, to int
	text     string
}

// editsOf returns the edits of a file; at returns the offset of a position in src.
func editsOf(f *ast.File, src []byte, at func(token.Pos) int, changes map[string]string, used map[string]bool) (edits []edit) {
	ast.Inspect(f, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		if call, ok := n.(*ast.CallExpr); ok {
			for i, a := range call.Args {
				old, ok := constant(a)
				is := changes[old]
				if !ok || is == "" {
					continue
				}
				was, _ := sentences.Parse(old)
				now, _ := sentences.Parse(is)
				values := call.Args[i+1:]
				if len(values) != len(was.Names()) {
					continue
				}
				for k, name := range now.Names() {
					if v := values[slices.Index(was.Names(), name)]; v != values[k] {
						edits = append(edits, edit{at(values[k].Pos()), at(values[k].End()), string(src[at(v.Pos()):at(v.End())])})
					}
				}
			}
			return true
		}
		if old, ok := constant(e); ok {
			if is := changes[old]; is != "" {
				used[old] = true
				edits = append(edits, edit{at(e.Pos()), at(e.End()), strconv.Quote(is)})
			}
			return false
		}
		return true
	})
	return edits
}

// constant returns the string of a constant expression, possibly concatenated.
func constant(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		s, err := strconv.Unquote(e.Value)
		return s, err == nil
	case *ast.BinaryExpr:
		a, ok1 := constant(e.X)
		b, ok2 := constant(e.Y)
		return a + b, ok1 && ok2 && e.Op == token.ADD
	}
	return "", false
}

// inPage changes the sentences in a script or page of the room.
func inPage(path string, changes map[string]string, used map[string]bool) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	page := string(b)
	for _, old := range slices.Sorted(maps.Keys(changes)) {
		is := changes[old]
		var forms []string
		if filepath.Ext(path) == ".js" {
			forms = []string{strconv.Quote(old), strconv.Quote(is)}
		} else {
			was, now := html.EscapeString(old), html.EscapeString(is)
			forms = []string{">" + was + "<", ">" + now + "<", "> " + was + "<", "> " + now + "<", `"` + was + `"`, `"` + now + `"`, ">" + old + "<", ">" + is + "<", `"` + old + `"`, `"` + is + `"`}
		}
		if changed := strings.NewReplacer(forms...).Replace(page); changed != page {
			page, used[old] = changed, true
		}
	}
	if page == string(b) {
		return nil
	}
	return os.WriteFile(path, []byte(page), 0o666)
}

// inCatalogue changes the keys of a catalogue. A key that already exists keeps its own translation.
func inCatalogue(path string, changes map[string]string, used map[string]bool) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var file struct {
		Name      string            `json:"name"`
		Complete  bool              `json:"complete,omitempty"`
		Sentences map[string]string `json:"sentences"`
	}
	if err := json.Unmarshal(b, &file); err != nil || file.Name == "" {
		return err // not a catalogue
	}
	for _, old := range slices.Sorted(maps.Keys(changes)) {
		is := changes[old]
		own, had := file.Sentences[old]
		if !had || !used[old] {
			continue
		}
		delete(file.Sentences, old)
		if _, there := file.Sentences[is]; !there {
			file.Sentences[is] = own
		}
	}
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(file); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(out.String()), 0o666)
}
