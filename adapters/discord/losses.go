package discord

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/rackmate/rackmate/bot"
)

// losses handles the gateway's events about lost members, channels and servers.
type losses struct {
	host    bot.Host
	servers *servers
	log     *slog.Logger
}

// memberLeft frees the seats of a member who left a server or was removed.
func (l losses) memberLeft(ctx context.Context, raw []byte) {
	var left struct {
		Guild snowflake `json:"guild_id"`
		User  user      `json:"user"`
	}
	if err := json.Unmarshal(raw, &left); err != nil || !left.Guild.valid() || !left.User.ID.valid() {
		l.log.Warn("can't read who left a server", "error", err)
		return
	}
	who := left.User.person(nil).ID
	if err := l.host.MemberLeft(context.WithoutCancel(ctx), homeID(left.Guild), who); err != nil {
		l.log.Error("can't free the seats of a person who left a server", "guild", left.Guild, "error", err)
	}
}

// endChannelGames ends the games in a deleted channel or thread.
func (l losses) endChannelGames(ctx context.Context, raw []byte) {
	var gone struct {
		ID snowflake `json:"id"`
	}
	if err := json.Unmarshal(raw, &gone); err != nil || !gone.ID.valid() {
		l.log.Warn("can't read which channel was deleted", "error", err)
		return
	}
	if err := l.host.ChannelGone(context.WithoutCancel(ctx), channelID(gone.ID)); err != nil {
		l.log.Error("can't end the games of a deleted channel", "channel", gone.ID, "error", err)
	}
}

// endServerGames ends the games in a server that was deleted or has removed the bot. A server
// with an outage comes back.
func (l losses) endServerGames(ctx context.Context, raw []byte) {
	var gone struct {
		ID          snowflake `json:"id"`
		Unavailable bool      `json:"unavailable"`
	}
	if err := json.Unmarshal(raw, &gone); err != nil || !gone.ID.valid() {
		l.log.Warn("can't read which server is gone", "error", err)
		return
	}
	if gone.Unavailable {
		return
	}
	if err := l.servers.recordRemoval(ctx, gone.ID); err != nil {
		l.log.Error("can't end the games of a deleted server", "guild", gone.ID, "error", err)
	}
}
