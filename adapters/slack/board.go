package slack

import (
	"context"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
)

// This file keeps a game to one post: its board, which is edited in place. An edit calls
// nobody, so whoever is to move is called by a short post beside it, which goes away with
// the next. In a thread of ours the message that it hangs on is the board, and the moves
// are the thread. At the end one card is left.
//
//	a channel   board, call
//	a thread    board; then a line for each move, and the call

// isBoard reports whether a message is the state of a game, to be kept in one post.
func isBoard(m bot.Message) bool {
	return m.To == nil && m.Live != "" && m.Standing == "" && m.Picture != nil && m.Kind == ""
}

// postBeside delivers a message where a game has one board: a new state of it, its end, or
// something else, which leaves the board where it is.
func (o *outbox) postBeside(ctx context.Context, at place, m bot.Message, last lastPost) (lastPost, error) {
	ours := last.Table == m.Table && last.Table != 0
	switch {
	case isBoard(m):
		return o.postBoard(ctx, at, m, last)
	case ours && m.Kind == "" && last.TS == at.thread && at.thread != "":
		return o.endInThread(ctx, at, m, last)
	}
	ts, file, _, err := o.deliver(ctx, at, m, last)
	if err != nil {
		return last, err
	}
	return o.noteDelivered(ctx, m, last, func(now *lastPost) {
		switch {
		case ours && m.Kind == "": // the game is over
			now.call("", nil)
			now.fold(oldPost{TS: now.TS, File: now.File, Gone: true})
			now.TS = ""
			*now = now.follow(m, ts, file)
		case ours && m.Picture != nil && now.TS != at.thread: // it was brought down
			now.fold(oldPost{TS: now.TS, File: now.File, Gone: true})
			now.TS, now.File, now.BoardKey = ts, fileAlone(file), m.Key
		case ours:
			now.call(ts, m.Line)
		}
	})
}

// postBoard shows the new state of a game, and calls whom its message calls.
func (o *outbox) postBoard(ctx context.Context, at place, m bot.Message, last lastPost) (lastPost, error) {
	inThread := at.thread != "" && m.Beside != "" // of ours
	board := ""
	switch {
	case last.Board && last.Table == m.Table:
		board = last.TS
	case inThread:
		board = at.thread
	case last.Live != "" && last.Table == m.Table: // the lobby becomes the board
		board = last.TS
	}
	var file string
	shown := false
	if board != "" {
		var err error
		if file, shown, err = o.showNow(ctx, at, last.note, board, m, last.File); err != nil {
			o.Log.Info("a board can't be changed; posting another", "channel", at.id(), "error", err)
			board, inThread = "", false
		}
	}
	if board == "" {
		ts, file, _, err := o.deliver(ctx, at, m, last)
		if err != nil {
			return last, err
		}
		return o.noteDelivered(ctx, m, last, func(now *lastPost) {
			now.call("", nil)
			if now.Board && now.TS != at.thread {
				now.fold(oldPost{TS: now.TS, File: now.File, Gone: true})
				now.TS = ""
			}
			*now = now.follow(m, ts, file)
			now.Board, now.BoardKey = true, m.Key
		})
	}
	call, ts := calling(m), ""
	if inThread {
		call = m.Text
	}
	if len(call) > 0 {
		short := m
		short.Text, short.Picture, short.Menus = call, nil, nil
		var err error
		if ts, _, _, err = o.deliver(ctx, at, short, last); err != nil {
			return last, err
		}
	}
	return o.noteDelivered(ctx, m, last, func(now *lastPost) {
		line := text.Text(nil)
		if inThread {
			line = m.Line
		}
		now.call(ts, line)
		if now.TS != "" && now.TS != board && !now.Board { // the lobby in the thread
			now.fold(oldPost{TS: now.TS, Line: now.Line, File: now.File, Gone: len(now.Line) == 0})
			now.File = ""
		}
		if shown && now.File != "" && now.File != fileAlone(file) {
			now.Old = append(now.Old, oldPost{File: now.File})
		}
		if shown {
			now.File = fileAlone(file)
		}
		now.TS, now.Line, now.Live, now.Table, now.Board, now.BoardKey = board, m.Line, m.Live, m.Table, true, m.Key
	})
}

// endInThread makes the message on which a game's thread hangs the card of its end, and
// says the result at the thread's end.
func (o *outbox) endInThread(ctx context.Context, at place, m bot.Message, last lastPost) (lastPost, error) {
	file, shown, err := o.showNow(ctx, at, last.note, last.TS, m, last.File)
	if err != nil {
		o.Log.Info("a board can't be changed", "channel", at.id(), "error", err)
	}
	line := m
	line.Picture, line.Buttons, line.Menus = nil, nil, nil
	ts, _, _, err := o.deliver(ctx, at, line, last)
	if err != nil {
		return last, err
	}
	return o.noteDelivered(ctx, m, last, func(now *lastPost) {
		now.call("", nil)
		if shown && now.File != "" && now.File != fileAlone(file) {
			now.Old = append(now.Old, oldPost{File: now.File})
		}
		now.TS, now.Line, now.File, now.Live, now.Board, now.BoardKey = ts, nil, "", "", false, ""
	})
}

// noteDelivered notes that a message has been delivered, and what that changes.
func (o *outbox) noteDelivered(ctx context.Context, m bot.Message, last lastPost, change func(*lastPost)) (lastPost, error) {
	return o.changeLast(ctx, last.note, func(now *lastPost) error {
		if now.Key != last.Key {
			// Where another process has posted since, that is the latest.
			if err := bot.Held(ctx); err != nil {
				return err
			}
		}
		change(now)
		now.Key = m.Key
		now.delivered()
		return nil
	})
}

// call makes a post the one beside the board; the one before it is yet to be folded to its
// line, or to go.
func (l *lastPost) call(ts string, line text.Text) {
	if l.Call != "" && l.Call != ts {
		l.fold(oldPost{TS: l.Call, Line: l.CallLine, Gone: len(l.CallLine) == 0})
	}
	l.Call, l.CallLine = ts, line
}

// fileAlone is a picture that is a file, "" for an address: there is nothing to delete.
func fileAlone(picture string) string {
	if byURL(picture) {
		return ""
	}
	return picture
}

// calling is what a short post says beside the board: what happened, and the lines that
// call somebody. It is nil where nobody is called.
func calling(m bot.Message) text.Text {
	var calls []text.Text
	for _, line := range linesOf(m.Text) {
		if line.Calls() {
			calls = append(calls, line)
		}
	}
	if len(calls) == 0 {
		return nil
	}
	return text.Lines(append([]text.Text{m.Line}, calls...)...)
}

// linesOf are the lines of a text.
func linesOf(t text.Text) (all []text.Text) {
	var line text.Text
	for _, span := range t {
		for i, piece := range strings.Split(span.Text, "\n") {
			if i > 0 {
				all, line = append(all, line), nil
			}
			if piece != "" {
				span.Text = piece
				line = append(line, span)
			}
		}
	}
	return append(all, line)
}

// showNow shows a game's state in its board. Where Slack's limits have no room for that now
// it follows soon, and shown is false; the error is one that trying again won't mend.
func (o *outbox) showNow(ctx context.Context, at place, note, board string, m bot.Message, had string) (file string, shown bool, err error) {
	if _, waits := o.boards.Load(note); waits || !o.folds.takeNow(string(at.home)+" chat.update") {
		o.showSoon(at, note, board, m)
		return "", false, nil
	}
	file, err = o.show(ctx, at, board, m)
	switch {
	case passes(err), isError(err, gone...):
		o.showSoon(at, note, board, m)
		return "", false, nil
	case err != nil:
		return "", false, err
	}
	return file, true, nil
}

// show puts a game's state into its board, with its picture.
func (o *outbox) show(ctx context.Context, at place, board string, m bot.Message) (file string, err error) {
	if len(m.Whole) > 0 {
		m.Text = m.Whole
	}
	return o.illustrated(ctx, at, m, o.pictures.show(ctx, at, m), func(file string) error {
		return o.update(ctx, at, board, m.Text, o.blocks(ctx, m, file))
	})
}

// showSoon brings a board up to date when Slack's limits have room for it: with the newest
// state there is then, so that a game that moves fast takes no more calls.
func (o *outbox) showSoon(at place, note, board string, m bot.Message) {
	if _, waits := o.boards.Swap(note, &m); waits {
		return
	}
	o.handled.Go(func() {
		ctx, stop := context.WithCancel(context.Background())
		defer context.AfterFunc(o.ended, stop)()
		for wait := time.Second; ; wait = min(2*wait, longestFold) {
			if !o.folds.take(ctx, o.after, string(at.home)+" chat.update") {
				o.boards.Delete(note)
				return
			}
			err := o.showNewest(ctx, at, note, board)
			if !passes(err) && !isError(err, gone...) {
				if err != nil {
					o.Log.Info("a board stays as it is", "channel", at.id(), "error", err)
				}
				return
			}
			if !o.wait(ctx, max(wait, retryAfter(err))) {
				o.boards.Delete(note)
				return
			}
		}
	})
}

// showNewest shows the newest state that waits to be shown.
func (o *outbox) showNewest(ctx context.Context, at place, note, board string) error {
	defer o.locks.lock("post " + note)()
	newest, waits := o.boards.Load(note)
	last, err := o.lastPost(ctx, note)
	if err != nil {
		return err
	}
	if !waits {
		return nil
	}
	m := *newest.(*bot.Message)
	if isBoard(m) && last.TS != board {
		o.boards.Delete(note) // there is another board by now, or none
		return nil
	}
	file, err := o.show(ctx, at, board, m)
	if passes(err) {
		return err
	}
	o.boards.Delete(note)
	if err != nil {
		return err
	}
	last, err = o.changeLast(ctx, note, func(now *lastPost) error {
		if now.File != "" && now.File != fileAlone(file) {
			now.Old = append(now.Old, oldPost{File: now.File})
		}
		now.File = fileAlone(file)
		return nil
	})
	if err == nil && len(last.Old) > 0 {
		o.tidySoon(at, note)
	}
	return err
}

// pressedOn sees to a post of a game that somebody pressed on. One that is neither the
// lobby or the board, nor the call beside it, nor a list that stands in the place is a copy,
// whose answer was lost when it was posted: without leave to read the channel nobody knew of
// it until now. It goes away.
func (o *outbox) pressedOn(ctx context.Context, at place, ts string, table bot.TableID) {
	note := string(at.id())
	defer o.locks.lock("post " + note)()
	last, err := o.lastPost(ctx, note)
	copied := func(l lastPost) bool {
		return l.Live != "" && l.Table == table && table != 0 && l.Trying == "" && !l.knows(ts)
	}
	if err != nil || !copied(last) {
		return
	}
	stands := false
	err = notes.ReadEach(ctx, o.Notes, lastShelf, note+"\n", func(row bot.Row) error {
		list, err := readLast(row.Key, row.Value)
		stands = stands || list.TS == ts
		return err
	})
	if err == nil && !stands {
		_, err = o.changeLast(ctx, note, func(now *lastPost) error {
			if copied(*now) {
				now.fold(oldPost{TS: ts, Gone: true})
			}
			return nil
		})
	}
	if err != nil {
		o.Log.Error("can't note that a copy of a post is to go", "channel", at.id(), "error", err)
		return
	}
	o.tidySoon(at, note)
}
