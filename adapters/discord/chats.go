package discord

import "sync"

// A chats holds the latest messages of channels, as Discord reports them with each
// interaction. That costs no request, and needs no permission to read the history.
type chats struct{ latest sync.Map } // by channel: snowflake

// note records a channel's latest message.
func (c *chats) note(channel, message snowflake) {
	if message.valid() {
		c.latest.Store(channel, message)
	}
}

// since reports whether people are known to have written in a channel after all of the
// given messages.
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
