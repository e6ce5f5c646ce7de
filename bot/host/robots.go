package host

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/robot"
)

// robotsKnow reports whether robots know how to play by some rules.
func robotsKnow(r game.Rules) bool {
	v, _ := game.FindVariant(r.Variant)
	return v.Robots
}

// robotPerson is the nth robot of a level at a table, from 1.
func robotPerson(l robot.Level, n int) game.Person {
	id, name := bot.RobotPrefix+l.Name, strings.ToUpper(l.Name[:1])+l.Name[1:]
	if n > 1 {
		id, name = fmt.Sprintf("%s:%d", id, n), fmt.Sprintf("%s %d", name, n)
	}
	return game.Person{ID: game.PlayerID(id), Name: name + " (robot)"}
}

// levelOf is how well a robot plays.
func levelOf(p game.PlayerID) (robot.Level, error) {
	name, _, _ := strings.Cut(strings.TrimPrefix(string(p), bot.RobotPrefix), ":")
	l, ok := robot.ParseLevel(name)
	if !ok {
		return l, fmt.Errorf("there is no robot %s", p)
	}
	return l, nil
}

// newRobots makes robots of the levels that an option lists, none of which
// sits at the table yet.
func (h *Host) newRobots(t table, option, list string) ([]game.Person, error) {
	var all []game.Person
	if list != "" && h.Mind == nil {
		return nil, refusing("There are no robots here.")
	}
	for _, name := range bot.Listed(list) {
		l, ok := robot.ParseLevel(name)
		if !ok {
			return nil, badChoice(option, name)
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

// bringRobots reads the options of /new that are about robots.
func bringRobots(h *Host, o *opening) (err error) {
	switch v := o.Request.Args["hints"]; v {
	case "":
	case "allowed", "refused":
		o.Rules.Hints = v == "allowed"
	default:
		return badChoice("hints", v)
	}
	if o.Robots, err = h.newRobots(table{}, "robots", o.Request.Args["robots"]); err != nil {
		return err
	}
	if len(o.Robots) > 0 && !robotsKnow(o.Rules) {
		return noRobots(o.Rules)
	}
	return nil
}

// A seating is an action of a person's, or none, after which robots sit down,
// or one takes a free seat in a game.
type seating struct {
	game.Action
	robots []game.Person
	adopts bool
}

// seated is the action that a seating is of.
func seated(a game.Action) game.Action {
	if s, ok := a.(seating); ok {
		return s.Action
	}
	return a
}

// decide says what an action does to a table, and what robots do at once
// because of it.
func (h *Host) decide(s game.State, by game.Person, a game.Action, env game.Env) ([]game.Event, error) {
	var all []game.Event
	do := func(by game.Person, a game.Action) error {
		events, err := game.Decide(s, by, a, env)
		for _, e := range events {
			if e.Number == 0 {
				s = game.State{} // a new table, in the place of one that is over
			}
			s = s.Apply(e)
		}
		all = append(all, events...)
		return err
	}
	seats, isSeating := a.(seating)
	if isSeating {
		a = seats.Action
	}
	if a != nil {
		if err := do(by, a); err != nil {
			return nil, err
		}
	}
	for _, p := range seats.robots {
		var sits game.Action = game.Join{}
		if seats.adopts {
			sits = game.Adopt{}
		}
		if err := do(p, sits); err != nil {
			return nil, err
		}
	}
	for {
		p, a := h.atOnce(s)
		if a == nil {
			return all, nil
		}
		if err := do(p, a); err != nil {
			return nil, fmt.Errorf("end a table without people: %w", err)
		}
	}
}

// atOnce is what somebody does at once because of how a table stands.
func (h *Host) atOnce(s game.State) (game.Person, game.Action) {
	for _, f := range h.features {
		if f.AtOnce == nil {
			continue
		}
		if p, a := f.AtOnce(s); a != nil {
			return p, a
		}
	}
	return game.Person{}, nil
}

// robotsAtOnce is what robots do without being asked.
func robotsAtOnce(s game.State) (game.Person, game.Action) {
	if s.Phase == game.Voting {
		return votes(s)
	}
	return leftAlone(s)
}

// leftAlone is what robots do when no person sits with them any more: they get
// up before the start, and give a game up that nobody is left to see, the one
// with the lowest score first.
func leftAlone(s game.State) (game.Person, game.Action) {
	active := s.Active()
	if len(active) == 0 || slices.ContainsFunc(active, func(i int) bool { return !bot.IsRobot(s.Seats[i].Person.ID) }) {
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

// votes is that a robot leaves the order of play to the others.
func votes(s game.State) (game.Person, game.Action) {
	i := slices.IndexFunc(s.Seats, func(seat game.Seat) bool { return bot.IsRobot(seat.Person.ID) && !seat.Voted })
	if i < 0 {
		return game.Person{}, nil
	}
	return s.Seats[i].Person, game.Vote{}
}

// joinRobot has a robot sit down at the table of the person who asks for it.
func (h *Host) joinRobot(ctx context.Context, req bot.Request) (bot.Reply, error) {
	want := func(t table) (game.Action, error) {
		if _, seated := t.SeatOf(req.User.ID); t.Phase == game.Lobby && !seated {
			return nil, refusing("You have no seat at this table. ", bot.Code("/join"), " takes one; then you can bring robots.")
		}
		if t.Phase == game.Lobby && len(t.Invited) > 0 {
			return nil, refusing("The seats at this table are kept for those who were invited.")
		}
		robots, err := h.oneRobot(t, req.Args["robot"])
		return seating{robots: robots}, err
	}
	return h.withRobot(ctx, req, want)
}

// adoptRobot has a robot take the free seat, for a person who plays there.
func (h *Host) adoptRobot(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return h.withRobot(ctx, req, func(t table) (game.Action, error) {
		if seat, seated := t.SeatOf(req.User.ID); !seated || t.Seats[seat].Out || t.Seats[seat].Vacant {
			return nil, refusing("Only those who play here can bring a robot. ", bot.Code("/adopt"), " takes a free seat yourself.")
		}
		robots, err := h.oneRobot(t, req.Args["robot"])
		return seating{robots: robots, adopts: true}, err
	})
}

// oneRobot is a robot of a level for a table; while the level is still to be
// chosen it is any, to see whether there can be one.
func (h *Host) oneRobot(t table, level string) ([]game.Person, error) {
	if !robotsKnow(t.Rules) {
		return nil, noRobots(t.Rules)
	}
	if level == askFirst {
		level = robot.Levels()[0].Name
	}
	if len(bot.Listed(level)) != 1 {
		return nil, badChoice("robot", level)
	}
	return h.newRobots(t, "robot", level)
}

// withRobot carries out what brings a robot, or asks first how well it should
// play.
func (h *Host) withRobot(ctx context.Context, req bot.Request, want intent) (bot.Reply, error) {
	if req.Args["robot"] != askFirst {
		return h.change(ctx, req, want)
	}
	return h.ask(ctx, req, want, func(t table) bot.Reply {
		all := levelChoices()
		r := bot.Reply{
			Text:  bot.Say("How well should it play? For instance ", bot.Code("/"+req.Command+" robot:"+all[0].Value), "."),
			Menus: []bot.Menu{{ID: bot.ButtonID(t.ID, t.Number, req.Command, map[string]string{"robot": ""}), Label: "Or choose how well it plays", Choices: all, Most: 1}},
		}
		// There are more than there is room for buttons: some from each end on.
		for i := range min(len(all), bot.MostButtons) {
			c := all[i*(len(all)-1)/(min(len(all), bot.MostButtons)-1)]
			r.Buttons = append(r.Buttons, t.button(bot.Shorten(c.Value, bot.MaxLabel), req.Command, bot.Ordinary, map[string]string{"robot": c.Value}))
		}
		return r
	})
}

// levelChoices are the robots there are, the weakest first.
func levelChoices() []bot.Choice {
	var all []bot.Choice
	for _, l := range robot.Levels() {
		all = append(all, bot.Choice{Value: l.Name, Label: strings.ToUpper(l.Name[:1]) + l.Name[1:] + ": " + l.Help})
	}
	return all
}
