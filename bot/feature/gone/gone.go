// Package gone is a feature: it ends games whose channel nobody can reach any
// more, for it was deleted or the host was removed from it, and frees the seats
// of people who have left a home. Otherwise nobody could move or resign there, and
// the games would be listed for ever. Nobody wins such a game, it counts for
// nobody, and its players are told in private.
package gone

import (
	"context"
	"fmt"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// Feature ends games that nobody can reach any more.
func Feature() host.Feature {
	return host.Feature{
		ChannelGone: endUnreachable,
		MemberLeft:  leaveSeats,
		Posts:       map[string]host.Posting{goneKind: {Tell: goneMessage}},
	}
}

// goneKind are the posts that tell them.
const goneKind = "gone"

// endUnreachable ends what goes on in a channel that is gone.
func endUnreachable(ctx context.Context, h *host.Host, ch bot.ChannelID) error {
	id, events, err := h.Store.Table(ctx, ch)
	if err != nil || id == 0 {
		return err
	}
	cause := fmt.Sprintf("gone:%d:%d", id, len(events))
	err = h.Store.Update(ctx, ch, cause, func(r *bot.Room) error {
		t, err := table.Table{Channel: ch, ID: r.Table, Events: r.Events}.Replayed()
		if err != nil || r.Receipt != nil {
			return err
		}
		env := game.Env{Now: h.Now(), Cause: cause}
		done, err := game.Decide(t.State, game.Person{}, game.Stop{Lying: true}, env)
		if words.IsMistake(err) {
			return nil // it is over
		}
		if err != nil {
			return err
		}
		h.Fill(ctx, r, t, "", done)
		r.Posts = nil // nobody would read them
		if t.Phase == game.Lobby {
			return nil
		}
		end := done[len(done)-1].Number + 1
		for _, i := range t.Active() {
			if p := t.Seats[i].Person; !p.ID.IsRobot() {
				r.Posts = append(r.Posts, bot.Post{Channel: ch, From: end, To: end, For: p.ID, Kind: goneKind, At: env.Now})
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("end the game of %s, which is gone: %w", ch, err)
	}
	h.Committed(ch)
	return nil
}

// goneMessage tells a player that their game has ended with its channel.
func goneMessage(_ context.Context, h *host.Host, post bot.Post, _, t table.Table, m bot.Message) (bot.Message, error) {
	seat, ok := t.SeatOf(post.For)
	if !ok {
		return m, host.ErrNothingToTell
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
		m.Text = text.Say("Your game with {others} has ended unfinished: its channel is gone, or I can't reach it any more. It stood {score}, and counts for nobody.", text.List(others), stood)
	} else {
		m.Text = text.Say("Your game has ended unfinished: its channel is gone, or I can't reach it any more. It stood {score}, and counts for nobody.", stood)
	}
	if len(others) == 1 {
		m.Text = text.Sentences(m.Text, text.Say("{new} opens a table where you both are.", text.Code("/new")))
	} else {
		m.Text = text.Sentences(m.Text, text.Say("{new} opens a table elsewhere.", text.Code("/new")))
	}
	m.Buttons = []bot.Button{t.Button(text.Say("Moves"), "history", bot.Ordinary, nil), t.Button(text.Say("Export"), "export", bot.Ordinary, nil)}
	return m, nil
}
