package outbox

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
)

// A Role is the purpose of a post in its place.
type Role string

const (
	// Latest is the newest message. The next one folds or replaces it.
	Latest Role = ""
	// Board is a game's only post, edited in place as the game goes on.
	Board Role = "board"
	// Call is the reply in a board's thread that notifies the player to move.
	Call Role = "call"
)

// A Post is a message on the platform, and what happens to it when a newer one comes.
type Post struct {
	ID    string          `json:"id,omitempty"` // the platform's; "" for a file that isn't in a post any more
	Role  Role            `json:"role,omitempty"`
	Line  text.Text       `json:"line,omitempty"`  // text that replaces it when it is folded; without one it stays, but a call is deleted
	Small text.Text       `json:"small,omitempty"` // lines in small type, which every edit keeps
	File  string          `json:"file,omitempty"`  // file id of its uploaded picture
	Live  string          `json:"live,omitempty"`  // of the message; see bot.Message.Live
	Table bot.TableID     `json:"table,omitempty"`
	By    json.RawMessage `json:"by,omitempty"`   // what the platform needs to change it
	In    string          `json:"in,omitempty"`   // id of its place, if that isn't the entry's
	Gone  bool            `json:"gone,omitempty"` // delete it instead of folding it

	Thread string `json:"thread,omitempty"` // id of the thread that hangs on it, once that is open
	Flat   bool   `json:"flat,omitempty"`   // it can't have a thread
}

// version is the version of newly written entries.
const version = 3

// An Entry is the stored state of one place: its newest post, the newest reply in that post's
// thread, the message being sent, and the posts to fold or delete.
type Entry struct {
	V      int    `json:"v"`
	Key    string `json:"key"` // of the message delivered last
	Latest Post   `json:"latest"`
	Call   *Post  `json:"call,omitempty"`
	// Shows is the key of the message that the root shows or is about to show.
	Shows string `json:"shows,omitempty"`
	// Trying is the key of a message that was being sent when this was written. Reported
	// is its post, if the platform reported it before answering.
	Trying   string `json:"trying,omitempty"`
	Reported *Post  `json:"there,omitempty"`
	// Lost is the key of a message that may or may not have arrived: it was posted again, or
	// isn't needed any more. Searched means that its place was searched for it.
	Lost     string `json:"lost,omitempty"`
	Searched bool   `json:"sought,omitempty"`
	// Old holds earlier posts to fold or delete, oldest first.
	Old []Post `json:"old,omitempty"`
}

// isBoard reports whether the newest post is the board of a table's game.
func (e *Entry) isBoard() bool { return e.Latest.Role == Board }

// boardOf reports whether the newest post is the board of a table.
func (e *Entry) boardOf(table bot.TableID) bool { return e.isBoard() && e.Latest.Table == table }

// isReplacedBy reports whether a message replaces the post.
func (p Post) isReplacedBy(m bot.Message) bool {
	return p.ID != "" && m.Live != "" && !m.Anew && p.Live == m.Live && p.Table == m.Table
}

// keepSmall returns a message with the post's lines in small type added, unless it has its own.
// They commit the host to a fair draw, so they must stay in the post that people saw first.
func (p Post) keepSmall(m bot.Message) bot.Message {
	if len(p.Small) > 0 && len(m.Text.SmallLines()) == 0 {
		m.Text = text.Lines(m.Text, p.Small)
	}
	return m
}

// setLatest makes a post the newest. The previous one will be folded, or deleted if the
// message replaces it.
func (e *Entry) setLatest(m bot.Message, made Post, replaces bool) {
	e.setCall(nil)
	former := e.Latest
	next := Post{ID: made.ID, Line: m.Line, Small: m.Text.SmallLines(), File: made.File, Live: m.Live, Table: m.Table, By: made.By}
	switch {
	case former.ID == made.ID: // it was edited
		next.By = former.By
		if len(next.Small) == 0 {
			next.Small = former.Small
		}
		e.discard(former.File, made.File)
	case replaces:
		former.Gone = true
		e.queueFold(former)
	case former.ID != "" && len(former.Line) > 0:
		e.queueFold(former)
	}
	e.Latest, e.Shows = next, ""
	e.markDelivered(m)
}

// markDelivered records that a message was delivered. A post that the platform reported for it,
// other than the one now known, will be deleted.
func (e *Entry) markDelivered(m bot.Message) {
	there := e.Reported
	e.Key, e.Trying, e.Reported = m.Key, "", nil
	if there != nil && !e.knows(there.ID) {
		e.queueFold(Post{ID: there.ID, File: there.File, Gone: true})
	}
}

// markLost records that it is unknown whether a message has arrived.
func (e *Entry) markLost(key string) {
	if key != "" && e.Lost != key {
		e.Lost, e.Searched = key, false
	}
}

// setCall makes a post the newest reply. Earlier releases called people beside the board: such a
// call will be folded to its line, or deleted if it doesn't have one.
func (e *Entry) setCall(call *Post) {
	if old := e.Call; old != nil && old.In == "" && (call == nil || call.ID != old.ID) {
		old.Gone = len(old.Line) == 0
		e.queueFold(*old)
	}
	e.Call = call
}

// queueFold schedules the folding or deletion of a post, in place of earlier plans for it. Lines in
// small type stay: the post folds to them instead of being deleted.
func (e *Entry) queueFold(p Post) {
	p.Live, p.Table, p.Role, p.Thread, p.Flat = "", 0, "", "", false
	if len(p.Small) > 0 {
		if p.Gone {
			p.Line, p.Gone = nil, false
		}
		p.Line, p.Small = text.Lines(p.Line, p.Small), nil
	}
	if p.ID != "" {
		e.Old = slices.DeleteFunc(slices.Clone(e.Old), func(o Post) bool { return o.ID == p.ID })
	}
	e.Old = append(slices.Clip(e.Old), p)
}

// discard schedules the deletion of a file, unless a post still shows it.
func (e *Entry) discard(file, shown string) {
	if file != "" && file != shown {
		e.queueFold(Post{File: file})
	}
}

// removeLatest schedules the deletion of the newest post.
func (e *Entry) removeLatest() {
	if old := e.Latest; old.ID != "" {
		old.Gone = true
		e.queueFold(old)
	}
	e.Latest.ID, e.Latest.File, e.Latest.Small = "", "", nil
}

// knows reports whether a post belongs to the entry.
func (e *Entry) knows(id string) bool {
	return id == e.Latest.ID || e.Call != nil && id == e.Call.ID || e.Reported != nil && id == e.Reported.ID ||
		slices.ContainsFunc(e.Old, func(o Post) bool { return o.ID == id })
}

// recordArrival records a message's post reported by the platform, and reports whether that
// changes anything. A copy of a known one will be deleted.
func (e *Entry) recordArrival(key string, p Post) bool {
	switch {
	case e.knows(p.ID):
		return false
	case e.Trying == key && e.Reported == nil:
		e.Reported = &p
	case e.Trying == key, e.Key == key, e.Lost == key:
		e.queueFold(Post{ID: p.ID, File: p.File, Gone: true})
	default:
		return false
	}
	return true
}

// forget replaces a forgotten person's name in the lines that posts are folded to.
func (e *Entry) forget(who, former bot.User) {
	e.Latest.Line = e.Latest.Line.Without(who, former)
	if e.Call != nil {
		e.Call.Line = e.Call.Line.Without(who, former)
	}
	for i := range e.Old {
		e.Old[i].Line = e.Old[i].Line.Without(who, former)
	}
}

// Entry returns the stored state of a place.
func (o *Outbox) Entry(ctx context.Context, note string) (Entry, error) {
	b, err := o.Notes.Get(ctx, o.Shelf, note)
	if err != nil {
		return Entry{}, err
	}
	return o.read(note, b)
}

// HasPosted reports whether a place has a post, perhaps only a standing one. note is the
// key of its entry.
func (o *Outbox) HasPosted(ctx context.Context, note string) (bool, error) {
	e, err := o.Entry(ctx, note)
	if err != nil || e.Latest.ID != "" {
		return err == nil, err
	}
	rows, err := o.Notes.Scan(ctx, o.Shelf, note+o.Within, "", 1)
	return len(rows) > 0, err
}

func (o *Outbox) read(note string, b []byte) (e Entry, err error) {
	if b != nil {
		var v struct {
			V int `json:"v"`
		}
		if err = json.Unmarshal(b, &v); err == nil && v.V < version {
			e, err = o.Platform.ParseFormer(b)
		} else if err == nil {
			err = json.Unmarshal(b, &e)
		}
		if err != nil {
			err = fmt.Errorf("read the note about %s: %w", note, err)
		}
	}
	return e, err
}

// change changes the stored entry, which another process may have changed since it was
// read. It continues even while the host shuts down.
func (o *Outbox) change(ctx context.Context, note string, fn func(*Entry) error) (e Entry, err error) {
	err = o.Notes.Change(context.WithoutCancel(ctx), func(rows bot.Rows) error {
		b, err := rows.Get(o.Shelf, note)
		if err != nil {
			return err
		}
		if e, err = o.read(note, b); err != nil {
			return err
		}
		if err := fn(&e); err != nil {
			return err
		}
		if e.Key == "" && e.Trying == "" {
			return nil // it has been forgotten in the meantime
		}
		if e.V < version && b != nil { // old fields mustn't remain
			if err := rows.Put(o.Shelf, note, nil); err != nil {
				return err
			}
		}
		e.V = version
		return notes.Put(rows, o.Shelf, note, e)
	})
	return e, err
}
