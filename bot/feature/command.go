package feature

import (
	"context"

	"github.com/rackmate/rackmate/bot"
)

// A Command is a command and how it is carried out.
type Command struct {
	bot.Command
	// OfGame says that it is about a game: given where there is none, it is for the
	// game that the person is playing elsewhere.
	OfGame bool
	// Fits reports whether somebody can give a command OfGame in a game of theirs as
	// it stands. Typed where several could be meant, it is for the only one that fits.
	// It is nil where all do.
	Fits func(OwnGame) bool
	Run  Run
	// Complete lists the values that an option can have, by its name, where those
	// aren't always the same. Those that begin with what is typed are offered.
	Complete map[string]Completer

	variant string // whose it is, where a variant brings it
}

// Variant names the variant that has the command where others don't, "" for a command
// of all games.
func (c Command) Variant() string { return c.variant }

// Of is the command as one of a variant.
func (c Command) Of(variant string) Command {
	c.variant = variant
	return c
}

// A Run carries a command out.
type Run func(context.Context, bot.Request) (bot.Reply, error)

// A Completer completes an option of a command from what has been typed so far.
type Completer func(context.Context, bot.Request) []bot.Choice

// An Extension is what is added to another's command: options, and what carries the
// command out where one of them is given, nil where that is the other's affair.
type Extension struct {
	Options []bot.Option
	Run     Run
}

// Contract is the commands as adapters see them: names, options and help, without
// what carries them out.
func Contract(all []Command) bot.Commands {
	var cs bot.Commands
	for _, c := range all {
		cs = append(cs, c.Command)
	}
	return cs
}
