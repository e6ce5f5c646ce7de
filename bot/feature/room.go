package feature

import (
	"context"
	"fmt"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// A Room is a channel within [Desk.Update].
type Room struct {
	Table table.Table // the channel's latest table; its ID is 0 if there is none
	Env   game.Env

	ctx   context.Context
	room  *bot.Room
	judge Judge
}

// A Judge fills rooms. The engine implements it.
type Judge interface {
	// Decide returns the events that a request causes at a table.
	Decide(t table.Table, req bot.Request, want Intent, env game.Env) ([]game.Event, error)
	// Fill puts events into a room, with the posts that announce them, the timers, the
	// seated players and the receipt. by is the player who gets a reply, or "" if no one
	// does.
	Fill(ctx context.Context, r *bot.Room, before table.Table, by game.PlayerID, done []game.Event)
	// Secret returns the source of a new table's draws.
	Secret() (game.Secret, error)
}

// NewRoom returns a room for a room of the store and the table in it.
func NewRoom(ctx context.Context, r *bot.Room, t table.Table, env game.Env, j Judge) *Room {
	return &Room{t, env, ctx, r, j}
}

// Receipt returns what the same cause did before, or nil if it is new.
func (r *Room) Receipt() *bot.Receipt { return r.room.Receipt }

// Judge returns the events that a request causes. Mistakes are the person's to correct.
func (r *Room) Judge(req bot.Request, want Intent) ([]game.Event, error) {
	return r.judge.Decide(r.Table, req, want, r.Env)
}

// Fill adds events to the room, with the posts that announce them and the timers that
// follow. The player by gets a reply instead of a post with their rack.
func (r *Room) Fill(by game.PlayerID, done []game.Event) {
	r.judge.Fill(r.ctx, r.room, r.Table, by, done)
}

// FillSilently adds events that aren't announced until FillWhole announces them with others.
func (r *Room) FillSilently(done []game.Event) {
	r.Fill("", done)
	r.room.Posts = slices.DeleteFunc(r.room.Posts, announces)
}

// FillWhole adds events and announces the table from its opening on, in one post.
func (r *Room) FillWhole(done []game.Event) {
	r.Fill("", done)
	for i, p := range r.room.Posts {
		if announces(p) {
			r.room.Posts[i].From = 0
		}
	}
}

// announces reports whether a post tells everybody at a table what happened.
func announces(p bot.Post) bool { return p.Kind == "" && p.For == "" }

// Do judges a request and adds its events. If the request is a mistake, the receipt records
// it as refused and nothing happens. It does nothing if the cause was seen before.
func (r *Room) Do(req bot.Request, want Intent) (done []game.Event, err error) {
	if r.room.Receipt != nil {
		return nil, nil
	}
	if r.Env.Secret == (game.Secret{}) { // the request may open a table
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

// Filed returns the receipt recorded for the cause so far, or nil.
func (r *Room) Filed() *bot.Receipt { return r.room.File }

// Untold drops the posts that [Room.Fill] queued, for channels where no one could read
// them.
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

// Secret returns the source of a new table's draws.
func (r *Room) Secret() (game.Secret, error) { return r.judge.Secret() }

func (r *Room) file() {
	if n := len(r.room.Events); r.room.File == nil {
		r.room.File = &bot.Receipt{From: n, To: n}
	}
}

// Once adds posts and timers to a channel, but only once for a cause.
func Once(ctx context.Context, d Desk, ch bot.ChannelID, cause string, fill func(*Room)) error {
	return d.Update(ctx, ch, cause, func(r *Room) error {
		if r.Receipt() == nil {
			fill(r)
		}
		return nil
	})
}

// OnceAt works like Once, but only if the table still is its channel's latest.
func OnceAt(ctx context.Context, d Desk, t table.Table, cause string, fill func(*Room)) error {
	return Once(ctx, d, t.Channel, cause, func(r *Room) {
		if r.Table.ID == t.ID {
			fill(r)
		}
	})
}

// AtTable changes a timer's table if it still is its channel's latest. A timer without a
// table can post in the channel; see [Desk.Update]. It does so once for each timer.
func AtTable(ctx context.Context, d Desk, timer bot.Timer, fn func(*Room) error) error {
	cause := fmt.Sprintf("%s%d:%d", TimerCause, timer.Table, timer.ID)
	return d.Update(ctx, timer.Channel, cause, func(r *Room) error {
		if r.Receipt() != nil || timer.Table != 0 && r.Table.ID != timer.Table {
			return nil
		}
		return fn(r)
	})
}
