package robots

import (
	"context"
	"math"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/robot"
)

// This file has the tutor: a robot that plays about as well as those it plays with. How
// well somebody plays is noted as a grade, by word list, from their games with it: each
// one that they win makes it play better, each that they lose worse, by large steps at
// first, so that they win about half of them.

// Tutor stands for the tutor where a level is chosen. It has none of its own.
var Tutor = robot.Level{Name: "tutor", Help: "plays about as well as you, and adapts from game to game"}

// tutorKind is the kind of the timers that note how a game with the tutor ended.
const tutorKind = "tutor"

// choosable are the robots there are, the weakest first, and then the tutor.
func choosable() []robot.Level { return append(robot.Levels(), Tutor) }

// grades are the levels that the tutor plays like: those that answer at once.
func grades() []robot.Level {
	return slices.DeleteFunc(robot.Levels(), robot.Level.Thinks)
}

// A storedGrade is how well somebody plays with a word list.
type storedGrade struct {
	V int `json:"v"` // 1
	// Grade is a level of grades, 0 being the first; 1.5 is between the second and
	// the third.
	Grade float64 `json:"grade"`
	Games int     `json:"games"`
	// Counted are the latest tables that count already.
	Counted []bot.TableID `json:"counted,omitempty"`
}

// firstGrade is that of somebody who never played with the tutor: "easy".
const firstGrade = 1

// count counts a game, of which somebody won a share: 1, 0, or 0.5 for a draw.
func (g *storedGrade) count(t bot.TableID, won float64) {
	if slices.Contains(g.Counted, t) {
		return
	}
	step := max(0.2, 1.5/(1+float64(g.Games)/3))
	g.Grade = min(max(g.Grade+step*(2*won-1), 0), float64(len(grades())-1))
	g.Games++
	g.Counted = append(g.Counted, t)
	g.Counted = g.Counted[max(0, len(g.Counted)-10):]
}

// gradeKey is where somebody's grade with a table's word list is.
func gradeKey(s game.State, who game.PlayerID) shelf.Pair[shelf.Person, shelf.Mark] {
	return shelf.Both(shelf.Person(who), shelf.Mark(s.Lexicon.Name))
}

// tutored is the level that the tutor on a seat plays a move like: what the people at the
// table play like on average, which is between two levels. chance, from 0 to 1, chooses
// one of them.
func (f *Feature) tutored(ctx context.Context, t table.Table, chance float64) (robot.Level, error) {
	sum, people := 0.0, 0
	for _, seat := range t.Seats {
		if seat.Person.ID.IsRobot() || seat.Vacant {
			continue
		}
		g, found, err := f.grades.Get(ctx, gradeKey(t.State, seat.Person.ID))
		if err != nil {
			return robot.Level{}, err
		}
		if !found {
			g.Grade = firstGrade
		}
		sum, people = sum+g.Grade, people+1
	}
	return like(sum/float64(max(people, 1)), chance), nil
}

// like is the level that a move of a grade is made like. chance, from 0 to 1, chooses one of
// the two that it is between.
func like(grade, chance float64) robot.Level {
	whole, part := math.Modf(grade)
	all := grades()
	if chance < part {
		whole++
	}
	return all[min(int(whole), len(all)-1)]
}

// tutorSits is the seat of a tutor, -1 where there is none.
func tutorSits(s game.State) int {
	return slices.IndexFunc(s.Seats, func(seat game.Seat) bool {
		l, err := levelOf(seat.Person.ID)
		return seat.Person.ID.IsRobot() && err == nil && l.Name == Tutor.Name
	})
}

// learn notes how the people at a table did against the tutor. A game that was given up
// before everybody had four turns says nothing.
func (f *Feature) learn(ctx context.Context, timer bot.Timer) error {
	t, err := feature.LoadTable(ctx, f.desk, timer.Table)
	if err != nil {
		return err
	}
	seat := tutorSits(t.State)
	if seat < 0 || t.Phase != game.Over || t.End == nil || t.Turns < 4*len(t.Seats) {
		return nil
	}
	for i, other := range t.Seats {
		if other.Person.ID.IsRobot() || other.Vacant {
			continue
		}
		won := 0.5
		switch mine, its := slices.Contains(t.End.Winners, i), slices.Contains(t.End.Winners, seat); {
		case mine && !its, mine == its && other.Score > t.Seats[seat].Score:
			won = 1
		case its && !mine, mine == its && other.Score < t.Seats[seat].Score:
			won = 0
		}
		if err := f.grades.Change(ctx, gradeKey(t.State, other.Person.ID), func(g *storedGrade) (keep bool, err error) {
			if g.V == 0 {
				*g = storedGrade{V: 1, Grade: firstGrade}
			}
			g.count(t.ID, won)
			return true, nil
		}); err != nil {
			return err
		}
	}
	return nil
}
