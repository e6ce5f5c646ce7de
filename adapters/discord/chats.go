package discord

import "sync"

// chats holds the latest message of each channel, which Discord reports with each
// interaction. That takes no request, and no permission to read the history.
type chats struct{ latest sync.Map } // by channel: snowflake

// note records a channel's latest message.
func (c *chats) note(channel, message snowflake) {
	if message.valid() {
		c.latest.Store(channel, message)
	}
}

// hasChattedSince reports whether people are known to have written in a channel after a message.
func (c *chats) hasChattedSince(channel, message snowflake) bool {
	seen, ok := c.latest.Load(channel)
	return ok && seen.(snowflake).isAfter(message)
}
