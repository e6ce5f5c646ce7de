package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
)

// The shelves of Discord's notes.
const (
	lastShelf    = "last"    // by channel, or direct messages and the channel they are about: the lastPost
	blockedShelf = "blocked" // by channel: since when the bot may not post there
	directShelf  = "direct"  // by user: the channel of their direct messages
	closedShelf  = "closed"  // by user: their direct messages are closed
)

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
	// Trying is the key of a message with a Live that was on its way when this was
	// written.
	Trying string `json:"trying,omitempty"`
}

// Post delivers a message to its channel, or to one person's direct messages.
//
// Twice the same message makes one: what was posted last is noted, and until
// the note is written the message's key, as its nonce, lets Discord see it.
func (a *Adapter) Post(ctx context.Context, m bot.Message) error {
	channel, err := ourChannel(m.Channel)
	if err != nil {
		return &bot.PostError{Permanent: true, Err: err}
	}
	p, about := a.public(m), string(channel)
	if m.To != nil {
		// Under a direct message nobody sees which channel it is about.
		where := "<#" + string(channel) + ">\n"
		if units(p.Content)+units(where) <= maxContent {
			p.Content = where + p.Content
		}
		if channel, err = a.direct(ctx, m.To.ID); err != nil {
			return postError(err)
		}
		if m.Table == 0 {
			about = "" // what is about no table folds nobody's rack
		}
		about = string(channel) + "/" + about
	}
	defer a.posting.lock(about)()
	post, err := a.lastPost(ctx, about)
	if err != nil {
		return err
	}
	if m.Edit { // people wait for nothing that it says: one try
		if post.Key != m.Key {
			return nil // a newer one has come
		}
		if err := a.reword(ctx, channel, post, p.Content); err != nil {
			a.Log.Warn("a post keeps its words", "channel", channel, "message", post.Message, "error", err)
		}
		return nil
	}
	if post.Key == m.Key { // it is there
		a.tidy(channel, about, m)
		return nil
	}
	return a.postNext(ctx, channel, about, post, m, p)
}

// postNext posts a message after the one before it, or edits that one to say it.
func (a *Adapter) postNext(ctx context.Context, channel snowflake, about string, before lastPost, m bot.Message, p payload) error {
	if before.precedes(m) { // and takes along what it says
		m.Text = m.Whole
		p = a.public(m)
	}
	redone, err := a.redo(ctx, channel, before, m, p)
	switch {
	case err != nil:
		return a.settleRefusal(ctx, channel, m.To, err)
	case redone:
		post := before
		post.Key, post.Line = m.Key, m.Line
		return a.succeed(ctx, channel, about, before, post, m)
	}
	post := lastPost{Key: m.Key, Line: m.Line, Live: m.Live, Table: m.Table}
	if m.To == nil {
		v, visiting, err := a.visit(ctx, channel)
		if err != nil {
			return err
		}
		if visiting {
			post.By = &v
		}
	}
	if m.Live != "" { // nobody posts it again when it is overtaken: see Recall
		if err := a.changeLast(ctx, about, func(now *lastPost) error {
			now.Trying = m.Key
			return bot.Held(ctx) // or it is another's that is on its way
		}); err != nil {
			return err
		}
	}
	if err := bot.Held(ctx); err != nil {
		return err
	}
	var made created
	if post.By != nil {
		made, err = a.createByVisit(ctx, *post.By, p)
	} else {
		made, err = a.create(ctx, channel, p)
	}
	if err != nil {
		return a.settleRefusal(ctx, channel, m.To, err)
	}
	if post.Message = made.ID; len(m.Line) == 0 && made.outdoes(p) {
		post.Line = m.Text // a turn's whole board, and the turn is over by now
	}
	if err := a.unblock(ctx, channel); err != nil {
		return err
	}
	return a.succeed(ctx, channel, about, before, post, m)
}

// succeed keeps a post as the latest, notes that the one before it is still to be
// folded or deleted, and tidies up.
func (a *Adapter) succeed(ctx context.Context, channel snowflake, about string, before, post lastPost, m bot.Message) error {
	if err := a.changeLast(ctx, about, func(now *lastPost) error {
		if now.Key != before.Key { // where another process has posted since, that is the latest
			if err := bot.Held(ctx); err != nil {
				return err
			}
		}
		*now = now.follow(post, m)
		return nil
	}); err != nil {
		return err
	}
	a.tidy(channel, about, m)
	return nil
}

// follow is a post of a message that comes after another.
func (l lastPost) follow(post lastPost, m bot.Message) lastPost {
	post.Folding = l.Folding
	if l.Gone, l.Trying = l.precedes(m), ""; l.Message != post.Message && (l.Gone || len(l.Line) > 0) {
		post.Folding = &l
	}
	return post
}

// Recall makes a message that nobody needs any more the latest of its channel, where
// it was on its way when the program ended; see [bot.Recaller]. Its nonce brings
// back the one that is there. Where none is, or that was too long ago, a new one is
// there for a moment, and calls nobody.
func (a *Adapter) Recall(ctx context.Context, m bot.Message) error {
	channel, err := ourChannel(m.Channel)
	if err != nil || m.To != nil {
		return err
	}
	about := string(channel)
	defer a.posting.lock(about)()
	before, err := a.lastPost(ctx, about)
	if err != nil || before.Trying != m.Key || before.Key == m.Key {
		return err
	}
	if _, visiting, err := a.visit(ctx, channel); err != nil || visiting {
		return err // what is posted by a token can't be asked for again
	}
	p := a.public(m)
	p.AllowedMentions.Users, p.Flags = []snowflake{}, silent
	made, err := a.create(ctx, channel, p)
	if err != nil {
		return a.settleRefusal(ctx, channel, nil, err)
	}
	post := lastPost{Key: m.Key, Message: made.ID, Live: m.Live, Table: m.Table}
	return a.succeed(ctx, channel, about, before, post, m)
}

// precedes reports whether a message takes the place of a post.
func (l lastPost) precedes(m bot.Message) bool {
	return l.Message != "" && l.By == nil && m.Live != "" && l.Live == m.Live && l.Table == m.Table
}

// redo edits the latest post to say what a message says. It reports false where the
// message must be posted instead: it takes no other's place, or it calls somebody,
// which an edit can't, or chat has pushed the latest post out of sight.
func (a *Adapter) redo(ctx context.Context, channel snowflake, last lastPost, m bot.Message, p payload) (bool, error) {
	if !last.precedes(m) || m.Whole.Calls() || a.pushedAway(ctx, channel, last.Message) {
		return false, nil
	}
	if err := bot.Held(ctx); err != nil {
		return false, err // it may say by now what comes after this message
	}
	p.Nonce, p.EnforceNonce = "", false
	_, err := a.client.do(ctx, request{method: "PATCH", path: messagePath(channel, last.Message), body: p, files: p.files})
	if refusedForGood(err) {
		a.Log.Info("a post can't be changed; posting another", "channel", channel, "message", last.Message, "error", err)
		return false, nil
	}
	return err == nil, err
}

// pushedBy is how many later messages push one out of sight on a phone.
const pushedBy = 5

// pushedAway reports whether people have talked so much since a message that it is
// out of sight. Where the bot may not read the channel it reports false.
func (a *Adapter) pushedAway(ctx context.Context, channel, message snowflake) bool {
	b, err := a.call(ctx, "GET", fmt.Sprintf("%s?after=%s&limit=%d", messagesPath(channel), message, pushedBy), nil)
	var later []struct{}
	return err == nil && json.Unmarshal(b, &later) == nil && len(later) == pushedBy
}

// create posts a message in a channel. A thread that went to sleep between two
// moves is woken.
func (a *Adapter) create(ctx context.Context, channel snowflake, p payload) (made created, err error) {
	post := request{method: "POST", path: messagesPath(channel), body: p, files: p.files}
	b, err := a.client.do(ctx, post)
	if code(err) == archivedThread {
		if err = a.wake(ctx, channel); err == nil {
			b, err = a.client.do(ctx, post)
		}
	}
	if err != nil {
		return made, err
	}
	return parseCreated(b)
}

// A created is what the answer to a message tells of it.
type created struct {
	ID          snowflake         `json:"id"`
	Components  []json.RawMessage `json:"components"`
	Attachments []json.RawMessage `json:"attachments"`
}

func parseCreated(answer []byte) (made created, err error) {
	if err := json.Unmarshal(answer, &made); err != nil || !made.ID.valid() {
		return created{}, errors.New("the answer to a message makes no sense")
	}
	return made, nil
}

// outdoes reports whether the message has a picture or buttons where what was sent
// has none: it is one that was posted already, as it was then, before the program
// was killed.
func (c created) outdoes(sent payload) bool {
	return len(c.Attachments) > len(sent.files) || len(c.Components) > len(sent.Components)
}

// reword gives a post another text. It calls nobody, and leaves the picture and
// the buttons as they are. One that is gone stays so.
func (a *Adapter) reword(ctx context.Context, channel snowflake, post lastPost, text string) error {
	return a.editPost(ctx, channel, post, struct {
		Content         string          `json:"content"`
		AllowedMentions allowedMentions `json:"allowed_mentions"`
	}{text, allowedMentions{Parse: []string{}, Users: []snowflake{}}})
}

// editPost changes a post. One that can't be changed stays as it is.
func (a *Adapter) editPost(ctx context.Context, channel snowflake, post lastPost, to any) error {
	path := messagePath(channel, post.Message)
	if post.By != nil {
		if !post.By.lives(a.Now()) {
			return nil
		}
		path = post.By.path() + "/messages/" + string(post.Message)
	}
	_, err := a.client.do(ctx, request{method: "PATCH", path: path, body: to})
	if refusedForGood(err) {
		a.Log.Info("a post stays as it is", "channel", channel, "message", post.Message, "error", err)
		return nil
	}
	return err
}

func (a *Adapter) lastPost(ctx context.Context, about string) (last lastPost, err error) {
	_, err = notes.Read(ctx, a.Notes, lastShelf, about, &last)
	return last, err
}

// changeLast changes the latest post about a place as it is now, for another process
// may have posted or tidied since it was read.
func (a *Adapter) changeLast(ctx context.Context, about string, fn func(*lastPost) error) error {
	return a.Notes.Change(ctx, func(rows bot.Rows) error {
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

const (
	// blockedWait is how long to wait where the bot may not post: somebody may
	// grant it what is missing.
	blockedWait = 10 * time.Minute
	// blockedFor is how long to hope for that.
	blockedFor = 24 * time.Hour
)

// settleRefusal decides what becomes of a message that Discord doesn't take.
//
//	channel, guild or person gone           dropped
//	direct messages closed                  dropped, and none is tried again
//	no access, permission missing           tried for a day, then dropped
//	anything else that is wrong with it     dropped
//	rate limit, server error, no answer     tried again
func (a *Adapter) settleRefusal(ctx context.Context, channel snowflake, to *bot.User, err error) error {
	switch c := code(err); {
	case to != nil && (c == closedDM || c == noMutualGuild || c == missingAccess):
		return errors.Join(a.closeDirect(ctx, to.ID), &bot.PostError{Permanent: true, Closed: true, Err: err})
	case c == unknownChannel:
		return &bot.PostError{Permanent: true, Gone: true, Err: err}
	case c == missingAccess || c == missingPermissions:
		return a.putOffBlocked(ctx, channel, err)
	}
	return postError(err)
}

// putOffBlocked puts a message off where the bot may not post, for a day in all.
func (a *Adapter) putOffBlocked(ctx context.Context, channel snowflake, cause error) error {
	b, err := a.Notes.Get(ctx, blockedShelf, string(channel))
	if err != nil {
		return err
	}
	since := a.Now()
	if b == nil || since.UnmarshalText(b) != nil {
		since = a.Now()
		text, err := since.MarshalText()
		if err != nil {
			return err
		}
		if err := a.Notes.Put(ctx, blockedShelf, string(channel), text); err != nil {
			return err
		}
	}
	err = fmt.Errorf("the bot may not post in channel %s, and needs View Channels, Send Messages and Attach Files there: %w", channel, cause)
	if a.Now().Sub(since) >= blockedFor {
		return &bot.PostError{Permanent: true, Gone: true, Err: err}
	}
	return &bot.PostError{RetryAfter: blockedWait, Err: err}
}

// unblock forgets that the bot could not post in a channel.
func (a *Adapter) unblock(ctx context.Context, channel snowflake) error {
	b, err := a.Notes.Get(ctx, blockedShelf, string(channel))
	if err == nil && b != nil {
		err = a.Notes.Put(ctx, blockedShelf, string(channel), nil)
	}
	return err
}

// hope tries at once what waits to be posted in a channel where somebody does
// something: they may have let the bot post there.
func (a *Adapter) hope(ctx context.Context, channel snowflake) {
	if b, err := a.Notes.Get(ctx, blockedShelf, string(channel)); err == nil && b != nil {
		a.Host.Retry(ctx, func(ch bot.ChannelID) bool { return ch == channelID(channel) })
	}
}

// postError says what a failure means for the message.
func postError(err error) error {
	if err == nil {
		return nil
	}
	var already *bot.PostError
	if errors.As(err, &already) {
		return err
	}
	diagnosis := diagnosed(err)
	switch {
	case hopeless(diagnosis): // the operator's to mend, and then it can be sent
		return &bot.PostError{RetryAfter: blockedWait, Err: diagnosis}
	case refusedForGood(err):
		return &bot.PostError{Permanent: true, Err: err}
	}
	return &bot.PostError{RetryAfter: retryAfter(err), Err: err}
}
