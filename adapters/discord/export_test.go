package discord

import (
	"net/http"
	"net/url"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features"
)

// The parts that tests look at from outside.
var (
	Markup = markup
	Same   = same

	InLinkShape = inLinkShape
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

// RequestOf is what an interaction asks of the host.
func RequestOf(body []byte) (bot.Request, bool) {
	i, err := parseInteraction(body)
	if err != nil {
		return bot.Request{}, false
	}
	return i.request(features.Commands())
}

// A Hearing is the events that are being carried out.
type Hearing struct{ hearing }

// Begin, End and UpTo are its methods.
func (h *Hearing) Begin(seq int64) { h.begin(seq) }

// End says that an event is done.
func (h *Hearing) End(seq int64) { h.end(seq) }

// UpTo is the latest event before which all are done.
func (h *Hearing) UpTo(latest int64) int64 { return h.upTo(latest) }

// SetAfter replaces the adapter's timers.
func (a *Adapter) SetAfter(f func(time.Duration) <-chan time.Time) { a.after, a.client.after = f, f }

// SetProxy sends all that goes to Discord through a proxy.
func (a *Adapter) SetProxy(address *url.URL) { a.gateway.proxy = http.ProxyURL(address) }

// Tidied waits until all is tidied up after the posts so far.
func (a *Adapter) Tidied() { a.poster.behind.Wait() }

// SetBodyTime sets how long an interaction may take to come in.
func (a *Adapter) SetBodyTime(d time.Duration) { a.endpoint.bodyTime = d }

// The entries of the menus by their English names.
var (
	InviteMenu    = inviteMenu.String()
	ChallengeMenu = challengeMenu.String()
	StatsMenu     = statsMenu.String()
	BoardMenu     = boardMenu.String()
	ReportMenu    = reportMenu.String()
)

// Length is how many characters Discord counts of a command.
func (c *Command) Length() int { return c.length() }
