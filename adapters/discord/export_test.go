package discord

import (
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
)

// The parts that tests look at from outside.
var (
	Markup = markup
	Same   = same
)

const (
	MostRefusals  = mostRefusals
	RefusalSpan   = refusalSpan
	Patience      = patience
	TokenLife     = tokenLife
	MaxAge        = maxAge
	OpenTime      = openTime
	BetweenShards = betweenShards
	InviteMenu    = inviteMenu
	ChallengeMenu = challengeMenu
)

// RequestOf is what an interaction asks of the host.
func RequestOf(body []byte) (bot.Request, bool) {
	i, err := parseInteraction(body)
	if err != nil {
		return bot.Request{}, false
	}
	return i.request(host.Commands())
}

// SetAfter replaces the adapter's timers.
func (a *Adapter) SetAfter(f func(time.Duration) <-chan time.Time) { a.after = f }
