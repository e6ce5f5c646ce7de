package play

import (
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// toldIfStuck adds a line to a private reply if nobody can play any more.
func (f *Feature) toldIfStuck(r bot.Reply, t table.Table, seat int) (bot.Reply, error) {
	line, err := f.stuckLine(t, seat)
	if line != nil {
		r.Text = text.Glue(r.Text, "\n", line)
	}
	return r, err
}

// stuckLine tells a player, if hints are allowed, that nobody can play any more and what ends the
// game. It uses only what the player can know: with two players and an empty bag, the other's
// tiles; with more, that no rack made of the others' tiles allows a play.
func (f *Feature) stuckLine(t table.Table, seat int) (text.Text, error) {
	if t.Phase != game.Playing || len(t.Bag) > 0 || !t.Rules.Hints || f.Mind == nil || !table.RobotsKnow(t.Rules) || t.Board.Empty() || t.Seats[seat].Out {
		return nil, nil
	}
	l := f.desk.Lists().Lexicon(t.Lexicon, t.Equipment.Tiles)
	if l == nil {
		return nil, nil
	}
	more, err := f.Mind(l).CanPlay(t.State, t.RackOf(seat), t.State.Unseen(seat))
	if err != nil || more {
		return nil, err
	}
	ends := text.Say("{pass} until the game ends.", text.Code("/pass"))
	if t.Rules.Agreement || t.Electable() {
		ends = text.Say("{end} ends the game here if everybody agrees.", text.Code("/end"))
		if t.Electable() {
			ends = text.Say("{end} ends the game here.", text.Code("/end"))
		}
	}
	return text.Say("Nobody can play a word any more: the bag is empty, and the tiles that are left don't fit anywhere. {ends}", ends), nil
}
