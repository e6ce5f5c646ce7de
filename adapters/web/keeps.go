package web

import (
	"github.com/rackmate/rackmate/adapters/web/push"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// Keeps lists everything the room stores. A test compares it with the shelves named in the
// code.
func Keeps() []bot.Keeping {
	all := []bot.Keeping{
		{Shelf: peopleShelf, Why: "who is in the room: name, since when, whether they keep it", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: namesShelf, Why: "which names are taken", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: looksShelf, Why: "which names look like those that are taken", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: oldLooksShelf, Why: "the same, as an earlier version kept it", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: silentShelf, Why: "who came in and has done nothing yet, to make room for others", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: countShelf, Why: "how many people there are", Whose: "room", Until: bot.UntilHomeGone},
		{Shelf: restShelf, Why: "names that somebody gave up lately, which nobody else can take for a while", Whose: "name", Until: "until others may take the name, thirty days at most"},
		{Shelf: addressShelf, Why: "the network that somebody came from lately, so that a ban can hold it", Whose: "person", Until: "until another takes its place, or that person is forgotten"},
		{Shelf: barsShelf, Why: "networks from which a ban refuses newcomers", Whose: "network", Until: "for a week"},
		{Shelf: invitationsShelf, Why: "invitations, and how often they may still be used", Whose: "room", Until: "until they are used up or too old"},
		{Shelf: subjectsShelf, Why: "who signs in with which account elsewhere, by a hash", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: statesShelf, Why: "sign-ins that were used, by a hash", Whose: "room", Until: "for some minutes"},
		{Shelf: recoveryShelf, Why: "recovery codes, by a hash", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: recoveryOfShelf, Why: "who has a recovery code", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: push.Shelf, Why: "how to call a browser, where somebody asked to be called", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: readShelf, Why: "how far somebody has read", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: directsShelf, Why: "whom somebody talks to", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: saidShelf, Why: "what was said, and what the host posted", Whose: "channel", Until: "until the channel is removed; what a person said, until they are forgotten"},
		{Shelf: notes.Log(saidShelf).KeyShelf(), Why: "which messages and posts are there already, by a hash of who sent them", Whose: "channel", Until: "until the channel is removed"},
		{Shelf: channelsShelf, Why: "the channels, and who made them", Whose: "channel", Until: bot.UntilHomeGone},
		{Shelf: asidesShelf, Why: "the channels that hang on others", Whose: "channel", Until: bot.UntilHomeGone},
		{Shelf: standingShelf, Why: "where messages stand that are changed in place", Whose: "channel", Until: bot.UntilHomeGone},
		{Shelf: waitingShelf, Why: "who waits for somebody to play with", Whose: "person", Until: bot.UntilForgotten},
		{Shelf: roomShelf, Why: "the address at which the room was last found", Whose: "room", Until: bot.UntilHomeGone},
		{Shelf: "secret", Why: "the keys that cookies and calls are signed with", Whose: "room", Until: bot.UntilHomeGone},
	}
	for i := range all {
		all[i].By = "the web room"
	}
	return all
}

// Keeps lists everything the room stores; see [bot.Lister].
func (*eraser) Keeps() []bot.Keeping { return Keeps() }
