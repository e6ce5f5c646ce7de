package outbox

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// This file makes edits in the background. If the platform doesn't accept an edit now, it
// is made later with the newest state, so a fast game takes no more calls than a slow one.

// An edit is a queued edit of a post.
type edit struct {
	post     Post
	m        bot.Message
	textOnly bool // the picture stays
}

// key returns the key of a place's edit in the queue.
func (x *edit) key(at Place) string { return at.Note + " " + x.post.ID }

// reword changes the text of a message's post, if it is still the newest.
func (o *Outbox) reword(ctx context.Context, at Place, e Entry, m bot.Message) {
	if e.Key != m.Key && (!e.isBoard() || e.Shows != m.Key) {
		return // a newer one has come
	}
	x := &edit{e.Latest, m, true}
	key := x.key(at)
	if had, waits := o.waiting.Load(key); waits && had.(*edit).m.Key == m.Key && !had.(*edit).textOnly {
		newer := *had.(*edit) // with its picture
		newer.m.Text, newer.m.Whole = m.Text, m.Whole
		x = &newer
	} else if err := o.Platform.Reword(ctx, at.placeOf(e.Latest), e.Latest, e.Latest.keepSmall(m)); !o.isTemporary(err) {
		o.waiting.Delete(key)
		if err != nil {
			o.Log.Info("can't edit a post's text", "place", at.ID, "post", e.Latest.ID, "error", err)
		}
		return
	}
	o.editLater(at, x)
}

// isTemporary reports whether a failed edit may succeed later.
func (o *Outbox) isTemporary(err error) bool {
	f := o.Platform.Classify(err)
	return err != nil && (f.Temporary || f.Uninstalled)
}

// showNow shows a game's state in its board. If the platform's limits leave no room now,
// the edit follows soon, and shown is false. The error is one that a retry won't fix.
func (o *Outbox) showNow(ctx context.Context, at Place, board Post, m bot.Message) (file string, shown bool, err error) {
	if len(m.Whole) > 0 {
		m.Text = m.Whole
	}
	x := &edit{post: board, m: m}
	if _, waits := o.waiting.Load(x.key(at)); waits || !o.takeNow(at, Edits) {
		o.editLater(at, x)
		return "", false, nil
	}
	if file, err = o.Platform.Edit(ctx, at.placeOf(board), board, board.keepSmall(m)); o.isTemporary(err) {
		o.editLater(at, x)
		return "", false, nil
	}
	return file, err == nil, err
}

// editLater makes an edit in the background, unless a newer one replaces it.
func (o *Outbox) editLater(at Place, x *edit) {
	key := x.key(at)
	if _, waits := o.waiting.Swap(key, x); waits {
		return
	}
	o.Tasks.Go(func() {
		ctx, stop := o.background()
		defer stop()
		for wait := firstRetry; ; wait = min(2*wait, longestRetry) {
			if !o.take(ctx, at, Edits) {
				break
			}
			err := o.editNewest(ctx, at, key)
			if !o.isTemporary(err) {
				if err != nil {
					o.Log.Info("can't edit a post; leaving it as it is", "place", at.ID, "error", err)
				}
				return
			}
			if o.Pace.Sleep(ctx, max(wait, o.Platform.Classify(err).After)) != nil {
				break
			}
		}
		o.waiting.Delete(key)
	})
}

// Waits between two tries in the background.
const (
	firstRetry   = time.Second
	longestRetry = 5 * time.Minute
)

// editNewest makes the newest queued edit of a post.
func (o *Outbox) editNewest(ctx context.Context, at Place, key string) error {
	defer o.Lock(at.Note)()
	newest, waits := o.waiting.Load(key)
	e, err := o.Entry(ctx, at.Note)
	if err != nil || !waits {
		return err
	}
	x := newest.(*edit)
	if (isBoard(x.m) || x.textOnly) && e.Latest.ID != x.post.ID {
		o.waiting.Delete(key) // another post is the newest by now, or none
		return nil
	}
	var file string
	if x.textOnly {
		err = o.Platform.Reword(ctx, at.placeOf(x.post), x.post, x.post.keepSmall(x.m))
	} else {
		file, err = o.Platform.Edit(ctx, at.placeOf(x.post), x.post, x.post.keepSmall(x.m))
	}
	if o.isTemporary(err) {
		return err
	}
	o.waiting.Delete(key)
	if err != nil || x.textOnly {
		return err
	}
	return o.changeAndTidy(ctx, at, func(now *Entry) error {
		if now.Latest.ID == x.post.ID {
			now.discard(now.Latest.File, file)
			now.Latest.File = file
		}
		return nil
	})
}

// background returns a context for background work. It is done when the outbox ends, or
// when the returned function is called.
func (o *Outbox) background() (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	stop := context.AfterFunc(o.Ended, cancel)
	return ctx, func() { stop(); cancel() }
}

// takeNow takes a turn for some work if one is free now, and reports whether it did.
func (o *Outbox) takeNow(at Place, w Work) bool {
	name, rate := o.Platform.Allowance(at, w)
	return rate.Most == 0 || o.Pace.TakeNow(name, rate, 1)
}

// takeSpare takes a turn for some work if at least half of the turns are free, and reports
// whether it did.
func (o *Outbox) takeSpare(at Place, w Work) bool {
	name, rate := o.Platform.Allowance(at, w)
	return rate.Most == 0 || o.Pace.TakeNow(name, rate, max(rate.Most/2, 1))
}

// spareWait is the wait before an edit asks again for a spare turn.
const spareWait = 5 * time.Second

// take waits for a turn for some work. It reports false if ctx is done before.
func (o *Outbox) take(ctx context.Context, at Place, w Work) bool {
	name, rate := o.Platform.Allowance(at, w)
	return ctx.Err() == nil && (rate.Most == 0 || o.Pace.Take(ctx, name, rate) == nil)
}
