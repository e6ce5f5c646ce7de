package play

import (
	"context"
	"errors"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
)

// This file keeps the invitations of a person to tables that wait for players, for the list of
// their games.

type invitationKey = shelf.Pair[shelf.Person, shelf.Table]

// A storedInvitation marks a table that has reserved a seat for a person. It may be out of date:
// the table decides.
type storedInvitation struct {
	V int `json:"v"` // 1
}

// invitations lists the tables that wait for a person.
type invitations struct {
	desk feature.Desk
	rows *shelf.Shelf[invitationKey, storedInvitation]
}

func newInvitations(d feature.Desk, own *shelf.Owner) *invitations {
	i := &invitations{desk: d}
	i.rows = shelf.Open(own, "invitations", shelf.Spec[invitationKey, storedInvitation]{
		Why: "which tables have reserved a seat for somebody",
		Find: func(tx shelf.Tx, who game.PlayerID, _ []bot.TableID) (keys []invitationKey, err error) {
			err = shelf.EachIn(i.rows.In(tx), shelf.Person(who), func(t shelf.Table, _ storedInvitation) error {
				keys = append(keys, shelf.Both(shelf.Person(who), t))
				return nil
			})
			return keys, err
		},
	})
	return i
}

// timer schedules an update of the invitations to a table whose lobby has changed.
func (i *invitations) timer(s feature.Step) []bot.Timer {
	lobby := s.Start.Phase == game.Lobby || s.After.Phase == game.Lobby
	if !lobby || len(s.After.Invited) == 0 {
		return nil
	}
	return []bot.Timer{{At: s.Last().At, Kind: inviteKind}}
}

// update notes who is still invited to a table. It removes the guests' rows of tables that no
// longer wait for them.
func (i *invitations) update(ctx context.Context, timer bot.Timer) error {
	t, err := feature.LoadTable(ctx, i.desk, timer.Table)
	if errors.Is(err, bot.ErrNoTable) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, guest := range t.Invited {
		if guest.ID.IsRobot() {
			continue
		}
		if err := i.prune(ctx, guest.ID); err != nil {
			return err
		}
		if key := shelf.Both(shelf.Person(guest.ID), shelf.Table(t.ID)); i.waitsFor(t, guest.ID) && !bot.IsFormer(guest.ID) {
			if err := i.rows.Put(ctx, key, storedInvitation{V: 1}); err != nil {
				return err
			}
		}
	}
	return nil
}

// prune removes a person's rows of tables that no longer wait for them.
func (i *invitations) prune(ctx context.Context, who game.PlayerID) error {
	waiting, all, err := i.read(ctx, who)
	if err != nil {
		return err
	}
	for _, id := range all {
		if slices.ContainsFunc(waiting, func(t table.Table) bool { return t.ID == id }) {
			continue
		}
		if err := i.rows.Drop(ctx, shelf.Both(shelf.Person(who), shelf.Table(id))); err != nil {
			return err
		}
	}
	return nil
}

// waitsFor reports whether a table waits for an invited player.
func (i *invitations) waitsFor(t table.Table, who game.PlayerID) bool {
	_, seated := t.SeatOf(who)
	return t.Phase == game.Lobby && !t.IsDeserted(i.desk.Now()) && !seated && invites(t, who)
}

// read returns the tables that wait for a person, and the ids of all their rows.
func (i *invitations) read(ctx context.Context, who game.PlayerID) (waiting []table.Table, all []bot.TableID, err error) {
	if err := shelf.EachUnder(ctx, i.rows, shelf.Person(who), func(t shelf.Table, _ storedInvitation) error {
		all = append(all, bot.TableID(t))
		return nil
	}); err != nil {
		return nil, nil, err
	}
	for _, id := range all {
		t, err := feature.LoadTable(ctx, i.desk, id)
		switch {
		case errors.Is(err, bot.ErrNoTable) || errors.Is(err, bot.ErrUnreadable):
		case err != nil:
			return nil, nil, err
		case i.waitsFor(t, who):
			waiting = append(waiting, t)
		}
	}
	return waiting, all, nil
}

// Invited lists the tables that wait for a person who was invited to them.
func (f *Feature) Invited(ctx context.Context, who game.PlayerID) ([]table.Table, error) {
	all, _, err := f.invitations.read(ctx, who)
	return all, err
}
