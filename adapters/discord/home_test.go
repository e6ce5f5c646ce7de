package discord_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/bot"
)

// TestManagersByPermission checks who may manage the server according to Discord's permission
// bits: 5 for "Manage Server" and 3 for "Administrator".
func TestManagersByPermission(t *testing.T) {
	const body = `{"id":"1","application_id":"2","type":2,"token":"t","channel_id":"3",%s,"data":{"name":"settings","type":1}}`
	member := func(permissions string) string {
		return fmt.Sprintf(`"guild_id":"9","member":{"permissions":%q,"user":{"id":"4","username":"x"}}`, permissions)
	}
	for name, c := range map[string]struct {
		who     string
		home    string
		manager bool
	}{
		"somebody":              {member("2048"), "discord:9", false},
		"a manager":             {member("2080"), "discord:9", true},
		"an administrator":      {member("8"), "discord:9", true},
		"who manages messages":  {member("8192"), "discord:9", false},
		"odd permissions":       {member("-32"), "discord:9", false},
		"no permissions":        {member(""), "discord:9", false},
		"in direct messages":    {`"user":{"id":"4","username":"x"}`, "", false},
		"all there will be yet": {member("18446744073709551615"), "discord:9", true},
	} {
		req, ok := discord.RequestOf(fmt.Appendf(nil, body, c.who))
		if !ok || req.Home != c.home || req.Manager != c.manager {
			t.Errorf("%s: %v %q %v, want %q %v", name, ok, req.Home, req.Manager, c.home, c.manager)
		}
	}
}

func TestLinksToChannelsAndPosts(t *testing.T) {
	w := newWorld(t)
	w.ann.Gives(w.channel, "new", "order", "random").Answer()
	first := w.channel.Posts(1)[0]
	w.bob.Presses(first, "Join").Answer()
	w.ann.Gives(w.channel, "start").Answer()
	post := w.channel.Posts(2)[1]
	w.folded(first) // done once the second is recorded
	for _, c := range []struct {
		ch         bot.ChannelID
		home, want string
	}{
		{"discord:12", "discord:9", "https://discord.com/channels/9/12"},
		{"discord:12", "", "https://discord.com/channels/@me/12"},
		{bot.ChannelID("discord:" + w.channel.ID), "discord:9", "https://discord.com/channels/9/" + w.channel.ID + "/" + post.ID},
		{"discord:x", "discord:9", ""},
		{"web:general", "web:room", ""},
	} {
		if got := w.adapter.Platform().Link(t.Context(), c.ch, c.home); got != c.want {
			t.Errorf("%s in %q is at %q, want %q", c.ch, c.home, got, c.want)
		}
	}
}

// TestSettingsFromMenus checks that settings are chosen from menus: one's own with one
// choice, a place's with two.
func TestSettingsFromMenus(t *testing.T) {
	w := newWorld(t)
	own := w.ann.Gives(w.channel, "settings").Answer()
	if got := own.Labels(); !slices.Equal(got, []string{"This channel", "This server", "How you are called to your turn", "Quiet hours", "Your rack by direct message", "When you pass"}) {
		t.Errorf("buttons and menus %q", got)
	}
	w.ann.Chooses(own, "By direct message").Answer()
	if got := w.once(own, "it is set", func(m discordtest.Message) bool { return m.Edited > 0 }); !got.Says("by direct message") && !got.Says("By direct message") {
		t.Errorf("now %q", got.Content)
	}
	place := w.ann.Gives(w.channel, "settings", "for", "channel").Answer()
	which := w.ann.Chooses(place, "theme · auto").Answer()
	if got := w.ann.Chooses(w.now(which), "Dark").Answer(); !got.Says("theme **dark** · set for this channel") {
		t.Errorf("now %q", got.Content)
	}
}
