package people

import (
	"context"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/game"
)

// A storedLink lists all identities of one person. Each of them has a copy.
type storedLink struct {
	V   int             `json:"v"`
	All []game.PlayerID `json:"all"`
}

// identities returns all identities of a person, who first.
func (l storedLink) identities(who game.PlayerID) []game.PlayerID {
	return slices.Concat([]game.PlayerID{who}, withoutPlayer(l.All, who))
}

// Identities returns all identities of a person on every platform, who first.
func (f *Feature) Identities(ctx context.Context, who game.PlayerID) ([]game.PlayerID, error) {
	l, _, err := f.links.Get(ctx, shelf.Person(who))
	return l.identities(who), err
}

// linkedIdentities returns all identities of a person, within a transaction.
func (f *Feature) linkedIdentities(tx shelf.Tx, who game.PlayerID) ([]game.PlayerID, error) {
	l, _, err := f.links.In(tx).Get(shelf.Person(who))
	return l.identities(who), err
}

// unlink removes an identity from a link. It returns false if only one would remain,
// since one is linked with nothing.
func unlink(l *storedLink, who game.PlayerID, _ bot.User) (keep bool) {
	l.All = withoutPlayer(l.All, who)
	return len(l.All) > 1
}

// withoutPlayer returns a copy of a list without one player.
func withoutPlayer(all []game.PlayerID, who game.PlayerID) []game.PlayerID {
	return slices.DeleteFunc(slices.Clone(all), func(p game.PlayerID) bool { return p == who })
}
