package host

import (
	"context"

	"github.com/rackmate/rackmate/bot"
)

// A Command is a Command and how it is carried out.
type Command struct {
	bot.Command
	// OfGame says that it is about a game: given where there is none, it is for
	// the game that the person is playing elsewhere.
	OfGame bool
	Run    Run
	// complete lists the values that an option can have, by its name, where those
	// aren't always the same. Those that begin with what is typed are offered.
	Complete map[string]Completer
}

// A Run carries a command out.
type Run func(context.Context, *Host, bot.Request) (bot.Reply, error)

// A Completer completes an option of a command from what has been typed so far.
type Completer func(context.Context, *Host, bot.Request) []bot.Choice

// Contract is the commands as adapters see them: names, options and help, without
// what carries them out.
func Contract(all []Command) bot.Commands {
	var cs bot.Commands
	for _, c := range all {
		cs = append(cs, c.Command)
	}
	return cs
}
