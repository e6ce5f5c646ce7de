package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
)

func TestCommandsDiscord(t *testing.T) {
	for _, c := range []struct {
		secret   string // "@" stands for a secret in a file
		flags    []string
		activity bool
	}{
		{"", nil, false},
		{"secret", nil, true},
		{"@", nil, true},
		{"", []string{"--activity"}, true},
		{"secret", []string{"--activity=false"}, false},
	} {
		file := ""
		if c.secret == "@" {
			file, c.secret = filepath.Join(t.TempDir(), "secret"), ""
			gametest.Must(t, os.WriteFile(file, []byte("secret\n"), 0o600))
		}
		t.Setenv("DISCORD_CLIENT_SECRET", c.secret)
		t.Setenv("DISCORD_CLIENT_SECRET_FILE", file)
		status, out, errs := command(t, "", append([]string{"commands", "discord"}, c.flags...)...)
		var all []struct {
			Name string
			Type int
		}
		if err := json.Unmarshal([]byte(out), &all); err != nil || status != 0 || errs != "" {
			t.Fatalf("status %d, %v, %s", status, err, errs)
		}
		if len(all) < 12 || all[0].Name != "play" || all[0].Type != 1 {
			t.Errorf("%d commands, the first %+v", len(all), all[0])
		}
		if last := all[len(all)-1]; (last.Type == 4) != c.activity {
			t.Errorf("secret %q, file %q, flags %q: the last is %+v", c.secret, file, c.flags, last)
		}
	}
}

// TestDiscordSettings checks that missing or wrong settings are reported before connecting.
func TestDiscordSettings(t *testing.T) {
	for _, c := range []struct {
		token, key string
		args       []string
		status     int
		want       string
	}{
		{"", "", []string{"discord", "invite"}, 1, "no DISCORD_TOKEN in the environment"},
		{"a b", "", []string{"discord", "invite"}, 1, "Reset Token"},
		{"x", "", []string{"discord", "invite", "--discord-api", "nowhere"}, 1, "is not the address of a server"},
		{"x", "", []string{"discord", "invite", "--discord-api", "http://127.0.0.1:1"}, 1, "connection refused"},
		{"x", "", []string{"discord"}, 2, "invite (prints the link"},
		{"x", "", []string{"commands"}, 2, "name the platform"},
		{"x", "", []string{"serve", "--discord-shards", "2/2"}, 2, "isn't a shard"},
		{"x", "", []string{"serve", "--listen", "127.0.0.1:0", "--discord-shards", "0/2"}, 1, "names a part of the shards"},
		{"x", "abcd", []string{"serve", "--listen", "127.0.0.1:0"}, 1, "DISCORD_PUBLIC_KEY is not a public key"},
		{"", "abcd", []string{"serve", "--listen", "127.0.0.1:0"}, 1, "no DISCORD_TOKEN in the environment"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			t.Setenv("DISCORD_TOKEN", c.token)
			t.Setenv("DISCORD_PUBLIC_KEY", c.key)
			args := c.args
			if args[0] == "serve" {
				args = append(args, "--data", t.TempDir()+"/rackmate.db")
			}
			status, out, errs := command(t, "", args...)
			if status != c.status || out != "" || !strings.Contains(errs, c.want) {
				t.Errorf("status %d, %q %q; want %d and something about %q", status, out, errs, c.status, c.want)
			}
		})
	}
}
