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

var errClosed = errors.New("their direct messages are closed")

// closedFor is how long that is remembered.
const closedFor = 3 * 24 * time.Hour

// direct is the channel of a person's direct messages. The error is a
// permanent *bot.PostError when they are closed.
func (a *Adapter) direct(ctx context.Context, who bot.PlayerID) (snowflake, error) {
	id, ok := userID(who)
	if !ok {
		return "", &bot.PostError{Permanent: true, Err: errors.New(string(who) + " is nobody on Discord")}
	}
	closed, err := a.Notes.Get(ctx, closedShelf, string(id))
	if err != nil {
		return "", err
	}
	var since time.Time
	if closed != nil && since.UnmarshalText(closed) == nil && a.Now().Sub(since) < closedFor {
		return "", &bot.PostError{Permanent: true, Closed: true, Err: errClosed}
	}
	known, err := a.Notes.Get(ctx, directShelf, string(id))
	if err != nil || known != nil {
		return snowflake(known), err
	}
	b, err := a.call(ctx, "POST", "/users/@me/channels", map[string]snowflake{"recipient_id": id})
	if c := code(err); c == closedDM || c == noMutualGuild || c == missingAccess {
		return "", errors.Join(a.closeDirect(ctx, who), &bot.PostError{Permanent: true, Closed: true, Err: err})
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
	return channel.ID, a.Notes.Put(ctx, directShelf, string(id), []byte(channel.ID))
}

// closeDirect remembers that a person's direct messages are closed.
func (a *Adapter) closeDirect(ctx context.Context, who bot.PlayerID) error {
	id, _ := userID(who)
	now, err := a.Now().UTC().MarshalText()
	if err != nil {
		return err
	}
	return a.Notes.Put(ctx, closedShelf, string(id), now)
}

// directIsOpen is called when somebody does something here: whoever was asked to
// open their direct messages may have done so.
func (a *Adapter) directIsOpen(ctx context.Context, who snowflake) {
	closed, err := a.Notes.Get(ctx, closedShelf, string(who))
	if err == nil && closed != nil {
		err = a.Notes.Put(ctx, closedShelf, string(who), nil)
	}
	if err != nil {
		a.Log.Error("can't note that direct messages are open", "user", who, "error", err)
	}
}
