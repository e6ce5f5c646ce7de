package loops

import "github.com/rackmate/rackmate/bot"

// What only the tests of the package see.
func (a *Agenda) Own(ch bot.ChannelID) bool { return a.own(ch) }
