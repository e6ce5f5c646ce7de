package discord

import "github.com/rackmate/rackmate/bot"

// Keeps lists all data that the adapter stores. A test compares it with the shelves named
// in the code.
func Keeps() []bot.Keeping {
	all := []bot.Keeping{
		{Shelf: lastShelf, Why: "the latest message of a channel, to fold or change it", Whose: "channel", Until: bot.UntilHomeGone},
		{Shelf: blockedShelf, Why: "where the bot may not post", Whose: "channel", Until: bot.UntilHomeGone},
		{Shelf: directShelf, Why: "the channel of somebody's direct messages", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: closedShelf, Why: "who takes no direct messages", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: openedShelf, Why: "the threads that were opened", Whose: "channel", Until: bot.UntilHomeGone},
		{Shelf: serversShelf, Why: "the servers that the bot is in", Whose: "server", Until: "until it removes the bot"},
		{Shelf: leftShelf, Why: "servers, and people, that are to be forgotten", Whose: "server or person", Until: "until that is done, or they are back"},
		{Shelf: tagsShelf, Why: "the tags of a forum's post", Whose: "channel", Until: bot.UntilHomeGone},
		{Shelf: sessionShelf, Why: "where a connection to Discord can go on", Whose: "host", Until: "until the connection ends"},
		{Shelf: turnsShelf, Why: "which process may connect next", Whose: "host", Until: "for some seconds"},
		{Shelf: visitShelf, Why: "the latest command where the bot is no member, by which it may answer there", Whose: "channel", Until: "until the next one; it serves for fifteen minutes"},
		{Shelf: launchShelf, Why: "the Activity that was opened in a channel, and at which table", Whose: "channel, and who pressed Play", Until: "for a day after the latest; who pressed Play, for five minutes"},
		{Shelf: withdrawnShelf, Why: "posts in forgotten servers that are to be deleted", Whose: "channel", Until: "until that is done"},
	}
	for i := range all {
		all[i].By = "Discord"
	}
	return all
}

// Keeps lists all stored data; see [bot.Lister].
func (*keeper) Keeps() []bot.Keeping { return Keeps() }
