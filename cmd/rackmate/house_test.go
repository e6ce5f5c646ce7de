package main

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/game/gametest"
)

const module = "github.com/rackmate/rackmate/"

// mayImport lists which of our packages a package may import (a trailing /* means all below).
// Imports point downwards only: lexicon, game, imaging, bot (the contract), then the host above it,
// and beside the host adapters and stores, which know only the contract; cmd. A package that isn't
// listed fails the test, so a new one must be added here first. A package that may import bot may
// also import bot/text, which its types use.
var mayImport = map[string][]string{
	"data":                    nil,
	"data/*":                  {"lexicon"}, // the programs that generate the files
	"data/mkwords":            {"game", "game/language", "lexicon", "lexicon/hunspell"},
	"data/mkleaves":           {"data", "game", "game/language", "game/movegen", "game/robot", "lexicon"},
	"lexicon":                 nil,
	"lexicon/hunspell":        nil,
	"lexicon/tessdata":        nil,
	"game":                    {"lexicon"},
	"game/*":                  {"game", "game/*", "lexicon"},
	"imaging":                 {"data/sentences", "game", "lexicon", "imaging/compose"},
	"imaging/compose":         nil,
	"data/sentences":          nil,
	"data/sentences/rename":   {"data/sentences"}, // a tool for editing the English sentences
	"bot":                     {"bot/text", "game"},
	"bot/text":                {"data/sentences", "game"},
	"bot/notes":               {"bot"},
	"bot/loops":               {"bot"},
	"bot/shelf":               {"bot", "bot/notes", "game"},
	"bot/limit":               {"bot"},
	"bot/table":               {"bot", "bot/shelf", "game", "game/*", "imaging", "lexicon"},
	"bot/words":               {"bot", "bot/table", "game", "lexicon"},
	"bot/lexicons":            {"bot", "bot/words", "game", "game/language", "lexicon"},
	"bot/settings":            {"bot", "bot/lexicons", "bot/shelf", "bot/words", "game", "lexicon"},
	"bot/input":               {"bot", "bot/lexicons", "bot/table", "bot/words", "game"},
	"bot/view":                {"bot", "bot/table", "bot/words", "game", "game/robot", "imaging", "lexicon"},
	"bot/feature":             {"bot", "bot/input", "bot/lexicons", "bot/settings", "bot/shelf", "bot/table", "bot/words", "game", "game/*", "imaging", "lexicon"},
	"bot/host":                {"bot", "bot/feature", "bot/lexicons", "bot/limit", "bot/loops", "bot/settings", "bot/shelf", "bot/table", "bot/input", "bot/words", "bot/view", "game", "game/*", "imaging", "lexicon"},
	"bot/feature/play":        aFeature("imaging", "lexicon"),
	"bot/feature/variants":    aFeature("imaging", "lexicon"),
	"bot/feature/pace":        aFeature(),
	"bot/feature/notify":      aFeature("imaging"),
	"bot/feature/webpage":     aFeature("imaging"),
	"bot/feature/people":      aFeature(),
	"bot/feature/ladder":      aFeature("imaging"),
	"bot/feature/robots":      aFeature("imaging"),
	"bot/feature/moderation":  aFeature("bot/lexicons", "lexicon"),
	"bot/feature/analysis":    aFeature("lexicon", "game/engine", "game/movegen", "game/record", "game/robot"),
	"bot/feature/study":       aFeature("bot/lexicons", "lexicon"),
	"bot/feature/competition": aFeature("imaging"),
	"bot/feature/daily":       aFeature("bot/lexicons", "imaging", "lexicon"),
	"bot/features":            {"bot", "bot/*", "game"},
	"bot/store":               {"bot", "game", "game/record"}, // record encodes events
	"bot/store/storetest":     {"bot", "bot/notes", "bot/store/memory", "game", "game/gametest"},
	"bot/store/memory":        {"bot", "bot/store", "game"},
	"bot/store/bolt":          {"bot", "bot/notes", "bot/store", "game", "game/record"},
	"bot/store/postgres":      {"bot", "bot/store", "game", "game/record"},
	"adapters/outbox":         {"adapters/tasks", "bot", "bot/notes"},
	"adapters/tasks":          nil,
	"adapters/web":            {"adapters/tasks", "bot", "bot/limit", "bot/notes", "adapters/web/pages", "adapters/web/push", "adapters/web/signin"},
	"adapters/web/pages":      {"bot", "bot/limit", "adapters/web/static"},
	"adapters/web/static":     nil,
	"adapters/web/push":       {"bot", "bot/notes", "adapters/tasks"},
	"adapters/web/signin":     {"bot"},
	"adapters/discord":        {"adapters/outbox", "bot", "data/sentences", "bot/notes", "adapters/tasks"},
	"adapters/slack":          {"adapters/outbox", "bot", "data/sentences", "bot/notes", "adapters/tasks"},
	"adapters/terminal":       {"bot"},
	"cmd/internal/cli":        {"data", "game", "game/language", "game/robot", "imaging", "lexicon"},
	"cmd/internal/lab":        {"cmd/internal/cli", "data", "game", "game/*", "imaging", "lexicon"},
	"cmd/internal/lists":      {"cmd/internal/cli", "data", "data/sentences", "game", "game/language", "lexicon", "lexicon/*"},
	"cmd/rackmate":            {"*"},

	"game/gametest":                        {"data", "game", "game/movegen", "lexicon"},                                // for tests
	"bot/simtest":                          {"bot", "bot/store", "game"},                                               // for tests
	"bot/features/featuretest":             {"bot", "bot/*", "data/sentences", "game", "game/*", "imaging", "lexicon"}, // for tests
	"bot/bottest":                          {"bot", "data", "game", "game/gametest", "imaging", "lexicon"},             // for tests
	"adapters/discord/discordtest":         nil,
	"adapters/discord/discordtest/mkfacts": nil,
	"adapters/slack/slacktest":             nil,
	"adapters/web/webtest":                 {"game/gametest"},
	"adapters/slack/mkfacts":               nil, // the program that makes the facts
	"imaging/mkicons":                      nil, // the program that draws the icons
	"adapters/platformtest":                {"bot", "bot/store/memory", "bot/text"},
	"bot/store/postgres/pgtest":            {"game/gametest"},
}

// aFeature returns the packages that every feature may import: not the engine, and no other
// feature.
func aFeature(more ...string) []string {
	return append([]string{"bot", "bot/feature", "bot/shelf", "bot/settings", "bot/table", "bot/words", "bot/view", "bot/input", "game", "game/*"}, more...)
}

// onlyIn maps external packages to the only package that may import them.
var onlyIn = map[string]string{
	"go.etcd.io/bbolt":              "bot/store/bolt",
	"github.com/gdamore/tcell/v2":   "adapters/terminal",
	"github.com/jackc/pgx/v5":       "bot/store/postgres",
	"github.com/fogleman/gg":        "imaging",
	"github.com/bwmarrin/discordgo": "adapters/discord",
	"github.com/slack-go/slack":     "adapters/slack",
	"github.com/coreos/go-oidc/v3":  "adapters/web/signin",

	"github.com/SherClockHolmes/webpush-go": "adapters/web/push",
	"github.com/evanw/esbuild":              "adapters/web/pages",
	"github.com/prometheus":                 "cmd/rackmate",
}

func TestImportsPointDownwards(t *testing.T) {
	t.Parallel()
	type pkg struct {
		ImportPath string
		Imports    []string
	}
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", module+"...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	seen := 0
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		seen++
		name := strings.TrimPrefix(p.ImportPath, module)
		allowed, ok := mayImport[name]
		if parent, _, below := strings.Cut(name, "/"); !ok && below {
			allowed, ok = mayImport[parent+"/*"]
		}
		if !ok {
			t.Errorf("%s has no place in mayImport", name)
			continue
		}
		if slices.Contains(allowed, "bot") {
			allowed = append(slices.Clip(allowed), "bot/text")
		}
		for _, imported := range p.Imports {
			for lib, home := range onlyIn {
				if (imported == lib || strings.HasPrefix(imported, lib+"/")) && name != home && !strings.HasPrefix(name, home+"/") {
					t.Errorf("%s imports %s; only %s may", name, lib, home)
				}
			}
			ours, isOurs := strings.CutPrefix(imported, module)
			if isOurs && !slices.ContainsFunc(allowed, func(a string) bool { return matches(a, ours) }) {
				t.Errorf("%s imports %s; it may import %v", name, ours, allowed)
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d packages seen", seen)
	}
}

// TestDeskIsSmall checks that a feature's desk has at most fifteen methods.
func TestDeskIsSmall(t *testing.T) {
	if n := reflect.TypeFor[feature.Desk]().NumMethod(); n > 15 {
		t.Errorf("a feature's desk has %d methods", n)
	}
}

// TestEngineNamesNoFeature checks that no string of the engine's own is the name of a command,
// an option or a feature's package.
func TestEngineNamesNoFeature(t *testing.T) {
	t.Parallel()
	names := map[string]string{}
	for _, c := range features.Commands() {
		names[c.Name] = "a command"
		for _, o := range c.Options {
			names[o.Name] = "an option of /" + c.Name
		}
	}
	for _, ours := range []string{"command", "post", "wait", "what", "board", "table", "games", "page"} {
		delete(names, ours) // words used in logs and as message kinds
	}
	packages, err := os.ReadDir("../../bot/feature")
	if err != nil || len(names) < 50 {
		t.Fatalf("%d names: %v", len(names), err)
	}
	for _, p := range packages {
		if p.IsDir() {
			names[p.Name()] = "a package"
		}
	}
	files, err := filepath.Glob("../../bot/host/*.go")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		gametest.Must(t, err)
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if said, err := strconv.Unquote(lit.Value); err == nil && names[said] != "" {
					t.Errorf("%s: %q is %s", fset.Position(lit.Pos()), said, names[said])
				}
			}
			return true
		})
	}
}

// TestPathOfPlayIsShort checks that the path of a play stays short enough to read: at most 15 files on
// each half, and all of them exist.
func TestPathOfPlayIsShort(t *testing.T) {
	page, err := os.ReadFile("../../.github/ARCHITECTURE.md")
	gametest.Must(t, err)
	way := regexp.MustCompile("(?m)^([0-9]+)\\. `([a-z/_]+\\.go)`")
	steps := way.FindAllStringSubmatch(string(page), -1)
	if len(steps) < 20 {
		t.Errorf("only %d steps found", len(steps))
	}
	for _, step := range steps {
		if n, _ := strconv.Atoi(step[1]); n > 15 {
			t.Errorf("%s is file %d on the way", step[2], n)
		}
		if _, err := os.Stat("../../" + step[2]); err != nil {
			t.Error(err)
		}
	}
}

func matches(pattern, name string) bool {
	if pattern == "*" || pattern == name {
		return true
	}
	parent, ok := strings.CutSuffix(pattern, "/*")
	return ok && strings.HasPrefix(name, parent+"/")
}

// TestEverythingExportedIsDocumented checks that every exported name has a comment. Methods of
// standard library interfaces need none.
func TestEverythingExportedIsDocumented(t *testing.T) {
	t.Parallel()
	files := 0
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil || f.Name.Name == "main" {
			return err
		}
		files++
		for _, name := range undocumented(f) {
			t.Errorf("%s: %s has no comment", fset.Position(name.Pos()), name.Name)
		}
		return nil
	})
	if err != nil || files < 100 {
		t.Fatalf("%d files: %v", files, err)
	}
}

// undocumented returns the exported names of a file without a comment.
func undocumented(f *ast.File) (names []*ast.Ident) {
	for _, decl := range f.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Doc == nil && d.Name.IsExported() && (d.Recv == nil || needsComment(d)) {
				names = append(names, d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() && s.Doc == nil && d.Doc == nil {
						names = append(names, s.Name)
					}
				case *ast.ValueSpec:
					for _, name := range s.Names {
						if name.IsExported() && s.Doc == nil && s.Comment == nil && d.Doc == nil {
							names = append(names, name)
						}
					}
				}
			}
		}
	}
	return names
}

// needsComment reports whether a method belongs to an exported type and isn't self-explanatory.
func needsComment(d *ast.FuncDecl) bool {
	of := d.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if generic, ok := of.(*ast.IndexExpr); ok {
		of = generic.X
	}
	name, ok := of.(*ast.Ident)
	return ok && name.IsExported() && !slices.Contains([]string{"Error", "Unwrap", "String"}, d.Name.Name)
}
