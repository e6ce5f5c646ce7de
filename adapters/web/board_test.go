package web_test

import (
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestScripts runs the tests of the page's scripts, the board's state above all, by
// node's test runner.
func TestScripts(t *testing.T) {
	out, err := exec.Command(findNode(t), "--test", "testdata/play.test.js", "testdata/dom.test.js").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestBoardIsSmall holds the board to the 61 kB that a phone loads soon.
func TestBoardIsSmall(t *testing.T) {
	files, total := os.DirFS("static"), int64(0)
	for _, name := range []string{"play.js", "board.js", "board.css"} {
		info, err := fs.Stat(files, name)
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	if total > 61<<10 {
		t.Errorf("the board has %d bytes of script and styles", total)
	}
}

// TestShellIsWhole holds the files that the page opens with while the room can't be
// reached to those that it has.
func TestShellIsWhole(t *testing.T) {
	worker, err := os.ReadFile("static/sw.js")
	if err != nil {
		t.Fatal(err)
	}
	all, err := fs.ReadDir(os.DirFS("static"), ".")
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := []string{"sw.js", "page.js", "page.css", "table.js", "activity.js", "frame.js", "draws.js", "fair.js"} // what other pages have
	for _, f := range all {
		if strings.Contains(string(worker), `"/static/`+f.Name()+`"`) == slices.Contains(elsewhere, f.Name()) {
			t.Errorf("static/%s is kept for the page although another has it, or is not although the page has it", f.Name())
		}
	}
}
