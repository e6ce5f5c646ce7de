package person

import (
	"context"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/game"
)

// LinksShelf is the shelf of the host's notes that has links, by player: a storedLink for each
// of those who are one.
const LinksShelf = "links"

// A StoredLink lists all who are the same person.
type StoredLink struct {
	V   int             `json:"v"`
	All []game.PlayerID `json:"all"`
}

// Identities are all that somebody is, on every surface, themselves first.
func Identities(ctx context.Context, h *host.Host, who game.PlayerID) ([]game.PlayerID, error) {
	var l StoredLink
	if _, err := notes.Read(ctx, h.Notes, LinksShelf, string(who), &l); err != nil {
		return nil, err
	}
	return slices.Concat([]game.PlayerID{who}, Without(l.All, who)), nil
}

// Without is a list of players but for one of them.
func Without(all []game.PlayerID, who game.PlayerID) []game.PlayerID {
	return slices.DeleteFunc(slices.Clone(all), func(p game.PlayerID) bool { return p == who })
}

// Linked are all that somebody is.
func Linked(rows bot.Rows, who game.PlayerID) ([]game.PlayerID, error) {
	var l StoredLink
	_, err := notes.Get(rows, LinksShelf, string(who), &l)
	return slices.Concat([]game.PlayerID{who}, Without(l.All, who)), err
}
