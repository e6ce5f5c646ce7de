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

// This file has robots act. When something happens after which one may have
// something to do, a timer that is due at once is stored with it. The timers'
// loop hands it to a worker, for an expert thinks for seconds, and what comes
// of it goes through the store as a person's command does. Should the table
// have moved on meanwhile it is dropped: what happened there left a timer of
// its own.

// The kinds of timers that have robots act: those that answer at once, and
// those that think. They have workers of their own, so that the first don't
// wait for the second.
const (
	robotKind   = "robot"
	thinkerKind = "robot-thinks"
)

// robotsUp lists the seats of the robots that may have something to do, the one
// whose turn it is last: then the latest play can't be challenged any more.
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

// peopleAgree reports whether all people at a table would end the game here.
func peopleAgree(s game.State) bool {
	return s.Rules.Agreement && !slices.ContainsFunc(s.Active(), func(i int) bool { return !s.Seats[i].Person.ID.IsRobot() && !s.Seats[i].Agreed })
}

// robotsTimer is the kind of the timer that a state calls for, or "".
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

// robotsAct does what the robots at a timer's table are to do, if anything
// still is.
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
			f.desk.Log().Error("a robot chose what the rules forbid", "table", t.ID, "seat", seat, "number", t.Number)
			_, err = f.robotDoes(ctx, t, seat, feature.RobotCause+"-passes", game.Pass{})
		}
		return err
	}
	return nil
}

// robotDoes has a robot act at a table, unless that has changed. The id of the
// request is the same for the same table and number, so that it is done once,
// however many processes think of it. It reports whether that was allowed.
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

// thinkTime is how long a thought takes at the longest. It ends one on a machine
// that is much too slow; what usually ends it is the number of positions, so that
// how well a robot plays isn't a matter of what else the machine does just then.
const thinkTime = 10 * time.Second

// leastPositions is how many positions a robot looks at, however many think.
const leastPositions = robot.DefaultPositions / 20

// positionsAmong is how many positions a robot looks at when others wait to think
// (waiting counts it too) and a few may think at once: they share what one has alone.
func positionsAmong(waiting, thinkers int) int {
	return max(leastPositions, robot.DefaultPositions*thinkers/max(waiting, thinkers))
}

// A robot that plays by a clock keeps time for thoughtsLeft of its longest thoughts.
// When less is left it looks at fewer positions.
const (
	thoughtsLeft   = 40
	longestThought = 2 * time.Second
)

// positionsIn is how many positions a robot looks at when that time is left.
func positionsIn(left time.Duration) int {
	share := float64(left) / float64(thoughtsLeft*longestThought)
	return max(leastPositions, int(robot.DefaultPositions*min(share, 1)))
}

// share is how many positions a robot may look at now.
func (f *Feature) share(ctx context.Context) (int, error) {
	waiting, err := f.Waiting(ctx, thinkerKind)
	return positionsAmong(waiting, f.Thinkers), err
}

// robotAction is what a robot does at a table as it stands, nil for nothing.
func (f *Feature) robotAction(ctx context.Context, t table.Table, seat int) (game.Action, error) {
	l, err := levelOf(t.Seats[seat].Person.ID)
	if err != nil {
		return nil, err
	}
	if l.Name == Tutor.Name {
		// The same at each look at the same move.
		if l, err = f.tutored(ctx, t, float64(robotSeed(t, seat, t.Number)>>11)/(1<<53)); err != nil {
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
		// The same play is doubted or not, however often it is looked at.
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

// robotSeed is where a robot's randomness comes from in what it does after so
// many events. It is made of the table's secret, so that a game can be played
// again; of the draws, which are made of that too, it tells nothing.
func robotSeed(t table.Table, seat, number int) uint64 {
	b := append([]byte("robot"), t.Secret[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(seat))
	b = binary.BigEndian.AppendUint64(b, uint64(number))
	sum := sha256.Sum256(b)
	return binary.BigEndian.Uint64(sum[:])
}
