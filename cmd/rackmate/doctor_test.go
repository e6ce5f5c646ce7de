package main

import (
	"crypto/x509"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/game/gametest"
)

// examined returns what the doctor finds for a host with some flags and environment.
func examined(t *testing.T, environ map[string]string, args ...string) (status int, found map[string]diagnosis) {
	t.Helper()
	for name, value := range environ {
		t.Setenv(name, value)
	}
	status, out, errs := command(t, "", append([]string{"doctor", "--json", "--data", filepath.Join(t.TempDir(), "rackmate.db"), "--listen", "127.0.0.1:0"}, args...)...)
	var all []diagnosis
	if err := json.Unmarshal([]byte(out), &all); err != nil {
		t.Fatalf("%v: %s%s", err, out, errs)
	}
	found = map[string]diagnosis{}
	bad := 0
	for _, f := range all {
		found[f.Check] = f
		if !f.OK {
			bad = 1
		}
	}
	if status != bad {
		t.Errorf("exit status %d for\n%s", status, out)
	}
	return status, found
}

// saysBad reports whether a check failed with a message.
func saysBad(found map[string]diagnosis, check, want string) bool {
	f, there := found[check]
	return there && !f.OK && strings.Contains(f.Says, want)
}

func TestDoctor(t *testing.T) {
	status, found := examined(t, nil)
	for _, check := range []string{"settings", "word lists", "data", "port"} {
		if f := found[check]; !f.OK {
			t.Errorf("%s: %+v", check, f)
		}
	}
	if status != 0 {
		t.Errorf("%+v", found)
	}
	_, out, _ := command(t, "", "doctor", "--data", filepath.Join(t.TempDir(), "rackmate.db"), "--listen", "127.0.0.1:0", "--door", "nobody")
	if !strings.HasPrefix(out, "bad settings: --door can't be") || !strings.Contains(out, "\nok data: ") {
		t.Errorf("for people: %s", out)
	}
}

func TestDoctorChecksDataAndPorts(t *testing.T) {
	dir := t.TempDir()
	letter, sound := filepath.Join(dir, "letter"), filepath.Join(dir, "rackmate.db")
	gametest.Must(t, os.WriteFile(letter, []byte(strings.Repeat("Dear Ann, ", 1000)), 0o644))
	db, err := bolt.Open(sound, time.Now)
	gametest.Must(t, err)
	gametest.Must(t, db.Close())
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	gametest.Must(t, err)
	defer taken.Close()
	go func() { // another program, not a host
		for {
			c, err := taken.Accept()
			if err != nil {
				return
			}
			c.Close()
		}
	}()
	for _, tt := range []struct{ args, check, want string }{
		{"--data " + letter, "data", "isn't a Rackmate data file"},
		{"--data " + filepath.Join(dir, "nowhere", "rackmate.db"), "data", "Create its folder"},
		{"--data " + dir, "data", "isn't a file"},
		{"--data postgres://nobody@127.0.0.1:1/none", "data", ""},
		{"--listen " + taken.Addr().String(), "port", "is free: --listen"},
		{"--metrics " + taken.Addr().String(), "metrics", "is free: --metrics"},
		{"--lexicon " + letter, "word lists", "letter"},
		{"--keep -1", "settings", "--keep"},
		{"--config " + filepath.Join(dir, "none.toml"), "settings", "none.toml"},
		{"--host no.such.name.invalid", "name", "add a DNS record"},
	} {
		if _, found := examined(t, nil, strings.Fields(tt.args)...); !saysBad(found, tt.check, tt.want) {
			t.Errorf("%s: %+v", tt.args, found)
		}
	}
	if _, found := examined(t, nil, "--data", sound); !strings.Contains(found["data"].Says, "is sound, tables=0") {
		t.Errorf("%+v", found)
	}
	if info, err := os.Stat(letter); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("the letter: %v, %v", info.Mode(), err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("the doctor leaves %v, %v", entries, err)
	}
	s := newServer(t)
	if _, found := examined(t, nil, "--data", s.data, "--listen", strings.TrimPrefix(s.base, "http://")); !strings.Contains(found["data"].Says, "a host runs") || !strings.Contains(found["port"].Says, "a host answers") {
		t.Errorf("of a running host: %+v", found)
	}
}

// TestDoctorChecksNames checks that the host's name and certificate are checked as a browser would.
func TestDoctorChecksNames(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "", http.StatusBadGateway) }))
	defer s.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	trusted := s.Client()
	for _, tt := range []struct {
		address string
		client  *http.Client
		ok      bool
		want    string
	}{
		{s.URL, trusted, true, "with a certificate until"},
		{s.URL, http.DefaultClient, false, "browsers don't trust"},
		{strings.Replace(s.URL, "127.0.0.1", "localhost", 1), trusted, false, "for another name"},
		{strings.Replace(plain.URL, "http:", "https:", 1), trusted, false, "without TLS"},
		{"https://127.0.0.1:1", trusted, false, "doesn't answer"},
	} {
		d := doctor{conf: &serveConfig{url: outside(tt.address)}, now: time.Now, client: tt.client}
		d.examineName(t.Context())
		if len(d.found) != 1 || d.found[0].OK != tt.ok || !strings.Contains(d.found[0].Says, tt.want) {
			t.Errorf("%s: %+v", tt.address, d.found)
		}
	}
	if err := nameTrouble("https://x", x509.CertificateInvalidError{Reason: x509.Expired}); !strings.Contains(err.Error(), "expired") {
		t.Error(err)
	}
}

func TestDoctorChecksClocks(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for off, want := range map[time.Duration]string{0: "", 59 * time.Second: "", 5 * time.Minute: "5m0s ahead of that of Slack", -2 * time.Hour: "2h0m0s behind"} {
		if err := clockOff(now.Add(off), now, "Slack"); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", off, err)
		}
	}
}

func TestDoctorChecksDiscord(t *testing.T) {
	d := discordtest.New(t)
	d.Guild("Club").Channel("games")
	token := map[string]string{"DISCORD_TOKEN": discordtest.Token}
	_, found := examined(t, token, "--discord-api", d.URL)
	for _, check := range []string{"discord token", "discord intents", "discord commands", "discord servers", "clock"} {
		if f := found[check]; !f.OK {
			t.Errorf("%s: %+v", check, f)
		}
	}
	d.Guild("Small").Grant(discordtest.ViewChannel | discordtest.SendMessages)
	if _, found := examined(t, token, "--discord-api", d.URL); !saysBad(found, "discord server Small", "lacks Attach Files, Create Public Threads, Send Messages in Threads") {
		t.Errorf("%+v", found)
	}
	if _, found := examined(t, token, "--discord-api", "http://127.0.0.1:1"); !saysBad(found, "discord token", "HTTPS_PROXY") {
		t.Errorf("%+v", found)
	}
	if _, found := examined(t, map[string]string{"DISCORD_TOKEN": "another"}, "--discord-api", d.URL); !saysBad(found, "discord token", "Reset Token") {
		t.Errorf("%+v", found)
	}
	if _, found := examined(t, map[string]string{"DISCORD_TOKEN": discordtest.Token, "DISCORD_PUBLIC_KEY": strings.Repeat("ab", 32)}, "--discord-api", d.URL); !saysBad(found, "discord public key", "another application's") {
		t.Errorf("%+v", found)
	}
}

// TestDoctorChecksDiscordChannels checks what is found of channels that change the bot's permissions.
func TestDoctorChecksDiscordChannels(t *testing.T) {
	const view, send, attach, threads = discordtest.ViewChannel, discordtest.SendMessages, discordtest.AttachFiles, discordtest.CreatePublicThreads
	type change struct {
		whose       discordtest.Subject
		allow, deny uint64
	}
	for name, tt := range map[string]struct {
		changes []change
		check   string // "" for the server's
		ok      bool
		want    string
	}{
		"no change":                                    {nil, "", true, "may post in 2 of 2 channels"},
		"no files for everyone":                        {[]change{{discordtest.Everyone, 0, attach}}, "discord channel #games in Club", false, "lacks Attach Files: allow it"},
		"no threads for the role":                      {[]change{{discordtest.BotRole, 0, threads | discordtest.SendMessagesInThread}}, "discord channel #games in Club", false, "lacks Create Public Threads, Send Messages in Threads"},
		"no files for the bot":                         {[]change{{discordtest.BotItself, 0, attach}}, "discord channel #games in Club", false, "lacks Attach Files"},
		"denied for everyone, allowed for the role":    {[]change{{discordtest.Everyone, 0, view | send}, {discordtest.BotRole, view | send, 0}}, "", true, "2 of 2 channels"},
		"allowed for the role, denied for the bot":     {[]change{{discordtest.BotRole, attach, 0}, {discordtest.BotItself, 0, attach}}, "discord channel #games in Club", false, "lacks Attach Files"},
		"denied for the role, allowed for the bot":     {[]change{{discordtest.BotRole, 0, attach}, {discordtest.BotItself, attach, 0}}, "", true, "2 of 2 channels"},
		"a channel in which only moderators may write": {[]change{{discordtest.Everyone, 0, send}}, "", true, "1 of 2 channels; it may only read #games"},
		"a private channel":                            {[]change{{discordtest.Everyone, 0, view}}, "", true, "1 of 2 channels"},
	} {
		t.Run(name, func(t *testing.T) {
			d := discordtest.New(t)
			g := d.Guild("Club")
			g.Channel("talk")
			games := g.Channel("games")
			for _, c := range tt.changes {
				games.Change(c.whose, c.allow, c.deny)
			}
			_, found := examined(t, map[string]string{"DISCORD_TOKEN": discordtest.Token}, "--discord-api", d.URL)
			check := tt.check
			if check == "" {
				check = "discord server Club"
			}
			if f, there := found[check]; !there || f.OK != tt.ok || !strings.Contains(f.Says, tt.want) {
				t.Errorf("%+v", found)
			}
		})
	}
	d := discordtest.New(t)
	g := d.Guild("Club")
	g.Channel("talk").Change(discordtest.Everyone, 0, view)
	g.Voice("Lounge")
	if _, found := examined(t, map[string]string{"DISCORD_TOKEN": discordtest.Token}, "--discord-api", d.URL); !saysBad(found, "discord server Club", "in no channel") {
		t.Errorf("%+v", found)
	}
}

func TestDoctorChecksSlack(t *testing.T) {
	s := slacktest.New(slacktest.Options{})
	defer s.Close()
	tokens := map[string]string{"SLACK_BOT_TOKEN": slacktest.BotToken, "SLACK_APP_TOKEN": slacktest.AppToken}
	_, found := examined(t, tokens, "--slack-api", s.URL, "--to", "U0ANN")
	for _, check := range []string{"slack token", "slack scopes", "slack socket", "slack picture", "clock"} {
		if f := found[check]; !f.OK {
			t.Errorf("%s: %+v", check, f)
		}
	}
	for _, to := range []string{"Ann", "U0NOBODY"} {
		if _, found := examined(t, tokens, "--slack-api", s.URL, "--to", to); !saysBad(found, "slack picture", to) {
			t.Errorf("%+v", found)
		}
	}
	if _, found := examined(t, map[string]string{"SLACK_BOT_TOKEN": "xoxb-another", "SLACK_APP_TOKEN": slacktest.AppToken}, "--slack-api", s.URL); !saysBad(found, "slack token", "SLACK_BOT_TOKEN") {
		t.Errorf("%+v", found)
	}
	if _, found := examined(t, map[string]string{"SLACK_BOT_TOKEN": slacktest.BotToken, "SLACK_APP_TOKEN": "xapp-another"}, "--slack-api", s.URL); !saysBad(found, "slack socket", "SLACK_APP_TOKEN") {
		t.Errorf("%+v", found)
	}
	few := slacktest.New(slacktest.Options{Scopes: []string{"chat:write"}})
	defer few.Close()
	if _, found := examined(t, tokens, "--slack-api", few.URL); !saysBad(found, "slack scopes", "lacks the scopes") {
		t.Errorf("%+v", found)
	}
}
