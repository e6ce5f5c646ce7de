package host

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
)

// This file gives running games the new names of their players. A seat is found by its player's
// id, so a new name replaces the old one in all events of the game, which then replays to the
// same state. A game that is over keeps the names that it ended with.

// earlierNames stores the names that a person had before, which older messages still show.
type earlierNames struct {
	V     int      `json:"v"`
	Names []string `json:"names"` // sorted
}

func openNames(own *shelf.Owner) *shelf.Shelf[shelf.Person, earlierNames] {
	return shelf.Open(own, "earlier names", shelf.Spec[shelf.Person, earlierNames]{Why: "the names that somebody had in a game before, so that those can be erased too"})
}

// followName renames a player in the game that a request is about, and in their other games of that
// home, if they have another name now. It only logs an error: the next request repeats it.
func (h *commands) followName(ctx context.Context, req bot.Request) {
	if !h.Platform(req.Channel).CurrentNames {
		return
	}
	t, err := h.Load(ctx, req)
	if err != nil || !hasOldName(t, req.User) {
		return // the command reports the error
	}
	// This game last: an interrupted attempt is repeated when the player comes here again.
	if err = h.renameMember(ctx, req.Home, req.User, t.ID); err == nil {
		err = h.rename(ctx, t.ID, req.Home, req.User)
	}
	if err != nil {
		h.Log().Warn("can't give games a player's new name", "request", req.Reference(), "user", req.User.ID, "error", err)
	}
}

// MemberRenamed renames a person in their running games of a home; see [bot.Host].
func (h *commands) MemberRenamed(ctx context.Context, home string, who bot.User) error {
	return h.renameMember(ctx, home, who, 0)
}

// renameMember renames a person in all their running games of a home but one.
func (h *commands) renameMember(ctx context.Context, home string, who bot.User, except bot.TableID) error {
	tables, err := h.TablesOf(ctx, who.ID)
	failed := []error{err}
	for _, id := range tables {
		if id != except {
			failed = append(failed, h.rename(ctx, id, home, who))
		}
	}
	return errors.Join(failed...)
}

// rename renames a player at a table, if it belongs to the home and they have another name there.
func (h *commands) rename(ctx context.Context, id bot.TableID, home string, who bot.User) error {
	t, err := feature.LoadTable(ctx, h.desk, id)
	if err != nil {
		return err
	}
	if !hasOldName(t, who) {
		return nil
	}
	if of, err := h.settings.HomeOf(ctx, t.Channel); err != nil || of != home {
		return err
	}
	seat, _ := t.SeatOf(who.ID)
	if err := h.keepName(ctx, who.ID, t.Seats[seat].Person.Name); err != nil {
		return err
	}
	if err := h.Store.Rename(ctx, id, who.ID, who); err != nil {
		return fmt.Errorf("rename a player at table %d: %w", id, err)
	}
	h.cache.Clear() // pictures that show the old name
	return nil
}

// hasOldName reports whether a game that isn't over has another name for a player.
func hasOldName(t table.Table, who bot.User) bool {
	seat, seated := t.SeatOf(who.ID)
	return seated && who.Name != "" && t.Seats[seat].Person.Name != who.Name && t.Phase != game.Over
}

// keepName records a person's earlier name before it is replaced.
func (h *commands) keepName(ctx context.Context, who game.PlayerID, name string) error {
	return h.names.Change(ctx, shelf.Person(who), func(n *earlierNames) (keep bool, err error) {
		n.V = 1
		if i, found := slices.BinarySearch(n.Names, name); !found {
			n.Names = slices.Insert(n.Names, i, name)
		}
		return true, nil
	})
}
