package competition

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// This file contains the public view of a tournament for the browser. If the page has a
// delay, so that no one can tell players about their opponents' boards, it delays results
// and boards alike.

// walls serves the pages of tournaments.
type walls struct{ *tournaments }

// view returns a tournament as its page shows it.
func (w walls) view(ctx context.Context, v bot.Visit) (view wallView, err error) {
	e, err := w.ofPage(ctx, v.Key)
	if err != nil {
		return view, err
	}
	cut := w.desk.Now().Add(-e.Delay)
	e.rewind(cut)
	view = wallView{event: &e, table: v.Query.Get("table")}
	records := e.records()
	for _, p := range e.boards() {
		b, err := w.boardAt(ctx, &e, p, records, cut)
		if err != nil {
			return view, err
		}
		view.boards = append(view.boards, b)
	}
	return view, nil
}

// rewind restores the state of a tournament at a time, as far as its page shows it.
func (e *event) rewind(at time.Time) {
	for _, d := range slices.Backward(e.Deeds) {
		if !d.At.After(at) || d.Undone {
			continue
		}
		switch {
		case d.Kind == didBegin, d.Kind == didImport:
			e.Begun = d.Begun
		case d.Kind == didResult && d.Was != nil && e.pairingAt(d.Spot) != nil && d.Game < len(e.pairingAt(d.Spot).Games):
			e.pairingAt(d.Spot).Games[d.Game].Result = *d.Was
		case d.Kind == didEnd:
			e.Phase = under
		case d.Kind == didClose:
			e.Phase = entering
		}
	}
	e.hideDraft()
}

// hideDraft removes the pairings of a round that hasn't begun, which only directors may see: they can
// still change them.
func (e *rounds) hideDraft() {
	if e.Begun < len(e.Contest.Rounds) {
		e.Contest.Rounds = e.Contest.Rounds[:e.Begun]
	}
}

// boards returns the places of the latest round, in the order of the tables.
func (e *rounds) boards() (all []place) {
	for _, p := range e.Places {
		if p.Round == e.Begun && p.Channel != "" {
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, func(a, b place) int {
		if a.Pairing != b.Pairing {
			return a.Pairing - b.Pairing
		}
		return a.Board - b.Board
	})
	return all
}

// tableAt returns the game at a place as it was at a time. If none had begun, ok is false.
func (w walls) tableAt(ctx context.Context, p place, at time.Time) (t table.Table, ok bool, err error) {
	t, err = w.desk.Load(ctx, bot.Request{Channel: p.Channel})
	switch {
	case errors.Is(err, bot.ErrNoTable):
		return t, false, nil
	case err != nil || len(t.Events) == 0 || !slices.Contains(p.Causes, t.Events[0].Cause):
		return t, false, err
	}
	n := len(t.Events)
	for n > 0 && t.Events[n-1].At.After(at) {
		n--
	}
	if n < len(t.Events) {
		if t, err = t.At(n); err != nil {
			return t, false, err
		}
	}
	return t, t.IsDealt(), nil
}

// records describes each entrant's games, won and lost, and their spread.
func (e *rounds) records() map[contest.No]string {
	all := map[contest.No]string{}
	for _, s := range e.Contest.Standings(-1) {
		all[s.No] = fmt.Sprintf("%d–%d %s", s.Won, s.Lost, words.Spread(s.Spread))
	}
	return all
}

func (w walls) boardAt(ctx context.Context, e *event, p place, records map[contest.No]string, at time.Time) (b wallBoard, err error) {
	b = wallBoard{Title: strconv.Itoa(p.Pairing), Over: e.nextGame(p.spot) < 0}
	if p.Board > 0 {
		b.Title += "." + strconv.Itoa(p.Board)
	}
	for _, side := range []contest.Side{contest.A, contest.B} {
		b.Names[side] = e.player(p.spot, side).Name
		b.Record[side] = records[e.pairingAt(p.spot).Entrant(side)]
	}
	t, ok, err := w.tableAt(ctx, p, at)
	if err != nil || !ok {
		return b, err
	}
	b.On, b.Number, b.Last = true, len(t.Events), words.Caption(t)
	for _, side := range []contest.Side{contest.A, contest.B} {
		if seat, seated := t.SeatOf(game.PlayerID(e.player(p.spot, side).ID)); seated {
			b.Scores[side] = t.Seats[seat].Score
		}
	}
	b.Unseen = words.SpacedTiles(t.Equipment.Tiles, t.UnseenBy(-1).Sorted())
	if w.Page != nil && e.Delay == 0 {
		b.Link, err = w.Page(ctx, t.ID)
	}
	return b, err
}

// picture draws board n of the page.
func (w walls) picture(ctx context.Context, typed string, n int, to *text.Locale) (*bot.Picture, error) {
	e, err := w.ofPage(ctx, typed)
	if err != nil {
		return nil, err
	}
	at := w.desk.Now().Add(-e.Delay)
	e.rewind(at)
	all := e.boards()
	if n < 0 || n >= len(all) {
		return nil, bot.ErrNoPicture
	}
	t, ok, err := w.tableAt(ctx, all[n], at)
	if err != nil || !ok {
		return nil, cmp.Or(err, bot.ErrNoPicture)
	}
	painter := w.desk.Painter(ctx, e.Channel, false)
	if painter.Renderer == nil {
		return nil, bot.ErrNoPicture
	}
	picture := painter.Board(view.Of(t)).In(to)
	if picture.PNG == nil {
		return nil, bot.ErrNoPicture
	}
	return picture, nil
}
