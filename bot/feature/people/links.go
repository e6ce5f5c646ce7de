package people

import (
	"context"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/game"
)

// A storedLink lists all who are the same person: each of them has one.
type storedLink struct {
	V   int             `json:"v"`
	All []game.PlayerID `json:"all"`
}

// of are all that somebody is, themselves first.
func (l storedLink) of(who game.PlayerID) []game.PlayerID {
	return slices.Concat([]game.PlayerID{who}, without(l.All, who))
}

// Identities are all that somebody is, on every surface, themselves first.
func (f *Feature) Identities(ctx context.Context, who game.PlayerID) ([]game.PlayerID, error) {
	l, _, err := f.links.Get(ctx, shelf.Person(who))
	return l.of(who), err
}

// linked are all that somebody is.
func (f *Feature) linked(tx shelf.Tx, who game.PlayerID) ([]game.PlayerID, error) {
	l, _, err := f.links.In(tx).Get(shelf.Person(who))
	return l.of(who), err
}

// unlinked takes somebody out of what links another. One alone is linked with nobody.
func unlinked(l *storedLink, who game.PlayerID, _ bot.User) (keep bool) {
	l.All = without(l.All, who)
	return len(l.All) > 1
}

// without is a list of players but for one of them.
func without(all []game.PlayerID, who game.PlayerID) []game.PlayerID {
	return slices.DeleteFunc(slices.Clone(all), func(p game.PlayerID) bool { return p == who })
}
