package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/bot/store/postgres/pgtest"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestForgetWorkspace checks that a workspace is erased with a host running, without one, and in
// PostgreSQL. Nothing then names its people. Two kinds of records still name its channels: finished
// games, which stay without names, and receipts of requests, which expire in two days.
func TestForgetWorkspace(t *testing.T) {
	t.Parallel()
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
			t.Parallel() // each waits for Slack's rate limits
			api := slacktest.New(slacktest.Options{})
			t.Cleanup(api.Close)
			where := tt.data(t)
			s := newServerIn(t, onSlack, append(where, "--slack-api", api.URL)...)
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
				gametest.Must(t, api.Slash(who, channel, "/rackmate", text))
				if !api.Await(func() bool {
					return wants == "" && len(api.Private(who)) > answers || wants != "" && says(channel, wants)
				}) {
					t.Fatalf("%s: nobody is told %q: %s", text, wants, s.log)
				}
			}
			for _, channel := range []string{"C0GAMES", "C0TALK"} { // one finished game, one in progress
				do("U0ANN", channel, "new seats:2", "wants to play")
				do("U0BOB", channel, "join", " play.")
			}
			do("U0ANN", "C0GAMES", "settings quiet:22-8", "")
			do("U0ANN", "C0GAMES", "settings for:channel theme:dark", "")
			do("U0BOB", "C0GAMES", "note the Q is out", "")
			gametest.Must(t, api.OpenHome("U0BOB"))
			do("W0CAT", "C0TALK", "settings dm:off", "") // this person has never played
			gametest.Must(t, api.Slash("U0ANN", "C0GAMES", "/rackmate", "resign"))
			private := func() slacktest.Message { all := api.Private("U0ANN"); return all[len(all)-1] }
			if !api.Await(func() bool { e, _ := slacktest.Find(private().Blocks, "Yes, resign"); return e != nil }) {
				t.Fatalf("Ann is asked: %s", private().Said())
			}
			gametest.Must(t, api.Press("U0ANN", private(), "Yes, resign", nil))
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
			gametest.Must(t, err)
			defer db.Close()
			home, _ := slack.HomeID(slacktest.Team)
			games, channels := 0, map[bot.TableID]bot.ChannelID{1: bot.ChannelID(home + "/C0GAMES"), 2: bot.ChannelID(home + "/C0TALK")}
			gametest.Must(t, db.Records(t.Context(), func(r store.Record) error {
				switch kept := r.(type) {
				case store.Table:
					if games++; kept.Channel != channels[kept.ID] {
						t.Errorf("game %d is in %s", kept.ID, kept.Channel)
					}
					kept.Channel = ""
					r = kept
				case store.Receipt:
					kept.Channel = ""
					r = kept
				}
				if text := recordText(r); strings.Contains(text, `"Ann`) || strings.Contains(text, home) {
					t.Errorf("%T %s", r, text)
				}
				return nil
			}))
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

// recordText returns everything that a record contains, to search it.
func recordText(r store.Record) string {
	switch r := r.(type) {
	case store.Note: // JSON would encode its value
		return r.Adapter + " " + r.Shelf + " " + r.Key + " " + string(r.Value)
	case store.Table:
		return fmt.Sprintf("%d %s %v %s", r.ID, r.Channel, r.Seated, bytes.Join(r.Events, nil))
	}
	return fmt.Sprintf("%+v", r)
}

// keepsOf returns the records of a database that contain one of some texts.
func keepsOf(t *testing.T, data string, texts ...string) (found []string) {
	t.Helper()
	db, err := openData(t.Context(), data)
	gametest.Must(t, err)
	defer db.Close()
	gametest.Must(t, db.Records(t.Context(), func(r store.Record) error {
		b, err := json.Marshal(r)
		if n, ok := r.(store.Note); ok { // JSON would encode its value
			b = []byte(n.Adapter + " " + n.Shelf + " " + n.Key + " " + string(n.Value))
		}
		if t, ok := r.(store.Table); ok {
			for _, e := range t.Events {
				b = append(b, e...)
			}
		}
		for _, text := range texts {
			if bytes.Contains(b, []byte(text)) {
				found = append(found, fmt.Sprintf("%T %s", r, b))
			}
		}
		return err
	}))
	return found
}

// TestForgetPerson checks that the operator can erase a person of the room: it first shows what
// would go, then erases it, at once or as soon as a host runs. It must be gone from later backups.
func TestForgetPerson(t *testing.T) {
	t.Parallel()
	for _, running := range []bool{true, false} {
		t.Run(fmt.Sprintf("running=%v", running), func(t *testing.T) {
			s := newServer(t)
			ann, bob := s.enter("Annabella"), s.enter("Bob")
			say := func(v *visitor, text string) {
				t.Helper()
				if status, err := v.post("/api/say", map[string]string{"stream": "general", "id": v.nextID(), "text": text}, nil); status != 200 {
					t.Fatalf("%s: %d, %v", text, status, err)
				}
			}
			say(ann, "good evening, this is Annabella")
			say(bob, "@Annabella welcome")
			say(ann, "/new seats:2")
			say(bob, "/join")
			say(ann, "/settings theme:dark")
			say(ann, "/note keep the S")
			forget := func(status int, says string, args ...string) {
				t.Helper()
				if got, out, errs := command(t, "", append([]string{"forget", "--data", s.data}, args...)...); got != status || !strings.Contains(out+errs, says) {
					t.Fatalf("forget %q: %d %s%s, want %d and %q\n%s", args, got, out, errs, status, says, s.log)
				}
			}
			backUp := func() (backup string) {
				t.Helper()
				backup = filepath.Join(t.TempDir(), "backup.db")
				if status, _, errs := command(t, "", "backup", "--data", s.data, backup); status != 0 {
					t.Fatalf("backup: %s", errs)
				}
				return backup
			}
			if !running {
				s.stop()
			}
			forget(0, "Nothing is removed yet", "person", "Annabella")
			forget(0, "playing=1 played=0", "person", "annabella")
			forget(1, `nobody in the room is called "Eve"`, "person", "Eve")
			if running {
				forget(0, "playing=1 played=0", "--yes", "person", "Annabella")
				forget(1, "nobody in the room", "--yes", "person", "Annabella")
			} else {
				if len(keepsOf(t, s.data, "Annabella")) == 0 {
					t.Fatal("she is gone without --yes")
				}
				forget(0, "as soon as it runs", "--yes", "person", "Annabella")
				s.start()
				eventually(t, "nobody reads of her any more", func() bool { return !strings.Contains(fmt.Sprint(bob.messages("general")), "Annabella") })
				eventually(t, "she is forgotten", func() bool { return len(keepsOf(t, backUp(), "Annabella")) == 0 })
			}
			backup := backUp()
			s.stop()
			for _, data := range []string{s.data, backup} {
				if found := keepsOf(t, data, "Annabella"); len(found) > 0 {
					t.Errorf("%s still has %q", filepath.Base(data), found)
				}
			}
			if games := keepsOf(t, s.data, "former player"); len(games) == 0 {
				t.Error("the game is gone")
			}
		})
	}
	for _, args := range []string{"forget", "forget person", "forget person discord:Ann", "forget person slack:U0ANN", "forget server club", "forget workspace C0GAMES", "forget channel general", "discord forget club"} {
		if status, _, errs := command(t, "", strings.Fields(args)...); status != 2 {
			t.Errorf("%s: %d %s", args, status, errs)
		}
	}
}

// TestForgetServer checks that the operator can erase a Discord server: its games end, and only
// finished games still name it or its channels. Its people stay, because they may be in other
// servers.
func TestForgetServer(t *testing.T) {
	t.Parallel()
	d := discordtest.New(excusing{t})
	guild := d.Guild("club")
	general, elsewhere := guild.Channel("general"), d.Guild("other").Channel("table")
	dan, eve := d.User("Dan"), d.User("Eve")
	s := newServerIn(t, onDiscord, "--discord-api", d.URL)
	d.Gateway.Connected(1, 1, 0)
	for _, c := range []*discordtest.Channel{general, elsewhere} {
		dan.Gives(c, "new", "seats", "2").Answer()
		eve.Gives(c, "join").Answer()
	}
	places := []string{"servers " + guild.ID, "left " + guild.ID, "discord:" + guild.ID + "\"", "discord:" + guild.ID + "\x00", "discord:" + general.ID}
	status, out, errs := command(t, "", "forget", "--data", s.data, "server", guild.ID)
	if status != 0 || !strings.Contains(out, "channels=1") || !strings.Contains(errs, "Nothing is removed yet") {
		t.Fatalf("%d %s%s", status, out, errs)
	}
	general.Posts(1)
	if status, out, errs = command(t, "", "discord", "forget", "--data", s.data, "discord:"+guild.ID); status != 0 || !strings.HasPrefix(out, "channels=1 boards=") || strings.Contains(out, "boards=0") {
		t.Fatalf("%d %s%s", status, out, errs)
	}
	// The post that opened the table is withdrawn too, unless it was already folded.
	for until := time.Now().Add(time.Minute); slices.ContainsFunc(general.Posts(0), func(m discordtest.Message) bool { return len(m.Labels()) > 0 || m.Says("it's your turn") }); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("the board isn't withdrawn: %+v", general.Posts(0))
		}
	}
	told := func(m discordtest.Message) bool { return m.Says("I don't host games in its channel any more") }
	eventually(t, "Dan is told", func() bool { return slices.ContainsFunc(dan.DM().Posts(0), told) }) // he has rack cards too
	s.stop()
	for _, found := range keepsOf(t, s.data, places...) {
		kind, _, _ := strings.Cut(found, " ")
		switch {
		case kind == "store.Table", strings.HasPrefix(found, "store.Note "+hostNotes+" results"): // finished games stay
		case kind == "store.Receipt", kind == "store.Timer": // these expire within days
		case kind == "store.Post" && !strings.Contains(found, `"For":""`): // players still learn of the end
		default:
			t.Errorf("%s is kept", found)
		}
	}
	if found := keepsOf(t, s.data, "discord:"+elsewhere.ID); len(found) == 0 {
		t.Error("another server's game is gone too")
	}
}

// TestForgetServerDropsRacks checks that forgetting a server removes queued rack cards, which would
// be posted with buttons of a game that is gone, and keeps what tells players of its end.
func TestForgetServerDropsRacks(t *testing.T) {
	db, err := openDatabase(t.Context(), filepath.Join(t.TempDir(), "rackmate.db"), 0, time.Now)
	gametest.Must(t, err)
	defer db.Close()
	const there = bot.ChannelID("discord:1")
	game := bottest.Deal(t, "classic", "single", []string{"bag:EEEEEEEEEE", "ann:HORNSAT", "bob:FARMQIS"}, nil)
	featuretest.Put(t, db, there, game.Events, bot.Post{Kind: table.RackKind, For: "discord:2"}, bot.Post{Kind: "gone", For: "discord:2"}, bot.Post{})
	kept, err := seek(t.Context(), db, func(place string) bool { return place == string(there) }, nil)
	gametest.Must(t, err)
	var kinds []string
	for _, p := range kept.posts {
		kinds = append(kinds, p.Kind+" for "+string(p.For))
	}
	if want := []string{"rack for discord:2", " for "}; !slices.Equal(kinds, want) {
		t.Errorf("it drops %q, want %q", kinds, want)
	}
}
