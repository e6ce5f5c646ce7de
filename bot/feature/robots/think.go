package robots

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/robot"
)

// This file makes robots act. A change after which a robot may have something to do stores
// a timer that is due at once. The timers' loop hands it to a worker, since an expert
// thinks for seconds, and the result goes through the store like a person's command. If the
// table has moved on meanwhile, the result is dropped; the change that moved it left a
// timer of its own.

// Kinds of the timers that make robots act: robots that answer at once, and robots that
// think. Each kind has workers of its own, so that quick robots don't wait for slow ones.
const (
	robotKind   = "robot"
	thinkerKind = "robot-thinks"
)

// robotsUp lists the seats of robots that may have something to do. The robot to move comes
// last, since the latest play can't be challenged after its move.
func robotsUp(s game.State) []int {
	if s.Phase != game.Playing && s.Phase != game.Closing {
		return nil
	}
	var up []int
	for _, i := range s.Active() {
		if !s.Seats[i].Person.ID.IsRobot() || s.Phase == game.Playing && i == s.Turn {
			continue
		}
		judges := s.Latest != nil && s.Latest.Seat != i && !s.Seats[i].Accepted && s.Rules.Challenge != game.Void
		if judges || peopleAgree(s) && !s.Seats[i].Agreed {
			up = append(up, i)
		}
	}
	if s.Phase == game.Playing && s.Seats[s.Turn].Person.ID.IsRobot() {
		up = append(up, s.Turn)
	}
	return up
}

// peopleAgree reports whether all people at a table have agreed to end the game.
func peopleAgree(s game.State) bool {
	return s.Rules.Agreement && !slices.ContainsFunc(s.Active(), func(i int) bool { return !s.Seats[i].Person.ID.IsRobot() && !s.Seats[i].Agreed })
}

// robotsTimer returns the kind of timer that a state needs, or "" if no robot has anything
// to do.
func robotsTimer(s game.State) string {
	up := robotsUp(s)
	if len(up) == 0 {
		return ""
	}
	if last := up[len(up)-1]; s.Phase == game.Playing && last == s.Turn {
		if l, err := levelOf(s.Seats[last].Person.ID); err == nil && l.Thinks() {
			return thinkerKind
		}
	}
	return robotKind
}

// robotsAct carries out the next action of the robots at a timer's table, if any is still
// needed.
func (f *Feature) robotsAct(ctx context.Context, timer bot.Timer) error {
	t, err := feature.LoadTable(ctx, f.desk, timer.Table)
	if err != nil {
		return err
	}
	for _, seat := range robotsUp(t.State) {
		action, err := f.robotAction(ctx, t, seat)
		if err != nil {
			return err
		}
		if action == nil {
			continue
		}
		done, err := f.robotDoes(ctx, t, seat, feature.RobotCause, action)
		if err == nil && !done && t.Phase == game.Playing && seat == t.Turn {
			f.desk.Log().Error("a robot chose an illegal move", "table", t.ID, "seat", seat, "number", t.Number)
			_, err = f.robotDoes(ctx, t, seat, feature.RobotCause+"-passes", game.Pass{})
		}
		return err
	}
	return nil
}

// robotDoes carries out a robot's action unless the table has changed. The request's ID
// depends only on the table and its number of events, so that several processes act only
// once. It returns false if the rules forbid the action.
func (f *Feature) robotDoes(ctx context.Context, t table.Table, seat int, id string, a game.Action) (allowed bool, err error) {
	movedOn := false
	req := bot.Request{ID: fmt.Sprintf("%s:%d:%d", id, t.ID, t.Number), Channel: t.Channel, User: t.Seats[seat].Person, Table: t.ID}
	err = f.desk.Update(ctx, req.Channel, req.ID, func(r *feature.Room) error {
		if seen := r.Receipt(); seen != nil {
			allowed = seen.From < seen.To
			return nil
		}
		done, err := r.Do(req, func(now table.Table) (game.Action, error) {
			if movedOn = now.Number != t.Number; movedOn {
				return nil, words.OutOfDate()
			}
			return a, nil
		})
		allowed = len(done) > 0
		return err
	})
	return movedOn || allowed, err
}

// thinkTime limits a thought on very slow machines. Usually the number of positions ends
// it, so that a robot's strength doesn't depend on the machine's load.
const thinkTime = 10 * time.Second

// leastPositions is the number of positions that a robot always examines, however many
// others think.
const leastPositions = robot.DefaultPositions / 20

// positionsAmong returns how many positions a robot examines when waiting robots, itself
// included, want to think and thinkers may think at once. They share what those would
// examine alone.
func positionsAmong(waiting, thinkers int) int {
	return max(leastPositions, robot.DefaultPositions*thinkers/max(waiting, thinkers))
}

// A robot with a clock reserves time for thoughtsLeft of its longest thoughts. With less
// time left it examines fewer positions.
const (
	thoughtsLeft   = 40
	longestThought = 2 * time.Second
)

// positionsIn returns how many positions a robot examines with that much time left.
func positionsIn(left time.Duration) int {
	share := float64(left) / float64(thoughtsLeft*longestThought)
	return max(leastPositions, int(robot.DefaultPositions*min(share, 1)))
}

// share returns how many positions a robot may examine now.
func (f *Feature) share(ctx context.Context) (int, error) {
	waiting, err := f.Waiting(ctx, thinkerKind)
	return positionsAmong(waiting, f.Thinkers), err
}

// robotAction returns a robot's action at a table as it stands, or nil for none.
func (f *Feature) robotAction(ctx context.Context, t table.Table, seat int) (game.Action, error) {
	l, err := levelOf(t.Seats[seat].Person.ID)
	if err != nil {
		return nil, err
	}
	if l.Name == Tutor.Name {
		// The level stays the same if the same move is considered again.
		if l, err = f.tutorLevel(ctx, t, float64(robotSeed(t, seat, t.Number)>>11)/(1<<53)); err != nil {
			return nil, err
		}
	}
	dict, err := f.desk.Lists().Dictionary(t.State)
	if err != nil {
		return nil, err
	}
	mind, view := f.Mind(dict), robot.See(t.State, seat)
	if t.Phase == game.Playing && peopleAgree(t.State) && !t.Seats[seat].Agreed {
		if agrees, err := mind.Agrees(t.State, seat); err != nil || agrees {
			return game.Agree{}, err
		}
	}
	switch {
	case t.Phase == game.Playing && t.Turn != seat:
		if t.Latest == nil {
			return nil, nil
		}
		// The same play is always doubted or always accepted, however often it is
		// considered.
		if a, doubts := mind.Challenge(l, view, robotSeed(t, seat, t.Latest.Number)); doubts {
			return a, nil
		}
		return nil, nil
	}
	positions := 0
	if l.Thinks() {
		if positions, err = f.share(ctx); err != nil {
			return nil, err
		}
		if t.Ticks() {
			positions = min(positions, positionsIn(t.Left(seat, f.desk.Now().Sub(t.Began))))
		}
	}
	ctx, cancel := context.WithTimeout(ctx, thinkTime)
	defer cancel()
	began := f.desk.Now()
	defer func() { f.Thought(l.Name, f.desk.Now().Sub(began)) }()
	return mind.Choose(ctx, l, view, positions, robotSeed(t, seat, t.Number))
}

// robotSeed returns the seed of a robot's randomness after a number of events. It is
// derived from the table's secret, so that a game can be replayed; it reveals nothing about
// the draws, which also come from the secret.
func robotSeed(t table.Table, seat, number int) uint64 {
	b := append([]byte("robot"), t.Secret[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(seat))
	b = binary.BigEndian.AppendUint64(b, uint64(number))
	sum := sha256.Sum256(b)
	return binary.BigEndian.Uint64(sum[:])
}
