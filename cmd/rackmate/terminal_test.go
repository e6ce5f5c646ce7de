package main

import (
	"github.com/rackmate/rackmate/cmd/internal/cli"

	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestTerminal plays a game against a robot in the terminal and resumes it from its data file.
func TestTerminal(t *testing.T) {
	t.Setenv("LC_ALL", "C")
	file := filepath.Join(t.TempDir(), "table.db")
	play := func(script string, args ...string) string {
		t.Helper()
		var out, log bytes.Buffer
		if code := run(t.Context(), cli.Std{In: strings.NewReader(script), Out: &out, Err: &log}, append([]string{"terminal", "--data", file}, args...)); code != 0 {
			t.Fatalf("exit %d: %s\n%s", code, &log, &out)
		}
		return out.String()
	}
	first := play("pass sure:yes\npass sure:yes\nquit\n", "--robot", "beginner", "--names", "Ann", "challenge:void")
	if !strings.Contains(first, "Ann: passes") || !strings.Contains(first, "Beginner (robot): ") {
		t.Errorf("no game:\n%s", first)
	}
	second := play("resign\n1\nquit\n", "--names", "Ann")
	if !strings.Contains(second, "The game goes on.") || !strings.Contains(second, "Ann: passes") || !strings.Contains(second, "The game is over.") {
		t.Errorf("the game doesn't go on, or doesn't end:\n%s", second)
	}
}

// TestTerminalUsesEnvironmentsLanguage checks that the terminal uses the language of its environment.
func TestTerminalUsesEnvironmentsLanguage(t *testing.T) {
	t.Setenv("LC_ALL", "de_DE.UTF-8")
	var out, log bytes.Buffer
	code := run(t.Context(), cli.Std{In: strings.NewReader("\npassen\n1\n\npassen\n1\n\nhergeben\nexport\nquit\n"), Out: &out, Err: &log}, []string{"terminal", "--names", "Ann,Bob"})
	for _, want := range []string{"ist am Zug. Drück Enter", "Deine Bank: ", "Ann: passt", "Bob: passt"} {
		if code != 0 || !strings.Contains(out.String(), want) {
			t.Errorf("exit %d, and %q isn't shown:\n%s%s", code, want, &out, &log)
		}
	}
	for name, want := range map[string]string{"": "", "C.UTF-8": "C", "pt_BR.UTF-8": "pt_BR", "de_AT@euro": "de_AT"} {
		if got := locale(func(key string) string { return map[string]string{"LANG": name}[key] }); got != want {
			t.Errorf("LANG=%s asks for %q, want %q", name, got, want)
		}
	}
}

// TestTypedTextSurvivesHandOver checks that text typed instead of Enter, when the keyboard is handed over,
// isn't lost.
func TestTypedTextSurvivesHandOver(t *testing.T) {
	t.Setenv("LC_ALL", "C")
	var out, log bytes.Buffer
	code := run(t.Context(), cli.Std{In: strings.NewReader("pass sure:yes\npass sure:yes\nquit\n"), Out: &out, Err: &log}, []string{"terminal", "--names", "Ann,Bob"})
	if text := out.String(); code != 0 || !strings.Contains(text, "Ann: passes") || !strings.Contains(text, "Bob: passes") {
		t.Errorf("exit %d:\n%s%s", code, text, &log)
	}
}

func TestTerminalUsage(t *testing.T) {
	for args, want := range map[string]string{
		"--robot easy --names Ann,Bob": "a robot plays against one person",
		"--robot clever":               "clever",
		"rules:none":                   "none",
	} {
		var out, log bytes.Buffer
		code := run(t.Context(), cli.Std{In: strings.NewReader(""), Out: &out, Err: &log}, append([]string{"terminal"}, strings.Fields(args)...))
		if code == 0 || !strings.Contains(log.String(), want) {
			t.Errorf("terminal %s: exit %d, %q", args, code, &log)
		}
	}
}

// TestTerminalLanguages checks that the terminal can use any word list and language that the
// operator has.
func TestTerminalLanguages(t *testing.T) {
	t.Setenv("LC_ALL", "C")
	dir := t.TempDir()
	list, words, own := filepath.Join(dir, "he.lex"), filepath.Join(dir, "he.txt"), filepath.Join(dir, "own.json")
	hebrew, err := data.Language("he")
	gametest.Must(t, err)
	for file, text := range map[string]string{words: "שלום\nשל\nלב\n", own: strings.Replace(string(hebrew), `"code": "he"`, `"code": "hx"`, 1)} {
		gametest.Must(t, os.WriteFile(file, []byte(text), 0o600))
	}
	terminal := func(args ...string) string {
		var out, log bytes.Buffer
		// If Bob begins, the first line is taken as the Enter that is awaited.
		run(t.Context(), cli.Std{In: strings.NewReader("unseen\nunseen\nquit\n"), Out: &out, Err: &log}, args)
		return out.String() + log.String()
	}
	terminal("lexicon", "build", "-o", list, "--language", "he", "he-home", words)
	ownList := filepath.Join(dir, "hx.lex")
	terminal("lexicon", "build", "-o", ownList, "--language", own, "hx-home", words)
	for _, c := range []struct{ flags, want string }{
		{"--lexicon " + list, "Your rack: [א-ת?] "},
		{"--lexicon " + list + " --language he", "Your rack: [א-ת?] "},
		{"--lexicon " + list + " --language he", "O N M L K J I H G F E D C B A\n"},
		{"--lexicon " + ownList + " --language " + own, "Your rack: [א-ת?] "},
		{"--language es", "CH"},
		{"--lexicon none.lex", `unknown word list "none.lex"`},
		{"--language none.json", `unknown language "none.json"`},
		{"--lexicon en --language es", "isn't Spanish"},
	} {
		got := terminal(append([]string{"terminal", "--names", "Ann,Bob"}, strings.Fields(c.flags)...)...)
		if !regexp.MustCompile(c.want).MatchString(got) {
			t.Errorf("%s: there is no %q in\n%s", c.flags, c.want, got)
		}
	}
}
