package features_test

import (
	"bytes"
	"encoding/json"
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
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rackmate/rackmate/bot/features/featuretest"

	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/bot/feature/robots"
	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/robot"
	"github.com/rackmate/rackmate/imaging"
)

var keysFile = flag.String("keys", "", "write all sentences to this file, for translators")

// converted lists the packages that no longer glue sentences together.
var converted = []string{
	"bot", "bot/text", "bot/feature/gone", "bot/host", "bot/feature/ladder", "bot/lexicons", "bot/feature/notify", "bot/feature/moderation", "bot/feature/pace", "bot/feature/page", "bot/feature/people", "bot/person", "bot/settings", "bot/feature/play", "bot/feature/robots", "bot/feature/study", "bot/table", "bot/input", "bot/feature/variants", "bot/view", "bot/words",
}

// A sentence is a template in the code and the places that say it.
type sentence struct {
	English string   `json:"english"`
	Said    []string `json:"said"`             // "bot/words/words.go turnLine"
	Values  []string `json:"values,omitempty"` // the values it takes, as written in the code
}

// sayers are the functions that take a template and its values: bot's own, and functions of other
// packages that pass them on.
var sayers = map[string]bool{"text.Say": true, "text.Item": true, "words.Refusing": true, "imaging.say": true, "pages.Refuse": true}

// TestSentences reads all code that speaks to people: each sentence must be a constant with as many
// names as values, and none may be a piece of another. With -keys it writes the sentences for
// translators.
func TestSentences(t *testing.T) {
	all := allSentences(t)
	if len(all) < 10 {
		t.Fatalf("%d sentences", len(all))
	}
	if *keysFile == "" {
		return
	}
	for english, page := range ofPages(t) {
		if all[english] == nil {
			all[english] = page
		}
	}
	list := slices.SortedFunc(maps.Values(all), func(a, b *sentence) int {
		return strings.Compare(a.Said[0]+"\n"+a.English, b.Said[0]+"\n"+b.English)
	})
	data, err := json.MarshalIndent(list, "", "  ")
	gametest.Must(t, err)
	data = []byte(strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(data)))
	gametest.Must(t, os.WriteFile(*keysFile, append(data, '\n'), 0o666))
}

// ofPages returns the sentences of the room's pages.
func ofPages(t *testing.T) map[string]*sentence {
	said, err := pages.Sentences()
	if err != nil || len(said) < 10 {
		t.Fatalf("%d sentences of pages: %v", len(said), err)
	}
	all := map[string]*sentence{}
	for _, english := range said {
		if _, err := sentences.Parse(english); err != nil {
			t.Errorf("a page says %q: %v", english, err)
		}
		all[english] = &sentence{English: english, Said: []string{"the pages of the room"}}
	}
	return all
}

// unspoken lists sequences of words in scripts that are meant for the page, not for people.
var unspoken = []string{
	"noopener noreferrer nofollow",
	"primary play", "tile host", "board folded", // classes
	"rackmate rack ", "recovery offered", "push offered", // kept by the browser
	"rackmate proof 1", "rackmate draws 1\\n", "rackmate verify", // in proofs
	"noopener noreferrer", "no stream", "/reports people", "/reports log", "/new language:",
}

var (
	aside   = regexp.MustCompile(`(?m)(?:^|\s)//.*$|(?s:/\*.*?\*/)`)
	said    = regexp.MustCompile(`\b(?:say|parts)\(\s*"(?:[^"\\]|\\.)*"`)
	classes = regexp.MustCompile(`\bclass: [^,}]*`)
	literal = regexp.MustCompile(`"((?:[^"\\\n]|\\.)*)"`)
	inARow  = regexp.MustCompile(`[A-Za-z]{2,} [a-z]{2,}`)
)

// The pages' scripts show people only text that goes through say or parts, so that it is in the
// catalogues.
func TestScriptsSayWhatPeopleRead(t *testing.T) {
	left := func(script string) (all []string) {
		script = classes.ReplaceAllString(said.ReplaceAllString(aside.ReplaceAllString(script, ""), ""), "")
		for _, found := range literal.FindAllStringSubmatch(script, -1) {
			if inARow.MatchString(found[1]) && !slices.Contains(unspoken, found[1]) {
				all = append(all, found[1])
			}
		}
		return all
	}
	files, err := filepath.Glob("../../adapters/web/static/*.js")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d scripts: %v", len(files), err)
	}
	for _, file := range files {
		for _, words := range left(featuretest.Script(t, file)) {
			t.Errorf("%s has %q: say it, that it can be said in other languages", filepath.Base(file), words)
		}
	}
	// A planted sentence is found.
	if got := left(`el("span", { class: "un seen" }, n === 1 ? say("One message") : " messages for you") // no words here`); !slices.Equal(got, []string{" messages for you"}) {
		t.Errorf("of a sentence that isn't said %q is found", got)
	}
}

// TestCatalogues compares the catalogues with the sentences: each catalogue can be read, has no
// other sentences, and has all of them if it claims to, except the ones in lacks.json, which a
// translator reviews before a release. -update writes that file. sentences.Read checks that a
// translation has the right values and plurals.
func TestCatalogues(t *testing.T) {
	locales, err := sentences.Load(data.Sentences())
	gametest.Must(t, err)
	known, err := data.MissingSentences()
	gametest.Must(t, err)
	all := allSentences(t)
	maps.Copy(all, ofPages(t))
	lacks := map[string][]string{}
	for _, to := range locales.All()[1:] {
		text, err := fs.ReadFile(data.Sentences(), to.Code()+".json")
		gametest.Must(t, err)
		if _, err := sentences.Read(to.Code(), text); err != nil {
			t.Errorf("%v", err)
			continue
		}
		keys := to.Keys()
		for _, key := range keys {
			if all[key] == nil {
				t.Errorf("%s has %q, which nobody says", to.Code(), key)
			}
		}
		var missing []string
		for _, english := range slices.Sorted(maps.Keys(all)) {
			if _, found := slices.BinarySearch(keys, english); !found {
				missing = append(missing, english)
			}
		}
		if to.Complete() && len(missing) > 0 {
			lacks[to.Code()] = missing
		}
		t.Logf("%s (%s): %d sentences, lacks %d", to.Code(), to.Name(), len(keys), len(missing))
	}
	if maps.EqualFunc(lacks, known, slices.Equal) {
		return
	}
	if *update {
		writeLacks(t, lacks)
		return
	}
	for _, code := range slices.Sorted(maps.Keys(lacks)) {
		for _, english := range lacks[code] {
			if !slices.Contains(known[code], english) {
				t.Errorf("%s lacks %q", code, english)
			}
		}
	}
	t.Error("data/sentences/lacks.json is out of date: translate what is lacking, or run with -update for translators to do that before a release")
}

// writeLacks writes the sentences that catalogues lack.
func writeLacks(t *testing.T, lacks map[string][]string) {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	gametest.Must(t, e.Encode(lacks))
	gametest.Must(t, os.WriteFile("../../data/sentences/lacks.json", b.Bytes(), 0o666))
}

// allSentences returns all templates by their text. The first test that calls it parses the program
// and reports its faults.
func allSentences(t *testing.T) map[string]*sentence {
	sentencesRead.Do(func() { readSentences(t) })
	return maps.Clone(sentencesSaid)
}

var (
	sentencesRead sync.Once
	sentencesSaid map[string]*sentence
)

func readSentences(t *testing.T) {
	all := map[string]*sentence{}
	add := func(english, at string, values []string) {
		if english == "" {
			return
		}
		s := all[english]
		if s == nil {
			s = &sentence{English: english, Values: values}
			all[english] = s
		}
		if !slices.Contains(s.Said, at) {
			s.Said = append(s.Said, at)
		}
	}
	root, err := filepath.Abs("../..")
	gametest.Must(t, err)
	for _, top := range []string{"adapters", "bot", "cmd", "imaging"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files := token.NewFileSet()
			f, err := parser.ParseFile(files, path, nil, 0)
			if err != nil {
				return err
			}
			name, _ := filepath.Rel(root, path)
			for _, decl := range f.Decls {
				within := filepath.ToSlash(name)
				if fn, ok := decl.(*ast.FuncDecl); ok {
					within += " " + fn.Name.Name
				}
				ast.Inspect(decl, func(n ast.Node) bool {
					if kv, ok := n.(*ast.KeyValueExpr); ok {
						if key, _ := kv.Key.(*ast.Ident); key != nil && key.Name == "Text" {
							if text, ok := constant(kv.Value); ok && strings.ContainsFunc(text, unicode.IsLetter) && strings.Contains(text, " ") {
								t.Errorf("%s:%d: %q is in no catalogue: text.Say takes the whole sentence", name, files.Position(kv.Pos()).Line, text)
							}
						}
					}
					if call, ok := n.(*ast.CallExpr); ok {
						at := fmt.Sprintf("%s:%d", name, files.Position(call.Pos()).Line)
						look(t, f.Name.Name, filepath.ToSlash(filepath.Dir(name)), at, call, func(english string, values []string) { add(english, within, values) })
					}
					return true
				})
			}
			return nil
		})
		gametest.Must(t, err)
	}
	for _, c := range newWorld(t).Host.Commands() {
		add(c.Help, "the help of /"+c.Name, nil)
		add(c.Key(), "the name of a command", nil)
		for _, o := range c.Options {
			add(o.Help, "the help of /"+c.Name+" "+o.Name+":", nil)
			add(o.Key(), "the name of an option of /"+c.Name, nil)
		}
	}
	for _, l := range append(robot.Levels(), robots.Tutor) {
		add(l.Help, "the levels of robots", nil)
	}
	for _, name := range languageNames(t) {
		add(name, "the languages of tables", nil)
	}
	for _, theme := range imaging.Themes() {
		add(theme.Title(), "the themes of boards", nil)
	}
	sentencesSaid = all
}

// languageNames returns the English names of the tables' languages, as languages and as tile sets.
func languageNames(t *testing.T) (all []string) {
	files, err := filepath.Glob("../../data/languages/*.json")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d languages: %v", len(files), err)
	}
	for _, file := range files {
		var l struct{ Name, Tiles string }
		if err := json.Unmarshal([]byte(featuretest.Script(t, file)), &l); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, l.Name, strings.ToUpper(l.Tiles[:1])+l.Tiles[1:])
	}
	return all
}

// look checks one call and adds the sentence that it says.
func look(t *testing.T, pkg, dir, at string, call *ast.CallExpr, add func(string, []string)) {
	fn := called(pkg, call.Fun)
	if fn == "text.Glue" && slices.Contains(converted, dir) {
		for _, a := range call.Args {
			if text, ok := constant(a); ok && strings.ContainsFunc(text, unicode.IsLetter) {
				t.Errorf("%s: %q is glued to something: text.Say takes the whole sentence", at, text)
			}
		}
	}
	if !sayers[fn] || call.Ellipsis.IsValid() {
		return
	}
	args := call.Args
	if fn == "imaging.say" {
		args = args[1:] // skip the locale
	}
	english, ok := constant(args[0])
	if !ok {
		if fn != "text.Say" || dir != "bot/text" {
			t.Errorf("%s: the template of %s is no constant: translators can't know it", at, fn)
		}
		return
	}
	template, err := sentences.Parse(english)
	if err != nil {
		t.Errorf("%s: %v", at, err)
		return
	}
	values := args[1:]
	if len(template.Names()) != len(values) {
		t.Errorf("%s: %q names %q for %d values", at, english, template.Names(), len(values))
		return
	}
	if strings.TrimSpace(english) != english {
		t.Errorf("%s: %q begins or ends with a space: it is a piece of something", at, english)
	}
	if first, _ := utf8.DecodeRuneInString(english); fn != "text.Item" && dir != "imaging" && unicode.IsLower(first) {
		t.Errorf("%s: %q begins with a small letter: make it a whole sentence, or a text.Item", at, english)
	}
	var as []string
	for i, v := range values {
		as = append(as, template.Names()[i]+" = "+source(v))
	}
	add(english, as)
}

// called returns a function's name with its package's: "text.Say".
func called(pkg string, fn ast.Expr) string {
	switch fn := fn.(type) {
	case *ast.Ident:
		return pkg + "." + fn.Name
	case *ast.SelectorExpr:
		if of, ok := fn.X.(*ast.Ident); ok {
			return of.Name + "." + fn.Sel.Name
		}
	}
	return ""
}

// constant returns the text of literals, joined by "+" or not.
func constant(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		a, ok1 := constant(e.X)
		b, ok2 := constant(e.Y)
		return a + b, ok1 && ok2 && e.Op == token.ADD
	}
	return "", false
}

// source returns a short form of an expression.
func source(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return source(e.X) + "." + e.Sel.Name
	case *ast.BasicLit:
		return e.Value
	case *ast.IndexExpr:
		return source(e.X)
	case *ast.CallExpr:
		var args []string
		for _, a := range e.Args {
			args = append(args, source(a))
		}
		return source(e.Fun) + "(" + strings.Join(args, ", ") + ")"
	}
	return "…"
}
