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

// of returns all identities of a person, who first.
func (l storedLink) of(who game.PlayerID) []game.PlayerID {
	return slices.Concat([]game.PlayerID{who}, without(l.All, who))
}

// Identities returns all identities of a person on every platform, who first.
func (f *Feature) Identities(ctx context.Context, who game.PlayerID) ([]game.PlayerID, error) {
	l, _, err := f.links.Get(ctx, shelf.Person(who))
	return l.of(who), err
}

// linked returns all identities of a person, within a transaction.
func (f *Feature) linked(tx shelf.Tx, who game.PlayerID) ([]game.PlayerID, error) {
	l, _, err := f.links.In(tx).Get(shelf.Person(who))
	return l.of(who), err
}

// unlinked removes an identity from a link. It returns false if only one would remain,
// since one is linked with nothing.
func unlinked(l *storedLink, who game.PlayerID, _ bot.User) (keep bool) {
	l.All = without(l.All, who)
	return len(l.All) > 1
}

// without returns a copy of a list without one player.
func without(all []game.PlayerID, who game.PlayerID) []game.PlayerID {
	return slices.DeleteFunc(slices.Clone(all), func(p game.PlayerID) bool { return p == who })
}
