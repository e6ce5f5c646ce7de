package discord

import (
	"context"
	"time"

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

// tidy tidies up after a message, beside all else. What goes on about the same
// place is done one after the other.
func (a *Adapter) tidy(channel snowflake, about string, m bot.Message) {
	if a.life.Err() != nil {
		return
	}
	a.tidying.Go(func() {
		defer a.folding.lock(about)()
		if err := a.foldAll(channel, about); err != nil && a.life.Err() == nil {
			a.Log.Warn("older posts stay as they are for now", "channel", channel, "error", err)
		}
		if err := a.tick(m); err != nil && a.life.Err() == nil {
			a.Log.Warn("the message of a thread stays as it is", "channel", m.Beside, "error", err)
		}
	})
}

// foldAll makes a line of each earlier post about a place that is still to be
// folded.
func (a *Adapter) foldAll(channel snowflake, about string) error {
	for {
		last, err := a.lastPost(a.life, about)
		old := last.Folding
		if err != nil || old == nil {
			return err
		}
		tries, err := a.fold(channel, *old)
		if a.life.Err() != nil {
			return a.life.Err()
		}
		if err := a.noteFold(about, old.Message, tries, err == nil); err != nil {
			return err
		}
		if err != nil {
			return err
		}
	}
}

// noteFold notes that a post has been folded, or how often that was tried.
func (a *Adapter) noteFold(about string, message snowflake, tries int, done bool) error {
	defer a.posting.lock(about)()
	return a.changeLast(a.life, about, func(now *lastPost) error {
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
func (a *Adapter) fold(channel snowflake, old lastPost) (tries int, err error) {
	for tries = 1; ; tries++ {
		ctx, cancel := context.WithTimeout(a.life, requestTime)
		if old.Gone {
			err = a.remove(ctx, channel, old.Message)
		} else {
			err = a.editPost(ctx, channel, old, folded(old.Line))
		}
		cancel()
		if err == nil || tries == triesAtOnce {
			return tries, err
		}
		select {
		case <-a.life.Done():
			return tries, a.life.Err()
		case <-a.after(max(retryAfter(err), time.Second<<tries)):
		}
	}
}

// remove deletes a post. One that is gone already is as good.
func (a *Adapter) remove(ctx context.Context, channel, message snowflake) error {
	_, err := a.client.do(ctx, request{method: "DELETE", path: messagePath(channel, message)})
	if refusedForGood(err) {
		return nil
	}
	return err
}

// tick has the message on which a thread hangs say how the game stands there.
// Its id is the thread's.
func (a *Adapter) tick(m bot.Message) error {
	channel, err := ourChannel(m.Beside)
	if err != nil || len(m.Ticker) == 0 {
		return nil // in no thread
	}
	thread, err := ourChannel(m.Channel)
	if err != nil {
		return err
	}
	_, err = a.fold(channel, lastPost{Message: thread, Line: m.Ticker})
	return err
}
