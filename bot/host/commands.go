package host

import (
	"context"

	"github.com/rackmate/rackmate/bot"
)

var (
	wordOption   = bot.Option{Name: "word", Help: "The whole word, with the letters on the board. ? before a letter plays a blank.", Kind: bot.Word, Required: true}
	squareOption = bot.Option{Name: "at", Help: "Where it starts: 8H reads across, H8 down. Leave out if only one place fits.", Kind: bot.Square}
)

// A command is a Command and how it is carried out.
type command struct {
	bot.Command
	run run
	// complete lists the values that an option can have, by its name, where
	// those aren't always the same. Of them are offered those that begin as
	// what is typed.
	complete map[string]completer
}

// A run carries a command out.
type run func(*Host, context.Context, bot.Request) (bot.Reply, error)

type completer func(*Host, context.Context, bot.Request) []bot.Choice

func contract(all []command) bot.Commands {
	var cs bot.Commands
	for _, c := range all {
		cs = append(cs, c.Command)
	}
	return cs
}
