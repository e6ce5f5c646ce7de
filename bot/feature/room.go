package feature

import (
	"context"
	"fmt"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// A Room is a channel inside [Desk.Update].
type Room struct {
	Table table.Table // the channel's latest, as it stands; its ID is 0 where there is none
	Env   game.Env

	ctx   context.Context
	room  *bot.Room
	judge Judge
}

// A Judge fills rooms: the engine.
type Judge interface {
	// Decide says what a request does to a table.
	Decide(t table.Table, req bot.Request, want Intent, env game.Env) ([]game.Event, error)
	// Fill puts what happened into a room: the events, the posts that tell of them,
	// the timers, the players seated, the receipt. by is who is answered, "" where
	// nobody is.
	Fill(ctx context.Context, r *bot.Room, before table.Table, by game.PlayerID, done []game.Event)
	// Secret makes what a new table's draws come from.
	Secret() (game.Secret, error)
}

// NewRoom is a room of the store's on a table as it stands.
func NewRoom(ctx context.Context, r *bot.Room, t table.Table, env game.Env, j Judge) *Room {
	return &Room{t, env, ctx, r, j}
}

// Receipt is what came of the same cause before, nil for a new one.
func (r *Room) Receipt() *bot.Receipt { return r.room.Receipt }

// Judge says what a request does to the table. Its mistakes are the person's to mend.
func (r *Room) Judge(req bot.Request, want Intent) ([]game.Event, error) {
	return r.judge.Decide(r.Table, req, want, r.Env)
}

// Fill takes in what happened, with the posts that tell of it and the timers that
// follow. by, whom the answer tells, is sent no rack.
func (r *Room) Fill(by game.PlayerID, done []game.Event) {
	r.judge.Fill(r.ctx, r.room, r.Table, by, done)
}

// Do judges what a request does, and takes it in. A mistake is filed as refused: then
// nothing is done, and nothing is where the cause was seen before.
func (r *Room) Do(req bot.Request, want Intent) (done []game.Event, err error) {
	if r.room.Receipt != nil {
		return nil, nil
	}
	if r.Env.Secret == (game.Secret{}) { // it may open a table
		if r.Env.Secret, err = r.Secret(); err != nil {
			return nil, err
		}
	}
	done, err = r.Judge(req, want)
	switch {
	case words.IsMistake(err):
		r.file()
		r.room.Refused = true
		return nil, nil
	case err != nil:
		return nil, err
	}
	r.Fill(req.User.ID, done)
	return done, nil
}

// Filed is what is filed of the cause now, nil for nothing.
func (r *Room) Filed() *bot.Receipt { return r.room.File }

// Untold takes the posts back that [Room.Fill] queued, for nobody would read them.
func (r *Room) Untold() { r.room.Posts = nil }

// Post queues posts, once for the cause.
func (r *Room) Post(all ...bot.Post) {
	for _, p := range all {
		if p.Channel == "" {
			p.Channel = r.room.Channel
		}
		r.room.Posts = append(r.room.Posts, p)
	}
	r.file()
}

// Timer sets timers, once for the cause.
func (r *Room) Timer(all ...bot.Timer) {
	r.room.Timers = append(r.room.Timers, all...)
	r.file()
}

// Secret makes what a new table's draws come from.
func (r *Room) Secret() (game.Secret, error) { return r.judge.Secret() }

func (r *Room) file() {
	if n := len(r.room.Events); r.room.File == nil {
		r.room.File = &bot.Receipt{From: n, To: n}
	}
}

// AtTable changes the table that a timer is about if it still is the channel's, or posts
// something in the channel if the timer is about none; see [Desk.Update]. It does so once for
// the timer.
func AtTable(ctx context.Context, d Desk, timer bot.Timer, fn func(*Room) error) error {
	cause := fmt.Sprintf("%s%d:%d", TimerCause, timer.Table, timer.ID)
	return d.Update(ctx, timer.Channel, cause, func(r *Room) error {
		if r.Receipt() != nil || timer.Table != 0 && r.Table.ID != timer.Table {
			return nil
		}
		return fn(r)
	})
}
