package view

import (
	"cmp"
	"slices"

	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/imaging"
)

// View returns the public view of a table, with its last play's tiles marked, worded in a
// language. It shows no rack.
func View(t table.Table, to *text.Locale) imaging.View {
	v := PublicView(t.State, words.Caption(t), to)
	addVariant(t, &v)
	for _, e := range slices.Backward(t.Events) {
		switch f := e.Fact.(type) {
		case game.Played:
			v.New = f.Move.LaidSquares()
			return v
		case game.Challenged:
			if len(f.Invalid) > 0 {
				return v // the play was taken back
			}
		case game.Exchanged, game.Passed, game.TurnLost:
			return v
		}
	}
	return v
}

// Of returns View as a function of the language.
func Of(t table.Table) func(*text.Locale) imaging.View {
	return func(to *text.Locale) imaging.View { return View(t, to) }
}

// Link returns the card that sites show next to a link to a table.
func Link(t table.Table) func(*text.Locale) imaging.LinkCard {
	return func(to *text.Locale) imaging.LinkCard {
		card := imaging.LinkCard{View: View(t, to)}
		if t.Phase == game.Over && t.End != nil {
			for _, p := range FinalCard(t, to).Players {
				card.Facts = append(card.Facts, p.Fact(to))
			}
		}
		return card
	}
}

// PublicView returns the picture of a game for everyone, worded in a language. It shows no
// rack.
func PublicView(s game.State, caption text.Text, to *text.Locale) imaging.View {
	v := imaging.View{
		Equipment: s.Equipment, Board: s.Board, Caption: caption.In(to).String(), Locale: to,
		Bag: len(s.Bag), Over: s.Phase == game.Over,
	}
	for i, seat := range s.Seats {
		p := imaging.Player{Name: text.PlainNameIn(to, seat.Person), Score: seat.Score, ToMove: toMove(s, i)}
		p.Note = cmp.Or(resultNote(s, i).In(to).String(), words.ClockNote(s, i).In(to).String())
		v.Players = append(v.Players, p)
	}
	return v
}

func toMove(s game.State, seat int) bool { return s.Phase == game.Playing && s.Turn == seat }

// resultNote notes that a player has won, tied, or is out. It returns nil for other
// players.
func resultNote(s game.State, seat int) text.Text {
	switch {
	case len(s.Seats) == 1: // a player alone beats no one
	case s.End != nil && len(s.End.Winners) == 1 && s.End.Winners[0] == seat:
		return text.Item("won")
	case s.End != nil && slices.Contains(s.End.Winners, seat):
		return text.Item("tied")
	case s.Seats[seat].Out:
		return text.Item("out")
	}
	return nil
}

// addVariant adds what the table's variant shows.
func addVariant(t table.Table, v *imaging.View) {
	if show := t.Variant.Show; show != nil {
		show(t, v)
	}
}

// Preview returns a player's view of a play they haven't made.
func Preview(t table.Table, m game.Move, tally game.Tally) func(*text.Locale) imaging.View {
	caption := text.Say("{word} at {square} would score {score}", words.PlainWord(t.Equipment.Tiles, tally.Words[0].Tiles), m.At.At(m.Dir), tally.Total)
	return func(to *text.Locale) imaging.View {
		v := PublicView(t.State, caption, to)
		addVariant(t, &v)
		v.Board.Lay(m)
		v.New, v.Preview = m.LaidSquares(), true
		return v
	}
}
