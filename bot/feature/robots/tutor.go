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

// This file runs the tutor, a robot that plays about as well as its opponents. It stores a
// grade for each opponent and word list: each game they win makes it play better, each they
// lose worse, in large steps at first, so that they win about half of their games.

// Tutor represents the tutor where a level is chosen. It has no strength of its own.
var Tutor = robot.Level{Name: "tutor", Help: "plays about as well as you, and adapts from game to game"}

// tutorKind is the kind of the timers that record how a game with the tutor ended.
const tutorKind = "tutor"

// allLevels returns all robot levels, weakest first, then the tutor.
func allLevels() []robot.Level { return append(robot.Levels(), Tutor) }

// tutorLevels returns the levels that the tutor can play at: all that answer at once.
func tutorLevels() []robot.Level {
	return slices.DeleteFunc(robot.Levels(), robot.Level.Thinks)
}

// A storedGrade is the strength of a player with a word list.
type storedGrade struct {
	V int `json:"v"` // format version: 1
	// Grade is an index into grades; 1.5 lies between the second and the third level.
	Grade float64 `json:"grade"`
	Games int     `json:"games"`
	// Counted lists the latest tables that have been counted.
	Counted []bot.TableID `json:"counted,omitempty"`
}

// firstGrade is the grade of a player new to the tutor: "easy".
const firstGrade = 1

// count counts a game, of which the player won a share: 1, 0, or 0.5 for a draw.
func (g *storedGrade) count(t bot.TableID, won float64) {
	if slices.Contains(g.Counted, t) {
		return
	}
	step := max(0.2, 1.5/(1+float64(g.Games)/3))
	g.Grade = min(max(g.Grade+step*(2*won-1), 0), float64(len(tutorLevels())-1))
	g.Games++
	g.Counted = append(g.Counted, t)
	g.Counted = g.Counted[max(0, len(g.Counted)-10):]
}

// gradeKey returns the key of a player's grade with a table's word list.
func gradeKey(s game.State, who game.PlayerID) shelf.Pair[shelf.Person, shelf.Mark] {
	return shelf.Both(shelf.Person(who), shelf.Mark(s.Lexicon.Name))
}

// tutorLevel returns the level at which the tutor makes a move. It plays at the average grade
// of the people at the table, which may lie between two levels; chance, from 0 to 1,
// chooses one of them.
func (f *Feature) tutorLevel(ctx context.Context, t table.Table, chance float64) (robot.Level, error) {
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
	return levelAt(sum/float64(max(people, 1)), chance), nil
}

// levelAt returns the level for a move at a grade. chance, from 0 to 1, chooses between the
// two nearest levels.
func levelAt(grade, chance float64) robot.Level {
	whole, part := math.Modf(grade)
	all := tutorLevels()
	if chance < part {
		whole++
	}
	return all[min(int(whole), len(all)-1)]
}

// tutorSeat returns the tutor's seat, or -1 if there is none.
func tutorSeat(s game.State) int {
	return slices.IndexFunc(s.Seats, func(seat game.Seat) bool {
		l, err := levelOf(seat.Person.ID)
		return seat.Person.ID.IsRobot() && err == nil && l.Name == Tutor.Name
	})
}

// learn updates the grades of the people at a table after a game against the tutor. It
// ignores games that ended before every player had four turns.
func (f *Feature) learn(ctx context.Context, timer bot.Timer) error {
	t, err := feature.LoadTable(ctx, f.desk, timer.Table)
	if err != nil {
		return err
	}
	seat := tutorSeat(t.State)
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
