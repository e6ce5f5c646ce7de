package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
)

// TestRename checks that a reworded sentence changes in the code, with its values reordered, in the
// scripts, and as the key of each catalogue.
func TestRename(t *testing.T) {
	t.Chdir(t.TempDir())
	files := map[string][2]string{
		"bot/a.go": {`package a

var a = text.Say("{who} has {n} tiles.", text.Name(who), n)
var b = text.Say("Nothing.") // "Nothing." in a comment stays
var c = Command{Help: "Have your turn " + "go by"}
`, `package a

var a = text.Say("{n} tiles: {who}", n, text.Name(who))
var b = text.Say("Nothing.") // "Nothing." in a comment stays
var c = Command{Help: "Pass your turn"}
`},
		"bot/a_test.go":                 {"package a\n\nvar d = \"Have your turn go by\"\n", "package a\n\nvar d = \"Have your turn go by\"\n"},
		"adapters/web/static/a.js":      {`say("Have your turn go by")`, `say("Pass your turn")`},
		"adapters/web/room.html":        {`<p title="Have your turn go by">Have your turn go by</p>`, `<p title="Pass your turn">Pass your turn</p>`},
		"cmd/none.go":                   {"package cmd\n", "package cmd\n"},
		"imaging/none.go":               {"package imaging\n", "package imaging\n"},
		"game/none.go":                  {"package game\n", "package game\n"},
		"data/sentences/de.json":        {"{\n \"name\": \"Deutsch\",\n \"complete\": true,\n \"sentences\": {\n  \"Have your turn go by\": \"Passe <einmal>\",\n  \"{who} has {n} tiles.\": \"{who} hat {n} Steine.\"\n }\n}\n", "{\n \"name\": \"Deutsch\",\n \"complete\": true,\n \"sentences\": {\n  \"Pass your turn\": \"Passe <einmal>\",\n  \"{n} tiles: {who}\": \"{who} hat {n} Steine.\"\n }\n}\n"},
		"data/sentences/something.json": {`{"other": 1}`, `{"other": 1}`},
	}
	for name, f := range files {
		gametest.Must(t, os.MkdirAll(filepath.Dir(name), 0o777))
		gametest.Must(t, os.WriteFile(name, []byte(f[0]), 0o666))
	}
	write := func(changes string) {
		t.Helper()
		gametest.Must(t, os.WriteFile("changes", []byte(changes), 0o666))
	}
	write(`{"{who} has {n} tiles.": "{n} tiles: {who}", "Have your turn go by": "Pass your turn", "Nothing.": "Nothing."}`)
	gametest.Must(t, run("changes"))
	for name, f := range files {
		if got, err := os.ReadFile(name); err != nil || string(got) != f[1] {
			t.Errorf("%s, %v:\n%s\nwant\n%s", name, err, got, f[1])
		}
	}
	for _, wrong := range []string{`{"{who} passes.": "{whom} passes."}`, `{"{who} passes.": "{who passes."}`, `[]`} {
		write(wrong)
		if run("changes") == nil {
			t.Errorf("%s is taken", wrong)
		}
	}
}
