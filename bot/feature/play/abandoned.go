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

// This file ends games that aren't one's own: what those who manage a place can
// always do, and others with a game that lies there, where its place allows it;
// see the setting "abandoned". Nobody wins such a game, and it counts for nobody.

// How long nobody must have moved in a game until others may end it: those who
// wait in it, as long as they wait to claim one; and anybody.
const (
	lyingForPlayers = game.StillTime
	lyingForAnyone  = 2 * game.StillTime
)

// lies is when a game will have lain still for the time d. That is counted from when
// a person last did something, or from when a turn's time first ran out after that,
// without the days on which the player to move is away. It is never before the end of
// the current turn, unless its player has let a turn go by already.
func lies(t table.Table, d time.Duration) time.Time {
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

// endOther is how somebody may end a table's game without its players' agreement: by
// managing the place, or because the game lies still. ok is false for those who may
// not; why tells them, where there is something to tell.
func (f *Feature) endOther(ctx context.Context, req bot.Request, t table.Table) (a game.Stop, ok bool, why text.Text, err error) {
	seat, seated := t.SeatOf(req.User.ID)
	playing := seated && (t.Phase == game.Lobby || !t.Seats[seat].Out)
	switch {
	case req.Manager && !playing:
		return game.Stop{}, true, nil, nil
	case t.Phase != game.Playing || t.Shared():
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
	at := lies(t, after)
	switch {
	case seated && seat == t.Turn:
		return a, false, nil, nil // who is to move can move, or resign
	case at.After(f.desk.Now()) && playing:
		return a, false, nil, nil
	case at.After(f.desk.Now()):
		return a, false, text.Say("Other people are still playing this game. If nobody moves, you can end it from {time}.", words.Clock(at)), nil
	}
	return game.Stop{Lying: true}, true, nil, nil
}

// playsOn is a robot that wouldn't end the game here, nil where none is asked yet: they
// are when somebody is the last of the people to agree.
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

// end ends the game: those who play it agree to; others may stop it.
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
		// They may have gone on playing since.
		if stop.Lying && now.Phase == game.Playing && lies(now, lyingForPlayers).After(f.desk.Now()) {
			return nil, words.OutOfDate()
		}
		return stop, nil
	}
	if req.Table != 0 {
		return f.desk.Change(ctx, req, want)
	}
	question := text.Say("End this game? You aren't playing in it. Nobody wins, and it doesn't count for anybody.")
	if stop.Lying {
		question = text.Say("Nobody has moved for a long time. End this game? Nobody wins, and it doesn't count for anybody.")
	}
	return feature.Ask(ctx, f.desk, req, want, func(t table.Table) bot.Reply {
		return bot.Reply{
			Text:    question,
			Buttons: []bot.Button{{ID: bot.ButtonID(t.ID, t.Number, "end", nil), Label: text.Say("Yes, end it"), Style: bot.Danger}},
		}
	})
}
