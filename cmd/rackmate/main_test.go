package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/game/gametest"
)

// command runs a command line and returns its exit status and what it printed.
func command(t *testing.T, stdin string, args ...string) (status int, out, err string) {
	t.Helper()
	var o, e strings.Builder
	status = run(t.Context(), cli.Std{In: strings.NewReader(stdin), Out: &o, Err: &e}, args)
	return status, o.String(), e.String()
}

// TestBadFlags checks that errors about unknown flags and missing or bad values name the flag with
// the dashes that people type.
func TestBadFlags(t *testing.T) {
	for args, want := range map[string]string{
		"moves --nope":            "unknown flag --nope",
		"export --data":           "--data needs a value",
		"moves --top many x":      `--top can't be "many"`,
		"invite --for never":      `--for can't be "never"`,
		"serve --keep x --listen": `--keep can't be "x"`,
	} {
		name, _, _ := strings.Cut(args, " ")
		if status, _, err := command(t, "", strings.Fields(args)...); status != 2 || !strings.Contains(err, want) || !strings.HasSuffix(err, "help:  rackmate help "+name+"\n") {
			t.Errorf("%s: %d, %s", args, status, err)
		}
	}
}

// TestDataFileErrors checks that commands which can't use a file say why, name the file as it was
// typed, and say what to do next.
func TestDataFileErrors(t *testing.T) {
	dir := t.TempDir()
	foreign := filepath.Join(dir, "words.txt")
	gametest.Must(t, os.WriteFile(foreign, []byte("hello\n"), 0o600))
	for args, want := range map[string]string{
		"restore --data " + filepath.Join(dir, "new.db") + " " + foreign: foreign + " wasn't restored: it isn't a Rackmate data file, or is damaged (invalid database); try an earlier backup\n",
		"health --data " + filepath.Join(dir, "none.db"):                 `none.db: start one with "rackmate serve", or name its data file with --data`,
		"serve --listen 127.0.0.1:0 --data " + dir:                       dir + " isn't a Rackmate data file, or is damaged (it is a folder): name another file",
		"serve --listen 127.0.0.1:0 --data " + dir + "/missing/x.db":     "can't create data file " + dir + "/missing/x.db: no such file or directory. Create its folder",
	} {
		if status, _, err := command(t, "", strings.Fields(args)...); status != 1 || !strings.Contains(err, want) {
			t.Errorf("%s: %d, %s", args, status, err)
		}
	}
}

// TestCheckNamesFileOnce checks that the verdict on a foreign file names it only once.
func TestCheckNamesFileOnce(t *testing.T) {
	foreign := filepath.Join(t.TempDir(), "words.txt")
	gametest.Must(t, os.WriteFile(foreign, []byte("hello\n"), 0o600))
	if status, out, _ := command(t, "", "check", foreign); status != 1 || !strings.HasPrefix(out, "bad "+foreign+" isn't a Rackmate data file") || strings.Count(out, foreign) != 1 {
		t.Errorf("status %d, %s", status, out)
	}
}

// TestUnreachableDatabase checks that commands which can't use a database say in one line what to
// check, and don't show the password.
func TestUnreachableDatabase(t *testing.T) {
	const url = "postgres://rackmate:sesame@127.0.0.1:1/rackmate"
	for args, want := range map[string]string{
		"serve --listen 127.0.0.1:0 --data " + url: "127.0.0.1:1: connect: connection refused): check that PostgreSQL runs, that --data names its server, port and database, and that no firewall keeps this host away\n",
		"check " + url:           "connection refused): check that PostgreSQL runs",
		"terminal --data " + url: "terminal can't use a database: name a data file with --data",
	} {
		_, out, err := command(t, "", strings.Fields(args)...)
		if !strings.Contains(err, want) || strings.Count(err, "connection refused") > 1 || strings.Contains(out+err, "sesame") {
			t.Errorf("%s: %q, %q; want %q", args, out, err, want)
		}
	}
}

// TestCompletion checks that shells complete commands, verbs, values and files.
func TestCompletion(t *testing.T) {
	for typed, want := range map[string]string{
		"re":                        "recount render replay restore review",
		"lexicon ":                  "build check diff info merge save words",
		"help lexicon d":            "diff",
		"match ex":                  "expert",
		"match --rules c":           "classic club",
		"serve --backup-":           "--backup-every --backup-to",
		"--door ":                   "invite oidc open password",
		"render --theme d":          "dark",
		"review --language e":       "el en eo es et eu",
		"keeper ":                   "add list remove",
		"forget ":                   "person server workspace",
		"commands ":                 "discord slack",
		"replay ":                   "gcg json :8",
		"backup --data ":            ":0",
		"export --output ":          ":16",
		"lexicon check --lexicon f": "fr :0",
		"version ":                  ":4",
	} {
		args := strings.Split(typed, " ")
		status, out, err := command(t, "", append([]string{"__complete"}, args...)...)
		var got []string
		for line := range strings.Lines(out) {
			word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
			extension := strings.Contains(want, ":8") // which shells don't compare with the typed text
			switch {
			case strings.HasPrefix(word, ":") && strings.Contains(want, word),
				!strings.HasPrefix(word, ":") && (extension || strings.HasPrefix(word, args[len(args)-1])):
				got = append(got, word)
			}
		}
		slices.Sort(got)
		list := strings.Fields(want)
		slices.Sort(list)
		if status != 0 || !slices.Equal(got, list) {
			t.Errorf("%q is completed by %v, want %v (%s)", typed, got, list, err)
		}
	}
}

// TestHelp checks that help goes to standard output, with no line too long, and that each command
// has at least two examples.
func TestHelp(t *testing.T) {
	var visit func(words []string, c *cobra.Command)
	visit = func(words []string, c *cobra.Command) {
		for _, args := range [][]string{append([]string{"help"}, words...), append(slices.Clone(words), "--help")} {
			status, out, err := command(t, "", args...)
			if status != 0 || err != "" || len(out) < 50 {
				t.Errorf("%v: status %d, %q, %q", args, status, out, err)
			}
			for line := range strings.Lines(out) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 100 {
					t.Errorf("%v has a line of %d: %s", args, n, line)
				}
			}
		}
		if n := len(strings.Split(c.Example, "\n")); n < 2 && len(words) == 1 && c.Runnable() && len(c.Use) > len(c.Name()) {
			t.Errorf("%v has %d examples", words, n)
		}
		for _, sub := range c.Commands() {
			visit(append(slices.Clone(words), sub.Name()), sub)
		}
	}
	root := program()
	visit(nil, root)
	_, out, _ := command(t, "", "help")
	at := -1
	for _, want := range []string{"Play:", "Host:", "Data:", "Word lists:", "Laboratory:", "This program:"} {
		if i := strings.Index(out, want); i < at {
			t.Errorf("%s isn't in its place in\n%s", want, out)
		} else {
			at = i
		}
	}
	for args, want := range map[string]string{
		"help chess":     `unknown topic "chess"`,
		"help match x":   `unknown topic "match x"`,
		"mtach":          "do you mean match?",
		"version x":      `unexpected argument "x"`,
		"config x":       `unexpected argument "x"`,
		"gallery A B":    "name one folder",
		"man x":          `unexpected argument "x"`,
		"completion csh": `no completion script for "csh"`,
	} {
		if status, out, err := command(t, "", strings.Fields(args)...); status != 2 || out != "" || !strings.Contains(err, want) {
			t.Errorf("%s: status %d, %q, %q", args, status, out, err)
		}
	}
}

// TestFlagsAnywhere checks that flags may come before, between and after the other words, with one
// dash or two.
func TestFlagsAnywhere(t *testing.T) {
	for _, args := range []string{
		"keeper --data none.db list", "keeper list --data none.db", "keeper -data none.db list", "keeper -data=none.db list",
		"discord --data none.db forget 81384788765712384", "slack forget --data none.db T0123ABCD", "forget --yes --data none.db person Ann", "forget person Ann --yes --data none.db",
	} {
		if status, _, err := command(t, "", strings.Fields(args)...); status != 1 || !strings.Contains(err, "no data file none.db") {
			t.Errorf("%s: status %d, %s", args, status, err)
		}
	}
	for _, args := range []string{"commands --activity discord", "commands discord -activity"} {
		if status, out, err := command(t, "", strings.Fields(args)...); status != 0 || !strings.HasPrefix(out, "[") {
			t.Errorf("%s: status %d, %s", args, status, err)
		}
	}
}
