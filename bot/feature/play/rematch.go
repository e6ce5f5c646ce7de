package play

import (
	"context"
	"errors"
	"strconv"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// rematch offers a rematch, or accepts the offer.
func (f *Feature) rematch(ctx context.Context, req bot.Request) (bot.Reply, error) {
	last, err := f.looks.lastDealt(ctx, bot.Request{Channel: req.Channel})
	var rule *game.RuleError
	if err != nil && !errors.As(err, &rule) {
		return bot.Reply{}, err
	}
	here, err := f.settings.Bounds(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	return f.desk.Change(ctx, req, func(t table.Table) (game.Action, error) {
		switch {
		case t.Phase == game.Lobby && t.Begins.ID != "":
			return game.Join{}, nil
		case t.Phase == game.NoTable:
			return nil, &game.RuleError{Code: game.NotStarted}
		case t.Phase != game.Over:
			return nil, &game.RuleError{Code: game.TableOpenAlready}
		case t.End == nil && last.End == nil:
			return nil, &game.RuleError{Code: game.GameOver}
		case t.End == nil:
			t = last // the offer of another rematch was withdrawn
		}
		// The button names its table.
		if of := req.Args["of"]; of != "" && of != strconv.FormatUint(uint64(t.ID), 10) {
			return nil, words.Refusing("Another game has been played here since. {rematch} is for that one; {new} opens a new table.", text.Code("/rematch"), text.Code("/new"))
		}
		seat, seated := t.SeatOf(req.User.ID)
		if !seated {
			return nil, words.Refusing("You weren't in that game. {new} opens a table of your own.", text.Code("/new"))
		}
		as := map[string]string{"rules": t.Rules.Name, "challenge": t.Rules.Challenge.String(), "lexicon": t.Lexicon.Name}
		if err := here.Check(as, as); err != nil {
			return nil, err
		}
		open := game.Open{Rules: t.Rules, Pace: t.Pace, Equipment: t.Equipment, Lexicon: t.Lexicon, Seats: len(t.Seats)}
		var robots []game.Person
		for i, s := range t.Seats {
			switch {
			case i == seat:
			case bot.IsFormer(s.Person.ID):
				return nil, words.Refusing("Somebody you played with is no longer here. {new} opens a table for others.", text.Code("/new"))
			case s.Person.ID.IsRobot():
				robots = append(robots, s.Person)
				open.Invited = append(open.Invited, s.Person)
			default:
				open.Invited = append(open.Invited, s.Person)
			}
		}
		// Tables of earlier versions can both have hints and count; new ones can't.
		open.Rules.Hints = open.Rules.Hints && (open.Rules.Unrated || len(robots) > 0)
		open.First = t.Seats[(t.First+1)%len(t.Seats)].Person
		return feature.Seating{Action: open, Robots: robots}, nil
	})
}
