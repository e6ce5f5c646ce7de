package host

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/imaging"
)

// view is what everybody may see of a table, with the tiles of its last play
// marked. It has no rack.
func view(t table) imaging.View {
	v := publicView(t.State, caption(t))
	shown(t, &v)
	for _, e := range slices.Backward(t.Events) {
		switch f := e.Fact.(type) {
		case game.Played:
			v.New = f.Move.Laid()
			return v
		case game.Challenged:
			if len(f.Invalid) > 0 {
				return v // the play was withdrawn
			}
		case game.Exchanged, game.Passed, game.TurnLost:
			return v
		}
	}
	return v
}

func publicView(s game.State, caption string) imaging.View {
	v := imaging.View{
		Equipment: s.Equipment, Board: s.Board, Caption: caption,
		Bag: len(s.Bag), Over: s.Phase == game.Over,
	}
	for i, seat := range s.Seats {
		p := imaging.Player{Name: seat.Person.Name, Score: seat.Score}
		switch {
		case len(s.Seats) == 1: // who plays alone beats nobody
		case s.End != nil && len(s.End.Winners) == 1 && s.End.Winners[0] == i:
			p.Note = "won"
		case s.End != nil && slices.Contains(s.End.Winners, i):
			p.Note = "tied"
		case seat.Out:
			p.Note = "out"
		}
		p.Note = cmp.Or(p.Note, clockNote(s, i))
		p.ToMove = s.Phase == game.Playing && s.Turn == i
		v.Players = append(v.Players, p)
	}
	return v
}

// shown adds what the table's variant shows.
func shown(t table, v *imaging.View) {
	if show := t.Variant.show; show != nil {
		show(t, v)
	}
}

// preview is what one player sees of a play that they have not made.
func preview(t table, m game.Move, tally game.Tally) imaging.View {
	v := publicView(t.State, fmt.Sprintf("%s at %s would score %d", plainWord(t.Equipment.Tiles, tally.Words[0].Tiles), m.At.At(m.Dir), tally.Total))
	shown(t, &v)
	v.Board.Lay(m)
	v.New, v.Preview = m.Laid(), true
	return v
}

// boardPicture draws a view.
func (h *Host) boardPicture(r *imaging.Renderer, v imaging.View) *bot.Picture {
	return h.picture(r, v.Alt(), func() ([]byte, error) { return r.PNG(v) })
}

// rackPicture draws a rack, for its owner alone.
func (h *Host) rackPicture(r *imaging.Renderer, t table, seat int, rack game.Tiles) *bot.Picture {
	card := imaging.RackCard{
		Tiles: t.Equipment.Tiles, Rack: rack,
		Caption: fmt.Sprintf("Your score is %d", t.Seats[seat].Score),
		Note:    fmt.Sprintf("%d unseen", len(t.unseen(seat))),
	}
	return h.picture(r, card.Alt(), func() ([]byte, error) { return r.Rack(card) })
}

// picture has the words alone where there is no renderer or the picture can't
// be drawn: they are worth having without it.
func (h *Host) picture(r *imaging.Renderer, alt string, draw func() ([]byte, error)) *bot.Picture {
	p := &bot.Picture{Alt: alt}
	if r != nil {
		var err error
		if p.PNG, err = draw(); err != nil {
			h.Log.Error("can't draw a picture", "error", err)
		}
	}
	return p
}

// unseen is the tiles that a seat, or with -1 somebody who watches, can't see.
// Those that left play with a player are among them: nobody was shown them.
func (t table) unseen(seat int) game.Tiles {
	return (t.Unseen(seat) + t.Lost()).Sorted()
}
