package robots

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/robot"
)

// robotPerson returns the nth robot of a level at a table, from 1.
func robotPerson(l robot.Level, n int) game.Person {
	id, name := game.RobotPrefix+l.Name, strings.ToUpper(l.Name[:1])+l.Name[1:]
	if n > 1 {
		id, name = fmt.Sprintf("%s:%d", id, n), fmt.Sprintf("%s %d", name, n)
	}
	return game.Person{ID: game.PlayerID(id), Name: name + " (robot)"}
}

// levelNamed returns the robot level that a name stands for.
func levelNamed(name string) (robot.Level, bool) {
	if strings.EqualFold(name, Tutor.Name) {
		return Tutor, true
	}
	return robot.ParseLevel(name)
}

// levelOf returns a robot's level.
func levelOf(p game.PlayerID) (robot.Level, error) {
	name, _, _ := strings.Cut(strings.TrimPrefix(string(p), game.RobotPrefix), ":")
	l, ok := levelNamed(name)
	if !ok {
		return l, fmt.Errorf("unknown robot %s", p)
	}
	return l, nil
}

// newRobots returns robots of the levels listed in an option's value, none of which sits at
// the table yet.
func (f *Feature) newRobots(t table.Table, option, list string) ([]game.Person, error) {
	var all []game.Person
	if list != "" && f.Mind == nil {
		return nil, words.Refusing("There are no robots here.")
	}
	for _, name := range bot.SplitList(list) {
		l, ok := levelNamed(name)
		if !ok {
			return nil, words.BadChoice(option, name)
		}
		for n := 1; ; n++ {
			p := robotPerson(l, n)
			_, sits := t.SeatOf(p.ID)
			if !sits && !slices.Contains(all, p) {
				all = append(all, p)
				break
			}
		}
	}
	return all, nil
}

// open reads the robot options of /new.
func (f *Feature) open(o *feature.Opening) (err error) {
	if o.Robots, err = f.newRobots(table.Table{}, "robots", o.Request.Args["robots"]); err != nil {
		return err
	}
	if len(o.Robots) > 0 && !table.RobotsKnow(o.Rules) {
		return refuseRobots(o.Rules)
	}
	return hintsFor(&o.Rules, o.Request.Args, len(o.Robots) > 0)
}

// hintsFor sets whether players may ask for hints. A game among people is rated and has no
// hints, unless they choose an unrated game with hints. Games with robots are never rated.
func hintsFor(r *game.Rules, args map[string]string, robots bool) error {
	counts := !robots && r.MaxPlayers > 1
	switch v := args["hints"]; v {
	case "":
		r.Hints = r.Hints && !counts
	case "refused":
		r.Hints = false
	case "allowed":
		rated, err := words.YesNo(args, "rated", false)
		if err != nil {
			return err
		}
		if rated && counts {
			return words.Refusing("A game with hints can't be rated. Choose {hints} or {rated}.", text.Code("hints:allowed"), text.Code("rated:yes"))
		}
		r.Hints, r.Unrated = true, r.Unrated || counts
	default:
		return words.BadChoice("hints", v)
	}
	return nil
}

// nextAction returns the next action that a robot takes unasked, if there is one.
func (f *Feature) nextAction(s game.State) (game.Person, game.Action) {
	if s.Phase == game.Voting {
		return castVote(s)
	}
	return actAlone(s)
}

// actAlone returns the action of robots that no person plays with any more: before the
// start they leave, and during a game they resign, lowest score first.
func actAlone(s game.State) (game.Person, game.Action) {
	active := s.Active()
	if len(active) == 0 || slices.ContainsFunc(active, func(i int) bool { return !s.Seats[i].Person.ID.IsRobot() }) {
		return game.Person{}, nil
	}
	switch s.Phase {
	case game.Lobby:
		return s.Seats[0].Person, game.Leave{}
	case game.Playing:
		worst := slices.MinFunc(active, func(a, b int) int { return s.Seats[a].Score - s.Seats[b].Score })
		return s.Seats[worst].Person, game.Resign{}
	}
	return game.Person{}, nil
}

// castVote returns the vote of a robot on the order of play. It leaves the order to the
// others.
func castVote(s game.State) (game.Person, game.Action) {
	i := slices.IndexFunc(s.Seats, func(seat game.Seat) bool { return seat.Person.ID.IsRobot() && !seat.Voted })
	if i < 0 {
		return game.Person{}, nil
	}
	return s.Seats[i].Person, game.Vote{}
}

// joinRobot seats a robot at the sender's table.
func (f *Feature) joinRobot(ctx context.Context, req bot.Request) (bot.Reply, error) {
	want := func(t table.Table) (game.Action, error) {
		if _, seated := t.SeatOf(req.User.ID); t.Phase == game.Lobby && !seated {
			return nil, words.Refusing("You have no seat at this table. {join} takes one; after that you can add robots.", text.Code("/join"))
		}
		if t.Phase == game.Lobby && len(t.Invited) > 0 {
			return nil, words.Refusing("The seats at this table are reserved for the people who were invited.")
		}
		robots, err := f.oneRobot(t, req.Args["robot"])
		return feature.Seating{Robots: robots}, err
	}
	return f.withRobot(ctx, req, want)
}

// adoptRobot seats a robot in a free seat, at the request of a player in the game.
func (f *Feature) adoptRobot(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return f.withRobot(ctx, req, func(t table.Table) (game.Action, error) {
		if seat, seated := t.SeatOf(req.User.ID); !seated || t.Seats[seat].Out || t.Seats[seat].Vacant {
			return nil, words.Refusing("Only the players in this game can bring in a robot. To take a free seat yourself, use {adopt}.", text.Code("/adopt"))
		}
		robots, err := f.oneRobot(t, req.Args["robot"])
		return feature.Seating{Robots: robots, Adopts: true}, err
	})
}

// oneRobot returns a robot of a level for a table. If the level is yet to be chosen, it
// uses the first one, to check that robots can play there.
func (f *Feature) oneRobot(t table.Table, level string) ([]game.Person, error) {
	if !table.RobotsKnow(t.Rules) {
		return nil, refuseRobots(t.Rules)
	}
	if level == table.AskFirst {
		level = robot.Levels()[0].Name
	}
	if len(bot.SplitList(level)) != 1 {
		return nil, words.BadChoice("robot", level)
	}
	return f.newRobots(t, "robot", level)
}

// withRobot carries out an action that brings a robot, after asking for the level if it
// wasn't given.
func (f *Feature) withRobot(ctx context.Context, req bot.Request, want feature.Intent) (bot.Reply, error) {
	if req.Args["robot"] != table.AskFirst {
		return f.desk.Change(ctx, req, want)
	}
	return feature.Ask(ctx, f.desk, req, want, func(t table.Table) bot.Reply {
		all := levelChoices()
		r := bot.Reply{
			Text:  text.Say("How well should it play? For example, {example}.", text.Code("/"+req.Command+" robot:"+all[0].Value)),
			Menus: []bot.Menu{{ID: bot.ButtonID(t.ID, t.Number, req.Command, map[string]string{"robot": ""}), Label: text.Say("Or choose a level"), Choices: all, Most: 1}},
		}
		// There are more levels than buttons: choose some, evenly from weakest to
		// strongest, and the tutor.
		most, levels := min(len(all), bot.MostButtons), len(all)-1
		for i := range most {
			c := all[levels]
			if i < most-1 {
				c = all[i*(levels-1)/(most-2)]
			}
			r.Buttons = append(r.Buttons, t.Button(text.LevelName(c.Value), req.Command, bot.Ordinary, map[string]string{"robot": c.Value}))
		}
		return r
	})
}

// levelChoices returns the robot levels as choices, weakest first and the tutor last.
func levelChoices() []bot.Choice {
	var all []bot.Choice
	for _, l := range allLevels() {
		all = append(all, bot.Choice{Value: l.Name, Label: text.Say("{level}: {help}", text.LevelName(l.Name), text.Known(l.Help))})
	}
	return all
}

// refuseRobots returns the refusal for variants that robots can't play.
func refuseRobots(r game.Rules) error {
	return words.Refusing("Robots don't play {variant}. Play it with people, or leave the robots out.", r.Variant)
}
