package discord

import "sync"

// chats are the latest messages of channels, as Discord tells with what somebody does
// there. They cost no request, and no permission to read the history.
type chats struct{ latest sync.Map } // by channel: snowflake

// note notes a channel's latest message.
func (c *chats) note(channel, message snowflake) {
	if message.valid() {
		c.latest.Store(channel, message)
	}
}

// since reports whether somebody is known to have written in a channel after all of
// some messages.
func (c *chats) since(channel snowflake, messages ...snowflake) bool {
	seen, ok := c.latest.Load(channel)
	if !ok {
		return false
	}
	for _, m := range messages {
		if !seen.(snowflake).after(m) {
			return false
		}
	}
	return true
}
