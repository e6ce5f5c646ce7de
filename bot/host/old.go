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

// An aging is how far old games have been looked at. It is one row.
type aging struct {
	V    int           `json:"v"`
	Next bot.TableID   `json:"next"`           // the first table that wasn't looked at yet
	Left []bot.TableID `json:"left,omitempty"` // those before it that still have names
}

// agingRow is the key of the one row.
const agingRow shelf.Mark = "games"

// agedEvery is how often old games are looked for.
const agedEvery = 6 * time.Hour

// RunForgetting takes the names out of games that ended longer ago than
// [Config.ForgetAfter], until ctx is done. Each game's players become former players of
// that game alone, and what they noted down at its table goes; what is kept of them
// elsewhere stays. One process does it at a time. One that is stopped goes on where it
// was.
func (h *Host) RunForgetting(ctx context.Context) error {
	if h.ForgetAfter <= 0 {
		return nil
	}
	for every := time.NewTicker(agedEvery); ; {
		n, err := h.archive.forgetOld(ctx, h.ForgetAfter)
		if n > 0 {
			h.archive.desk.Log().Info("names were taken out of old games", "games", n)
		}
		if err != nil && ctx.Err() == nil {
			h.archive.desk.Log().Error("not all old games could be looked at; they are again in a while", "error", err, "wait", agedEvery)
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
	// atOnce is after how many tables it is noted how far that came.
	atOnce = 100
	// mostGap is how many numbers of tables may be missing one after another: a
	// database skips those of tables that came to nothing, each time that somebody
	// tries to open one while it can't commit.
	mostGap = 10_000
)

// forgetOld takes the names out of the games that ended longer ago, and says of how many.
// Tables have numbers in the order in which they were opened, so that it ends at the
// first that is younger; those before it that weren't over long enough are looked at
// each time. What it does can be done again.
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

// forgetGame takes the names out of a game that was over before a time. done says that
// it has none any more.
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
		// The shelves first: what is left to do is found by the name.
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

// newFormer is a former player whom nobody knows yet.
func (a *archive) newFormer() (bot.User, error) {
	var random [8]byte
	_, err := io.ReadFull(a.desk.Random, random[:])
	return bot.User{ID: game.PlayerID(bot.FormerPrefix + hex.EncodeToString(random[:])), Name: formerName}, err
}
