package web

import (
	"github.com/rackmate/rackmate/adapters/web/push"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// Keeps lists everything the room stores, by the shelves' names. A test compares it with those in the
// code.
func Keeps() []bot.Keeping {
	all := []bot.Keeping{
		{Shelf: "people", Why: "who is in the room: name, since when, whether they keep it", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: "names", Why: "which names are taken", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: "looks2", Why: "which names look like those that are taken", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: "looks", Why: "the same, as an earlier version kept it", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: "silent", Why: "who came in and has done nothing yet, to make room for others", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: "count", Why: "how many people there are", Whose: "room", Until: bot.UntilHomeGone},
		{Shelf: "names-at-rest", Why: "names that somebody gave up lately, which nobody else can take for a while", Whose: "name", Until: "until others may take the name, thirty days at most"},
		{Shelf: "addresses", Why: "the network that somebody came from lately, so that a ban can hold it", Whose: "person", Until: "until another takes its place, or that person is forgotten"},
		{Shelf: "bars", Why: "networks from which a ban refuses newcomers", Whose: "network", Until: "for a week"},
		{Shelf: "invitations", Why: "invitations, and how often they may still be used", Whose: "room", Until: "until they are used up or too old"},
		{Shelf: "subjects", Why: "who signs in with which account elsewhere, by a hash", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: "states", Why: "sign-ins that were used, by a hash", Whose: "room", Until: "for some minutes"},
		{Shelf: "recovery", Why: "recovery codes, by a hash", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: "recovery-of", Why: "who has a recovery code", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: push.Shelf, Why: "how to call a browser, where somebody asked to be called", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: "read/", Why: "how far somebody has read", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: "directs/", Why: "whom somebody talks to", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: "said/", Why: "what was said, and what the host posted", Whose: "channel", Until: "until the channel is removed; what a person said, until they are forgotten"},
		{Shelf: notes.Log("said/").KeyShelf(), Why: "which messages and posts are there already, by a hash of who sent them", Whose: "channel", Until: "until the channel is removed"},
		{Shelf: "channels", Why: "the channels, and who made them", Whose: "channel", Until: bot.UntilHomeGone},
		{Shelf: "asides", Why: "the channels that hang on others", Whose: "channel", Until: bot.UntilHomeGone},
		{Shelf: "standing", Why: "where messages stand that are changed in place", Whose: "channel", Until: bot.UntilHomeGone},
		{Shelf: "waiting", Why: "who waits for somebody to play with", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: "room", Why: "the address at which the room was last found", Whose: "room", Until: bot.UntilHomeGone},
		{Shelf: "secret", Why: "the keys that cookies and calls are signed with", Whose: "room", Until: bot.UntilHomeGone},
	}
	for i := range all {
		all[i].By = "the web room"
	}
	return all
}

// Keeps lists everything the room stores; see [bot.Lister].
func (*eraser) Keeps() []bot.Keeping { return Keeps() }
