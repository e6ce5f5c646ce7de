package main

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/bot/store/postgres/pgtest"
)

// A workspace is forgotten beside a running host, without one, and in PostgreSQL:
// nothing names its people or its channels any more, but the channels of games,
// which stay with former players.
func TestForgetWorkspace(t *testing.T) {
	for _, tt := range []struct {
		name    string
		running bool
		data    func(t *testing.T) []string
	}{
		{"beside a running host", true, func(*testing.T) []string { return nil }},
		{"without a host", false, func(*testing.T) []string { return nil }},
		{"in PostgreSQL", true, func(t *testing.T) []string { return []string{"--data", pgtest.Shared(t).Database(t)} }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			api := slacktest.New(slacktest.Options{})
			t.Cleanup(api.Close)
			t.Setenv("SLACK_APP_TOKEN", slacktest.AppToken)
			t.Setenv("SLACK_BOT_TOKEN", slacktest.BotToken)
			where := tt.data(t)
			s := newServer(t, append(where, "--slack-api", api.URL)...)
			if where == nil {
				where = []string{"--data", s.data}
			}
			if !api.Await(func() bool { return api.Connected() > 0 }) {
				t.Fatalf("the host doesn't connect: %s", s.log)
			}
			says := func(channel, text string) bool {
				for _, m := range api.Messages(channel) {
					if strings.Contains(m.Said(), text) {
						return true
					}
				}
				return false
			}
			do := func(who, channel, text, wants string) {
				t.Helper()
				answers := len(api.Private(who))
				if err := api.Slash(who, channel, "/rackmate", text); err != nil {
					t.Fatal(err)
				}
				if !api.Await(func() bool {
					return wants == "" && len(api.Private(who)) > answers || wants != "" && says(channel, wants)
				}) {
					t.Fatalf("%s: nobody is told %q: %s", text, wants, s.log)
				}
			}
			for _, channel := range []string{"C0GAMES", "C0TALK"} { // one game that ends, one that goes on
				do("U0ANN", channel, "new seats:2", "opens a table")
				do("U0BOB", channel, "join", "goes first")
			}
			do("U0ANN", "C0GAMES", "settings quiet:22-8", "")
			do("U0ANN", "C0GAMES", "settings for:channel theme:dark", "")
			do("U0BOB", "C0GAMES", "note the Q is out", "")
			if err := api.OpenHome("U0BOB"); err != nil {
				t.Fatal(err)
			}
			do("W0CAT", "C0TALK", "settings dm:off", "") // has never played
			if err := api.Slash("U0ANN", "C0GAMES", "/rackmate", "resign"); err != nil {
				t.Fatal(err)
			}
			private := func() slacktest.Message { all := api.Private("U0ANN"); return all[len(all)-1] }
			if !api.Await(func() bool { e, _ := slacktest.Find(private().Blocks, "Yes, resign"); return e != nil }) {
				t.Fatalf("Ann is asked: %s", private().Said())
			}
			if err := api.Press("U0ANN", private(), "Yes, resign", nil); err != nil {
				t.Fatal(err)
			}
			if !api.Await(func() bool { return says("C0GAMES", "Bob wins") }) {
				t.Fatalf("the game doesn't end: %s", s.log)
			}
			if !tt.running {
				s.stop()
			}
			for n, want := range []string{"people=3 ", "people=0 notes=0"} {
				status, out, errs := command(t, "", append([]string{"slack", "forget", slacktest.Team}, where...)...)
				if status != 0 || !strings.HasPrefix(out, want) {
					t.Fatalf("time %d: %d %s%s\n%s", n+1, status, out, errs, s.log)
				}
			}
			if tt.running {
				s.stop()
			}
			db, err := openData(t.Context(), where[1])
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			home, _ := slack.HomeID(slacktest.Team)
			games := 0
			if err := db.Records(t.Context(), func(r store.Record) error {
				switch r := r.(type) {
				case store.Table:
					games++
					for _, e := range r.Events {
						if strings.Contains(string(e), `"Ann"`) || strings.Contains(string(e), home+"/U") {
							t.Errorf("a game has %s", e)
						}
					}
				case store.Post:
					if tt.running && r.For == "" {
						break // it tells the channel what the forgetting did, and was on its way
					}
					t.Errorf("a post waits: %+v", r)
				case store.Note:
					if tt.running && (r.Shelf == "homes" || r.Shelf == "last") && !strings.Contains(r.Key+string(r.Value), home+"/U") {
						break // what was on its way made it anew: it names a channel, and nobody
					}
					if text := r.Adapter + " " + r.Shelf + " " + r.Key + " " + string(r.Value); strings.Contains(text, `"Ann`) || strings.Contains(text, home+"/U") || strings.Contains(r.Key, home) {
						t.Errorf("a note has %s", text)
					}
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if games != 2 {
				t.Errorf("%d games are kept, want 2", games)
			}
		})
	}
	for _, args := range []string{"slack", "slack forget", "slack forget C0GAMES", "slack remember T0SLACK"} {
		if status, _, errs := command(t, "", strings.Fields(args)...); status != 2 {
			t.Errorf("%s: %d %s", args, status, errs)
		}
	}
}
