package discord

import "time"

// The parts that tests look at from outside.
var (
	Markup         = markup
	Same           = same
	MostRefusals   = mostRefusals
	Patience       = patience
	BlockedFor     = blockedFor
	BlockedWait    = blockedWait
	MaxAge         = maxAge
	ParseCheck     = parseInteraction
	RefusalSpan    = refusalSpan
	InviteMenu     = inviteMenu
	ChallengeMenu  = challengeMenu
	HopelessErrors = []error{errToken, errIntents, errShards}
)

// SetAfter replaces the adapter's timers.
func (a *Adapter) SetAfter(f func(time.Duration) <-chan time.Time) { a.after = f }
