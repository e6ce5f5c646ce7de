package discord

import (
	"context"
	"sync"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
)

// latest are the latest posts, in each channel and to each person about one, which
// the next ones fold. What happens about one place happens one after another.
type latest struct {
	notes bot.Notes
	locks locks // by place
}

// lock keeps others off a place until unlock is called.
func (l *latest) lock(about string) (unlock func()) { return l.locks.lock(about) }

// of is the latest post about a place.
func (l *latest) of(ctx context.Context, about string) (last lastPost, err error) {
	_, err = notes.Read(ctx, l.notes, lastShelf, about, &last)
	return last, err
}

// isKnown reports whether something was posted in a channel, or in somebody's direct
// messages.
func (l *latest) isKnown(ctx context.Context, channel string) (bool, error) {
	last, err := l.of(ctx, channel)
	if err != nil || last.Message != "" {
		return err == nil, err
	}
	rows, err := l.notes.Scan(ctx, lastShelf, channel+"/", "", 1)
	return len(rows) > 0, err
}

// change changes the latest post about a place as it is now, for another process
// may have posted or tidied since it was read.
func (l *latest) change(ctx context.Context, about string, fn func(*lastPost) error) error {
	return l.notes.Change(ctx, func(rows bot.Rows) error {
		var last lastPost
		if _, err := notes.Get(rows, lastShelf, about, &last); err != nil {
			return err
		}
		if err := fn(&last); err != nil || last.Key == "" && last.Trying == "" {
			return err // or it was forgotten
		}
		last.V = 1
		return notes.Put(rows, lastShelf, about, last)
	})
}

// A lastPost is the latest post in a channel, or to a person about one, which
// the next one folds.
type lastPost struct {
	V       int       `json:"v"`
	Key     string    `json:"key"`
	Message snowflake `json:"message"`
	Line    text.Text `json:"line,omitempty"` // what it is folded to; none: it stays
	// Folding are the posts before that are still to be folded, each the
	// Folding of the one after it.
	Folding *lastPost `json:"folding,omitempty"`
	Tries   int       `json:"tries,omitempty"` // at folding it
	Gone    bool      `json:"gone,omitempty"`  // it is deleted, not folded
	// Live and Table are the message's; see bot.Message.Live.
	Live  string      `json:"live,omitempty"`
	Table bot.TableID `json:"table,omitempty"`
	By    *visit      `json:"by,omitempty"` // whose token it was posted with, nil: the bot's own
	// Call is a message that called somebody to a board that was edited in place, as an
	// earlier release did. The next post removes it.
	Call snowflake `json:"call,omitempty"`
	// Trying is the key of a message with a Live that was on its way when this was
	// written.
	Trying string `json:"trying,omitempty"`
}

// follow is a post of a message that comes after another.
func (l lastPost) follow(post lastPost, m bot.Message) lastPost {
	post.Folding = l.Folding
	if l.Call != "" && l.Call != post.Call {
		post.Folding = &lastPost{Message: l.Call, Gone: true, Folding: post.Folding}
	}
	l.Folding, l.Call = post.Folding, ""
	if l.Gone, l.Trying = l.precedes(m), ""; l.Message != post.Message && (l.Gone || len(l.Line) > 0) {
		post.Folding = &l
	}
	return post
}

// precedes reports whether a message takes the place of a post.
func (l lastPost) precedes(m bot.Message) bool {
	return l.Message != "" && l.By == nil && m.Live != "" && !m.Anew && l.Live == m.Live && l.Table == m.Table
}

// chats are the latest messages of channels, as Discord tells with what somebody does
// there. They cost no request, and no permission to read the history.
type chats struct{ latest sync.Map } // by channel: snowflake

// note notes a channel's latest message.
func (c *chats) note(channel, message snowflake) {
	if message.valid() {
		c.latest.Store(channel, message)
	}
}

// since reports whether somebody is known to have written in a channel after all of
// some messages.
func (c *chats) since(channel snowflake, messages ...snowflake) bool {
	seen, ok := c.latest.Load(channel)
	if !ok {
		return false
	}
	for _, m := range messages {
		if !seen.(snowflake).after(m) {
			return false
		}
	}
	return true
}
