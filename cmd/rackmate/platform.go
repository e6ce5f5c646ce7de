package main

import (
	"context"
	"io"
	"log/slog"
	"net"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// A platform is a chat platform that the host can serve, with its settings.
type platform interface {
	// settings adds the platform's settings.
	settings(*settings)
	// open returns the platform's adapter, or nil if it isn't configured.
	open(platformEnv) (bot.Adapter, error)
}

// platforms returns all supported platforms, the same values each time. To support another, add it
// to the list: new(ircConfig).
func (c *serveConfig) platforms() []platform {
	if c.served == nil {
		c.served = []platform{&c.web, &c.discord, &c.slack}
	}
	return c.served
}

// platformEnv holds what an adapter needs from the host.
type platformEnv struct {
	host      bot.Host
	locales   *text.Locales
	tables    bot.TablePages // pages of the host's games
	pages     []bot.Pages    // pages of its features
	url       outside        // public URL of the host
	notes     func(platform string) bot.Notes
	listening net.Addr // address of the HTTP server
	now       func() time.Time
	random    io.Reader
	observer  bot.Observer
	log       *slog.Logger
	demo      bool                 // pages say that this is a demo
	shared    bool                 // the store may be shared with other processes
	keeps     func() []bot.Keeping // returns everything that is kept
	contact   string               // the operator's address
	// forget removes everything kept about a person, a server or a workspace.
	forget func(ctx context.Context, what, which string) error
	// alone runs a job that only one of the processes on a shared database may run.
	alone func(ctx context.Context, job string, run func(context.Context) error) error
}

// openAdapters returns the adapters of all configured platforms.
func (c *serveConfig) openAdapters(x platformEnv) ([]bot.Adapter, error) {
	if c.url != "" { // the URL that Discord's proxy leads to
		c.discord.clientSecret = c.web.discordSecret
	}
	var all []bot.Adapter
	for _, p := range c.platforms() {
		a, err := p.open(x)
		if err != nil {
			return nil, err
		}
		if a != nil {
			all = append(all, a)
		}
		if activity, ok := a.(bot.Activity); ok && c.url != "" {
			c.web.room.SetActivity(activity)
		}
	}
	return all, nil
}

// describe returns what the host needs to know about the adapters' platforms. A theme that the
// operator chose applies to all.
func describe(adapters []bot.Adapter, theme string) []bot.Platform {
	all := make([]bot.Platform, len(adapters))
	for i, a := range adapters {
		all[i] = a.Platform()
		if theme != "" {
			all[i].Theme, all[i].Dark = theme, theme
		}
	}
	return all
}
