package discord

import "time"

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

// SetAfter replaces the adapter's timers.
func (a *Adapter) SetAfter(f func(time.Duration) <-chan time.Time) { a.after = f }
