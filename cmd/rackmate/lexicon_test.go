package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// command runs a command line and returns its exit status and what it printed.
func command(t *testing.T, stdin string, args ...string) (status int, out, err string) {
	t.Helper()
	var o, e strings.Builder
	status = run(context.Background(), stdio{strings.NewReader(stdin), &o, &e}, args)
	return status, o.String(), e.String()
}

func TestLexiconBuildCheckInfo(t *testing.T) {
	dir := t.TempDir()
	list, compiled := filepath.Join(dir, "mine.txt"), filepath.Join(dir, "mine.lex")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(list, "# three words\r\nhorn\r\nFARM\r\nae\r\n")
	// printf 'AE\nFARM\nHORN\n' | sha256sum
	const info = "mine words=3 bytes=330 sha256=beb09edb77dc5a72524666f5f8b42efc4cc67c7e546c10745ed50d2eac70ccd6\n"
	for _, tt := range []struct {
		args   string
		status int
		out    string
		err    string // a part of it
	}{
		{"build -o " + compiled + " mine " + list, 0, info, ""},
		{"info " + compiled, 0, info, ""},
		{"check --lexicon " + compiled + " horn AE", 0, "HORN valid\nAE valid\n", ""},
		{"check HORN HORM H0RN --lexicon " + compiled, 1, "HORN valid\nHORM not valid\nH0RN not valid\n", ""},
		{"check quiz", 0, "QUIZ valid\n", ""},
		{"check --lexicon en-clean quiz", 0, "QUIZ valid\n", ""},
		{"info en", 0, "en words=270654 bytes=5999148 sha256=f67eb9fb0410de3db331c18d52d12316b6bfd9edda6880945845cfee0e59b888\n", ""},
		{"check --lexicon " + list + " HORN", 1, "", "mine.txt: not a compiled lexicon"},
		{"check --lexicon nowhere HORN", 1, "", "en-clean"},
		{"check", 2, "", "usage:"},
		{"build mine", 2, "", "usage:"},
		{"build mine " + filepath.Join(dir, "none.txt"), 1, "", "none.txt"},
		{"build ../x " + list, 1, "", "name a lexicon"},
		{"mend", 2, "", `no "mend"`},
		{"", 2, "", "usage:"},
	} {
		status, out, err := command(t, "", append([]string{"lexicon"}, strings.Fields(tt.args)...)...)
		if status != tt.status || out != tt.out || !strings.Contains(err, tt.err) {
			t.Errorf("lexicon %s: status %d, printed %q and %q; want %d, %q and %q", tt.args, status, out, err, tt.status, tt.out, tt.err)
		}
	}
	if _, out, _ := command(t, "", "lexicon", "info"); strings.Count(out, "\n") != 2 || !strings.Contains(out, "en-clean words=269870") {
		t.Errorf("info of what ships: %q", out)
	}
	write(list, "HORN\nFARM HOUSE\nA\n")
	status, _, err := command(t, "", "lexicon", "build", "mine", list)
	if status != 1 || !strings.Contains(err, "line 2:") || !strings.Contains(err, "line 3:") {
		t.Errorf("a list with bad lines: status %d, %q", status, err)
	}
	if _, err := os.Stat("mine.lex"); err == nil {
		t.Error("a file was made for it")
	}
}
