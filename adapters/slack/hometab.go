package slack

import (
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot/text"
)

// A homeTab builds links to the app's home page. The app's id comes with every payload of
// Slack's. https://docs.slack.dev/interactivity/deep-linking
type homeTab struct {
	app   atomic.Value // holds a string
	teams cache        // by player: their workspace, if it isn't their home
}

func newHomeTab(now func() time.Time) *homeTab {
	return &homeTab{teams: newCache(now, 24*time.Hour)}
}

// learn records the app's id, and the workspace of a person.
func (t *homeTab) learn(app string, who member, team string) {
	if app != "" {
		t.app.Store(app)
	}
	if team != "" && team != string(who.home) {
		t.teams.add(string(who.player()), team)
	}
}

// link returns the address of a person's page, or "" if they have none or it isn't known.
func (t *homeTab) link(who member) string {
	app, _ := t.app.Load().(string)
	team, elsewhere := t.teams.get(string(who.player()))
	switch organisation := strings.HasPrefix(string(who.home), "E"); {
	case app == "", organisation != elsewhere: // the person is from a workspace that shares a channel with the home
		return ""
	case !elsewhere:
		team = string(who.home)
	}
	return homeTabLink + "?" + url.Values{"team": {team}, "id": {app}, "tab": {"home"}}.Encode()
}

const homeTabLink = "slack://app"

// homeLink returns a link to the reader's home page, or none if n.home is "".
func (n names) homeLink() []slack.Block {
	if n.home == "" {
		return nil
	}
	way := text.Say("Your games and settings are on my {home}.", text.Link(text.Item("Home tab"), n.home))
	return []slack.Block{slack.NewContextBlock("", markdown(n.mrkdwn(way.In(n.to))))}
}
