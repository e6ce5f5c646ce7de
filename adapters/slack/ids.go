package slack

import (
	"errors"
	"strings"

	"github.com/rackmate/rackmate/bot"
)

// A home is an installation of the app: a workspace (T...), or a whole Enterprise Grid
// organisation (E...). Slack's ids of channels and users are unique within it, and it has
// one bot token.
type home string

// homeOf returns the home that a payload comes from. An organisation-wide installation
// serves all its workspaces, so a channel shared by several of them has one table.
func homeOf(enterprise, team string, wholeOrganisation bool) home {
	if wholeOrganisation && enterprise != "" {
		return home(enterprise)
	}
	return home(team)
}

// homeID returns the host's id of a home.
func homeID(h home) string { return Platform + ":" + string(h) }

// A place is a channel of a home, or a thread in it, identified by the timestamp of its
// first message.
type place struct {
	home    home
	channel string
	thread  string
}

// id returns the host's id of the place: "slack:T1/C1", or for a thread
// "slack:T1/C1/1700000000.000100".
func (p place) id() bot.ChannelID {
	id := Platform + ":" + string(p.home) + "/" + p.channel
	if p.thread != "" {
		id += "/" + p.thread
	}
	return bot.ChannelID(id)
}

// channelKey returns the name of the channel with all its threads.
func (p place) channelKey() string { return string(p.home) + "/" + p.channel }

var errNotOurs = errors.New("that isn't a Slack ID")

func placeOf(ch bot.ChannelID) (place, error) {
	rest, ours := strings.CutPrefix(string(ch), Platform+":")
	f := strings.Split(rest, "/")
	if !ours || len(f) < 2 || len(f) > 3 || f[0] == "" || f[1] == "" {
		return place{}, errNotOurs
	}
	p := place{home: home(f[0]), channel: f[1]}
	if len(f) == 3 {
		p.thread = f[2]
	}
	return p, nil
}

// link returns a URL that opens the channel, or the thread in it.
func (p place) link() string {
	url := "https://app.slack.com/client/" + string(p.home) + "/" + p.channel
	if p.thread != "" {
		url += "/thread/" + p.channel + "-" + p.thread
	}
	return url
}

// A member is a person of a home, or a guest in one of its channels. Their id starts with
// U, or with W in an organisation.
type member struct {
	home home
	id   string
}

func (m member) player() bot.PlayerID {
	return bot.PlayerID(Platform + ":" + string(m.home) + "/" + m.id)
}

func memberOf(p bot.PlayerID) (member, error) {
	at, err := placeOf(bot.ChannelID(p)) // has the same form
	if err != nil || at.thread != "" {
		return member{}, errNotOurs
	}
	return member{at.home, at.channel}, nil
}
