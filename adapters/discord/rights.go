package discord

import (
	"context"
	"slices"
	"strconv"
)

// This file computes the bot's permissions in a server's channels.

// A server holds the data of a server that decides where the bot may post.
type server struct {
	System snowflake `json:"system_channel_id"` // where Discord welcomes members; may be empty
	Locale string    `json:"preferred_locale"`
	Roles  []struct {
		ID          snowflake `json:"id"`
		Permissions string    `json:"permissions"`
	} `json:"roles"`
	channels []serverChannel
}

// A serverChannel is a channel of a server.
type serverChannel struct {
	ID         snowflake   `json:"id"`
	Name       string      `json:"name"`
	Type       channelType `json:"type"`
	Position   int         `json:"position"`
	Overwrites []overwrite `json:"permission_overwrites"`
	has        uint64      // the bot's permissions
}

// can reports whether the bot has all of some permissions in the channel.
func (c serverChannel) can(needed ...permission) bool { return len(findMissing(c.has, needed)) == 0 }

// An overwrite changes the permissions of a role or a member in a channel.
type overwrite struct {
	ID    snowflake `json:"id"`
	Allow string    `json:"allow"`
	Deny  string    `json:"deny"`
}

// readServer reads a server and its channels, with the bot's permissions there.
func (c *client) readServer(ctx context.Context, bot, id snowflake) (s server, err error) {
	var me struct {
		Roles []snowflake `json:"roles"`
	}
	path := "/guilds/" + string(id)
	if err = c.get(ctx, path, &s); err == nil {
		err = c.get(ctx, path+"/members/"+string(bot), &me)
	}
	if err == nil {
		err = c.get(ctx, path+"/channels", &s.channels)
	}
	if err != nil {
		return s, err
	}
	var base uint64
	for _, r := range s.Roles {
		if r.ID == id || slices.Contains(me.Roles, r.ID) {
			base |= bitsOf(r.Permissions)
		}
	}
	for i := range s.channels {
		at := &s.channels[i]
		if at.has = ^uint64(0); base&(1<<administrator.bit) == 0 {
			at.has = inChannel(base, at.Overwrites, id, bot, me.Roles)
		}
	}
	return s, nil
}

// inChannel returns the bot's permissions in a channel, from those in the server. Discord applies
// the changes for everyone first, then all of the bot's roles together, then the bot's own.
func inChannel(has uint64, all []overwrite, server, bot snowflake, roles []snowflake) uint64 {
	change := func(concerns func(snowflake) bool) {
		var allow, deny uint64
		for _, o := range all {
			if concerns(o.ID) {
				allow, deny = allow|bitsOf(o.Allow), deny|bitsOf(o.Deny)
			}
		}
		has = has&^deny | allow
	}
	change(func(id snowflake) bool { return id == server })
	change(func(id snowflake) bool { return slices.Contains(roles, id) })
	change(func(id snowflake) bool { return id == bot })
	return has
}

// bitsOf returns a set of permissions in decimal; none if it isn't a number.
func bitsOf(decimal string) uint64 {
	bits, _ := strconv.ParseUint(decimal, 10, 64)
	return bits
}
