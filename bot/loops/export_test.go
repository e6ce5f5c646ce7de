package loops

import "github.com/rackmate/rackmate/bot"

// This file exports names for the package's tests.
func (a *Agenda) Own(ch bot.ChannelID) bool { return a.isOwnHint(ch) }
