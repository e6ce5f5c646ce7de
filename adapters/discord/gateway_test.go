package discord_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestGatewayReconnects checks that the connection recovers from any failure, and that
// interactions in the meantime are handled.
func TestGatewayReconnects(t *testing.T) {
	w := newWorld(t, func(w *world) { w.adapter.SetAfter(soon) })
	help := func() {
		t.Helper()
		if got := w.ann.Gives(w.channel, "help").Answer(); !got.Says("What you can do") {
			t.Errorf("told %q", got.Content)
		}
	}
	help()
	w.d.Gateway.Drop()
	w.d.Gateway.Connected(1, 1, 1)
	help()
	w.d.Gateway.AskToReconnect()
	w.d.Gateway.Connected(1, 1, 2)
	help()
	w.d.Gateway.ForgetSessions()
	w.d.Gateway.Drop()
	w.d.Gateway.Connected(1, 2, 2)
	help()
	w.d.Gateway.RefuseNext(4000) // an unknown error
	w.d.Gateway.ForgetSessions()
	w.d.Gateway.Drop()
	w.d.Gateway.Connected(1, 3, 2)
	help()
	if n := w.d.Gateway.Astray(); n != 0 {
		t.Errorf("%d sessions were resumed at the address for identifying", n)
	}
}

// TestCloseCodes checks for each close code that interactions in the meantime are handled,
// unless the code ends the session.
func TestCloseCodes(t *testing.T) {
	t.Parallel()
	ends := []int{4003, 4004, 4007, 4009, 4010, 4011, 4012, 4013, 4014}
	w := newWorld(t, func(w *world) {
		w.adapter.SetAfter(func(d time.Duration) <-chan time.Time {
			if d > 13*time.Minute { // the life of a token, which this test doesn't wait for
				return time.After(d)
			}
			return time.After(time.Millisecond)
		})
	})
	identified, resumed := 1, 0
	for code := 1000; code <= 4014; code++ {
		if code == 1016 {
			code = 4000
		}
		w.d.Gateway.Close(code)
		if slices.Contains(ends, code) {
			identified++
			w.d.Gateway.Connected(1, identified, resumed)
			continue
		}
		meanwhile := w.ann.Gives(w.channel, "help")
		resumed++
		w.d.Gateway.Connected(1, identified, resumed)
		if text, answered := meanwhile.Within(discordtest.AnswerTime); !answered {
			t.Errorf("%d: told %q while the connection was gone", code, text)
		}
		if n := w.d.Gateway.Identifications(); n != identified {
			t.Fatalf("%d: %d identifications, want %d", code, n, identified)
		}
	}
}

// TestGatewayRequiresMoreShards checks that a gateway which requires more shards than it recommended gets
// them, unless the operator chose the number.
func TestGatewayRequiresMoreShards(t *testing.T) {
	w := newWorld(t, func(w *world) { w.adapter.SetAfter(soon) })
	w.d.Gateway.RequireShards(3)
	w.d.Gateway.Connected(3, 4, 0)
	if got := w.ann.Gives(w.channel, "help").Answer(); !got.Says("What you can do") {
		t.Errorf("told %q", got.Content)
	}

	w.stop()
	w.build(discord.Config{Shards: discord.Shards{Of: 1}}, w.store)
	if err := w.adapter.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "--discord-shards") {
		t.Errorf("with a number of the operator's: %v", err)
	}
}

// TestExpiredSessionIsReplaced checks that a session too old to be resumed isn't retried for ever.
func TestExpiredSessionIsReplaced(t *testing.T) {
	w := newWorld(t, func(w *world) { w.adapter.SetAfter(soon) })
	w.d.Gateway.RefuseNext(4009)
	w.d.Gateway.Drop()
	w.d.Gateway.Connected(1, 2, 0)
}

// TestHeartbeatTimeout checks that a gateway that doesn't answer heartbeats is left, and
// the session resumed.
func TestHeartbeatTimeout(t *testing.T) {
	w := newWorld(t, func(w *world) {
		w.adapter.SetAfter(soon)
		w.d.Gateway.Deafen()
	})
	w.d.Gateway.Connected(1, 1, 1)
	if got := w.ann.Gives(w.channel, "help").Answer(); !got.Says("What you can do") {
		t.Errorf("told %q", got.Content)
	}
}

// TestRejectedSessionsLimitIdentifies checks a gateway that accepts no session: identifying without end
// would cost the token at the thousandth time in a day.
func TestRejectedSessionsLimitIdentifies(t *testing.T) {
	t.Parallel()
	w := newDiscord(t)
	w.build(discord.Config{}, w.store)
	begin := w.d.Now()
	w.adapter.SetAfter(func(d time.Duration) <-chan time.Time {
		if d != discord.BetweenShards { // runs in parallel with the others
			w.d.Advance(d)
		}
		return soon(0)
	})
	w.d.Gateway.InvalidateAll()
	w.start()
	day := begin.Add(24 * time.Hour)
	for times := 0; w.d.Now().Before(day); times++ {
		if !w.d.Wait("a shard identifies again", func() bool { return w.d.Gateway.Identifications() >= times+1 }) {
			return
		}
	}
	if n := w.d.Gateway.Identifications(); n > 200 {
		t.Errorf("%d identifications in a day", n)
	}
}

// TestReconnectDelay checks that connections that lasted don't lengthen the next
// wait, and that a reconnection requested by Discord is immediate.
func TestReconnectDelay(t *testing.T) {
	w := newDiscord(t)
	w.build(discord.Config{}, w.store)
	waits := make(chan time.Duration, 100)
	w.adapter.SetAfter(func(d time.Duration) <-chan time.Time {
		if d != discord.BetweenShards && d != discord.Patience && d != discord.TokenLife {
			waits <- d
		}
		return soon(d)
	})
	w.start()
	w.d.Gateway.Connected(1, 1, 0)
	for n := range 5 {
		w.d.Gateway.Drop()
		w.d.Gateway.Connected(1, 1, n+1)
		if got := <-waits; got > time.Second {
			t.Errorf("connection %d waits %s", n+1, got)
		}
	}
	w.d.Gateway.AskToReconnect()
	w.d.Gateway.Connected(1, 1, 6)
	if got := <-waits; got > 300*time.Millisecond {
		t.Errorf("waits %s when asked to connect again", got)
	}
}

// TestSessionResumableLater checks that a session that can't be resumed now can be later.
func TestSessionResumableLater(t *testing.T) {
	w := newWorld(t, func(w *world) { w.adapter.SetAfter(soon) })
	w.d.Gateway.ResumeLater()
	w.d.Gateway.Drop()
	w.d.Gateway.Connected(1, 1, 1)
	if n := w.d.Gateway.Identifications(); n != 1 {
		t.Errorf("%d identifications", n)
	}
}

// TestSessionSurvivesRestart checks that interactions during a restart are handled
// afterwards: the session continues.
func TestSessionSurvivesRestart(t *testing.T) {
	w := newWorld(t)
	w.ann.Gives(w.channel, "help").Answer()
	w.stop()
	i := w.ann.Gives(w.channel, "help")
	w.build(discord.Config{}, w.store)
	w.start()
	w.d.Gateway.Connected(1, 1, 1)
	if got := i.Answer(); !got.Says("What you can do") {
		t.Errorf("told %q", got.Content)
	}
	// A session with other intents isn't continued.
	w.stop()
	w.d.Gateway.TellOfMembers()
	w.d.Advance(discord.BetweenShards)
	w.build(discord.Config{}, w.store)
	w.start()
	w.d.Gateway.Connected(1, 2, 1)
}

// TestShardsIdentifyConcurrently checks that as many shards identify at once as Discord allows.
func TestShardsIdentifyConcurrently(t *testing.T) {
	w := newDiscord(t)
	w.d.Gateway.Recommend(4)
	w.d.Gateway.RecommendAtOnce(2)
	w.build(discord.Config{}, w.store)
	next := make(chan time.Time)
	w.adapter.SetAfter(func(d time.Duration) <-chan time.Time {
		if d == discord.BetweenShards {
			return next
		}
		return soon(d)
	})
	w.start()
	w.d.Gateway.Connected(2, 2, 0)
	next <- time.Time{}
	next <- time.Time{}
	w.d.Gateway.Connected(4, 4, 0)
}

// TestGatewayBehindProxy checks that a gateway behind a proxy, as in many companies, is
// reached through it.
func TestGatewayBehindProxy(t *testing.T) {
	w := newDiscord(t)
	w.build(discord.Config{}, w.store)
	proxy, passed := connectProxy(t)
	w.adapter.SetProxy(proxy)
	w.start()
	w.d.Gateway.Connected(1, 1, 0)
	if got := w.ann.Gives(w.channel, "help").Answer(); !got.Says("What you can do") {
		t.Errorf("told %q", got.Content)
	}
	if passed.Load() == 0 {
		t.Error("nothing went through the proxy")
	}
}

// TestSecureGatewayBehindProxy checks that the proxy opens a tunnel to a gateway with TLS.
func TestSecureGatewayBehindProxy(t *testing.T) {
	w := newDiscord(t)
	w.d.Gateway.NamesSecure()
	w.build(discord.Config{}, w.store)
	w.adapter.SetAfter(soon)
	proxy, passed := connectProxy(t)
	w.adapter.SetProxy(proxy)
	w.start()
	w.awaitLog("tls:") // from the tunnel's end, which doesn't speak TLS
	if passed.Load() == 0 {
		t.Error("no tunnel was asked for")
	}
}

// TestNoIdentifiesLeftWaitsADay checks that the adapter waits for the next day if no
// identifications are left.
func TestNoIdentifiesLeftWaitsADay(t *testing.T) {
	w := newDiscord(t)
	w.build(discord.Config{}, w.store)
	w.d.Gateway.Allow(0)
	asked, tomorrow := make(chan struct{}), make(chan time.Time)
	w.adapter.SetAfter(func(d time.Duration) <-chan time.Time {
		if d == discordtest.ResetAfter {
			close(asked)
			return tomorrow
		}
		return soon(d)
	})
	w.start()
	<-asked
	if n := w.d.Gateway.Identifications(); n > 0 {
		t.Errorf("%d identifications", n)
	}
	if log := w.log.String(); !strings.Contains(log, "too often today; waiting") {
		t.Errorf("the log:\n%s", log)
	}
	w.d.Gateway.Allow(1)
	tomorrow <- time.Time{}
	w.d.Gateway.Connected(1, 1, 0)
}

// TestRevokedTokenIsReported checks that a token revoked while the program runs is reported to
// the operator and stops nothing else, and that the connection returns once the token is
// accepted again.
func TestRevokedTokenIsReported(t *testing.T) {
	w := newDiscord(t)
	var seen connections
	w.build(discord.Config{Observer: &seen}, w.store)
	tries := make(chan time.Time)
	w.adapter.SetAfter(func(d time.Duration) <-chan time.Time {
		if d == discord.LongestWait {
			if got := seen.of("0/1"); got != bot.Retrying {
				t.Errorf("the metrics say meanwhile that the shard is %v", got)
			}
			if h := w.adapter.Health(); h.Up || !strings.Contains(h.Trouble, "Reset Token") {
				t.Errorf("meanwhile: %+v", h)
			}
			return tries
		}
		return soon(d)
	})
	w.start()
	w.d.Gateway.Connected(1, 1, 0)
	w.d.Gateway.RefuseNext(4004)
	w.d.Gateway.Drop()
	tries <- time.Time{} // it makes the longest wait
	w.d.Gateway.Connected(1, 2, 0)
	if got := w.ann.Gives(w.channel, "help").Answer(); !got.Says("What you can do") {
		t.Errorf("told %q", got.Content)
	}
	if h := w.adapter.Health(); !h.Up || h.Trouble != "" {
		t.Errorf("after: %+v", h)
	}
	if got := seen.of("0/1"); got != bot.Connected {
		t.Errorf("the metrics say after that that the shard is %v", got)
	}
	if log := w.log.String(); !strings.Contains(log, "level=ERROR") || !strings.Contains(log, "Reset Token") {
		t.Errorf("the log:\n%s", log)
	}
}

// A connections holds the states of connections reported to metrics.
type connections struct {
	bot.Unobserved
	mu     sync.Mutex
	states map[string]bot.State
}

func (c *connections) Connection(_, name string, s bot.State) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.states == nil {
		c.states = map[string]bot.State{}
	}
	c.states[name] = s
}

func (c *connections) of(name string) bot.State {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.states[name]
}

// TestDisabledMembersIntent checks that a disabled Server Members Intent, before the start or
// later, only costs the news of members who leave.
func TestDisabledMembersIntent(t *testing.T) {
	for _, before := range []bool{true, false} {
		w := newDiscord(t)
		w.d.Gateway.TellOfMembers()
		w.build(discord.Config{}, w.store)
		w.adapter.SetAfter(soon)
		if before {
			w.d.Gateway.RefuseNext(4014)
		}
		w.start()
		if !before {
			w.d.Gateway.Connected(1, 1, 0)
			w.d.Gateway.RefuseNext(4014)
			w.d.Gateway.Drop()
		}
		w.d.Gateway.Connected(1, 2, 0)
		if got := w.ann.Gives(w.channel, "help").Answer(); !got.Says("What you can do") {
			t.Errorf("told %q", got.Content)
		}
		if log := w.log.String(); !strings.Contains(log, "Server Members Intent is off") {
			t.Errorf("the log:\n%s", log)
		}
	}
}

// TestShardsConnectInTurn checks that the bot connects one shard after the other: as many as Discord
// recommends, or only the shards that the operator names.
func TestShardsConnectInTurn(t *testing.T) {
	w := newDiscord(t)
	w.d.Gateway.Recommend(3)
	w.build(discord.Config{}, w.store)
	w.adapter.SetAfter(soon)
	w.start()
	w.d.Gateway.Connected(3, 3, 0)
	for range 6 { // servers of all shards
		c := w.d.Guild("g").Channel("c")
		if got := w.ann.Gives(c, "help").Answer(); !got.Says("What you can do") {
			t.Errorf("told %q", got.Content)
		}
	}

	second := newDiscord(t)
	shards, err := discord.ParseShards("1/2")
	gametest.Must(t, err)
	second.build(discord.Config{Shards: shards}, second.store)
	second.start()
	second.d.Gateway.Connected(1, 1, 0)
	if got := second.d.Gateway.Shards(); len(got) != 1 || got[0] != 1 {
		t.Errorf("shards %v are connected, want 1 of 0 and 1", got)
	}
}

func TestParseShards(t *testing.T) {
	for s, want := range map[string]discord.Shards{
		"0/1": {First: 0, Last: 0, Of: 1}, "1/2": {First: 1, Last: 1, Of: 2}, "0-3/8": {First: 0, Last: 3, Of: 8},
	} {
		if got, err := discord.ParseShards(s); err != nil || got != want {
			t.Errorf("%s: %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "1", "2/2", "-1/2", "a/b", "3-1/4", "0/0", "1/2/3", "0-/2"} {
		if got, err := discord.ParseShards(s); err == nil {
			t.Errorf("%q: %v", s, got)
		}
	}
}

// TestCommandsAreRegisteredOnce checks that commands are registered only if they differ
// from Discord's.
func TestCommandsAreRegisteredOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(w *world) { w.build(discord.Config{Locales: locales()}, w.store) })
	heard := func() { w.ann.Gives(w.channel, "help").Answer() } // the gateway is connected
	heard()
	w.stop()
	if times, all := w.d.Registered(); times != 1 || len(all) != len(discord.Commands(features.Commands(), locales(), false, false)) {
		t.Errorf("%d commands registered %d times", len(all), times)
	}
	w.build(discord.Config{Locales: locales()}, w.store)
	w.start()
	w.d.Gateway.Connected(1, 1, 1)
	heard()
	w.stop()
	if times, _ := w.d.Registered(); times != 1 {
		t.Errorf("the same commands were registered %d times", times)
	}
	w.d.Describe("play", "Something else")
	w.build(discord.Config{Locales: locales()}, w.store)
	w.start()
	w.d.Gateway.Connected(1, 1, 2)
	if times, _ := w.d.Registered(); times != 2 {
		t.Errorf("changed commands were registered %d times", times)
	}
}

// TestSlowAnswersAreDeferred checks that an answer is deferred in time if the host takes longer, and
// then delivered.
func TestSlowAnswersAreDeferred(t *testing.T) {
	w := newDiscord(t)
	slow := newSlowStore(w.store)
	w.build(discord.Config{}, slow)
	impatient, tooLate := make(chan time.Time), make(chan time.Time)
	w.adapter.SetAfter(func(d time.Duration) <-chan time.Time {
		switch d {
		case discord.Patience:
			return impatient
		case discord.TokenLife:
			return tooLate
		}
		return time.After(d)
	})
	w.start()
	w.d.Gateway.Connected(1, 1, 0)
	for _, late := range []time.Duration{0, 10 * time.Minute} {
		release := slow.hold()
		i := w.ann.Gives(w.channel, "rack")
		impatient <- time.Time{}
		if got := i.Response(); got != 5 {
			t.Errorf("the first response is %d", got)
		}
		w.d.Advance(late)
		release()
		if got := i.Answer(); !got.Says("No table in this channel") || !got.Private() {
			t.Errorf("told %q", got.Content)
		}
	}
	// A token that is about to expire isn't used any more.
	edits := len(w.d.Requests("PATCH /webhooks"))
	release := slow.hold()
	i := w.ann.Gives(w.channel, "rack")
	impatient <- time.Time{}
	i.Response()
	tooLate <- time.Time{}
	release()
	w.stop()
	if n := len(w.d.Requests("PATCH /webhooks")) - edits; n != 0 {
		t.Errorf("%d edits", n)
	}
}
