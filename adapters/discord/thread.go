package discord

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/bwmarrin/discordgo"

	"github.com/rackmate/rackmate/bot"
)

// weekly is the longest time, in minutes, after which a thread where nobody
// writes goes to sleep. A message wakes it.
const weekly = 10080

// aside opens a thread where an interaction comes from; nil where there can't
// be one. The thread belongs to a message, by which people in the channel find
// it, and the interaction's id as the nonce of that message makes it the same
// thread when the interaction is carried out again.
func (a *Adapter) aside(i *interaction) func(context.Context, string) (bot.ChannelID, error) {
	if i.where() != inGuild || i.In.Type != textChannel && i.In.Type != announcementChannel {
		return nil
	}
	return func(ctx context.Context, title string) (bot.ChannelID, error) {
		p := says(bot.Text{{Text: title}})
		p.Nonce, p.EnforceNonce = string(i.ID), true
		message, err := a.create(ctx, i.Channel, p)
		if err != nil {
			return "", err
		}
		const maxName = 100
		url := discordgo.EndpointChannelMessageThread(string(i.Channel), string(message))
		b, err := a.call(ctx, "POST", url, map[string]any{"name": cut(title, maxName), "auto_archive_duration": weekly})
		if code(err) == threadThere {
			return channelID(message), nil // a message's thread has the message's id
		}
		if err != nil {
			return "", err
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

// wake wakes a thread that went to sleep.
func (a *Adapter) wake(ctx context.Context, thread snowflake) error {
	_, err := a.call(ctx, "PATCH", discordgo.EndpointChannel(string(thread)), map[string]bool{"archived": false})
	return err
}
