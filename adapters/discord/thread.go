package discord

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"

	"github.com/rackmate/rackmate/adapters/outbox"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
)

// weekly is the longest time, in minutes, until an inactive thread is archived. A message
// unarchives it.
const weekly = 10080

// maxThread is the longest name of a thread, in characters.
const maxThread = 100

// threads opens threads for tables.
type threads struct {
	*common
	box *outbox.Outbox
}

// openerFor returns a function that opens a thread where an interaction comes from, or nil if
// that isn't possible. Handling the interaction again returns the same thread. If Discord
// refuses, the error is a *noThread.
func (t threads) openerFor(i *interaction) func(context.Context, string) (bot.ChannelID, error) {
	switch {
	case i.place() != inGuild || i.isVisit():
		return nil
	case i.In.Type == publicThread && i.In.Parent.valid():
		return t.besidePost(i)
	case i.In.Type != textChannel && i.In.Type != announcementChannel:
		return nil
	}
	return func(ctx context.Context, title string) (bot.ChannelID, error) {
		thread, err := t.startOnMessage(ctx, i.Channel, string(i.ID), title)
		if err != nil {
			return "", noThreadError(err)
		}
		return channelID(thread), nil
	}
}

// startOnMessage posts a message and opens a thread on it; the message becomes the root of the
// thread's table. A second call with the same nonce returns the same thread.
func (t threads) startOnMessage(ctx context.Context, channel snowflake, nonce, title string) (snowflake, error) {
	p := textPayload(text.Text{{Text: title}})
	p.Nonce, p.EnforceNonce = nonce, true
	message, err := t.client.create(ctx, channel, p)
	if err != nil {
		return "", err
	}
	thread, err := t.start(ctx, messagePath(channel, message.ID), title, nil)
	if code(err) == threadThere {
		thread, err = message.ID, nil // a message's thread has the message's id
	}
	if isLastingRefusal(err) {
		t.withdraw(ctx, channel, message.ID)
	}
	if err != nil {
		return "", err
	}
	return thread, t.box.Open(ctx, placeOf(thread, string(thread)), outbox.Post{ID: string(message.ID), In: string(channel)})
}

// start opens a thread below the path of a channel or a message, and returns its id. more
// holds further fields of the request.
func (t threads) start(ctx context.Context, path, title string, more map[string]any) (snowflake, error) {
	asked := map[string]any{"name": cut(title, maxThread), "auto_archive_duration": weekly}
	maps.Copy(asked, more)
	b, err := t.client.call(ctx, "POST", path+"/threads", asked)
	if err != nil {
		return "", err
	}
	var thread struct {
		ID snowflake `json:"id"`
	}
	if err := json.Unmarshal(b, &thread); err != nil || !thread.ID.valid() {
		return "", errors.New("in Discord's answer to opening a thread, the id is missing")
	}
	return thread.ID, nil
}

// requiresTag is the flag of a forum whose posts must have a tag.
const requiresTag = 1 << 4

// openedShelf has two kinds of rows. One maps an interaction to the post that it opened in
// a forum, because forum posts have no nonce. The other maps a channel and a key to the
// thread that the host opened by itself.
const openedShelf = "opened"

// besidePost returns a function that opens another post in the forum of an interaction's
// post. If the thread isn't a forum's post, that function returns a *noThread.
func (t threads) besidePost(i *interaction) func(context.Context, string) (bot.ChannelID, error) {
	return func(ctx context.Context, title string) (bot.ChannelID, error) {
		opened, err := t.Notes.Get(ctx, openedShelf, string(i.ID))
		if err != nil || opened != nil {
			return channelID(snowflake(opened)), err
		}
		b, err := t.client.call(ctx, "GET", channelPath(i.In.Parent), nil)
		if err != nil {
			return "", noThreadError(err)
		}
		var parent struct {
			Type  channelType `json:"type"`
			Flags int         `json:"flags"`
			Tags  []tag       `json:"available_tags"`
		}
		if err := json.Unmarshal(b, &parent); err != nil || parent.Type != forum {
			return "", &noThread{errors.Join(errors.New("no thread can be opened in a thread"), err)}
		}
		tags := t.forumTags(parent.Tags, parent.Flags&requiresTag != 0)
		p := textPayload(text.Text{{Text: title}})
		post, err := t.start(ctx, channelPath(i.In.Parent), title, map[string]any{
			"applied_tags": tags.list(), "message": map[string]any{"content": p.Content, "allowed_mentions": p.AllowedMentions},
		})
		if err != nil {
			return "", noThreadError(err)
		}
		if tags.Running != "" || tags.Over != "" {
			if err := notes.Write(ctx, t.Notes, tagsShelf, string(post), tags); err != nil {
				return "", err
			}
		}
		// The post's first message has the post's id.
		if err := t.box.Open(ctx, placeOf(post, string(post)), outbox.Post{ID: string(post)}); err != nil {
			return "", err
		}
		return channelID(post), t.Notes.Put(ctx, openedShelf, string(i.ID), []byte(post))
	}
}

// open opens a thread in a channel; see [bot.Platform.Aside]. The thread of a key is recorded
// once it exists.
func (t threads) open(ctx context.Context, beside bot.ChannelID, key, title string, _ []bot.PlayerID) (bot.ChannelID, error) {
	channel, err := ourChannel(beside)
	if err != nil {
		return "", &bot.PostError{Permanent: true, Err: err}
	}
	row := string(channel) + "/" + key
	opened, err := t.Notes.Get(ctx, openedShelf, row)
	if err != nil || opened != nil {
		return channelID(snowflake(opened)), err
	}
	thread, err := t.startOnMessage(ctx, channel, nonceOf(row), title)
	if err != nil {
		return "", postError(err)
	}
	return channelID(thread), t.Notes.Put(ctx, openedShelf, row, []byte(thread))
}

// nonceOf returns the nonce of a key's message, in Discord's at most 25 characters.
func nonceOf(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:12])
}

// withdraw deletes the message of a thread that couldn't be opened.
func (t threads) withdraw(ctx context.Context, channel, message snowflake) {
	if _, err := t.client.call(ctx, "DELETE", messagePath(channel, message), nil); err != nil {
		t.Log.Warn("can't delete the message of a thread that didn't open", "channel", channel, "message", message, "error", err)
	}
}

// A noThread is the reason why Discord opens no thread although the interaction's
// permissions looked right: an exception for the channel, or a limit.
type noThread struct{ err error }

func (e *noThread) Error() string { return e.err.Error() }
func (e *noThread) Unwrap() error { return e.err }

func noThreadError(err error) error {
	if isLastingRefusal(err) {
		return &noThread{err}
	}
	return err
}

// sentence explains what to do about the refusal.
func (e *noThread) sentence() text.Text {
	switch code(e.err) {
	case missingAccess, missingPermissions:
		return text.Say("I can't open a thread here. Ask whoever manages this server to grant me {permissions} in this channel, then try again. Or leave thread out to open the table in this channel.",
			text.List([]text.Text{viewChannel.name, sendMessages.name, createThreads.name, sendInThreads.name}))
	case tooManyThreads:
		return text.Say("This server already has as many active threads as Discord allows. Close one and try again, or leave thread out to open the table in this channel.")
	}
	return text.Say("Discord doesn't allow threads here. Leave thread out to open the table in this channel.")
}

// wake unarchives a thread.
func (c *client) wake(ctx context.Context, thread snowflake) error {
	_, err := c.call(ctx, "PATCH", channelPath(thread), map[string]bool{"archived": false})
	return err
}
