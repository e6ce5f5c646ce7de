package main

import (
	"net"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
)

// webConfig is what the operator says of the web room.
type webConfig struct {
	hosts   list     // names that browsers may call the room by
	proxies networks // whose word counts for where requests come from
}

// settings adds the room's settings.
func (c *webConfig) settings(s *settings) {
	s.flags.Var(&c.hosts, "host", "a `NAME` that browsers may call the room by; may be given again")
	s.flags.Var(&c.proxies, "trust-proxy", "the address or `CIDR` of a proxy before the host, which says whom it asks for in X-Forwarded-For; may be given again")
}

// errNoHostName refuses a room that others can reach and that goes by any name: a
// page elsewhere could point a name of its own at it.
var errNoHostName = usageError("others can reach this address, and I don't know by which name: give the one that browsers call the room by, as in --host play.example.org; again for each other name; --host '*' takes any, where only those you trust can reach it")

// open makes the room, which is always there.
func (c *webConfig) open(x surroundings) (bot.Adapter, error) {
	if len(c.hosts) == 0 && !onlyHere(x.listening) {
		return nil, errNoHostName
	}
	return web.New(web.Config{
		Host: x.host, Notes: x.notes(web.Platform), Now: x.now, Random: x.random, Log: x.log,
		URL: c.url(x.listening), Hosts: c.hosts, Proxies: c.proxies, FirstKeeps: onlyHere(x.listening),
	})
}

// url is where the room is: at the first name that the operator gave it, else
// where it listens.
func (c *webConfig) url(listening net.Addr) string {
	if len(c.hosts) > 0 && c.hosts[0] != "*" {
		return "https://" + c.hosts[0]
	}
	return "http://" + address(listening)
}
