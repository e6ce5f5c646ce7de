package slack

import "github.com/rackmate/rackmate/bot"

// bookmarksShelf stores, by place, the bookmark that releases before 1.0.0 set there.
const bookmarksShelf = "bookmarks"

// Keeps lists all data that the adapter stores. A test compares it with the shelves named
// in the code.
func Keeps() []bot.Keeping {
	all := []bot.Keeping{
		{Shelf: lastShelf, Why: "the latest message of a channel, to fold or change it", Whose: "channel", Until: bot.UntilHomeGone},
		{Shelf: asideShelf, Why: "the threads that were opened for requests", Whose: "channel", Until: bot.UntilHomeGone},
		{Shelf: bookmarksShelf, Why: "the bookmark that an earlier release set; nothing reads it any more", Whose: "channel", Until: bot.UntilHomeGone},
		{Shelf: blockedShelf, Why: "where the app may not post", Whose: "channel", Until: bot.UntilHomeGone},
		{Shelf: directShelf, Why: "the channel of somebody's direct messages", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: homesShelf, Why: "who has opened the home page or read of it", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: answersShelf, Why: "the picture of somebody's rack that is to be removed", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: greetedShelf, Why: "who was greeted", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: installsShelf, Why: "workspaces that installed the app, and their sealed tokens", Whose: "workspace", Until: "until it is uninstalled"},
		{Shelf: leftShelf, Why: "workspaces that are to be forgotten", Whose: "workspace", Until: "until that is done"},
		{Shelf: sharedShelf, Why: "channels that several workspaces share", Whose: "channel", Until: bot.UntilHomeGone},
		{Shelf: takenShelf, Why: "what Slack has an acknowledgment of and isn't done yet", Whose: "request", Until: "until it is done"},
		{Shelf: turnsShelf, Why: "which process connects", Whose: "host", Until: "for some seconds"},
	}
	for i := range all {
		all[i].By = "Slack"
	}
	return all
}

// Keeps lists all stored data; see [bot.Lister].
func (*Adapter) Keeps() []bot.Keeping { return Keeps() }
