package bot_test

import (
	"context"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/game"
)

// The context carries the requester to everything done for them; details added in a part stay in
// that part.
func TestContextCarriesRequester(t *testing.T) {
	home := netip.MustParseAddr("203.0.113.7")
	outer := bot.AskedBy(t.Context(), bot.Asker{Person: "test:ann", Address: home})
	other := bot.AskedBy(outer, bot.Asker{Person: "test:bob"})
	for name, c := range map[string]struct {
		ctx  context.Context
		want bot.Asker
	}{
		"nobody": {t.Context(), bot.Asker{}},
		"Ann":    {outer, bot.Asker{Person: "test:ann", Address: home}},
		"Bob":    {other, bot.Asker{Person: "test:bob", Address: home}},
	} {
		if got := bot.AskerOf(c.ctx); got != c.want {
			t.Errorf("%s is %+v", name, got)
		}
	}
}

// A reading within another is part of it, and each store keeps its own data in it.
func TestNestedReadings(t *testing.T) {
	if bot.ReadingOf(t.Context()) != nil {
		t.Error("there is a reading that nobody began")
	}
	ctx := bot.ReadTogether(t.Context(), "/play")
	if bot.ReadTogether(ctx, "/pass") != ctx {
		t.Error("a reading has another in it")
	}
	made := 0
	keep := func(store string) any {
		return bot.ReadingOf(ctx).Keep(store, func() any { made++; return &struct{ of string }{store} })
	}
	if one := keep("one"); one != keep("one") || one == keep("two") || made != 2 {
		t.Errorf("%d times something was made for two stores", made)
	}
}

// An operator sees whether a connection is up, and problems with sending while the connection itself
// is fine.
func TestPulseOfConnection(t *testing.T) {
	var p bot.Pulse
	for i, step := range []struct {
		do   func()
		want bot.Health
	}{
		{func() {}, bot.Health{}},
		{func() { p.Miss("refused") }, bot.Health{Trouble: "refused"}},
		{func() { p.Beat() }, bot.Health{Up: true}},
		{func() { p.Refuse("no leave to post") }, bot.Health{Up: true, Trouble: "no leave to post"}},
		{func() { p.Miss("lost") }, bot.Health{Trouble: "lost"}},
		{func() { p.Beat(); p.Refuse("") }, bot.Health{Up: true}},
	} {
		if step.do(); p.Health() != step.want {
			t.Errorf("after step %d it is %+v, want %+v", i, p.Health(), step.want)
		}
	}
}

// A store is marked once.
func TestStoreIsMarkedOnce(t *testing.T) {
	notes := memory.New().Notes("test")
	one, err := bot.MarkOf(t.Context(), notes)
	again, err2 := bot.MarkOf(t.Context(), notes)
	other, err3 := bot.MarkOf(t.Context(), memory.New().Notes("test"))
	if err != nil || err2 != nil || err3 != nil || len(one) != 4 || one != again || one == other || string(one) != strings.ToLower(string(one)) {
		t.Errorf("marked %s, again %s, another %s (%v, %v, %v)", one, again, other, err, err2, err3)
	}
	if got := len(one.On("1:")) + bot.MaxButtonID - len("1:"); got != 100 {
		t.Errorf("the longest id has %d characters with its mark", got)
	}
}

// A post keeps its key however often it is delivered, and different posts have different keys.
func TestPostKeepsItsKey(t *testing.T) {
	at := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	one := bot.Post{ID: 1, Channel: "test:den", Table: 4, From: 2, To: 7, For: "test:ann", Kind: "nudge", At: at}
	again := one
	again.ID, again.Tries, again.Fence, again.From = 9, 3, 8, 5
	if one.Key() != again.Key() {
		t.Errorf("delivered again it has the key %s, not %s", again.Key(), one.Key())
	}
	for name, change := range map[string]func(*bot.Post){
		"channel": func(p *bot.Post) { p.Channel = "test:attic" }, "table": func(p *bot.Post) { p.Table = 5 }, "event": func(p *bot.Post) { p.To = 8 },
		"reader": func(p *bot.Post) { p.For = "" }, "kind": func(p *bot.Post) { p.Kind = "" }, "time": func(p *bot.Post) { p.At = at.Add(time.Second) },
	} {
		other := one
		if change(&other); other.Key() == one.Key() {
			t.Errorf("for another %s the key is the same", name)
		}
	}
}

func TestTimerKinds(t *testing.T) {
	for _, c := range []struct {
		kinds bot.Kinds
		has   string
		want  bool
	}{
		{bot.Kinds{}, "clock", true}, {bot.Kinds{Except: []string{"clock"}}, "clock", false}, {bot.Kinds{Except: []string{"clock"}}, "pace", true},
		{bot.Kinds{Only: []string{"clock"}}, "clock", true}, {bot.Kinds{Only: []string{"clock"}}, "pace", false}, {bot.Kinds{Only: []string{}}, "clock", false},
	} {
		if got := c.kinds.Has(c.has); got != c.want {
			t.Errorf("%+v have %s: %t", c.kinds, c.has, got)
		}
	}
}

// Stored data names a person by id or by name.
func TestStoredDataNamesPerson(t *testing.T) {
	ann := bot.User{ID: "test:ann", Name: `Ann "the <Q>"`}
	for data, want := range map[string]bool{
		`{"by":"test:ann"}`: true, `{"by":"test:anna"}`: true, `{"said":"Ann \"the \u003cQ\u003e\" passed"}`: true, `{"by":"test:bob"}`: false, `{}`: false,
	} {
		if got := bot.Names([]byte(data), ann); got != want {
			t.Errorf("%s names her: %t", data, got)
		}
	}
	if bot.Names([]byte(`{"by":""}`), bot.User{}) {
		t.Error("nobody is named")
	}
	if !bot.IsFormer("former:1") || bot.IsFormer("test:former:1") {
		t.Error("who asked to be forgotten is told by the beginning of the id")
	}
}

func TestRequestsAndPlatforms(t *testing.T) {
	if got := bot.ChannelID("test:den/thread").Platform(); got != "test" {
		t.Errorf("the den is on %s", got)
	}
	one, other := bot.Request{ID: "one"}.Reference(), bot.Request{ID: "other"}.Reference()
	if one == other || len(one) != 8 || one != (bot.Request{ID: "one", Command: "play"}).Reference() {
		t.Errorf("two requests are found by %s and %s", one, other)
	}
	speaks := bot.Platform{Locale: func(_ context.Context, who game.PlayerID) string { return "de for " + string(who) }}
	if got := speaks.LocaleOf(t.Context(), "test:ann"); got != "de for test:ann" {
		t.Errorf("Ann reads %s", got)
	}
	if got := (bot.Platform{}).LocaleOf(t.Context(), "test:ann"); got != "" {
		t.Errorf("where nobody knows Ann reads %s", got)
	}
	for s, want := range map[bot.State]string{0: "unknown", bot.Connecting: "connecting", bot.Standby: "standby", bot.Closed: "closed"} {
		if s.String() != want {
			t.Errorf("state %d is %s", s, s)
		}
	}
	seen := map[string]bool{}
	for _, l := range bot.Limits() {
		if l.Most <= 0 || l.Of == "" || seen[l.Of] {
			t.Errorf("a limit is %+v", l)
		}
		seen[l.Of] = true
	}
}
