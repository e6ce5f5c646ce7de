package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strings"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/adapters/web/signin"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/data"
)

// webConfig holds the operator's settings for the web room.
type webConfig struct {
	hosts    list     // host names accepted from browsers
	push     string   // push notifications: on or off
	pushes   list     // allowed push services
	proxies  networks // proxies trusted to name the client's address
	door     string   // who may enter; "" for the default of the address
	password string
	admit    list // who may enter by signing in

	issuer, issuerClient, issuerSecret string // an OpenID Connect service
	issuerTitle                        string
	discordClient, discordSecret       string
	slackClient, slackSecret           string

	room *web.Room // set once it is open
}

// settings adds the settings for the room.
func (c *webConfig) settings(s *settings) {
	s.flags.Var(&c.hosts, "host", "a `NAME` that browsers may call the room by; may be given again")
	s.flags.StringVar(&c.door, "door", "", "who may come into the web room: open (anybody), invite (by a link that \"rackmate invite\" makes), password, or oidc (by signing in elsewhere: --oidc-issuer, DISCORD_CLIENT_ID, SLACK_SIGN_IN_ID); without it invite, and open where only this computer reaches the room: on a loopback address, without --host, --url and --trust-proxy")
	s.secret(&c.password, "ROOM_PASSWORD", "the web room's password, for --door password")
	s.flags.StringVar(&c.issuer, "oidc-issuer", "", "the `URL` of a service that speaks OpenID Connect, for --door oidc")
	s.flags.StringVar(&c.issuerTitle, "oidc-title", "your account", "what people call that service: Sign in with `TITLE`")
	s.flags.Var(&c.admit, "admit", "for --door oidc: whom signing in lets in, as an email address, a domain (@example.org), a Discord server (discord:ID) or a Slack workspace (slack:T...); may be given again")
	s.secret(&c.issuerClient, "OIDC_CLIENT_ID", "the room's client id at --oidc-issuer")
	s.secret(&c.issuerSecret, "OIDC_CLIENT_SECRET", "the room's client secret at --oidc-issuer")
	s.secret(&c.discordClient, "DISCORD_CLIENT_ID", "the application's id, to sign in to the web room with Discord")
	s.secret(&c.discordSecret, "DISCORD_CLIENT_SECRET", "the application's client secret, for the same; with DISCORD_TOKEN and --url it also switches the Activity on: the board in Discord's client")
	s.secret(&c.slackClient, "SLACK_SIGN_IN_ID", "the client id of a Slack app, to sign in to the web room with Slack")
	s.secret(&c.slackSecret, "SLACK_SIGN_IN_SECRET", "that app's client secret, for the same")
	s.flags.StringVar(&c.push, "push", "on", "on or off: whether the host calls browsers of people whose turn it is, through the service of each browser's maker")
	s.flags.Var(&c.pushes, "push-host", "the `NAME` of a service through which browsers may be called, beside those of Chrome, Firefox, Safari and Edge, as in push.example.org or localhost:8443; may be given again")
	s.flags.Var(&c.proxies, "trust-proxy", "the address or `CIDR` of a proxy before the host, which says whom it asks for in X-Forwarded-For; may be given again")
}

// errNoHostName rejects a room that others can reach without a configured host name. A foreign page
// could otherwise point a name of its own at it.
var errNoHostName = cli.UsageError("others can reach this address: name the host that browsers use, as in --host play.example.org, and repeat it for each other name. --host '*' accepts any name: use it only if you trust everyone who can reach the address")

// open returns the adapter for the room, which always exists.
func (c *webConfig) open(x platformEnv) (bot.Adapter, error) {
	hosts := []string(c.hosts)
	if x.url != "" {
		hosts = append(hosts, x.url.host())
	}
	if len(hosts) == 0 && !onlyHere(x.listening) {
		return nil, errNoHostName
	}
	// A room with a host name, or behind a proxy, is also for others.
	private := onlyHere(x.listening) && len(hosts) == 0 && len(c.proxies) == 0
	door := web.Door(c.door)
	switch {
	case door == "" && private:
		door = web.DoorOpen
	case door == "":
		door = web.DoorInvite
	}
	services, err := c.services()
	if err != nil {
		return nil, err
	}
	room, err := web.New(web.Config{
		Host: x.host, Notes: x.notes(web.Platform), Tables: x.tables, Pages: x.pages, Now: x.now, Random: x.random, Log: x.log, Observer: x.observer,
		URL: cmp.Or(string(x.url), c.url(x.listening)), Hosts: hosts, Proxies: c.proxies, FirstKeeps: private,
		Door: door, Password: c.password, SignIn: services, PushHosts: c.pushes, NoPush: c.push == "off", Keeps: x.keeps, Contact: x.contact, Demo: x.demo, Sentences: data.Sentences(), Confusables: data.Confusables(),
	})
	c.room = room
	return room, err
}

// services returns the services that people sign in with.
func (c *webConfig) services() (all []*signin.Provider, err error) {
	if c.door != string(web.DoorSignIn) {
		return nil, nil
	}
	admitted := map[string][]string{}
	for _, a := range c.admit {
		kind, id, found := strings.Cut(a, ":")
		switch {
		case found && id != "" && (kind == discord.Platform || kind == slack.Platform):
			admitted[kind] = append(admitted[kind], id)
		case strings.Contains(a, "@"):
			admitted[""] = append(admitted[""], a)
		default:
			return nil, cli.UsageError(fmt.Sprintf("--admit can't be %q: write an email address, a domain (@example.org), a Discord server (discord:ID) or a Slack workspace (slack:T...)", a))
		}
	}
	if c.issuer != "" {
		all = append(all, signin.OpenID("account", c.issuerTitle, c.issuer, signin.Client{ID: c.issuerClient, Secret: c.issuerSecret}, admitted[""]))
	}
	if c.discordClient != "" {
		if len(admitted[discord.Platform]) == 0 {
			return nil, cli.UsageError("anyone can have a Discord account: admit the members of a server, as in --admit discord:81384788765712384")
		}
		all = append(all, signin.Discord(signin.DiscordAPI, signin.Client{ID: c.discordClient, Secret: c.discordSecret}, admitted[discord.Platform]))
	}
	if c.slackClient != "" {
		if len(admitted[slack.Platform]) == 0 {
			return nil, cli.UsageError("anyone can have a Slack account: admit the members of a workspace, as in --admit slack:T0123456789")
		}
		all = append(all, signin.Slack(signin.SlackIssuer, signin.Client{ID: c.slackClient, Secret: c.slackSecret}, admitted[slack.Platform]))
	}
	return all, nil
}

// howToComeIn returns the message at the start that says how people enter the room, or "" if it is
// open.
func (c *webConfig) howToComeIn(ctx context.Context, log *slog.Logger) string {
	switch c.room.Door {
	case web.DoorInvite:
		link, err := c.room.FirstInvitation(ctx)
		if err != nil {
			log.Error("can't create an invitation", "error", err)
		}
		if link == "" {
			return "Who may come in: those with an invitation; \"rackmate invite\" makes one.\n"
		}
		return fmt.Sprintf("Who may come in: those with an invitation. This one is for ten people, today: %s\n\"rackmate invite\" makes another, and \"rackmate keeper NAME\" says who keeps the room.\n", link)
	case web.DoorSignIn:
		return "Who may come in: those who sign in. \"rackmate keeper NAME\" says who keeps the room.\n"
	case web.DoorPassword:
		return "Who may come in: those who know the password. \"rackmate keeper NAME\" says who keeps the room.\n"
	}
	return ""
}

// outside is a flag value: a URL without a trailing slash.
type outside string

func (o *outside) Set(text string) error {
	if text == "" {
		*o = ""
		return nil
	}
	u, err := url.Parse(strings.TrimRight(text, "/"))
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.Path != "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return errors.New("write a scheme and a name without a path, such as https://play.example.org")
	}
	*o = outside(u.Scheme + "://" + u.Host)
	return nil
}

func (*outside) Type() string { return "URL" }

func (o *outside) String() string { return string(*o) }

// host returns the host name in the URL, without a port.
func (o outside) host() string {
	u, err := url.Parse(string(o))
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// url returns the room's address: the first configured host name, or else where it listens.
func (c *webConfig) url(listening net.Addr) string {
	if len(c.hosts) > 0 && c.hosts[0] != "*" {
		return "https://" + c.hosts[0]
	}
	return "http://" + address(listening)
}
