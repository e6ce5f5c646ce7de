package people

import (
	"context"
	"fmt"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// This file ends games whose channel can't be reached any more, because it was deleted or
// the host was removed from it. Otherwise the games could neither be played nor resigned,
// and would be listed forever. Such a game has no winner and isn't counted; its players are
// notified in private.

// goneKind is the kind of the posts that notify the players.
const goneKind = "gone"

// channelGone ends the game in a channel that is gone, or closes its table.
func (f *Feature) channelGone(ctx context.Context, ch bot.ChannelID) error {
	here, err := f.desk.Load(ctx, bot.Request{Channel: ch})
	if err != nil || here.ID == 0 {
		return err
	}
	err = f.desk.Update(ctx, ch, fmt.Sprintf("gone:%d:%d", here.ID, here.Number), func(r *feature.Room) error {
		t := r.Table
		if r.Receipt() != nil {
			return nil
		}
		done, err := game.Decide(t.State, game.Person{}, game.Stop{Abandoned: true}, r.Env)
		if words.IsMistake(err) {
			return nil // the game is over already
		}
		if err != nil {
			return err
		}
		r.Fill("", done)
		r.Untold()
		if t.Phase == game.Lobby {
			return nil
		}
		end := done[len(done)-1].Number + 1
		for _, i := range t.Active() {
			if p := t.Seats[i].Person; !p.ID.IsRobot() {
				r.Post(bot.Post{From: end, To: end, For: p.ID, Kind: goneKind, At: r.Env.Now})
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("end the game of %s, which is gone: %w", ch, err)
	}
	return nil
}

// goneMessage writes the message that tells a player that their game ended with its
// channel.
func (f *Feature) goneMessage(_ context.Context, post bot.Post, _, t table.Table, m bot.Message) (bot.Message, error) {
	seat, ok := t.SeatOf(post.For)
	if !ok {
		return m, feature.ErrNothingToTell
	}
	m.To = &t.Seats[seat].Person
	var others []text.Span
	for i, s := range t.Seats {
		if i != seat {
			others = append(others, text.Name(s.Person))
		}
	}
	stood := words.ScoreLine(t)
	if len(others) > 0 {
		m.Text = text.Say("Your game with {others} has ended unfinished: I don't host games in its channel any more. The score was {score}, and it doesn't count for anybody.", text.List(others), stood)
	} else {
		m.Text = text.Say("Your game has ended unfinished: I don't host games in its channel any more. The score was {score}, and it doesn't count for anybody.", stood)
	}
	if len(others) == 1 {
		m.Text = text.Sentences(m.Text, text.Say("{new} opens a table somewhere you both are.", text.Code("/new")))
	} else {
		m.Text = text.Sentences(m.Text, text.Say("{new} opens a table elsewhere.", text.Code("/new")))
	}
	m.Buttons = []bot.Button{t.Button(text.Say("Moves"), "history", bot.Ordinary, nil), t.Button(text.Say("Export"), "export", bot.Ordinary, nil)}
	return m, nil
}
