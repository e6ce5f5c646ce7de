package slack

import (
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// A homeTab is the way to the app's page Home from elsewhere in Slack. The app's id comes
// with whatever Slack sends.
// https://docs.slack.dev/interactivity/deep-linking
type homeTab struct {
	app   atomic.Value // a string
	teams cache        // by player: their workspace, where it isn't their home
}

func newHomeTab(now func() time.Time) *homeTab {
	return &homeTab{teams: newCache(now, 24*time.Hour)}
}

// learn takes the app's id, and the workspace of whoever did something.
func (t *homeTab) learn(app string, who member, team string) {
	if app != "" {
		t.app.Store(app)
	}
	if team != "" && team != string(who.home) {
		t.teams.add(string(who.player()), team)
	}
}

// link is the address of somebody's page, "" where they have none, or it isn't known.
func (t *homeTab) link(who member) string {
	app, _ := t.app.Load().(string)
	team, elsewhere := t.teams.get(string(who.player()))
	switch organisation := strings.HasPrefix(string(who.home), "E"); {
	case app == "", organisation != elsewhere: // of a workspace that shares a channel with the home
		return ""
	case !elsewhere:
		team = string(who.home)
	}
	return homeTabLink + "?" + url.Values{"team": {team}, "id": {app}, "tab": {"home"}}.Encode()
}

const homeTabLink = "slack://app"

// wayHome leads on from an answer that has no button of its own, or says that something
// can't be done.
func (n names) wayHome(r bot.Reply) []slack.Block {
	if n.home == "" || !r.Refused && len(r.Buttons)+len(r.Menus) > 0 {
		return nil
	}
	way := text.Say("Your games and settings are on my {home}.", text.Link(text.Item("Home tab"), n.home))
	return []slack.Block{slack.NewContextBlock("", markdown(n.mrkdwn(way.In(n.to))))}
}
