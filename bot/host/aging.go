package host

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/game"
)

// An aging stores how far old games have been checked, in one row.
type aging struct {
	V    int           `json:"v"`
	Next bot.TableID   `json:"next"`           // the first table that wasn't checked yet
	Left []bot.TableID `json:"left,omitempty"` // earlier tables that still have names
}

// agingRow is the key of the row.
const agingRow shelf.Mark = "games"

// agedEvery is the interval at which old games are checked.
const agedEvery = 6 * time.Hour

// RunForgetting erases the names in games that ended longer ago than [Config.ForgetAfter], until
// ctx is done. Each game's players become former players of that game only, and their notes at its
// table are deleted; other data about them stays. One process does it at a time. If it is stopped,
// the next continues.
func (h *Host) RunForgetting(ctx context.Context) error {
	if h.ForgetAfter <= 0 {
		return nil
	}
	for every := time.NewTicker(agedEvery); ; {
		n, err := h.archive.forgetOld(ctx, h.ForgetAfter)
		if n > 0 {
			h.archive.desk.Log().Info("removed names from old games", "games", n)
		}
		if err != nil && ctx.Err() == nil {
			h.archive.desk.Log().Error("some old games couldn't be checked; retrying later", "error", err, "wait", agedEvery)
		}
		select {
		case <-ctx.Done():
			every.Stop()
			return nil
		case <-every.C:
		}
	}
}

const (
	// atOnce is the number of tables after which progress is stored.
	atOnce = 100
	// mostGap limits how many consecutive table numbers may be missing. A database skips the number
	// of a table that wasn't created, each time a person tries to open one while it can't commit.
	mostGap = 10_000
)

// forgetOld erases the names in the games that ended longer ago than after, and returns their
// number. Tables are numbered in the order of opening, so it stops at the first younger one;
// earlier ones that ended too recently are checked each time. It can be repeated.
func (a *archive) forgetOld(ctx context.Context, after time.Duration) (games int, err error) {
	is, _, err := a.aging.Get(ctx, agingRow)
	if err != nil {
		return 0, err
	}
	before := a.desk.Now().Add(-after)
	next := max(is.Next, 1)
	var failed []error
	left := slices.Clone(is.Left)
	look := func(id bot.TableID) (done bool) {
		named, done, err := a.forgetGame(ctx, id, before)
		if named {
			games++
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("table %d: %w", id, err))
		}
		return done && err == nil
	}
	note := func() error {
		return a.aging.Change(ctx, agingRow, func(v *aging) (keep bool, err error) {
			*v = aging{V: 1, Next: next, Left: left}
			return true, nil
		})
	}
	left = slices.DeleteFunc(left, look)
	looked := 0
	for id := next; id < next+mostGap && ctx.Err() == nil; id++ {
		_, first, err := a.desk.Store.Events(ctx, id, 1)
		switch {
		case errors.Is(err, bot.ErrNoTable):
			continue
		case err == nil && len(first) > 0 && first[0].At.After(before):
			return games, errors.Join(append(failed, note())...)
		case err != nil && !errors.Is(err, bot.ErrUnreadable):
			return games, errors.Join(append(failed, err, note())...)
		}
		if !look(id) {
			left = append(left, id)
		}
		next = id + 1
		if looked++; looked%atOnce == 0 {
			if err := note(); err != nil {
				return games, err
			}
		}
	}
	return games, errors.Join(append(failed, note())...)
}

// forgetGame erases the names in a game that ended before a time. done reports whether no names are
// left.
func (a *archive) forgetGame(ctx context.Context, id bot.TableID, before time.Time) (named, done bool, err error) {
	t, err := feature.LoadTable(ctx, a.desk, id)
	if err != nil {
		return false, errors.Is(err, bot.ErrNoTable), err
	}
	if t.Phase != game.Over || t.Events[len(t.Events)-1].At.After(before) {
		return false, false, nil
	}
	var people []game.PlayerID
	for _, e := range t.Events {
		for _, p := range e.People() {
			if !p.ID.IsRobot() && !bot.IsFormer(p.ID) && !slices.Contains(people, p.ID) {
				people = append(people, p.ID)
			}
		}
	}
	for _, who := range people {
		former, err := a.newFormer()
		if err != nil {
			return named, false, err
		}
		// The shelves first: a repeated attempt finds the people by their names in the events.
		if err := a.room.ForgetAtTable(ctx, who, former, id); err != nil {
			return named, false, err
		}
		if err := a.desk.Store.Rename(ctx, id, who, former); err != nil {
			return named, false, err
		}
		named = true
	}
	if named {
		a.desk.cache.Clear() // pictures that name them
	}
	return named, true, nil
}

// newFormer returns a former player with a new id.
func (a *archive) newFormer() (bot.User, error) {
	var random [8]byte
	_, err := io.ReadFull(a.desk.Random, random[:])
	return bot.User{ID: game.PlayerID(bot.FormerPrefix + hex.EncodeToString(random[:])), Name: formerName}, err
}
