package host

import (
	"context"
	"strconv"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// A rematch is a table with the settings of the one before, whose seats are
// kept for the same players, and where another begins: who asks first opens it
// and waits, and the game begins when the others have pressed too, whenever
// that is.

// rematchLife is how long an offer of a rematch keeps others from opening
// another table in the channel.
const rematchLife = 3 * 24 * time.Hour

// rematchButton asks for a rematch of the game that is over at a table.
func rematchButton(t table) bot.Button {
	return bot.Button{ID: bot.ButtonID(0, 0, "rematch", map[string]string{"of": strconv.FormatUint(uint64(t.ID), 10)}), Label: "Rematch", Style: bot.Primary}
}

// rematch offers a rematch, or takes the offer.
func (h *Host) rematch(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return h.change(ctx, req, func(t table) (game.Action, error) {
		of := req.Args["of"] // of the button: the table that it was about
		switch {
		case t.Phase == game.Lobby && t.Begins.ID != "":
			return game.Join{}, nil
		case t.Phase == game.NoTable || t.End == nil && t.Phase == game.Over:
			return nil, &game.RuleError{Code: game.NotStarted}
		case t.Phase != game.Over:
			return nil, &game.RuleError{Code: game.TableOpenAlready}
		case of != "" && of != strconv.FormatUint(uint64(t.ID), 10):
			return nil, refusing("Another game has been played here since. ", bot.Code("/rematch"), " is for that one; ", bot.Code("/new"), " opens a table.")
		}
		seat, seated := t.SeatOf(req.User.ID)
		if !seated {
			return nil, refusing("That was a game of others. ", bot.Code("/new"), " opens a table of your own.")
		}
		open := game.Open{Rules: t.Rules, Pace: t.Pace, Equipment: t.Equipment, Lexicon: t.Lexicon, Seats: len(t.Seats)}
		var robots []game.Person
		for i, s := range t.Seats {
			switch {
			case i == seat:
			case isFormer(s.Person.ID):
				return nil, refusing("One of those you played with is here no more. ", bot.Code("/new"), " opens a table for others.")
			case bot.IsRobot(s.Person.ID):
				robots = append(robots, s.Person)
				open.Invited = append(open.Invited, s.Person)
			default:
				open.Invited = append(open.Invited, s.Person)
			}
		}
		open.First = t.Seats[(t.First+1)%len(t.Seats)].Person
		return seating{Action: open, robots: robots}, nil
	})
}
