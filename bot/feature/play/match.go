package play

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/game"
)

// This file implements matches of two games. When the first is over, a timer opens the second
// table. One of the players sits there already; the other takes their seat with a button. So the
// draws depend on something that nobody knew when the table's secret was made, as at every table.

// matchKind is the kind of timers that open the second game.
const matchKind = "match"

// matchTimer schedules the second game if these events ended the first.
func matchTimer(after game.State, done []game.Event) []bot.Timer {
	if !after.MatchGoesOn() {
		return nil
	}
	return []bot.Timer{{At: done[len(done)-1].At, Kind: matchKind}}
}

// openNext opens the second game of a match at the channel's table.
func (f *Feature) openNext(ctx context.Context, timer bot.Timer) error {
	return feature.AtTable(ctx, f.desk, timer, func(r *feature.Room) error {
		t := r.Table
		if !t.MatchGoesOn() {
			return nil
		}
		// The player who was first opens it, unless that is a robot: then the opener is the second,
		// who begins now and has the turn on sitting down.
		opener := t.Seats[t.First].Person
		if opener.ID.IsRobot() {
			opener = t.Seats[(t.First+1)%len(t.Seats)].Person
		}
		var robots []game.Person
		for _, seat := range t.Seats {
			switch {
			case bot.IsFormer(seat.Person.ID):
				return nil // a forgotten person plays no more
			case seat.Person.ID.IsRobot():
				robots = append(robots, seat.Person)
			}
		}
		secret, err := r.Secret()
		if err != nil {
			return err
		}
		r.Env.Secret, r.Env.Posted = secret, r.Env.Now
		done, err := r.Judge(bot.Request{User: opener}, feature.Always(feature.Seating{Action: t.NextGame(), Robots: robots}))
		if err != nil {
			return err
		}
		r.Fill("", done)
		return nil
	})
}
