package outbox

import (
	"context"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file keeps a game in one post, the root of a thread: its lobby, then its board, then its
// result, edited in place. An edit notifies nobody, so a reply in the thread calls the player
// to move. The thread is opened for the first reply, unless the place is a thread that was
// opened for the table.
//
//	a channel    root
//	its thread   a line for each call
//
// Where the platform has no thread for a post, a board that calls a player is posted again
// below; see postNext.

// isBoard reports whether a message is the state of a game, kept in one post.
func isBoard(m bot.Message) bool {
	return m.To == nil && m.Live != "" && m.Standing == "" && m.Picture != nil && m.Kind == ""
}

// isRooted reports whether a message belongs to a root: it is a board, or about the table whose root
// is the newest post.
func (e *Entry) isRooted(m bot.Message) bool {
	root := e.Latest
	switch {
	case m.To != nil || m.Standing != "" || m.Table == 0 || root.Flat && root.Table == m.Table:
		return false
	case isBoard(m):
		return true
	case m.Live != "": // a lobby
		return root.Thread != "" && (root.Table == 0 || root.Live == m.Live && root.Table == m.Table)
	}
	return e.boardOf(m.Table) && (m.Kind != "" || m.Over)
}

// rootOf returns the root in which a message belongs, or the zero Post if there is none.
func (e *Entry) rootOf(m bot.Message) Post {
	if root := e.Latest; root.Live != "" && root.Table == m.Table || root.Thread != "" && root.Table == 0 {
		return root
	}
	return Post{}
}

// postRooted shows a message in the root of its game, and notifies the people it calls in the
// thread.
func (o *Outbox) postRooted(ctx context.Context, at Place, m bot.Message, e Entry) error {
	root := e.rootOf(m)
	if root.ID == "" {
		return o.postRoot(ctx, at, m, e)
	}
	said := replyTo(m)
	if len(said) > 0 && root.Thread == "" {
		thread, err := o.Platform.Thread(ctx, at, root, m)
		switch {
		case err != nil && o.Platform.Classify(err).Missing:
			return o.postRoot(ctx, at, m, e)
		case err != nil:
			return err
		case thread == "":
			return o.postFlat(ctx, at, m, e)
		}
		root.Thread = thread
		if _, err := o.change(ctx, at.Note, func(now *Entry) error {
			if now.Latest.ID == root.ID {
				now.Latest.Thread = thread
			}
			return nil
		}); err != nil {
			return err
		}
	}
	shows, shown := m.Kind == "", false
	if shows && e.Shows != m.Key { // otherwise the previous try has shown it
		if err := bot.Held(ctx); err != nil {
			return err // another process may have shown a later state already
		}
		var err error
		if root.File, shown, err = o.showNow(ctx, at, root, m); err != nil {
			o.Log.Info("can't edit a board; posting another", "place", at.ID, "error", err)
			return o.postRoot(ctx, at, m, e)
		}
	}
	becomes := func(now *Entry) {
		if shows {
			now.show(m, root, shown)
		}
		now.Latest.Thread = root.Thread
	}
	if len(said) == 0 {
		return o.noteDelivered(ctx, at, m, e, becomes)
	}
	in := at.threadOf(root)
	reply := m
	reply.Text, reply.Picture, reply.Menus, reply.Buttons = said, nil, nil, likelyButtons(m)
	made, _, err := o.send(ctx, in, reply, e)
	switch fault := o.Platform.Classify(err); {
	case err == nil:
	case fault.Answered && !fault.Temporary && !fault.Uninstalled && in != at:
		o.Log.Info("can't post in the thread of a board; posting the board below", "place", at.ID, "thread", in.ID, "error", err)
		return o.postFlat(ctx, at, m, e)
	case !shown:
		return err
	default:
		// The board is up to date: the next try only calls.
		if _, kept := o.change(ctx, at.Note, func(now *Entry) error {
			if now.Key == e.Key {
				becomes(now)
			}
			return nil
		}); kept != nil {
			o.Log.Error("can't record a board's state", "place", at.ID, "error", kept)
		}
		return err
	}
	return o.noteDelivered(ctx, at, m, e, func(now *Entry) {
		becomes(now)
		now.setCall(&Post{ID: made.ID, Role: Call, In: in.ID})
	})
}

// postRoot posts a message that becomes the root of its game. It calls people itself.
func (o *Outbox) postRoot(ctx context.Context, at Place, m bot.Message, e Entry) error {
	made, _, err := o.send(ctx, at, m, e)
	if err != nil {
		return err
	}
	return o.noteDelivered(ctx, at, m, e, func(now *Entry) {
		if now.boardOf(m.Table) { // it can't be edited
			now.removeLatest()
		}
		now.setLatest(m, made, now.Latest.isReplacedBy(m))
		if isBoard(m) {
			now.Latest.Role, now.Shows = Board, m.Key
		}
	})
}

// postFlat posts a message of a game whose post has no thread.
func (o *Outbox) postFlat(ctx context.Context, at Place, m bot.Message, e Entry) error {
	e.Latest.Flat, e.Latest.Table = true, m.Table
	return o.postNext(ctx, at, m, e)
}

// show records that a root shows a message, or will soon if shown is false. The result of a game
// stays whatever comes next.
func (e *Entry) show(m bot.Message, root Post, shown bool) {
	if shown {
		e.discard(e.Latest.File, root.File)
	} else {
		root.File = e.Latest.File
	}
	next := Post{ID: root.ID, In: root.In, Thread: root.Thread, File: root.File, Table: m.Table, By: root.By, Small: root.Small}
	if len(next.Small) == 0 {
		next.Small = m.Text.SmallLines()
	}
	if !m.Over {
		next.Live, next.Line = m.Live, m.Line
	}
	if isBoard(m) {
		next.Role = Board
	}
	e.Latest, e.Shows = next, m.Key
}

// replyTo returns the text of the reply in the thread: what happened, and the lines that call
// people, or the end of the game. It is nil if nobody needs to know.
func replyTo(m bot.Message) text.Text {
	if m.Kind != "" || m.Over {
		return m.Text
	}
	var calls []text.Text
	for _, line := range m.Text.Lines() {
		if line.Calls() {
			calls = append(calls, line)
		}
	}
	if len(calls) == 0 && !m.News {
		return nil
	}
	return text.Lines(append([]text.Text{m.Line}, calls...)...)
}

// likelyButtons returns the buttons under a reply, the most likely ones of its message. The others
// are under the root.
func likelyButtons(m bot.Message) []bot.Button {
	const most = 2
	if m.Over {
		return nil
	}
	safe := slices.DeleteFunc(slices.Clone(m.Buttons), func(b bot.Button) bool { return b.Style == bot.Danger })
	return safe[:min(len(safe), most)]
}

// HasThread reports whether a thread hangs on the newest root of a place, so that what people write
// there is about that place's game.
func (o *Outbox) HasThread(ctx context.Context, note, thread string) bool {
	e, err := o.Entry(ctx, note)
	return err == nil && thread != "" && e.Latest.Thread == thread
}

// Open records the post on which a new thread for a table hangs. It becomes the table's root.
func (o *Outbox) Open(ctx context.Context, thread Place, root Post) error {
	defer o.Lock(thread.Note)()
	_, err := o.change(ctx, thread.Note, func(now *Entry) error {
		if now.Key == "" && now.Trying == "" {
			root.Thread = thread.ID
			now.Key, now.Latest = "opened", root
		}
		return nil
	})
	return err
}
