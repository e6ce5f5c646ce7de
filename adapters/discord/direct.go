package discord

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// Direct messages are a courtesy: somebody who doesn't let the bot write to them has
// the button "My rack". That somebody's are closed is remembered until they do
// something here, or for a few days, for each attempt would count as an invalid
// request; see limits.go.

// directs are the channels of direct messages.
type directs struct{ *common }

var errClosed = errors.New("their direct messages are closed")

// closedFor is how long that is remembered.
const closedFor = 3 * 24 * time.Hour

// open is the channel of a person's direct messages. The error is a
// permanent *bot.PostError when they are closed.
func (d *directs) open(ctx context.Context, who bot.PlayerID) (snowflake, error) {
	id, ok := userID(who)
	if !ok {
		return "", &bot.PostError{Permanent: true, Err: errors.New(string(who) + " is nobody on Discord")}
	}
	closed, err := d.Notes.Get(ctx, closedShelf, string(id))
	if err != nil {
		return "", err
	}
	var since time.Time
	if closed != nil && since.UnmarshalText(closed) == nil && d.Now().Sub(since) < closedFor {
		return "", &bot.PostError{Permanent: true, Closed: true, Err: errClosed}
	}
	known, err := d.Notes.Get(ctx, directShelf, string(id))
	if err != nil || known != nil {
		return snowflake(known), err
	}
	b, err := d.client.call(ctx, "POST", "/users/@me/channels", map[string]snowflake{"recipient_id": id})
	if c := code(err); c == closedDM || c == noMutualGuild || c == missingAccess {
		return "", errors.Join(d.close(ctx, who), &bot.PostError{Permanent: true, Closed: true, Err: err})
	}
	if err != nil {
		return "", err
	}
	var channel struct {
		ID snowflake `json:"id"`
	}
	if err := json.Unmarshal(b, &channel); err != nil || !channel.ID.valid() {
		return "", errors.New("the answer to opening direct messages makes no sense")
	}
	return channel.ID, d.Notes.Put(ctx, directShelf, string(id), []byte(channel.ID))
}

// close remembers that a person's direct messages are closed.
func (d *directs) close(ctx context.Context, who bot.PlayerID) error {
	id, _ := userID(who)
	now, err := d.Now().UTC().MarshalText()
	if err != nil {
		return err
	}
	return d.Notes.Put(ctx, closedShelf, string(id), now)
}

// reopen is called when somebody does something here: whoever was asked to
// open their direct messages may have done so.
func (d *directs) reopen(ctx context.Context, who snowflake) {
	closed, err := d.Notes.Get(ctx, closedShelf, string(who))
	if err == nil && closed != nil {
		err = d.Notes.Put(ctx, closedShelf, string(who), nil)
	}
	if err != nil {
		d.Log.Error("can't note that direct messages are open", "user", who, "error", err)
	}
}
