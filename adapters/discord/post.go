package discord

import (
	"context"
	"errors"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// The shelves of Discord's notes.
const (
	lastShelf    = "last"    // by channel, or direct messages and the channel they are about: the lastPost
	blockedShelf = "blocked" // by channel: since when the bot may not post there
	directShelf  = "direct"  // by user: the channel of their direct messages
	closedShelf  = "closed"  // by user: their direct messages are closed
)

// An outbox delivers what the host posts.
type outbox struct {
	*common
	composer composer
	latest   *latest
	tidier   *tidier
	directs  *directs
	visits   *visits
	refusals *refusals
	chats    *chats
	servers  *servers
	threads  threads
	overHTTP bool // interactions come over HTTP, and nothing of servers that are gone
}

// Post delivers a message to its channel, or to one person's direct messages.
//
// Twice the same message makes one: what was posted last is noted, and until
// the note is written the message's key, as its nonce, lets Discord see it.
func (o *outbox) Post(ctx context.Context, m bot.Message) error {
	channel, err := ourChannel(m.Channel)
	if err != nil {
		return &bot.PostError{Permanent: true, Err: err}
	}
	p, about := o.composer.public(m), string(channel)
	if m.To != nil {
		// Under a direct message nobody sees which channel it is about.
		where := "<#" + string(channel) + ">\n"
		if units(p.Content)+units(where) <= maxContent {
			p.Content = where + p.Content
		}
		if channel, err = o.directs.open(ctx, m.To.ID); err != nil {
			return postError(err)
		}
		if m.Table == 0 {
			about = "" // what is about no table folds nobody's rack
		}
		about = string(channel) + "/" + about
	}
	if m.Standing != "" {
		about += "/" + m.Standing
		m.Live, m.Whole = m.Standing, m.Text
	}
	defer o.latest.lock(about)()
	post, err := o.latest.of(ctx, about)
	if err != nil {
		return err
	}
	if m.Edit { // people wait for nothing that it says: one try
		if post.Key != m.Key {
			return nil // a newer one has come
		}
		if err := o.reword(ctx, channel, post, p.Content); err != nil {
			o.Log.Warn("a post keeps its words", "channel", channel, "message", post.Message, "error", err)
		}
		return nil
	}
	if post.Key == m.Key { // it is there
		o.tidier.tidy(channel, about, m)
		o.tagSoon(ctx, channel, m)
		return nil
	}
	return o.postNext(ctx, channel, about, post, m, p)
}

// postNext posts a message after the one before it, or edits that one to say it.
func (o *outbox) postNext(ctx context.Context, channel snowflake, about string, before lastPost, m bot.Message, p payload) error {
	if before.precedes(m) { // and takes along what it says
		m.Text = m.Whole
		p = o.composer.public(m)
	}
	redone, err := o.redo(ctx, channel, before, m, p)
	switch {
	case err != nil:
		return o.settleRefusal(ctx, channel, m, nil, err)
	case redone:
		post := before
		post.Key, post.Line = m.Key, m.Line
		return o.succeed(ctx, channel, about, before, post, m)
	}
	post := lastPost{Key: m.Key, Line: m.Line, Live: m.Live, Table: m.Table}
	if m.To == nil {
		v, visiting, err := o.visits.at(ctx, channel)
		if err != nil {
			return err
		}
		if visiting {
			post.By = &v
		}
	}
	if m.Live != "" {
		if err := o.trying(ctx, about, m); err != nil {
			return err
		}
	}
	if err := bot.Held(ctx); err != nil {
		return err
	}
	made, err := o.send(ctx, channel, post.By, m, p)
	if err != nil {
		return o.settleRefusal(ctx, channel, m, post.By, err)
	}
	if post.Message = made.ID; len(m.Line) == 0 && made.outdoes(p) {
		post.Line = m.Text // a turn's whole board, and the turn is over by now
	}
	if err := o.refusals.lift(ctx, channel); err != nil {
		return err
	}
	return o.succeed(ctx, channel, about, before, post, m)
}

// send posts a message: as it is, or as much of it as Discord takes. Where it takes
// nothing, those whose turn it is are told in private.
func (o *outbox) send(ctx context.Context, channel snowflake, by *visit, m bot.Message, p payload) (made created, err error) {
	post := func(p payload) (created, error) {
		if by != nil {
			return o.createByVisit(ctx, *by, p)
		}
		return o.client.create(ctx, channel, p)
	}
	tries := []payload{p, p.withoutFiles(), p.withoutFiles().inPlainWords(m.Text)}
	for _, p := range tries {
		if made, err = post(p); !isUnfit(err) {
			return made, err
		}
		o.Log.Error("Discord refuses a post; trying it with less", "channel", channel, "error", err)
	}
	if m.To == nil {
		o.callInPrivate(ctx, channel, tries[2])
	}
	return made, err
}

// callInPrivate sends a message that can't be posted to those whom it calls.
func (o *outbox) callInPrivate(ctx context.Context, channel snowflake, p payload) {
	called := p.AllowedMentions.Users
	p.Content = "<#" + string(channel) + ">\n" + p.Content
	for _, id := range called {
		at, err := o.directs.open(ctx, bot.PlayerID(Platform+":"+string(id)))
		if err == nil {
			_, err = o.client.create(ctx, at, p)
		}
		if err != nil {
			o.Log.Warn("somebody whose turn it is can't be told", "channel", channel, "user", id, "error", err)
		}
	}
}

// succeed keeps a post as the latest, notes that the one before it is still to be
// folded or deleted, and tidies up.
func (o *outbox) succeed(ctx context.Context, channel snowflake, about string, before, post lastPost, m bot.Message) error {
	if err := o.latest.change(ctx, about, func(now *lastPost) error {
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
	o.tidier.tidy(channel, about, m)
	o.tagSoon(ctx, channel, m)
	return nil
}

// Recall makes a message that nobody needs any more the latest of its channel, where
// it was on its way when the program ended; see [bot.Recaller]. Its nonce brings
// back the one that is there. Where none is, or that was too long ago, a new one is
// there for a moment, and calls nobody.
func (o *outbox) Recall(ctx context.Context, m bot.Message) error {
	channel, err := ourChannel(m.Channel)
	if err != nil || m.To != nil {
		return err
	}
	about := string(channel)
	defer o.latest.lock(about)()
	before, err := o.latest.of(ctx, about)
	if err != nil || before.Trying != m.Key || before.Key == m.Key {
		return err
	}
	if _, visiting, err := o.visits.at(ctx, channel); err != nil || visiting {
		return err // what is posted by a token can't be asked for again
	}
	p := o.composer.public(m)
	p.AllowedMentions.Users, p.Flags = []snowflake{}, silent
	made, err := o.client.create(ctx, channel, p)
	if err != nil {
		return o.settleRefusal(ctx, channel, m, nil, err)
	}
	post := lastPost{Key: m.Key, Message: made.ID, Live: m.Live, Table: m.Table}
	return o.succeed(ctx, channel, about, before, post, m)
}

// trying notes that a message with a Live is on its way: nobody posts it again when it
// is overtaken. See Recall.
func (o *outbox) trying(ctx context.Context, about string, m bot.Message) error {
	return o.latest.change(ctx, about, func(now *lastPost) error {
		now.Trying = m.Key
		return bot.Held(ctx) // or it is another's that is on its way
	})
}

// redo edits the latest post to say what a message says. It reports false where the
// message must be posted instead: it takes no other's place, people have written since, or
// it calls somebody, for an edit rings nobody. A short call beside an edited board would
// have to be removed with the next move, and so be a third request.
func (o *outbox) redo(ctx context.Context, channel snowflake, last lastPost, m bot.Message, p payload) (redone bool, err error) {
	if !last.precedes(m) || m.Standing == "" && (len(p.AllowedMentions.Users) > 0 || o.chats.since(channel, last.Message, last.Call)) {
		return false, nil
	}
	if err := bot.Held(ctx); err != nil {
		return false, err // it may say by now what comes after this message
	}
	p.Nonce, p.EnforceNonce, p.Flags = "", false, 0
	_, err = o.client.do(ctx, request{method: "PATCH", path: messagePath(channel, last.Message), body: p, files: p.files})
	if refusedForGood(err) {
		o.Log.Info("a post can't be changed; posting another", "channel", channel, "message", last.Message, "error", err)
		return false, nil
	}
	return err == nil, err
}

// reword gives a post another text. It calls nobody, and leaves the picture and
// the buttons as they are. One that is gone stays so.
func (o *outbox) reword(ctx context.Context, channel snowflake, post lastPost, text string) error {
	return o.tidier.edit(ctx, channel, post, struct {
		Content         string          `json:"content"`
		AllowedMentions allowedMentions `json:"allowed_mentions"`
	}{text, allowedMentions{Parse: []string{}, Users: []snowflake{}}})
}

// settleRefusal decides what becomes of a message that Discord doesn't take.
//
//	channel, guild or person gone           dropped
//	direct messages closed                  dropped, and none is tried again
//	no access, permission missing           tried for a day, then dropped
//	no token that allows it                 waits for somebody to use the bot there
//	anything else that is wrong with it     dropped
//	rate limit, server error, no answer     tried again
func (o *outbox) settleRefusal(ctx context.Context, channel snowflake, m bot.Message, by *visit, err error) error {
	unanswered := func(err error) bool { return code(err) == unknownWebhook && o.Now().Sub(by.At) < lateResponse }
	switch c := code(err); {
	case by != nil && unanswered(err):
		return &bot.PostError{RetryAfter: time.Second, Err: err}
	case by != nil && (errors.Is(err, errNoVisit) || tokenIsDead(err)):
		if c == tooManyFollowUps {
			switch told := o.shownLater(ctx, m.Channel, *by); {
			case unanswered(told): // with the next try there is an answer to add to
				return &bot.PostError{RetryAfter: time.Second, Err: err}
			case told != nil:
				o.Log.Warn("nobody is told that a post waits", "channel", channel, "error", told)
			}
		}
		return o.awaitVisit(ctx, channel, *by, err)
	case m.To != nil && (c == closedDM || c == noMutualGuild || c == missingAccess):
		return errors.Join(o.directs.close(ctx, m.To.ID), &bot.PostError{Permanent: true, Closed: true, Err: err})
	case c == unknownChannel:
		return &bot.PostError{Permanent: true, Gone: true, Err: err}
	case c == missingAccess || c == missingPermissions:
		if c == missingAccess && o.overHTTP {
			o.servers.missSoon(ctx)
		}
		return o.refusals.putOff(ctx, channel, err)
	}
	return postError(err)
}

// awaitVisit puts a message off until somebody uses the bot in a channel where it isn't:
// for a second where they have by now.
func (o *outbox) awaitVisit(ctx context.Context, channel snowflake, by visit, cause error) error {
	if err := o.refusals.mark(ctx, channel); err != nil {
		return err
	}
	latest, _, err := o.visits.at(ctx, channel)
	if err != nil {
		return err
	}
	wait := visitWait
	if latest.Token != by.Token {
		wait = time.Second
	}
	return &bot.PostError{RetryAfter: wait, Err: cause}
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
