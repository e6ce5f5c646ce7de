package main

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game/gametest"
)

// settingsFile returns the path of a settings file.
func settingsFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "rackmate.toml")
	gametest.Must(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

// TestSettingsPrecedence checks that a flag takes precedence over the environment, and that over
// the file.
func TestSettingsPrecedence(t *testing.T) {
	file := settingsFile(t, `
listen = ":3"
theme = "cb"
host = ["a.example", "b.example"]
verbose = true
`)
	t.Setenv("RACKMATE_LISTEN", ":2")
	t.Setenv("RACKMATE_THEME", "dark")
	t.Setenv("RACKMATE_LEXICON", "one.lex, two.lex")
	t.Setenv("RACKMATE_DISCORD_SHARDS", "0-1/4")
	var c serveConfig
	if err := c.settings("serve").parse([]string{"--config", file, "--listen", ":1"}, os.Environ()); err != nil {
		t.Fatal(err)
	}
	if c.listen != ":1" || c.theme != "dark" || !c.verbose {
		t.Errorf("listen %q, theme %q, verbose %v; want the flag's, the environment's, the file's", c.listen, c.theme, c.verbose)
	}
	if !slices.Equal(c.web.hosts, []string{"a.example", "b.example"}) || !slices.Equal(c.lexicons, []string{"one.lex", "two.lex"}) {
		t.Errorf("hosts %q, lexicons %q", c.web.hosts, c.lexicons)
	}
	if c.discord.shards.Last != 1 || c.discord.shards.Of != 4 {
		t.Errorf("shards %+v", c.discord.shards)
	}
}

func TestSettingsMistakes(t *testing.T) {
	for _, c := range []struct {
		name, file string
		env        [2]string
		want       string
	}{
		{"a slip in the file", "lisen = ':1'", [2]string{}, `unknown setting "lisen": do you mean "listen"?`},
		{"nothing like it in the file", "frobnicate = 1", [2]string{}, `unknown setting "frobnicate": "rackmate config" prints all settings`},
		{"a secret in the file", "discord_token = 'x'", [2]string{}, "discord_token is a secret: put it into the environment as DISCORD_TOKEN"},
		{"a table in the file", "[listen]\naddr = 1", [2]string{}, "listen must be a text, a number"},
		{"not TOML", "listen = ", [2]string{}, "read the settings file"},
		{"a slip in the environment", "", [2]string{"RACKMATE_LISTN", ":1"}, "RACKMATE_LISTN isn't a setting: do you mean RACKMATE_LISTEN?"},
		{"a value that can't be", "", [2]string{"RACKMATE_VERBOSE", "maybe"}, `verbose (from RACKMATE_VERBOSE) can't be "maybe"`},
		{"no number of days", "", [2]string{"RACKMATE_FORGET_AFTER", "a year"}, `forget-after (from RACKMATE_FORGET_AFTER) can't be "a year"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.env[0] != "" {
				t.Setenv(c.env[0], c.env[1])
			}
			var conf serveConfig
			err := conf.settings("serve").parse([]string{"--config", settingsFile(t, c.file)}, os.Environ())
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v; want %q", err, c.want)
			}
		})
	}
	// Variables of other programs may start alike.
	t.Setenv("RACKMATE_POSTGRES_TESTS", "required")
	var c serveConfig
	if err := c.settings("serve").parse(nil, os.Environ()); err != nil {
		t.Error(err)
	}
}

func TestSecrets(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	gametest.Must(t, os.WriteFile(file, []byte("hush-hush\n"), 0o600))
	t.Setenv("DISCORD_TOKEN_FILE", file)
	t.Setenv("SLACK_BOT_TOKEN", "xoxb-hush")
	var out bytes.Buffer
	if code := run(t.Context(), cli.Std{In: nil, Out: &out, Err: &out}, []string{"config"}); code != 0 {
		t.Fatalf("exit %d: %s", code, &out)
	}
	if strings.Contains(out.String(), "hush") {
		t.Errorf("a secret is printed:\n%s", &out)
	}
	for _, want := range []string{"# DISCORD_TOKEN is set, by DISCORD_TOKEN_FILE:", "# SLACK_BOT_TOKEN is set, by SLACK_BOT_TOKEN:", "# SLACK_APP_TOKEN is not set:"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no line %q in\n%s", want, &out)
		}
	}
	var c serveConfig
	if err := c.settings("serve").parse(nil, os.Environ()); err != nil || c.discord.token != "hush-hush" {
		t.Errorf("token %q, %v", c.discord.token, err)
	}
	t.Setenv("DISCORD_TOKEN", "another")
	if err := c.settings("serve").parse(nil, os.Environ()); err == nil || !strings.Contains(err.Error(), "both DISCORD_TOKEN and DISCORD_TOKEN_FILE are set") {
		t.Errorf("two tokens: %v", err)
	}
}

// TestConfigIsAFile checks that the output of config works as a settings file and reproduces
// itself.
func TestConfigIsAFile(t *testing.T) {
	t.Setenv("RACKMATE_HOST", "play.example,here.example")
	t.Chdir(t.TempDir())
	for file, name := range map[string]string{"one.lex": "pt", "it's.lex": "es"} {
		list, err := data.Lexicon(name)
		gametest.Must(t, err)
		gametest.Must(t, os.WriteFile(file, list, 0o600))
	}
	t.Setenv("RACKMATE_LEXICON", "one.lex,it's.lex")
	var first, second bytes.Buffer
	if code := run(t.Context(), cli.Std{In: nil, Out: &first, Err: &first}, []string{"config", "--listen", ":9", "--verbose", "--log", "json"}); code != 0 {
		t.Fatalf("exit %d: %s", code, &first)
	}
	os.Unsetenv("RACKMATE_HOST")
	os.Unsetenv("RACKMATE_LEXICON")
	file := settingsFile(t, first.String())
	if code := run(t.Context(), cli.Std{In: nil, Out: &second, Err: &second}, []string{"config", "--config", file}); code != 0 {
		t.Fatalf("exit %d: %s\n%s", code, &second, &first)
	}
	values := func(text string) (lines []string) {
		for line := range strings.Lines(text) {
			value, _, _ := strings.Cut(line, "  # ")
			lines = append(lines, value)
		}
		return lines
	}
	if a, b := values(first.String()), values(second.String()); !slices.Equal(a, b) {
		t.Errorf("\n%s\nis read as\n%s", &first, &second)
	}
}

// TestToolsUseDataSetting checks that the tools use the host's data setting in the same environment.
func TestToolsUseDataSetting(t *testing.T) {
	data := filepath.Join(t.TempDir(), "rackmate.db")
	db, err := bolt.Open(data, time.Now)
	gametest.Must(t, err)
	gametest.Must(t, db.Close())
	t.Setenv("RACKMATE_DATA", data)
	for _, args := range [][]string{{"keeper", "list"}, {"backup", data + ".copy"}, {"recount"}} {
		if status, _, stderr := command(t, "", args...); status != 0 {
			t.Errorf("%v: %d %s", args, status, stderr)
		}
	}
}

// TestOtherFilesAreNotPrinted checks that nothing of another file is printed if the path is wrong;
// it may have any size and contain secrets.
func TestOtherFilesAreNotPrinted(t *testing.T) {
	for name, text := range map[string]string{
		"a secret on one line": "hush-hush and more",
		"a quote":              "listen = 'hush-hush",
		"a number":             "keep = 'hush-hush'",
		"a large file":         strings.Repeat("hush-hush = 1\n", 200_000),
		"another's settings":   "[" + strings.Repeat("hush-hush", 1000) + "]\nx = 1",
		"no text":              "\xff\xfehush-hush",
	} {
		status, out, err := command(t, "", "config", "--config", settingsFile(t, text))
		if status == 0 || strings.Count(out+err, "hush-hush") > strings.Count(name, "settings")*5 || len(out+err) > 600 {
			t.Errorf("%s: status %d, %.300s", name, status, out+err)
		}
	}
}

// TestConfigRejectsAsServeDoes checks that config rejects the same settings as serve, with the same
// errors.
func TestConfigRejectsAsServeDoes(t *testing.T) {
	for args, want := range map[string]string{
		"--theme pink":                "light",
		"--door nobody":               "choose one of open",
		"--door password":             "at least",
		"--door oidc":                 "needs a service",
		"--listen nonsense":           "such as 127.0.0.1:8080",
		"--listen :808080":            "such as 127.0.0.1:8080",
		"--listen :0":                 "--host play.example.org",
		"--metrics 9090":              "--metrics can't be",
		"--keep -1":                   "at least 1",
		"--connections 0":             "at least 1",
		"--host exa..mple":            "without a port",
		"--host https://play.example": "without https://",
		"--log loud":                  "text or json",
		"--lexicon none.lex":          "unknown word list",
		"--language none.json":        "none.json",
		"--log-level loud":            "debug, info, warn or error",
		"--push maybe":                "on or off",
		"--contact nobody":            "an email address",
		"--person-share some":         "such as 4%",
		"--backup-every 6h":           "--backup-to",
	} {
		file := filepath.Join(t.TempDir(), "rackmate.db")
		status, out, err := command(t, "", append([]string{"config"}, strings.Fields(args)...)...)
		if status != 2 || out != "" || !strings.Contains(err, want) {
			t.Errorf("config %s: status %d, %q, %q", args, status, out, err)
		}
		said, _, _ := strings.Cut(strings.TrimPrefix(err, "rackmate config: "), "\nusage:")
		if status, _, err := command(t, "", append([]string{"serve", "--data", file}, strings.Fields(args)...)...); status != 2 || !strings.Contains(err, said) {
			t.Errorf("serve %s: status %d, %q, want %q", args, status, err, said)
		}
		if _, err := os.Stat(file); err == nil {
			t.Errorf("%s: a data file was made", args)
		}
	}
}

// TestTakenPortSuggestsAnother checks that the error about a taken port suggests a free one.
func TestTakenPortSuggestsAnother(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	gametest.Must(t, err)
	defer l.Close()
	status, _, errs := command(t, "", "serve", "--listen", l.Addr().String(), "--data", filepath.Join(t.TempDir(), "rackmate.db"))
	if status != 1 || !regexp.MustCompile(`Port \d+ is free: --listen 127\.0\.0\.1:\d+`).MatchString(errs) {
		t.Errorf("%d: %s", status, errs)
	}
}
