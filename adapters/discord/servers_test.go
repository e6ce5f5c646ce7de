package discord_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game/gametest"
)

// A forgotten records whom a world has been told to forget.
type forgotten struct {
	mu  sync.Mutex
	all []string
}

func (f *forgotten) add(who string) { f.mu.Lock(); f.all = append(f.all, who); f.mu.Unlock() }

func (f *forgotten) list() []string { f.mu.Lock(); defer f.mu.Unlock(); return slices.Clone(f.all) }

// rebuild ends the world's process and starts another one, which records in f whose data
// the host must erase.
func (w *world) rebuild(f *forgotten) {
	w.t.Helper()
	w.stop()
	w.log = new(bottest.Log)
	w.build(discord.Config{
		ForgettingServer: func(_ context.Context, guild string) error { f.add(guild); return nil },
		ForgettingPerson: func(_ context.Context, who bot.PlayerID) error { f.add(string(who)); return nil },
	}, w.store)
	w.start()
}

// startsAnew makes the next session begin with READY.
func (w *world) startsAnew() {
	w.t.Helper()
	gametest.Must(w.t, w.notes.Put(w.t.Context(), "session", "0/1", nil))
}

// TestRemovalWhileDownIsNoticed checks that a server which removed the bot while it was down is
// noticed when the gateway lists the servers: its games end, and its data is erased 30 days
// later unless it has the bot again. Other servers aren't affected.
func TestRemovalWhileDownIsNoticed(t *testing.T) {
	t.Parallel()
	for name, returns := range map[string]bool{"for good": false, "and back": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			other := w.d.Guild("other")
			elsewhere := other.Channel("general")
			w.ann.Gives(w.channel, "new", "opponent", w.bob.ID).Answer()
			w.bob.Presses(w.channel.Posts(1)[0], "Join").Answer()
			w.channel.Posts(2)
			w.ann.Gives(elsewhere, "new", "opponent", w.bob.ID).Answer()
			w.bob.Presses(elsewhere.Posts(1)[0], "Join").Answer()
			elsewhere.Posts(2)
			w.stop()
			w.guild.HasNoBot()
			w.startsAnew()
			w.d.Advance(discord.BetweenShards)
			var gone forgotten
			w.rebuild(&gone)
			w.awaitLog("removed the bot while it was offline")
			if got := w.told(w.bob, 1); !got.Says("has ended unfinished: I don't host games in its channel") {
				t.Errorf("Bob is told %q", got.Content)
			}
			if got := w.ann.Gives(elsewhere, "games").Answer(); got.Says("You have no games running") {
				t.Errorf("/games elsewhere: %q", got.Content)
			}
			left := func() (since []byte) {
				since, err := w.notes.Get(t.Context(), "left", w.guild.ID)
				gametest.Must(t, err)
				return since
			}
			w.awaitNote("left", w.guild.ID, true)
			if left() == nil {
				t.Fatal("it isn't noted since when the server is without the bot")
			}
			w.stop()
			w.d.Advance(29 * 24 * time.Hour)
			w.rebuild(&gone)
			w.awaitLog("connected to Discord's gateway")
			w.stop()
			if got := gone.list(); len(got) > 0 {
				t.Errorf("forgotten after 29 days: %q", got)
			}
			if returns {
				w.guild.HasBot()
			}
			w.d.Advance(2 * 24 * time.Hour)
			w.rebuild(&gone)
			w.awaitNote("left", w.guild.ID, false)
			w.stop()
			want := []string{w.guild.ID}
			if returns {
				want = nil
			}
			if got := gone.list(); !slices.Equal(got, want) {
				t.Errorf("forgotten after 31 days: %q, want %q", got, want)
			}
		})
	}
}

// awaitNote waits until a note exists, or until it doesn't.
func (w *world) awaitNote(shelf, key string, there bool) {
	w.t.Helper()
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(5 * time.Millisecond) {
		b, err := w.notes.Get(w.t.Context(), shelf, key)
		if err != nil || time.Now().After(end) {
			w.t.Fatalf("waited in vain for %s %s to be there %v (%v)", shelf, key, there, err)
		}
		if (b != nil) == there {
			return
		}
	}
}

// TestRemovalOverHTTPIsNoticed checks that over HTTP, without events about removals, the first
// refused post triggers a check of the servers.
func TestRemovalOverHTTPIsNoticed(t *testing.T) {
	w, _, _ := endpointWorld(t)
	other := w.d.Guild("other")
	elsewhere := other.Channel("general")
	w.ann.Gives(elsewhere, "new", "seats", "3").Answer()
	elsewhere.Posts(1)
	w.ann.Gives(w.channel, "new", "opponent", w.bob.ID).Answer()
	w.channel.Posts(1)
	w.guild.HasNoBot()
	w.d.Fail(discordtest.Fault{Request: "POST /channels/" + w.channel.ID + "/messages", Times: 1, Status: http.StatusForbidden, Code: 50001})
	if err := w.adapter.Post(t.Context(), bot.Message{Key: "k", Channel: bot.ChannelID("discord:" + w.channel.ID), Text: text.Plain("Hello")}); err == nil {
		t.Error("it was posted")
	}
	w.awaitNote("left", w.guild.ID, true)
	w.awaitNote("servers", other.ID, true)
}

// TestWebhookEvents checks Discord's signed webhook events, sent to the address of
// interactions: a person who removes the app from their account is forgotten 30 days later,
// unless they use it again.
func TestWebhookEvents(t *testing.T) {
	w, url, key := endpointWorld(t)
	post := func(body string) int {
		t.Helper()
		resp, err := discordtest.Signed(url, key, w.d.Now(), []byte(body))
		gametest.Must(t, err)
		resp.Body.Close()
		return resp.StatusCode
	}
	event := func(kind, data string) string {
		return fmt.Sprintf(`{"version":1,"application_id":"1","type":1,"event":{"type":%q,"timestamp":"2026-08-24T10:00:00","data":%s}}`, kind, data)
	}
	user := func(u *discordtest.User) string {
		return fmt.Sprintf(`{"user":{"id":%q,"username":"x","discriminator":"0","avatar":null}}`, u.ID)
	}
	for what, body := range map[string]string{
		"a ping":            `{"version":1,"application_id":"1","type":0}`,
		"Ann":               event("APPLICATION_DEAUTHORIZED", user(w.ann)),
		"Bob":               event("APPLICATION_DEAUTHORIZED", user(w.bob)),
		"what we don't ask": event("ENTITLEMENT_CREATE", `{"id":"1"}`),
	} {
		if got := post(body); got != http.StatusNoContent {
			t.Errorf("%s: %d", what, got)
		}
	}
	if resp, err := http.Post(url, "application/json", nil); err != nil || resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("unsigned: %v", err)
	} else {
		resp.Body.Close()
	}
	w.awaitNote("left", "user/"+w.ann.ID, true)
	w.bob.Gives(w.channel, "games").Answer() // Bob uses it again
	w.awaitNote("left", "user/"+w.bob.ID, false)
	w.stop()
	w.d.Advance(31 * 24 * time.Hour)
	var gone forgotten
	w.rebuild(&gone)
	w.awaitNote("left", "user/"+w.ann.ID, false)
	w.stop()
	if got, want := gone.list(), []string{"discord:" + w.ann.ID}; !slices.Equal(got, want) {
		t.Errorf("forgotten: %q, want %q", got, want)
	}
}

// TestOldLaunchesAreDeleted checks that a launch is deleted a day after the latest in its
// channel.
func TestOldLaunchesAreDeleted(t *testing.T) {
	w := newWorld(t)
	for channel, age := range map[string]time.Duration{"41": 25 * time.Hour, "42": 23 * time.Hour} {
		at, err := w.d.Now().Add(-age).MarshalText()
		gametest.Must(t, err)
		gametest.Must(t, w.notes.Put(t.Context(), "launches", channel, []byte(`{"v":1,"instance":"i-1-gc-2-3","at":"`+string(at)+`"}`)))
	}
	var gone forgotten
	w.rebuild(&gone)
	w.awaitNote("launches", "41", false)
	w.awaitNote("launches", "42", true)
}
