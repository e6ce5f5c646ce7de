package outbox

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file keeps a game in one post: its board, which is edited in place. An edit notifies
// nobody, so a short post beside it calls the player to move, and is removed when the next
// call comes. In one of our threads the post that the thread hangs on is the board, and the
// thread contains the moves. At the end one card is left.
//
//	a channel   board, call
//	a thread    board; then a line for each move, and the call

// postBeside delivers a message where each game has one board: a new state of the game, its
// end, or something else, which leaves the board in place.
func (o *Outbox) postBeside(ctx context.Context, at Place, m bot.Message, e Entry) error {
	ours := e.Latest.Table == m.Table && m.Table != 0
	switch {
	case isBoard(m):
		return o.postBoard(ctx, at, m, e)
	case ours && m.Kind == "" && at.Root != "" && e.Latest.ID == at.Root:
		return o.endInThread(ctx, at, m, e)
	}
	made, _, err := o.send(ctx, at, m, e)
	if err != nil {
		return err
	}
	return o.noteDelivered(ctx, at, m, e, func(now *Entry) {
		switch {
		case ours && m.Kind == "": // the game is over
			now.setCall(nil)
			now.remove()
			now.follow(m, made, false)
		case ours && m.Picture != nil && now.Latest.ID != at.Root: // the board was moved down
			now.remove()
			now.Latest.ID, now.Latest.File, now.Shows = made.ID, made.File, m.Key
		case ours:
			now.setCall(&Post{ID: made.ID, Role: Call, Line: m.Line, File: made.File})
		}
	})
}

// postBoard shows the new state of a game, and calls the people that its message calls.
func (o *Outbox) postBoard(ctx context.Context, at Place, m bot.Message, e Entry) error {
	inThread := at.Root != "" && m.Beside != ""
	board := Post{}
	switch {
	case e.boardOf(m.Table):
		board = e.Latest
	case inThread:
		board = Post{ID: at.Root}
	case e.Latest.Live != "" && e.Latest.Table == m.Table: // the lobby becomes the board
		board = e.Latest
	}
	var file string
	shown := false
	if board.ID != "" && e.Shows == m.Key {
		file, shown = e.Latest.File, true // the previous try has shown it
	} else if board.ID != "" {
		var err error
		if file, shown, err = o.showNow(ctx, at, board, m); err != nil {
			o.Log.Info("can't edit a board; posting another", "place", at.ID, "error", err)
			board, inThread = Post{}, false
		}
	}
	if board.ID == "" {
		made, _, err := o.send(ctx, at, m, e)
		if err != nil {
			return err
		}
		return o.noteDelivered(ctx, at, m, e, func(now *Entry) {
			now.setCall(nil)
			if now.IsBoard() && now.Latest.ID != at.Root {
				now.remove()
			}
			now.follow(m, made, now.Latest.precedes(m))
			now.Latest.Role, now.Shows = Board, m.Key
		})
	}
	becomes := func(now *Entry) {
		if now.Latest.ID != "" && now.Latest.ID != board.ID && !now.IsBoard() { // the lobby in the thread
			old := now.Latest
			old.Gone = len(old.Line) == 0
			now.fold(old)
			now.Latest.File = ""
		}
		if shown {
			now.discard(now.Latest.File, file)
			now.Latest.File = file
		}
		now.Latest = Post{ID: board.ID, Role: Board, Line: m.Line, Small: board.Small, File: now.Latest.File, Live: m.Live, Table: m.Table, By: board.By}
		now.Shows = m.Key
	}
	said := calling(m)
	if inThread {
		said = m.Text
	}
	var call *Post
	if len(said) > 0 {
		short := m
		short.Text, short.Picture, short.Menus = said, nil, nil
		made, _, err := o.send(ctx, at, short, e)
		if err != nil {
			if !shown {
				return err
			}
			// The board is up to date: the next try only calls.
			_, kept := o.change(ctx, at.Note, func(now *Entry) error {
				if now.Key == e.Key {
					becomes(now)
				}
				return nil
			})
			if kept != nil {
				o.Log.Error("can't record a board's state", "place", at.ID, "error", kept)
			}
			return err
		}
		call = &Post{ID: made.ID, Role: Call, Small: said.SmallLines()}
		if inThread {
			call.Line = m.Line
		}
	}
	return o.noteDelivered(ctx, at, m, e, func(now *Entry) {
		now.setCall(call)
		becomes(now)
	})
}

// endInThread turns the post that a game's thread hangs on into the card of its end, and
// posts the result in the thread.
func (o *Outbox) endInThread(ctx context.Context, at Place, m bot.Message, e Entry) error {
	file, shown, err := o.showNow(ctx, at, e.Latest, m)
	if err != nil {
		o.Log.Info("can't edit a board", "place", at.ID, "error", err)
	}
	line := m
	line.Picture, line.Buttons, line.Menus = nil, nil, nil
	made, _, err := o.send(ctx, at, line, e)
	if err != nil {
		return err
	}
	return o.noteDelivered(ctx, at, m, e, func(now *Entry) {
		now.setCall(nil)
		if shown {
			now.discard(now.Latest.File, file)
		}
		now.Latest, now.Shows = Post{ID: made.ID, Table: now.Latest.Table}, ""
	})
}

// calling returns the text of the short post beside the board: what happened, and the lines
// that call people. It is nil if nobody is called.
func calling(m bot.Message) text.Text {
	var calls []text.Text
	for _, line := range m.Text.Lines() {
		if line.Calls() {
			calls = append(calls, line)
		}
	}
	if len(calls) == 0 {
		return nil
	}
	return text.Lines(append([]text.Text{m.Line}, calls...)...)
}
