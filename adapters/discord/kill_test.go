package discord_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestKilledBetweenRequests kills the program after each of the requests of a play, with
// immediate and deferred answers: the next program must give the player their answer and
// everybody one post.
func TestKilledBetweenRequests(t *testing.T) {
	t.Parallel()
	for _, putOff := range []bool{false, true} {
		for n := 1; ; n++ {
			killed := false
			t.Run(fmt.Sprintf("put off %v, request %d", putOff, n), func(t *testing.T) { killed = killedAfter(t, putOff, n) })
			if !killed || t.Failed() {
				if n < 3 {
					t.Errorf("put off %v: a play made %d requests", putOff, n)
				}
				break
			}
		}
	}
}

// killedAfter plays with a kill after the nth request, and reports whether the play made
// that many.
func killedAfter(t *testing.T, putOff bool, n int) (killed bool) {
	w := newDiscord(t)
	slow := newSlowStore(w.store)
	own := w.notes
	var hurried atomic.Bool // answers are deferred at once
	start := func(notes bot.Notes) {
		w.notes = notes
		w.build(discord.Config{}, slow)
		w.adapter.SetAfter(func(d time.Duration) <-chan time.Time {
			if d == discord.Patience && hurried.Load() {
				return time.After(10 * time.Millisecond)
			}
			return soon(d)
		})
		w.start()
	}
	start(bottest.MortalNotes{Notes: own, Dead: w.d.Dead})
	w.d.Gateway.Connected(1, 1, 0)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	w.ann.Gives(w.channel, "rack").Answer()
	hurried.Store(putOff)
	dies := w.d.KillAt(n)
	release := func() {}
	if putOff {
		release = slow.hold()
	}
	i := w.ann.Gives(w.channel, "play", "word", "horn", "at", "8h")
	if putOff {
		if i.Response() != 5 {
			t.Error("the answer wasn't put off")
		}
		release()
	}
	select {
	case <-dies:
		killed = true
	case <-w.settles(i):
		w.d.Revive()
		return false
	}
	w.stop()
	w.d.Revive()
	start(own)
	w.d.Gateway.Connected(1, 1, 1)
	if got := i.Answer(); !got.Says("Your rack: **S A ? E E E E**") || !got.Private() {
		t.Errorf("told %q", got.Content)
	}
	w.settled()
	if posts := w.channel.Posts(1); len(posts) != 1 || !strings.Contains(posts[0].Content, "HORN") || len(posts[0].Pings) != 1 {
		t.Errorf("%d posts, the first %q", len(posts), posts[0].Content)
	}
	return killed
}

// TestListOfGamesSurvivesKills kills the program at each request from the command that posts a channel's
// list of games to the edit that follows a new table. The next program must leave one list, which is
// right.
func TestListOfGamesSurvivesKills(t *testing.T) {
	t.Parallel()
	for n := 1; ; n++ {
		killed := false
		t.Run(fmt.Sprintf("request %d", n), func(t *testing.T) { killed = killedWithList(t, n) })
		if !killed || t.Failed() {
			if n < 5 {
				t.Errorf("the list and its edit took only %d requests", n)
			}
			break
		}
	}
}

// killedWithList posts and edits a list of games with a kill at the nth request, and reports whether
// there were that many.
func killedWithList(t *testing.T, n int) (killed bool) {
	w := newDiscord(t)
	w.whole = true
	own := w.notes
	w.startWith(bottest.MortalNotes{Notes: own, Dead: w.d.Dead})
	w.d.Gateway.Connected(1, 1, 0)
	later := func() { // beyond the least time between two edits
		w.d.Advance(2 * time.Minute)
		w.host.Rouse("")
	}
	dies := w.d.KillAt(n)
	does := func(who *discordtest.User, command ...string) {
		if killed {
			return
		}
		i := who.Gives(w.channel, command[0], command[1:]...)
		select {
		case <-dies:
			killed = true
		case <-w.settles(i):
			later()
		}
	}
	does(w.ann, "settings", "more", "for:channel overview:on")
	does(w.bob, "new", "seats", "2")
	if !killed {
		w.settled()
		select {
		case <-dies:
			killed = true
		default:
		}
	}
	w.stop()
	w.d.Revive()
	w.startWith(own)
	w.d.Gateway.Connected(1, 1, 1)
	w.ann.Gives(w.channel, "settings", "more", "for:channel overview:on").Answer()
	w.eve.Gives(w.channel, "new", "seats", "2", "thread", "true").Answer()
	for range 2 {
		later()
		w.settled()
	}
	var lists []string
	for _, m := range w.channel.Posts(0) {
		if m.Says("Games here") || m.Says("No game is on here") {
			lists = append(lists, m.Content)
		}
	}
	if len(lists) != 1 || !strings.Contains(lists[0], "Waiting for players: Eve") {
		t.Errorf("there are %d lists: %q", len(lists), lists)
	}
	return killed
}

// startWith runs a host with an adapter that has some notes.
func (w *world) startWith(notes bot.Notes) {
	w.notes = notes
	w.build(discord.Config{}, w.store)
	w.adapter.SetAfter(soon)
	w.start()
}

// settles returns a channel that is closed when an interaction is answered and all that
// follows is done.
func (w *world) settles(i *discordtest.Interaction) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			if _, answered := i.Within(10 * time.Second); answered {
				if ready, next, err := w.store.PendingPosts(context.Background(), discord.Platform, w.d.Now().Add(time.Hour)); err != nil || len(ready) == 0 && next.IsZero() {
					return
				}
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	return done
}

// TestCloudflareBlockStopsRequests checks that nothing is sent while Cloudflare blocks the address,
// and that the operator is informed once, in the log and in health.
func TestCloudflareBlockStopsRequests(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ann.Gives(w.channel, "help").Answer()
	w.d.Fail(discordtest.Fault{Times: -1, Status: 429, Ban: true, After: 10 * time.Minute})
	w.ann.Gives(w.channel, "help")
	w.awaitLog("sending nothing until that is over")
	before := len(w.d.Requests(""))
	for range 10 {
		w.ann.Gives(w.channel, "help")
		w.bob.Gives(w.channel, "help").Within(20 * time.Millisecond)
	}
	for range 5 {
		if got := outcome(w.adapter.Post(t.Context(), w.message("k"))); !strings.HasPrefix(got, "again after 1") && !strings.HasPrefix(got, "again after 9m") {
			t.Errorf("a post: %s", got)
		}
	}
	if n := len(w.d.Requests("")) - before; n > 0 {
		t.Errorf("%d requests were sent", n)
	}
	if n := strings.Count(w.log.String(), "Cloudflare, in front of Discord"); n < 1 || strings.Count(w.log.String(), "level=ERROR") != 1 || strings.Contains(w.log.String(), "invalid character") {
		t.Errorf("the log tells it %d times", n)
	}
	if h := w.adapter.Health(); !strings.Contains(h.Trouble, "Cloudflare") {
		t.Errorf("health: %q", h.Trouble)
	}
	w.awaitLogs("can't answer", 21) // all are given up, and none is sent late
	w.d.Pass()
	w.d.Advance(10 * time.Minute)
	if got := w.ann.Gives(w.channel, "help").Answer(); !got.Says("What you can do") {
		t.Errorf("told %q when it was over", got.Content)
	}
	w.awaitLog("requests to Discord succeed again")
	if h := w.adapter.Health(); h.Trouble != "" {
		t.Errorf("health when it was over: %q", h.Trouble)
	}
}

// TestVisitPostsWaitForToken checks that a post whose token has expired, or has been
// used five times, is sent with the next one.
func TestVisitPostsWaitForToken(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]discordtest.Fault{
		"dead":    {Status: 401, Code: 50027},
		"used up": {Status: 400, Code: 40094},
		"unknown": {Status: 404, Code: 10015},
		// The post is refused before its command is answered.
		"used up early": {Status: 400, Code: 40094},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, func(w *world) { w.adapter.SetAfter(soon) })
			c := w.d.Group()
			if name == "used up early" {
				w.d.Fail(discordtest.Fault{Request: "GET /webhooks/", Times: 1, Status: 404, Code: 10015})
			}
			fault.Request, fault.Times = "POST /webhooks/", 10
			w.d.Fail(fault)
			opened := w.ann.Gives(c, "new", "opponent", w.bob.ID)
			w.d.Wait("a post is refused", func() bool { return w.d.Tried("POST /webhooks/") > 0 })
			w.awaitLog("post postponed")
			if strings.HasPrefix(name, "used up") {
				w.d.Wait("Ann is told", func() bool {
					return opened.Now().Says("The others will see the rest the next time somebody uses me here.")
				})
			}
			if log := w.log.String(); strings.Contains(log, "Reset Token") {
				t.Error("the log wants another bot token")
			}
			w.d.Pass()
			w.bob.Gives(c, "board").Answer()
			if open := c.Posts(1)[0]; !open.Says("Ann") {
				t.Errorf("posted %q", open.Content)
			}
		})
	}
}

// TestUnfitPostsAreReduced checks that a post whose content Discord refuses is reduced: first
// without its picture, then to plain text, and finally sent only to the players to move.
func TestUnfitPostsAreReduced(t *testing.T) {
	for _, c := range []struct {
		status, code int
	}{{400, 50035}, {413, 40005}, {413, 0}, {403, 50035}, {400, 200000}, {403, 240000}} {
		for refused := 1; refused <= 3; refused++ {
			t.Run(fmt.Sprintf("%d %d, %d times", c.status, c.code, refused), func(t *testing.T) {
				w := newDiscord(t)
				w.build(discord.Config{}, w.store)
				w.d.Fail(discordtest.Fault{Request: "POST /channels/" + w.channel.ID, Times: refused, Status: c.status, Code: c.code})
				m := w.message("a")
				m.Text = append(m.Text, text.Span{Text: " Bob", Person: player(w.bob), Notify: true})
				got := outcome(w.adapter.Post(t.Context(), m))
				if refused == 3 {
					told := w.bob.DM().Posts(1)[0]
					if got != "dropped" || !told.Says("HORN") || !told.Says("<#"+w.channel.ID+">") {
						t.Errorf("%s, and Bob is told %q", got, told.Content)
					}
					return
				}
				post := w.channel.Posts(1)[0]
				if got != "delivered" || len(post.Pings) != 1 || !post.Says("HORN") || len(post.Files) != 0 || (len(post.Labels()) > 0) != (refused == 1) {
					t.Errorf("%s: %q with %d files and %q, pinging %v", got, post.Content, len(post.Files), post.Labels(), post.Pings)
				}
			})
		}
	}
}

// TestSessionStopsAtUnfinishedEvent checks that a session is stored only up to the first
// unfinished event, so that an interaction with a deferred answer is delivered again after
// a kill.
func TestSessionStopsAtUnfinishedEvent(t *testing.T) {
	var h discord.Hearing
	h.Begin(4)
	h.Begin(5)
	h.Begin(6)
	h.End(5)
	if got := h.UpTo(6); got != 3 {
		t.Errorf("kept up to %d while 4 is under way, want 3", got)
	}
	h.End(4)
	if got := h.UpTo(6); got != 5 {
		t.Errorf("kept up to %d while 6 is under way, want 5", got)
	}
	h.End(6)
	if got := h.UpTo(6); got != 6 {
		t.Errorf("kept up to %d when all is done, want 6", got)
	}
}

// TestRepeatedAnswerIsLaidOutAgain repeats a command whose laid-out answer Discord already has,
// because the program was killed before recording it; this time the answer is deferred. It
// must be laid out again, since Discord doesn't accept it as plain text.
func TestRepeatedAnswerIsLaidOutAgain(t *testing.T) {
	w := newDiscord(t)
	slow := newSlowStore(w.store)
	putOff, impatient := false, make(chan time.Time)
	start := func() {
		w.build(discord.Config{}, slow)
		w.adapter.SetAfter(func(d time.Duration) <-chan time.Time {
			if d == discord.Patience && putOff {
				return impatient
			}
			return soon(d)
		})
		w.start()
	}
	start()
	w.d.Gateway.Connected(1, 1, 0)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	w.ann.Gives(w.channel, "rack").Answer() // the session has begun
	w.stop()
	before, err := w.notes.Get(t.Context(), "session", "0/1")
	if err != nil || before == nil {
		t.Fatalf("the session: %q, %v", before, err)
	}
	start()
	w.d.Gateway.Connected(1, 1, 1)
	i := w.ann.Gives(w.channel, "rack")
	if got := i.Answer(); !got.Says("Your rack") {
		t.Fatalf("told %q", got.Content)
	}
	w.stop()
	gametest.Must(t, w.notes.Put(t.Context(), "session", "0/1", before))
	edits := func() int { return len(w.d.Requests("PATCH /webhooks")) }
	had := edits()
	putOff = true
	release := slow.hold()
	start()
	w.d.Gateway.Connected(1, 1, 2)
	impatient <- time.Time{}
	release()
	for end := time.Now().Add(2 * time.Minute); edits() == had; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the answer doesn't come once more")
		}
	}
	w.stop()
	if got := i.Now(); !got.Says("Your rack") {
		t.Errorf("told %q", got.Content)
	}
	if log := w.log.String(); strings.Contains(log, "level=ERROR") || strings.Contains(log, "can't answer") {
		t.Errorf("the answer was refused:\n%s", log)
	}
}
