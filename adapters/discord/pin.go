package discord

import (
	"cmp"
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// pin pins a channel's standing message by its name; see [bot.Platform.Pin].
func (o *poster) pin(ctx context.Context, ch bot.ChannelID, standing string) (obstacle text.Text, err error) {
	channel, err := ourChannel(ch)
	if err != nil {
		return nil, err
	}
	note := string(channel) + o.box.Within + standing
	unlock := o.box.Lock(note) // the message may be there before its ID is recorded
	e, err := o.box.Entry(ctx, note)
	unlock()
	if err != nil {
		return nil, err
	}
	gone := text.Say("That message isn't here any more. It comes back with its next change.")
	if e.Latest.ID == "" {
		return gone, nil
	}
	at := channelPath(snowflake(cmp.Or(e.Latest.In, string(channel))))
	_, err = o.client.call(ctx, "PUT", at+"/messages/pins/"+string(e.Latest.ID), nil)
	switch code(err) {
	case unknownMessage:
		return gone, nil
	case missingPermissions, missingAccess:
		return text.Say("I can't pin messages here. Grant me {permission} in this channel, then press {pin} again.", pinMessages.name, text.Say("Pin")), nil
	case tooManyPins:
		return text.Say("This channel has as many pinned messages as Discord allows. Unpin one, then press {pin} again.", text.Say("Pin")), nil
	}
	return nil, err
}
