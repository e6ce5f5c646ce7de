package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// This file sends direct messages, which are optional: a person who doesn't accept any
// presses the button "My rack" instead. The bot remembers for a few days that a person's
// direct messages are closed, or until the person uses it, because each attempt would count
// as an invalid request; see limits.go.

// dmChannels opens the channels of direct messages, and remembers them.
type dmChannels struct{ *common }

var errClosed = errors.New("their direct messages are closed")

// closedFor limits how long the bot remembers that a person's direct messages are closed.
const closedFor = 3 * 24 * time.Hour

// open returns the channel of a person's direct messages. If these are closed, the error is
// a permanent *bot.PostError.
func (d *dmChannels) open(ctx context.Context, who bot.PlayerID) (snowflake, error) {
	id, ok := userID(who)
	if !ok {
		return "", &bot.PostError{Permanent: true, Err: fmt.Errorf("%s isn't a Discord user", who)}
	}
	since, closed, err := notes.ReadTime(ctx, d.Notes, closedShelf, string(id))
	if err != nil {
		return "", err
	}
	if closed && d.Now().Sub(since) < closedFor {
		return "", &bot.PostError{Permanent: true, Closed: true, Err: errClosed}
	}
	known, err := d.Notes.Get(ctx, directShelf, string(id))
	if err != nil || known != nil {
		return snowflake(known), err
	}
	b, err := d.client.call(ctx, "POST", "/users/@me/channels", map[string]snowflake{"recipient_id": id})
	switch {
	case hasClosedDMs(err):
		return "", d.close(ctx, who, err)
	case err != nil:
		return "", err
	}
	var channel struct {
		ID snowflake `json:"id"`
	}
	if err := json.Unmarshal(b, &channel); err != nil || !channel.ID.valid() {
		return "", errors.New("in Discord's answer to opening direct messages, the channel is missing")
	}
	return channel.ID, d.Notes.Put(ctx, directShelf, string(id), []byte(channel.ID))
}

// hasChannel reports whether the channel of a person's direct messages was opened before.
func (d *dmChannels) hasChannel(ctx context.Context, who bot.PlayerID) (bool, error) {
	id, _ := userID(who)
	channel, err := d.Notes.Get(ctx, directShelf, string(id))
	return channel != nil, err
}

// hasClosedDMs reports whether an error means that a person's direct messages are closed.
func hasClosedDMs(err error) bool {
	c := code(err)
	return c == closedDM || c == noMutualGuild || c == missingAccess
}

// close remembers that a person's direct messages are closed, and returns the error of a message
// to them.
func (d *dmChannels) close(ctx context.Context, who bot.PlayerID, cause error) error {
	id, _ := userID(who)
	err := notes.WriteTime(ctx, d.Notes, closedShelf, string(id), d.Now())
	return errors.Join(err, &bot.PostError{Permanent: true, Closed: true, Err: cause})
}

// reopen forgets that a person's direct messages are closed. It is called when they use the
// bot, because they may have opened them by then.
func (d *dmChannels) reopen(ctx context.Context, who snowflake) {
	if err := notes.Remove(ctx, d.Notes, closedShelf, string(who)); err != nil {
		d.Log.Error("can't record open direct messages", "user", who, "error", err)
	}
}
