package discord

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/adapters/tasks"
	"github.com/rackmate/rackmate/bot"
)

// This file tidies up after a post: the one before becomes a line, and the
// message on which a thread hangs says how the game stands. Nobody waits for
// that, so it holds nothing up, and is given up after a few tries. What the end
// of the program interrupts is done after the next post.

const (
	// triesAtOnce is how often something is tried after one post, and mostFolds
	// after all that come.
	triesAtOnce = 3
	mostFolds   = 2 * triesAtOnce
)

// A tidier tidies up, beside all else.
type tidier struct {
	*common
	latest  *latest
	folding locks // by place: one at a time folds what was posted about it
	tasks   tasks.Tasks
	life    context.Context // ends with the adapter's Run
	end     context.CancelFunc
}

func newTidier(c *common, l *latest) *tidier {
	t := &tidier{common: c, latest: l}
	t.life, t.end = context.WithCancel(context.Background())
	return t
}

// wait waits until all is tidied up after the posts so far.
func (t *tidier) wait() { t.tasks.Wait() }

// tidy tidies up after a message, beside all else. What goes on about the same
// place is done one after the other.
func (t *tidier) tidy(channel snowflake, about string, m bot.Message) {
	if t.life.Err() != nil {
		return
	}
	t.tasks.Go(func() {
		defer t.folding.lock(about)()
		if err := t.foldAll(channel, about); err != nil && t.life.Err() == nil {
			t.Log.Warn("older posts stay as they are for now", "channel", channel, "error", err)
		}
		if err := t.tick(m); err != nil && t.life.Err() == nil {
			t.Log.Warn("the message of a thread stays as it is", "channel", m.Beside, "error", err)
		}
	})
}

// foldAll makes a line of each earlier post about a place that is still to be
// folded.
func (t *tidier) foldAll(channel snowflake, about string) error {
	for {
		last, err := t.latest.of(t.life, about)
		old := last.Folding
		if err != nil || old == nil {
			return err
		}
		tries, err := t.fold(channel, *old)
		if t.life.Err() != nil {
			return t.life.Err()
		}
		if err := t.noteFold(about, old.Message, tries, err == nil); err != nil {
			return err
		}
		if err != nil {
			return err
		}
	}
}

// noteFold notes that a post has been folded, or how often that was tried.
func (t *tidier) noteFold(about string, message snowflake, tries int, done bool) error {
	defer t.latest.lock(about)()
	return t.latest.change(t.life, about, func(now *lastPost) error {
		for at := &now.Folding; *at != nil; at = &(*at).Folding {
			if old := *at; old.Message == message {
				if old.Tries += tries; done || old.Tries >= mostFolds {
					*at = old.Folding
				}
				break
			}
		}
		return nil
	})
}

// fold makes one line of an earlier post. One that is gone, or can't be
// reached any more, needs no folding.
func (t *tidier) fold(channel snowflake, old lastPost) (tries int, err error) {
	for tries = 1; ; tries++ {
		ctx, cancel := context.WithTimeout(t.life, requestTime)
		if old.Gone {
			err = t.remove(ctx, channel, old.Message)
		} else {
			err = t.edit(ctx, channel, old, folded(old.Line))
		}
		cancel()
		if err == nil || tries == triesAtOnce {
			return tries, err
		}
		if err := t.after.sleep(t.life, max(retryAfter(err), time.Second<<tries)); err != nil {
			return tries, err
		}
	}
}

// remove deletes a post. One that is gone already is as good.
func (t *tidier) remove(ctx context.Context, channel, message snowflake) error {
	_, err := t.client.do(ctx, request{method: "DELETE", path: messagePath(channel, message)})
	if refusedForGood(err) {
		return nil
	}
	return err
}

// tick has the message on which a thread hangs say how the game stands there.
// Its id is the thread's.
func (t *tidier) tick(m bot.Message) error {
	channel, err := ourChannel(m.Beside)
	if err != nil || len(m.Ticker) == 0 {
		return nil // in no thread
	}
	thread, err := ourChannel(m.Channel)
	if err != nil {
		return err
	}
	_, err = t.fold(channel, lastPost{Message: thread, Line: m.Ticker})
	return err
}

// edit changes a post. One that can't be changed stays as it is.
func (t *tidier) edit(ctx context.Context, channel snowflake, post lastPost, to any) error {
	path := messagePath(channel, post.Message)
	if post.By != nil {
		if !post.By.lives(t.Now()) {
			return nil
		}
		path = post.By.path() + "/messages/" + string(post.Message)
	}
	_, err := t.client.do(ctx, request{method: "PATCH", path: path, body: to})
	if refusedForGood(err) {
		t.Log.Info("a post stays as it is", "channel", channel, "message", post.Message, "error", err)
		return nil
	}
	return err
}
