package web_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
)

// nodeWith returns the path of node, if npm has installed a module. Otherwise it skips the
// test, unless RACKMATE_NODE=required.
func nodeWith(t *testing.T, module string) string {
	t.Helper()
	node := findNode(t)
	if _, err := os.Stat(filepath.Join("node_modules", module)); err != nil {
		missing := "npm has not installed " + module + ": run npm ci in adapters/web to test the page's scripts whole"
		if os.Getenv("RACKMATE_NODE") == "required" {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	return node
}

// TestScripts runs in node the tests that need no document, most of them about the board's
// state. The service worker's run in a process of their own, because they replace globals.
func TestScripts(t *testing.T) {
	t.Parallel()
	for _, tests := range [][]string{{"play", "dom"}, {"worker"}} {
		var all strings.Builder
		for _, name := range tests {
			fmt.Fprintf(&all, "import %q;\n", "./testdata/scripts/"+name+".test.js")
		}
		if out, err := exec.Command(findNode(t), "--input-type=module", "--eval", all.String()).CombinedOutput(); err != nil || !bytes.Contains(out, []byte("\n# fail 0\n# cancelled 0\n# skipped 0\n")) {
			t.Errorf("%q: %v\n%s", tests, err, out)
		}
	}
}

// TestScriptsInDocument runs all tests of the scripts in a document without a browser, and
// checks the coverage: at least 80 % of all lines, and some of each file.
func TestScriptsInDocument(t *testing.T) {
	node := nodeWith(t, "happy-dom")
	tests, err := filepath.Glob("testdata/scripts/*.test.js")
	if err != nil || len(tests) < 5 {
		t.Fatalf("there are only the tests %q (%v)", tests, err)
	}
	reached := filepath.Join(t.TempDir(), "lcov")
	run := exec.Command(node, append([]string{"--test", "--experimental-test-coverage",
		"--test-reporter=tap", "--test-reporter-destination=stdout", "--test-reporter=lcov", "--test-reporter-destination=" + reached}, tests...)...)
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f, err := os.Open(reached)
	gametest.Must(t, err)
	defer f.Close()
	files, file := map[string][2]int{}, ""
	for lines := bufio.NewScanner(f); lines.Scan(); {
		key, value, _ := strings.Cut(lines.Text(), ":")
		n, _ := strconv.Atoi(value)
		count := files[file]
		switch key {
		case "SF":
			file = value
		case "LH":
			files[file] = [2]int{n, count[1]}
		case "LF":
			files[file] = [2]int{count[0], n}
		}
	}
	hit, all := 0, 0
	for _, name := range scripts(t) {
		count := files["static/"+name]
		if count[1] == 0 {
			t.Errorf("no test loads %s", name)
		}
		hit, all = hit+count[0], all+count[1]
	}
	t.Logf("%d of %d lines are reached", hit, all)
	if hit*100 < all*80 {
		t.Errorf("%d of %d lines are reached, fewer than 80 of 100", hit, all)
	}
}

// TestScriptTypes checks the types of the page's scripts.
func TestScriptTypes(t *testing.T) {
	node := nodeWith(t, "typescript")
	for _, project := range []string{"tsconfig.json", "tsconfig.worker.json"} {
		if out, err := exec.Command(node, "node_modules/typescript/bin/tsc", "-p", project).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", project, err, out)
		}
	}
}

// TestImportsHaveNoCycle checks that the scripts' imports have no cycle.
func TestImportsHaveNoCycle(t *testing.T) {
	imports := regexp.MustCompile(`(?m)^(?:import|export)\b[^;]*?"\./([^"]+)";`)
	needs := map[string][]string{}
	edges := 0
	for _, name := range scripts(t) {
		text, err := os.ReadFile(path.Join("static", name))
		gametest.Must(t, err)
		for _, m := range imports.FindAllStringSubmatch(string(text), -1) {
			needs[name] = append(needs[name], m[1])
			edges++
		}
	}
	if edges < 80 {
		t.Fatalf("found only %d imports", edges)
	}
	var walk func(way []string)
	walk = func(way []string) {
		for _, next := range needs[way[len(way)-1]] {
			if i := slices.Index(way, next); i >= 0 {
				t.Fatalf("a circle: %s", strings.Join(append(way[i:], next), " needs "))
			}
			walk(append(slices.Clone(way), next))
		}
	}
	for name := range needs {
		walk([]string{name})
	}
}

// scripts lists the page's scripts.
func scripts(t *testing.T) []string {
	t.Helper()
	all, err := fs.Glob(os.DirFS("static"), "*.js")
	if err != nil || len(all) < 20 {
		t.Fatalf("there are only the scripts %q (%v)", all, err)
	}
	return all
}
