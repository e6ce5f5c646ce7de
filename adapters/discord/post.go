package discord

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/rackmate/rackmate/adapters/outbox"
	"github.com/rackmate/rackmate/adapters/tasks"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// The shelves of Discord's notes.
const (
	lastShelf    = "last"    // by channel, or direct messages and the channel they concern: an outbox.Entry
	blockedShelf = "blocked" // by channel: since when the bot may not post there
	directShelf  = "direct"  // by user: the channel of their direct messages
	closedShelf  = "closed"  // by user: their direct messages are closed
)

// A poster sends the messages of its outbox to Discord. It is an [outbox.Platform].
type poster struct {
	*common
	composer composer
	directs  *dmChannels
	visits   *visits
	refusals *refusals
	chats    *chats
	servers  *servers
	threads  threads
	overHTTP bool // interactions come over HTTP, without events about lost servers
	box      *outbox.Outbox
	behind   tasks.Tasks // background work
	tagging  tasks.Locks // by channel
}

// newPoster adds the outbox to an otherwise complete poster.
func newPoster(p *poster) *poster {
	p.box = &outbox.Outbox{
		Platform: p, Notes: p.Notes, Shelf: lastShelf, Within: "/", Log: p.Log, Idempotent: true, Tasks: &p.behind, Ended: p.ended,
		Pace: &outbox.Pace{Now: p.Now, Held: func(time.Duration) {}, Sleep: func(ctx context.Context, d time.Duration) error { return p.after.sleep(ctx, d) }},
	}
	p.threads = threads{p.common, p.box}
	return p
}

// placeOf returns a channel as a place of the outbox, with the note for what is posted there.
func placeOf(channel snowflake, note string) outbox.Place {
	return outbox.Place{ID: string(channel), Note: note, RateKey: string(channel)}
}

// PlaceOf returns the place of an entry; see [outbox.Platform].
func (o *poster) PlaceOf(note string) (outbox.Place, bool) {
	channel, _, _ := strings.Cut(note, "/")
	return placeOf(snowflake(channel), note), snowflake(channel).valid()
}

// Deliver delivers a message to its channel, or to a person's direct messages.
//
// Delivering the same message twice makes one post: the latest post is recorded, and until
// that is written, the message's key serves as a nonce by which Discord recognizes it.
func (o *poster) Deliver(ctx context.Context, m bot.Message) error {
	channel, err := ourChannel(m.Channel)
	if err != nil {
		return &bot.PostError{Permanent: true, Err: err}
	}
	note := string(channel)
	if m.To != nil {
		if known, err := o.directs.hasChannel(ctx, m.To.ID); m.Amends && (err != nil || !known) {
			return err // there is nothing to edit
		}
		if channel, err = o.directs.open(ctx, m.To.ID); err != nil {
			return postError(err)
		}
		if m.Table == 0 {
			note = "" // a message without a table doesn't fold a rack
		}
		note = string(channel) + "/" + note
	}
	if err := o.box.Post(ctx, placeOf(channel, note), m); err != nil {
		return o.settleRefusal(ctx, channel, m, err)
	}
	if !m.Edit {
		o.tagSoon(ctx, channel, m)
	}
	return nil
}

// compose builds a message. A direct message starts with a link to the channel it is about,
// which it wouldn't show otherwise.
func (o *poster) compose(m bot.Message) payload {
	p := o.composer.public(m)
	if about, err := ourChannel(m.Channel); m.To != nil && err == nil {
		if where := "<#" + string(about) + ">\n"; units(p.Content)+units(where) <= maxContent {
			p.Content = where + p.Content
		}
	}
	return p
}

// A visitError is the reason why a message couldn't be posted with a visit's token.
type visitError struct {
	by  visit
	err error
}

func (e *visitError) Error() string { return e.err.Error() }
func (e *visitError) Unwrap() error { return e.err }

// Post posts a message, or as much of it as Discord accepts. If Discord accepts none of it,
// the players to move are informed in private. See [outbox.Platform].
func (o *poster) Post(ctx context.Context, at outbox.Place, m bot.Message, begin func(context.Context) error) (made outbox.Post, again bool, err error) {
	channel, p := snowflake(at.ID), o.compose(m)
	by, visiting := visit{}, false
	if m.To == nil {
		if by, visiting, err = o.visits.latest(ctx, channel); err != nil {
			return made, false, err
		}
	}
	if err := begin(ctx); err != nil {
		return made, false, err
	}
	post := func(p payload) (created, error) {
		if visiting {
			there, err := o.createByVisit(ctx, by, p)
			if err != nil {
				err = &visitError{by, err}
			}
			return there, err
		}
		return o.client.create(ctx, channel, p)
	}
	tries := []payload{p, p.withoutFiles(), p.withoutFiles().inPlainWords(m.Text)}
	var there created
	for _, p := range tries {
		if there, err = post(p); !isUnfit(err) {
			break
		}
		o.Log.Error("Discord refuses a post; retrying without its extras", "channel", channel, "error", err)
	}
	if isUnfit(err) && m.To == nil {
		least := tries[2]
		least.Content = "<#" + string(channel) + ">\n" + least.Content
		for _, id := range least.AllowedMentions.Users {
			if err := o.call(ctx, playerID(id), func(direct snowflake) error {
				_, err := o.client.create(ctx, direct, least)
				return err
			}); err != nil {
				o.Log.Warn("a player whose turn it is can't be called", "channel", channel, "user", id, "error", err)
			}
		}
	}
	if err != nil {
		return made, false, err
	}
	made.ID = string(there.ID)
	if visiting {
		if made.By, err = json.Marshal(by); err != nil {
			return made, false, err
		}
	}
	whole, _, _ := strings.Cut(at.Note, "/")
	return made, len(m.Line) == 0 && there.hasMoreThan(p), o.refusals.Lift(ctx, whole)
}

// call calls a person by direct message, because a channel can't.
func (o *poster) call(ctx context.Context, who bot.PlayerID, send func(direct snowflake) error) error {
	direct, err := o.directs.open(ctx, who)
	if err == nil {
		if err = send(direct); hasClosedDMs(err) {
			err = o.directs.close(ctx, who, err)
		}
	}
	return err
}

// callDirectly sends a message that a channel refuses to the people it calls, and explains
// why it comes in private.
func (o *poster) callDirectly(channel snowflake, m bot.Message) {
	// The delivery isn't finished by this, only by the post in the channel.
	ctx, cancel := context.WithTimeout(context.Background(), requestTime)
	defer cancel()
	why := func(who bot.User) text.Text {
		return o.obstacle(ctx, m.Channel).In(o.Host.LocaleFor(ctx, bot.Request{User: who, Channel: m.Channel}))
	}
	o.box.CallDirectly(m, why, func(own bot.Message) error {
		return o.call(ctx, own.To.ID, func(direct snowflake) error {
			return o.box.Post(ctx, placeOf(direct, string(direct)+"/"+string(channel)+"/call"), own)
		})
	})
}

// obstacle explains what keeps the bot from posting in a channel; see
// [bot.Platform.Obstacle].
func (o *poster) obstacle(ctx context.Context, ch bot.ChannelID) text.Text {
	channel, err := ourChannel(ch)
	if err != nil {
		return nil
	}
	return o.refusals.obstacle(ctx, channel, o.Link(ctx, ch, ""))
}

// Edit gives a post the text and picture of a message; see [outbox.Platform].
func (o *poster) Edit(ctx context.Context, at outbox.Place, post outbox.Post, m bot.Message) (file string, err error) {
	p := o.compose(m)
	p.Nonce, p.EnforceNonce, p.Flags = "", false, 0
	path, ok := o.pathOf(at, post)
	if !ok {
		return "", errNoVisit
	}
	_, err = o.client.do(ctx, request{method: "PATCH", path: path, body: p, files: p.files})
	return "", err
}

// Reword changes a post's text. It notifies nobody, and leaves the picture and the buttons.
// See [outbox.Platform].
func (o *poster) Reword(ctx context.Context, at outbox.Place, post outbox.Post, m bot.Message) error {
	return o.change(ctx, at, post, "PATCH", onlyContent(o.compose(m).Content))
}

// Fold replaces a post's content with its line; see [outbox.Platform].
func (o *poster) Fold(ctx context.Context, at outbox.Place, post outbox.Post) error {
	return o.change(ctx, at, post, "PATCH", foldPost(post.Line))
}

// change sends a request about a post. If the post was sent with a visit's token that has
// expired, it does nothing.
func (o *poster) change(ctx context.Context, at outbox.Place, post outbox.Post, method string, body any) error {
	path, ok := o.pathOf(at, post)
	if !ok {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	_, err := o.client.call(ctx, method, path, body)
	return err
}

// pathOf returns the path at which a post can be changed or deleted. ok is false if it was
// sent with a visit's token that has expired.
func (o *poster) pathOf(at outbox.Place, post outbox.Post) (path string, ok bool) {
	if post.By == nil {
		return messagePath(snowflake(at.ID), snowflake(post.ID)), true
	}
	var by visit
	if err := json.Unmarshal(post.By, &by); err != nil || !by.isUsable(o.Now()) {
		return "", false
	}
	return by.path() + "/messages/" + post.ID, true
}

// Delete deletes a post. If the post was sent with a visit's token that has expired, it
// stays. See [outbox.Platform].
func (o *poster) Delete(ctx context.Context, at outbox.Place, post outbox.Post) error {
	return o.change(ctx, at, post, "DELETE", nil)
}

// DeleteFile does nothing: a picture is deleted with its post.
func (o *poster) DeleteFile(context.Context, outbox.Place, string) {}

// Find retrieves a message's post by its nonce. If Discord doesn't know the nonce, or has
// forgotten it, a new post appears for a moment, which notifies nobody. A post sent with
// a visit's token can't be retrieved. See [outbox.Platform].
func (o *poster) Find(ctx context.Context, at outbox.Place, m bot.Message) (p outbox.Post, found bool, err error) {
	if _, visiting, err := o.visits.latest(ctx, snowflake(at.ID)); err != nil || visiting {
		return p, false, err
	}
	silently := o.compose(m)
	silently.AllowedMentions.Users, silently.Flags = []snowflake{}, silent
	made, err := o.client.create(ctx, snowflake(at.ID), silently)
	return outbox.Post{ID: string(made.ID)}, err == nil, err
}

// Copies returns none, because the nonce prevents duplicates.
func (o *poster) Copies(context.Context, outbox.Place, string) []string { return nil }

// Notifies reports whether a message notifies people; see [outbox.Platform].
func (o *poster) Notifies(m bot.Message) bool {
	return len(o.composer.public(m).AllowedMentions.Users) > 0
}

// IsBuried reports whether people are known to have written since; see [outbox.Platform].
func (o *poster) IsBuried(at outbox.Place, e outbox.Entry) bool {
	return o.chats.hasChattedSince(snowflake(at.ID), snowflake(e.Latest.ID))
}

// CanReplace reports whether a post can still be changed: the bot sent it with its own
// token, or with a visit's that is valid. See [outbox.Platform].
func (o *poster) CanReplace(p outbox.Post) bool {
	_, ok := o.pathOf(outbox.Place{}, p)
	return ok
}

// Thread opens the thread of a post, whose id is the post's. Threads, voice channels and
// conversations without the bot have none, and permissions or limits may forbid it. See
// [outbox.Platform].
func (o *poster) Thread(ctx context.Context, at outbox.Place, p outbox.Post, m bot.Message) (string, error) {
	if p.By != nil {
		return "", nil
	}
	thread, err := o.threads.start(ctx, messagePath(snowflake(at.ID), snowflake(p.ID)), cmp.Or(m.Title.String(), "Rackmate"), nil)
	switch {
	case code(err) == threadThere:
		return p.ID, nil
	case isLastingRefusal(err) && code(err) != unknownMessage && code(err) != unknownChannel:
		o.Log.Info("Discord opens no thread for a board; posting it again for each turn", "channel", at.ID, "error", err)
		return "", nil
	}
	return string(thread), err
}

// Allowance returns none: the client obeys the limits that Discord reports; see limits.go.
func (o *poster) Allowance(outbox.Place, outbox.Work) (string, outbox.Rate) {
	return "", outbox.Rate{}
}

// Classify classifies an error of Discord's; see [outbox.Platform].
func (o *poster) Classify(err error) outbox.Fault {
	good := isLastingRefusal(err) || errors.Is(err, errNoVisit)
	return outbox.Fault{Temporary: err != nil && !good, After: retryAfter(err), Missing: code(err) == unknownMessage || code(err) == unknownChannel, Answered: good}
}

// Recall handles a message that isn't needed any more but may have been sent before the
// program stopped: if so, it becomes the latest of its channel; see [bot.Recaller].
func (o *poster) Recall(ctx context.Context, m bot.Message) error {
	channel, err := ourChannel(m.Channel)
	if err != nil || m.To != nil {
		return err
	}
	if err := o.box.Recall(ctx, placeOf(channel, string(channel)), m); err != nil {
		return o.settleRefusal(ctx, channel, m, err)
	}
	return nil
}

// settleRefusal decides what happens to a message that Discord refuses.
//
//	channel, guild or person gone           dropped
//	direct messages closed                  dropped, and remembered as closed
//	no access, permission missing, locked   tried for a day, then dropped; the called player gets a DM
//	no token that allows it                 waits until the bot is used there
//	anything else that is wrong with it     dropped
//	rate limit, server error, no answer     tried again
func (o *poster) settleRefusal(ctx context.Context, channel snowflake, m bot.Message, err error) error {
	var by *visit
	if visiting := new(visitError); errors.As(err, &visiting) {
		by, err = &visiting.by, visiting.err
	}
	unanswered := func(err error) bool { return code(err) == unknownWebhook && o.Now().Sub(by.At) < lateResponse }
	switch c := code(err); {
	case by != nil && unanswered(err):
		return &bot.PostError{RetryAfter: time.Second, Err: err}
	case by != nil && (errors.Is(err, errNoVisit) || isTokenExpired(err)):
		if c == tooManyFollowUps {
			switch told := o.showLater(ctx, m.Channel, *by); {
			case unanswered(told): // by the next try there is an answer to add to
				return &bot.PostError{RetryAfter: time.Second, Err: err}
			case told != nil:
				o.Log.Warn("can't announce a waiting post", "channel", channel, "error", told)
			}
		}
		return o.awaitVisit(ctx, channel, *by, err)
	case m.To != nil && hasClosedDMs(err):
		return o.directs.close(ctx, m.To.ID, err)
	case c == unknownChannel:
		return &bot.PostError{Permanent: true, Gone: true, Err: err}
	case c == missingAccess || c == missingPermissions || c == lockedThread:
		if c == missingAccess && o.overHTTP {
			o.servers.checkMissingSoon(ctx)
		}
		putOff := o.refusals.putOff(ctx, channel, m, err)
		o.callDirectly(channel, m)
		return putOff
	}
	return postError(err)
}

// awaitVisit postpones a message until the bot is used in a channel where it isn't a
// member. If that has happened meanwhile, it waits only a second.
func (o *poster) awaitVisit(ctx context.Context, channel snowflake, by visit, cause error) error {
	if err := o.refusals.Mark(ctx, string(channel)); err != nil {
		return err
	}
	latest, _, err := o.visits.latest(ctx, channel)
	if err != nil {
		return err
	}
	wait := visitWait
	if latest.Token != by.Token {
		wait = time.Second
	}
	return &bot.PostError{RetryAfter: wait, Err: cause}
}

// postError converts a failure to its meaning for the message.
func postError(err error) error {
	if err == nil {
		return nil
	}
	var already *bot.PostError
	if errors.As(err, &already) {
		return err
	}
	diagnosis := diagnose(err)
	switch {
	case needsOperator(diagnosis): // the operator must fix it; then it can be sent
		return &bot.PostError{RetryAfter: blockedWait, Err: diagnosis}
	case isLastingRefusal(err):
		return &bot.PostError{Permanent: true, Err: err}
	}
	return &bot.PostError{RetryAfter: retryAfter(err), Err: err}
}
