package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/rackmate/rackmate/bot"
)

// weekly is the longest time, in minutes, after which a thread where nobody
// writes goes to sleep. A message wakes it.
const weekly = 10080

// aside opens a thread where an interaction comes from; nil where there can't
// be one. The thread belongs to a message, by which people in the channel find
// it, and the interaction's id as the nonce of that message makes it the same
// thread when the interaction is carried out again. A refusal of Discord's is
// a *noThread.
func (a *Adapter) aside(i *interaction) func(context.Context, string) (bot.ChannelID, error) {
	if i.where() != inGuild || i.visits() || i.In.Type != textChannel && i.In.Type != announcementChannel {
		return nil
	}
	return func(ctx context.Context, title string) (bot.ChannelID, error) {
		p := says(bot.Text{{Text: title}})
		p.Nonce, p.EnforceNonce = string(i.ID), true
		message, err := a.create(ctx, i.Channel, p)
		if err != nil {
			return "", unthreaded(err)
		}
		const maxName = 100
		b, err := a.call(ctx, "POST", messagePath(i.Channel, message)+"/threads", map[string]any{"name": cut(title, maxName), "auto_archive_duration": weekly})
		if code(err) == threadThere {
			return channelID(message), nil // a message's thread has the message's id
		}
		if refusedForGood(err) {
			a.withdraw(ctx, i.Channel, message)
		}
		if err != nil {
			return "", unthreaded(err)
		}
		var thread struct {
			ID snowflake `json:"id"`
		}
		if err := json.Unmarshal(b, &thread); err != nil || !thread.ID.valid() {
			return "", errors.New("the answer to opening a thread makes no sense")
		}
		return channelID(thread.ID), nil
	}
}

// withdraw deletes a message that was posted for nothing.
func (a *Adapter) withdraw(ctx context.Context, channel, message snowflake) {
	if _, err := a.call(ctx, "DELETE", messagePath(channel, message), nil); err != nil {
		a.Log.Warn("the message of a thread that can't be opened stays", "channel", channel, "message", message, "error", err)
	}
}

// A noThread is why Discord opens no thread, though the permissions that came
// with the interaction looked right: an exception for the channel can come in
// between, or a limit.
type noThread struct{ err error }

func (e *noThread) Error() string { return e.err.Error() }
func (e *noThread) Unwrap() error { return e.err }

func unthreaded(err error) error {
	if refusedForGood(err) {
		return &noThread{err}
	}
	return err
}

// sentence says what to do about it.
func (e *noThread) sentence() string {
	const orHere = " Or leave thread out to open the table in this channel."
	switch code(e.err) {
	case missingAccess, missingPermissions:
		return fmt.Sprintf("I can't open a thread here. Ask whoever manages this server to grant me %s in this channel, and try again.",
			list([]string{viewChannel.name, sendMessages.name, createThreads.name, sendInThreads.name})) + orHere
	case tooManyThreads:
		return "This server has as many active threads as Discord allows. Close one of them, and try again." + orHere
	}
	return "Discord opens no thread here. Leave thread out to open the table in this channel."
}

// wake wakes a thread that went to sleep.
func (a *Adapter) wake(ctx context.Context, thread snowflake) error {
	_, err := a.call(ctx, "PATCH", channelPath(thread), map[string]bool{"archived": false})
	return err
}
