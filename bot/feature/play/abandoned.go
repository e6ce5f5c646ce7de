package play

import (
	"context"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// This file ends games for people who can't end them by agreement. Managers of a place can always
// end a game; others can end an abandoned one if the setting "abandoned" allows it. Nobody wins
// such a game, and it isn't counted.

// The times since the last move after which a game's players, and after which anybody, may end
// it. The players' is the time after which they could claim a game.
const (
	lyingForPlayers = game.IdleTime
	lyingForAnyone  = 2 * game.IdleTime
)

// abandonedAt returns when nothing will have happened in a game for the time d. It counts from
// the last thing a person did, or from the first time afterwards that a turn ran out, and
// leaves out days on which the player to move is away. The result is never before the end of
// the current turn, unless its player has let a turn run out already.
func abandonedAt(t table.Table, d time.Duration) time.Time {
	since, late := t.Events[0].At, map[int]bool{}
	for _, e := range t.Events {
		switch f, up := e.Fact.(game.TimedOut); {
		case up && len(late) == 0 && t.Pace.Turn > 0:
			since, late[f.Seat] = e.At, true
		case up:
			late[f.Seat] = true
		case !strings.HasPrefix(e.Cause, feature.TimerCause) && !strings.HasPrefix(e.Cause, feature.RobotCause):
			since, late = e.At, map[int]bool{}
		}
	}
	deadline, paced := t.Deadline()
	if paced && len(late) == 0 {
		since = deadline
	}
	at := game.Pace{}.After(since, d, t.Seats[t.Turn].Away)
	if paced && !late[t.Turn] && deadline.After(at) {
		return deadline
	}
	return at
}

// endOther decides whether a person may end a table's game without its players' agreement: as a
// manager of the place, or because the game is abandoned. ok is false if they may not; why then
// explains it if they may later.
func (f *Feature) endOther(ctx context.Context, req bot.Request, t table.Table) (a game.Stop, ok bool, why text.Text, err error) {
	seat, seated := t.SeatOf(req.User.ID)
	playing := seated && (t.Phase == game.Lobby || !t.Seats[seat].Out)
	switch {
	case req.Manager && !playing:
		return game.Stop{}, true, nil, nil
	case t.Phase != game.Playing || t.SharesRack():
		return a, false, nil, nil
	}
	rule, err := f.desk.Rule(ctx, t.Channel, "abandoned")
	if err != nil || rule != byPlayers && rule != byAnyone || !playing && rule == byPlayers {
		return a, false, nil, err
	}
	after := lyingForAnyone
	if playing {
		after = lyingForPlayers
	}
	at := abandonedAt(t, after)
	switch {
	case seated && seat == t.Turn:
		return a, false, nil, nil // the player to move can move or resign instead
	case at.After(f.desk.Now()) && playing:
		return a, false, nil, nil
	case at.After(f.desk.Now()):
		return a, false, text.Say("Other people are still playing this game. If nobody moves, you can end it from {time}.", words.Clock(at)), nil
	}
	return game.Stop{Abandoned: true}, true, nil, nil
}

// playsOn returns a robot that doesn't agree to end the game, or nil. It asks robots only once
// all people except who have agreed.
func (f *Feature) playsOn(t table.Table, who game.PlayerID) (*game.Person, error) {
	if t.Phase != game.Playing || !t.Rules.Agreement || f.Mind == nil {
		return nil, nil
	}
	if _, seated := t.SeatOf(who); !seated {
		return nil, nil
	}
	var robots []int
	for _, i := range t.Active() {
		seat := t.Seats[i]
		switch {
		case seat.Person.ID.IsRobot():
			robots = append(robots, i)
		case seat.Person.ID != who && !seat.Agreed:
			return nil, nil
		}
	}
	for _, i := range robots {
		dict, err := f.desk.Lists().Dictionary(t.State)
		if err != nil {
			return nil, err
		}
		if agrees, err := f.Mind(dict).Agrees(t.State, i); err != nil || !agrees {
			return &t.Seats[i].Person, err
		}
	}
	return nil, nil
}

// end ends the game: its players agree to end it, others may stop it.
func (f *Feature) end(ctx context.Context, req bot.Request) (bot.Reply, error) {
	t, err := f.desk.Load(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	stop, ok, why, err := f.endOther(ctx, req, t)
	switch {
	case err != nil:
		return bot.Reply{}, err
	case why != nil:
		return bot.Reply{}, &words.Refusal{Reply: words.Refuse(why)}
	case !ok:
		return f.desk.Change(ctx, req, func(t table.Table) (game.Action, error) {
			robot, err := f.playsOn(t, req.User.ID)
			if err == nil && robot != nil {
				err = words.Refusing("{robot} wants to play on: the game isn't decided yet. {resign} gives it up.", text.Name(*robot), text.Code("/resign"))
			}
			return game.Agree{}, err
		})
	}
	want := func(now table.Table) (game.Action, error) {
		// People may have moved since the question.
		if stop.Abandoned && now.Phase == game.Playing && abandonedAt(now, lyingForPlayers).After(f.desk.Now()) {
			return nil, words.OutOfDate()
		}
		return stop, nil
	}
	if req.Table != 0 {
		return f.desk.Change(ctx, req, want)
	}
	question := text.Say("End this game? You aren't playing in it. Nobody wins, and it doesn't count.")
	if stop.Abandoned {
		question = text.Say("Nobody has moved for a long time. End this game? Nobody wins, and it doesn't count for anybody.")
	}
	return feature.Ask(ctx, f.desk, req, want, func(t table.Table) bot.Reply {
		return bot.Reply{
			Text:    question,
			Buttons: []bot.Button{t.Button(text.Say("Yes, end it"), "end", bot.Danger, nil)},
		}
	})
}
