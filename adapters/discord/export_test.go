package discord

import (
	"net/http"
	"net/url"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features"
)

// Internals that tests need.
var (
	Markup = markup
	Same   = sameCommands

	InLinkShape = padToLinkShape

	Unlisted = unlisted
)

const (
	MostRefusals  = mostRefusals
	RefusalSpan   = refusalSpan
	Patience      = patience
	TokenLife     = tokenLife
	MaxAge        = maxAge
	LongestWait   = longestWait
	BetweenShards = betweenShards
)

// RequestOf returns the host request of an interaction.
func RequestOf(body []byte) (bot.Request, bool) {
	i, err := parseInteraction(body)
	if err != nil {
		return bot.Request{}, false
	}
	return i.request(features.Commands())
}

// A Hearing is a set of events being handled.
type Hearing struct{ eventsInFlight }

// Begin records that an event is being handled.
func (h *Hearing) Begin(seq int64) { h.begin(seq) }

// End records that an event was handled.
func (h *Hearing) End(seq int64) { h.end(seq) }

// UpTo returns the latest event before which all are handled.
func (h *Hearing) UpTo(latest int64) int64 { return h.resumableTo(latest) }

// SetAfter replaces the adapter's timers.
func (a *Adapter) SetAfter(f func(time.Duration) <-chan time.Time) { a.after, a.client.after = f, f }

// SetProxy sends all traffic to Discord through a proxy.
func (a *Adapter) SetProxy(address *url.URL) { a.gateway.proxy = http.ProxyURL(address) }

// Tidied waits until the posts so far are tidied up.
func (a *Adapter) Tidied() { a.poster.behind.Wait() }

// SetBodyTime sets the time limit for the body of an interaction.
func (a *Adapter) SetBodyTime(d time.Duration) { a.endpoint.bodyTime = d }

// The English names of the menu entries.
var (
	InviteMenu    = inviteMenu.String()
	ChallengeMenu = challengeMenu.String()
	StatsMenu     = statsMenu.String()
	BoardMenu     = boardMenu.String()
	ReportMenu    = reportMenu.String()
)

// Length returns the number of characters that Discord counts for a command.
func (c *Command) Length() int { return c.length() }
