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

// A platform is one that the host can serve, as the operator sets it up.
type platform interface {
	// settings adds what the operator may say of it.
	settings(*settings)
	// open makes its adapter, nil where the operator doesn't ask for it.
	open(surroundings) (bot.Adapter, error)
}

// platforms returns all that the host can serve, the same each time. To add one, add it
// to the list: new(ircConfig).
func (c *serveConfig) platforms() []platform {
	if c.served == nil {
		c.served = []platform{&c.web, &c.discord, &c.slack}
	}
	return c.served
}

// surroundings are what an adapter is made of.
type surroundings struct {
	host      bot.Host
	tongues   *text.Tongues
	tables    bot.TablePages // the pages of the host's games
	pages     []bot.Pages    // of its features
	url       outside        // what browsers elsewhere find it at
	notes     func(platform string) bot.Notes
	listening net.Addr // where the HTTP server listens
	now       func() time.Time
	random    io.Reader
	observer  bot.Observer
	log       *slog.Logger
	shared    bool                 // the store, by other processes perhaps
	keeps     func() []bot.Keeping // all that is kept
	contact   string               // of whoever runs the host
	// forget removes all that is kept of a person, a server or a workspace.
	forget func(ctx context.Context, what, which string) error
	// alone runs what only one of the processes may that share a database.
	alone func(ctx context.Context, job string, run func(context.Context) error) error
}

// openAdapters makes the adapters of all platforms that the operator asks for.
func (c *serveConfig) openAdapters(x surroundings) ([]bot.Adapter, error) {
	if c.url != "" { // what Discord's proxy leads to
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
			c.web.room.Show(activity)
		}
	}
	return all, nil
}

// describe gives what the host must know of the adapters' platforms. A theme
// that the operator chose for all boards is every platform's.
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
