package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
)

var lowerPlain = flag.Bool("plain", false, "lower the numbers of testdata/plain.txt to what is left")

// TestPlainEnglish checks the form of comments. A function's comment starts with its name
// and a verb in the third person, other than is, are or has; a predicate reports whether.
// No comment has one of plainly's phrases.
//
// testdata/plain.txt lists how many comments of each part of the program break a rule. The
// numbers may only fall: "go test ./cmd/rackmate -run PlainEnglish -plain" lowers them, and
// -v lists the comments.
func TestPlainEnglish(t *testing.T) {
	const file = "testdata/plain.txt"
	text, err := os.ReadFile(file)
	gametest.Must(t, err)
	allowed := map[string]int{}
	header := ""
	for line := range strings.Lines(string(text)) {
		var part string
		var n int
		if strings.HasPrefix(line, "#") {
			header += line
		} else if _, err := fmt.Sscan(line, &part, &n); err != nil {
			t.Fatalf("%s: %q: %v", file, line, err)
		} else {
			allowed[part] = n
		}
	}
	found := map[string][]string{}
	gametest.Must(t, filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel("../..", path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || name != "." && strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case !d.IsDir() && strings.HasSuffix(name, ".go"):
			part := partOf(filepath.ToSlash(name))
			faults, err := commentFaults(path, name)
			found[part] = append(found[part], faults...)
			return err
		}
		return nil
	}))
	total := 0
	for _, part := range slices.Sorted(maps.Keys(found)) {
		faults := found[part]
		if total += len(faults); len(faults) > allowed[part] {
			t.Errorf("%s has %d comments that aren't plain English, and may have %d:\n%s", part, len(faults), allowed[part], strings.Join(faults, "\n"))
		} else if testing.Verbose() {
			t.Logf("%s has %d:\n%s", part, len(faults), strings.Join(faults, "\n"))
		}
	}
	t.Logf("%d comments aren't plain English", total)
	if *lowerPlain {
		for _, part := range slices.Sorted(maps.Keys(allowed)) {
			if n := min(allowed[part], len(found[part])); n > 0 {
				header += fmt.Sprintln(part, n)
			}
		}
		gametest.Must(t, os.WriteFile(file, []byte(header), 0o644))
	}
}

// partOf returns the part of the program that a file counts towards: a package below game or data,
// or else the first folder of its path, so that code can move within adapters, bot and cmd.
func partOf(file string) string {
	dirs := strings.Split(file, "/")
	if n := len(dirs) - 1; n > 1 && (dirs[0] == "game" || dirs[0] == "data") {
		return dirs[0] + "/" + dirs[1]
	}
	return dirs[0]
}

// plainly matches phrases that have a plainer equivalent: see the patterns in WRITING.
var plainly = regexp.MustCompile(`\b(those (?:who|of|that)|(?:is|are|was|were) told|seen to|as such|one reading|all the same|anew|taken in|has none|whoever|somebody)\b`)

// thirdPerson matches a verb in the third person.
var thirdPerson = regexp.MustCompile(`^[a-z]+s$`)

// noVerbs lists words that look like such a verb but don't say what a function does.
var noVerbs = []string{"is", "has", "was", "its", "this", "as", "always", "says", "that", "thus"}

// commentFaults returns the faults in the comments of a Go file.
func commentFaults(path, name string) (faults []string, err error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, path, nil, parser.ParseComments)
	if err != nil || ast.IsGenerated(f) {
		return nil, err
	}
	fault := func(at token.Pos, what string) {
		faults = append(faults, fmt.Sprintf("%s:%d: %s", name, files.Position(at).Line, what))
	}
	for _, group := range f.Comments {
		text := strings.Join(strings.Fields(group.Text()), " ")
		if m := plainly.FindString(text); m != "" && !strings.HasSuffix(name, "plain_test.go") {
			fault(group.Pos(), fmt.Sprintf("%q", m))
		}
	}
	if strings.HasSuffix(name, "_test.go") {
		return faults, nil
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Doc == nil || fn.Name.Name == "main" || fn.Name.Name == "init" {
			continue
		}
		words := strings.Fields(fn.Doc.Text())
		switch {
		case len(words) < 2 || words[0] != fn.Name.Name:
			fault(fn.Doc.Pos(), fn.Name.Name+"'s comment doesn't start with its name")
		case isPredicate(fn) && (slices.Contains(noVerbs, words[1]) || words[1] == "tells"):
			fault(fn.Doc.Pos(), strings.Join(words[:2], " ")+": a predicate reports whether")
		case !thirdPerson.MatchString(words[1]) || slices.Contains(noVerbs, words[1]):
			fault(fn.Doc.Pos(), strings.Join(words[:2], " ")+": say what it does")
		}
	}
	return faults, nil
}

// isPredicate reports whether a function's only result, apart from an error, is an unnamed bool.
func isPredicate(fn *ast.FuncDecl) bool {
	results := fn.Type.Results
	if results == nil || len(results.List) == 0 || len(results.List[0].Names) > 0 {
		return false
	}
	is := func(i int, name string) bool {
		id, ok := results.List[i].Type.(*ast.Ident)
		return ok && id.Name == name
	}
	return is(0, "bool") && (len(results.List) == 1 || len(results.List) == 2 && is(1, "error"))
}
