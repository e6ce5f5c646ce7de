package feature

import (
	"context"

	"github.com/rackmate/rackmate/bot"
)

// A Command is a command and its implementation.
type Command struct {
	bot.Command
	// OfGame marks a command about a game. In a channel without a game it applies to the
	// game that the person plays elsewhere.
	OfGame bool
	// Fits reports whether a command OfGame can be given in one of the person's games as it
	// stands. If several games could be meant, the command applies to the only one that
	// fits. It is nil if the command fits every game.
	Fits func(OwnGame) bool
	Run  Run
	// Complete holds the completers of options whose values vary, by option name. Values
	// that begin with what has been typed are offered.
	Complete map[string]Completer

	variant string // the variant that the command belongs to, if any
}

// Variant returns the name of the variant that the command belongs to, or "" for a command
// of all games.
func (c Command) Variant() string { return c.variant }

// Of returns the command as one of a variant.
func (c Command) Of(variant string) Command {
	c.variant = variant
	return c
}

// A Run carries out a command.
type Run func(context.Context, bot.Request) (bot.Reply, error)

// A Completer returns choices that complete an option from what has been typed so far.
type Completer func(context.Context, bot.Request) []bot.Choice

// An Extension adds to another feature's command: options, and a function that carries out
// the command if one of them is given. If Run is nil, the command's own Run does.
type Extension struct {
	Options []bot.Option
	Run     Run
}

// Contract returns the commands as adapters see them: names, options and help.
func Contract(all []Command) bot.Commands {
	var cs bot.Commands
	for _, c := range all {
		cs = append(cs, c.Command)
	}
	return cs
}
