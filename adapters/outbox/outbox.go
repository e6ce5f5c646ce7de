// Package outbox keeps the state of posts on a chat platform: messages being sent, the newest
// post of each place, the one post of a game and its thread, standing posts, such as a
// player's rack card, posts to fold or delete, places where the app may not post, and the
// rate of calls. A [Platform] posts, edits and deletes.
//
//	Outbox.Post
//	  -> the entry of the place (entry.go)
//	  -> the root of a game and a reply in its thread (root.go), an edit of the newest post
//	     (edit.go), or a new post
//	  -> the entry, with the posts to fold
//	  -> folding, behind (tidy.go)
//
// Entries are stored, so that another process can continue if this one stops at any step.
package outbox

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/rackmate/rackmate/adapters/tasks"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// A Place is a channel or thread that receives posts.
type Place struct {
	ID      string // the platform's
	Note    string // key of its entry: the ID, alone or with the subject of its posts
	RateKey string // name of a rate limit shared with others, such as the threads of a channel
}

// placeOf returns the place of a post.
func (p Place) placeOf(post Post) Place {
	p.ID = cmp.Or(post.In, p.ID)
	return p
}

// threadOf returns the thread that hangs on a post, or the place itself if none does.
func (p Place) threadOf(post Post) Place {
	p.ID = cmp.Or(post.Thread, p.ID)
	return p
}

// A Platform posts, edits and deletes messages on a chat platform.
type Platform interface {
	// Post posts a message. It calls begin right before sending, and returns begin's error.
	// again reports that an earlier try had posted the message already. The outbox fills in
	// Post.Line and similar fields.
	Post(ctx context.Context, at Place, m bot.Message, begin func(context.Context) error) (made Post, again bool, err error)
	// Edit gives a post the text and picture of a message, and returns the picture's
	// file.
	Edit(ctx context.Context, at Place, p Post, m bot.Message) (file string, err error)
	// Reword gives a post the text of a message, and leaves its picture.
	Reword(ctx context.Context, at Place, p Post, m bot.Message) error
	// Fold replaces a post's content with its Line.
	Fold(ctx context.Context, at Place, p Post) error
	// Delete deletes a post.
	Delete(ctx context.Context, at Place, p Post) error
	// DeleteFile deletes a picture that no post shows any more, and handles errors itself.
	DeleteFile(ctx context.Context, at Place, file string)
	// Find searches for the post of an earlier try that got no answer. found is false if
	// there is none, or if the platform can't search.
	Find(ctx context.Context, at Place, m bot.Message) (p Post, found bool, err error)
	// Copies returns the ids of all posts of a message by its key, if the platform can
	// search.
	Copies(ctx context.Context, at Place, key string) []string

	// Notifies reports whether a message notifies anyone.
	Notifies(m bot.Message) bool
	// IsBuried reports whether people are known to have written since the newest post.
	IsBuried(at Place, e Entry) bool
	// CanReplace reports whether a post can be edited and deleted.
	CanReplace(p Post) bool
	// Thread opens the thread of a post for replies about a message's game, or returns it if
	// it is open. It returns "" if the post can't have one.
	Thread(ctx context.Context, at Place, p Post, m bot.Message) (thread string, err error)

	// Allowance returns the rate at which the platform accepts background work in a place,
	// and the limit's name.
	Allowance(at Place, w Work) (name string, r Rate)
	// Classify classifies an error.
	Classify(err error) Fault
	// PlaceOf returns the place of an entry by its key.
	PlaceOf(note string) (Place, bool)
	// ParseFormer parses an entry written by an earlier release.
	ParseFormer(b []byte) (Entry, error)
}

// Work is a kind of background work.
type Work string

// The kinds of work.
const (
	Edits       Work = "edit"
	Deletes     Work = "delete"
	FileDeletes Work = "file" // deletes an uploaded picture
)

// A Fault classifies an error of a platform.
type Fault struct {
	Temporary   bool          // it may succeed later
	After       time.Duration // wait requested by the platform
	Missing     bool          // the post or its place doesn't exist any more
	Answered    bool          // the platform answered: what it refused wasn't done
	Uninstalled bool          // the app isn't installed there now
}

// An Outbox posts messages and keeps the state of its posts. It is safe for concurrent use.
type Outbox struct {
	Platform Platform
	Notes    bot.Notes
	Shelf    string // of Notes; stores the entries
	Within   string // separates a place from the name of a standing post in a note
	Log      *slog.Logger

	// Idempotent means that a message posted twice appears once.
	Idempotent bool

	Gap   Rate         // limits messages with the same rate key
	Turns *notes.Turns // shares the rate keys with other processes; nil if there are no others
	Pace  *Pace
	Tasks *tasks.Tasks
	Ended context.Context // when done, background work stops; the next start continues it

	locks   tasks.Locks // of entries
	waiting sync.Map    // newest queued *edit, by note and post
}

// Lock locks the entry of a place until unlock is called.
func (o *Outbox) Lock(note string) (unlock func()) { return o.locks.Lock("post " + note) }

// Post delivers a message. The error comes from the platform.
func (o *Outbox) Post(ctx context.Context, at Place, m bot.Message) error {
	if m.Standing != "" {
		at.Note += o.Within + m.Standing
		m.Live, m.Whole = m.Standing, m.Text
	}
	defer o.Lock(at.Note)()
	e, err := o.Entry(ctx, at.Note)
	if err != nil {
		return err
	}
	switch {
	case m.Edit:
		o.reword(ctx, at, e, m)
	case e.Key == m.Key, m.Amends && !e.Latest.isReplacedBy(m):
		o.tidySoon(at, e)
	case e.isRooted(m):
		return o.postRooted(ctx, at, m, e)
	default:
		return o.postNext(ctx, at, m, e)
	}
	return nil
}

// postNext posts a message after the newest of its place, or edits that one.
func (o *Outbox) postNext(ctx context.Context, at Place, m bot.Message, e Entry) error {
	replaces := e.Latest.isReplacedBy(m) && o.Platform.CanReplace(e.Latest)
	said := m
	if replaces { // include the text of the replaced post
		said.Text = m.Whole
	}
	made, edited, again, err := Post{}, false, false, error(nil)
	if replaces {
		made, edited, err = o.editLatest(ctx, at, said, e)
	}
	if err == nil && !edited && !m.Amends {
		made, again, err = o.send(ctx, at, said, e)
	}
	if err != nil {
		return err
	}
	return o.noteDelivered(ctx, at, m, e, func(now *Entry) {
		if made.ID == "" {
			return // it can't be edited, and mustn't be posted again
		}
		now.setLatest(m, made, replaces)
		now.Latest.Flat = e.Latest.Flat && e.Latest.Table == m.Table
		if again && m.IsLine() {
			now.Latest.Line = m.Text // it shows the board, because its turn wasn't over then
		}
	})
}

// editLatest edits the newest post into a message. edited is false if the message must be
// posted instead: people have written below, it notifies someone, which edits don't, or
// the platform refuses the edit.
func (o *Outbox) editLatest(ctx context.Context, at Place, m bot.Message, e Entry) (p Post, edited bool, err error) {
	if m.Standing == "" && (o.Platform.Notifies(m) || o.Platform.IsBuried(at, e)) {
		return p, false, nil
	}
	if err := bot.Held(ctx); err != nil {
		return p, false, err // another process may have written a later message already
	}
	if m.To != nil && !o.takeSpare(at, Edits) {
		return p, false, &bot.PostError{RetryAfter: spareWait, Err: errors.New("public posts go first")}
	}
	if err := o.TakeTurn(ctx, at); err != nil {
		return p, false, err
	}
	p = e.Latest
	p.File, err = o.Platform.Edit(ctx, at.placeOf(p), p, p.keepSmall(m))
	if f := o.Platform.Classify(err); err != nil && !f.Temporary && !f.Uninstalled {
		o.Log.Info("can't edit a post; posting another", "place", at.ID, "post", p.ID, "error", err)
		return Post{}, false, nil
	}
	return p, err == nil, err
}

// send posts a message, or finds the post of an earlier try.
func (o *Outbox) send(ctx context.Context, at Place, m bot.Message, e Entry) (made Post, again bool, err error) {
	lost := e.Trying == m.Key && !o.Idempotent
	if lost {
		if p, found := o.find(ctx, at, m, e); found {
			return p, true, nil
		}
	}
	noted := !o.Idempotent || m.Live != ""
	made, again, err = o.Platform.Post(ctx, at, m, func(ctx context.Context) error {
		if noted {
			if _, err := o.change(ctx, at.Note, func(now *Entry) error {
				if now.Trying != m.Key {
					now.markLost(now.Trying)
					now.markDelivered(bot.Message{Key: now.Key})
					now.Trying = m.Key
				}
				if lost {
					now.markLost(m.Key)
				}
				return bot.Held(ctx) // or another process is sending the message
			}); err != nil {
				return err
			}
		}
		if err := o.TakeTurn(ctx, at); err != nil {
			return err
		}
		return bot.Held(ctx)
	})
	if err != nil && noted && o.Platform.Classify(err).Answered {
		// It wasn't posted, so there is nothing to search for.
		_, kept := o.change(ctx, at.Note, func(now *Entry) error {
			if now.Trying == m.Key {
				now.Trying, now.Reported = "", nil
			}
			return nil
		})
		err = errors.Join(err, kept)
	}
	return made, again, err
}

// noteDelivered records that a message was delivered, and the changes that follow. If it
// was unknown whether the message before it had arrived, it searches once for copies.
func (o *Outbox) noteDelivered(ctx context.Context, at Place, m bot.Message, e Entry, change func(*Entry)) error {
	var copies []string
	if e.Lost != "" && !e.Searched && e.Lost != m.Key {
		copies = o.Platform.Copies(ctx, at, e.Lost)
		if in := at.threadOf(e.Latest); in != at {
			copies = append(copies, o.Platform.Copies(ctx, in, e.Lost)...)
		}
	}
	return o.changeAndTidy(ctx, at, func(now *Entry) error {
		if now.Key != e.Key {
			// If another process has posted since, its post is the newest.
			if err := bot.Held(ctx); err != nil {
				return err
			}
		}
		former := *now
		change(now)
		now.markDelivered(m)
		now.Searched = now.Searched || now.Lost != "" && now.Lost == e.Lost && now.Lost != m.Key
		for _, id := range copies {
			if !former.knows(id) && !now.knows(id) {
				now.queueFold(Post{ID: id, Gone: true})
			}
		}
		return nil
	})
}

// find searches for the post of a message whose answer was lost, unless the platform has
// reported it.
func (o *Outbox) find(ctx context.Context, at Place, m bot.Message, e Entry) (Post, bool) {
	if e.Reported != nil {
		return *e.Reported, true
	}
	p, found, err := o.Platform.Find(ctx, at, m)
	if err != nil {
		o.Log.Info("can't check whether a post arrived; posting it again", "place", at.ID, "error", err)
	}
	return p, found && err == nil
}

// TakeTurn waits until a message may be posted under the rate key of its place, which other places
// and processes may share.
func (o *Outbox) TakeTurn(ctx context.Context, at Place) error {
	if o.Gap.Most == 0 {
		return nil
	}
	if err := o.Pace.Take(ctx, at.RateKey, o.Gap); err != nil || o.Turns == nil {
		return err
	}
	return o.Turns.Take(ctx, at.RateKey)
}

// RecordSent records that a message has just been sent: the gap before the next under its rate key
// starts now.
func (o *Outbox) RecordSent(at Place) { o.Pace.Done(at.RateKey) }

// Recall handles a message that isn't needed any more but was being sent when a process
// stopped: if it arrived, it becomes the newest of its place; see [bot.Recaller].
func (o *Outbox) Recall(ctx context.Context, at Place, m bot.Message) error {
	defer o.Lock(at.Note)()
	e, err := o.Entry(ctx, at.Note)
	if err != nil || e.Trying != m.Key || e.Key == m.Key {
		return err
	}
	in := at
	if e.isBoard() {
		in = at.threadOf(e.Latest)
	}
	p, found := Post{}, false
	switch {
	case e.Reported != nil:
		p, found = *e.Reported, true
	case o.Idempotent && in != at: // Find may post it again, and a reply does no harm
	default:
		if p, found, err = o.Platform.Find(ctx, in, m); err != nil && o.Idempotent {
			return err
		}
	}
	return o.changeAndTidy(ctx, at, func(now *Entry) error {
		switch {
		case now.Trying != m.Key:
		case found && now.isBoard():
			now.setCall(&Post{ID: p.ID, Role: Call, In: now.Latest.Thread})
			now.markDelivered(m)
		case found:
			now.setLatest(m, p, now.Latest.isReplacedBy(m) && o.Platform.CanReplace(now.Latest))
		default:
			now.markLost(now.Trying) // the platform may still report it
			now.Trying, now.Reported = "", nil
		}
		return nil
	})
}

// RecordArrival records a message's post reported by the platform: if the answer was lost, the
// message isn't posted again, and if it has been, the copy is deleted.
func (o *Outbox) RecordArrival(ctx context.Context, at Place, key string, p Post) error {
	defer o.Lock(at.Note)() // wait for the answer to a message being sent
	e, err := o.Entry(ctx, at.Note)
	if err != nil || !e.recordArrival(key, p) {
		return err
	}
	return o.changeAndTidy(ctx, at, func(now *Entry) error {
		now.recordArrival(key, p)
		return nil
	})
}

// DeletePressedCopy deletes a game's post that a person pressed on, if it is a copy: neither the
// board or lobby, nor a reply in its thread, nor a standing post. Its answer was lost when it
// was posted, so it was unknown until now.
func (o *Outbox) DeletePressedCopy(ctx context.Context, at Place, id string, table bot.TableID) error {
	defer o.Lock(at.Note)()
	copied := func(e Entry) bool {
		return e.Latest.Live != "" && e.Latest.Thread != at.ID && e.Latest.Table == table && table != 0 && e.Trying == "" && !e.knows(id)
	}
	e, err := o.Entry(ctx, at.Note)
	if err != nil || !copied(e) {
		return err
	}
	stands := false
	if err := notes.ReadEach(ctx, o.Notes, o.Shelf, at.Note+o.Within, func(row bot.Row) error {
		one, err := o.read(row.Key, row.Value)
		stands = stands || one.Latest.ID == id
		return err
	}); err != nil || stands {
		return err
	}
	return o.changeAndTidy(ctx, at, func(now *Entry) error {
		if copied(*now) {
			now.queueFold(Post{ID: id, Gone: true})
		}
		return nil
	})
}

// Forget replaces a forgotten person's name in posts still to fold.
func (o *Outbox) Forget(ctx context.Context, note string, who, former bot.User) error {
	defer o.locks.Lock("tidy " + note)()
	defer o.Lock(note)()
	_, err := o.change(ctx, note, func(e *Entry) error {
		e.forget(who, former)
		return nil
	})
	return err
}

// Withdraw deletes a place's entry, its newest post, the posts still to be folded, and
// the pictures of all of them.
func (o *Outbox) Withdraw(ctx context.Context, at Place) error {
	defer o.locks.Lock("tidy " + at.Note)()
	defer o.Lock(at.Note)()
	e, err := o.Entry(ctx, at.Note)
	if err != nil {
		return err
	}
	all := append([]Post{e.Latest}, e.Old...)
	if e.Call != nil {
		all = append(all, *e.Call)
	}
	for _, p := range all {
		if p.Gone = true; p.ID != "" {
			if err := o.foldOne(ctx, at, p); err != nil && !o.Platform.Classify(err).Missing {
				o.Log.Warn("can't withdraw a message", "place", at.ID, "post", p.ID, "error", err)
			}
		}
		if p.File != "" {
			o.Platform.DeleteFile(ctx, at, p.File)
		}
	}
	return o.Notes.Put(ctx, o.Shelf, at.Note, nil)
}
