package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/rackmate/rackmate/adapters/outbox"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// refusals stores the channels where the bot may not post, and those where it can't until
// someone uses it there.
type refusals struct {
	*common
	outbox.Refusals

	mu    sync.Mutex
	known map[snowflake]blockedChannel // what this process knows about them
}

// A blockedChannel is a channel where the bot may not post.
type blockedChannel struct {
	guild, parent snowflake // empty if unknown
	missing       []text.Text
	players       []bot.PlayerID // of the game there
	tried         time.Time      // when an event last caused a try
}

const (
	// blockedSoon and blockedWait are the least and greatest wait between tries where the bot
	// may not post: the permission may be granted.
	blockedSoon = time.Minute
	blockedWait = 10 * time.Minute
	// visitWait is the interval of checks for a visit with a valid token. A visit that
	// reaches this process triggers a try at once.
	visitWait = 5 * time.Minute
	// blockedFor limits how long to keep trying.
	blockedFor = 24 * time.Hour
)

func newRefusals(c *common) *refusals {
	return &refusals{
		common: c, known: map[snowflake]blockedChannel{},
		Refusals: outbox.Refusals{Notes: c.Notes, Shelf: blockedShelf, Now: c.Now, First: blockedSoon, Most: blockedWait},
	}
}

// putOff postpones a message for a channel where the bot may not post, for up to a day.
func (r *refusals) putOff(ctx context.Context, channel snowflake, m bot.Message, cause error) error {
	now := r.examine(ctx, channel, cause)
	now.players = m.Players
	r.mu.Lock()
	now.tried = r.known[channel].tried
	r.known[channel] = now
	r.mu.Unlock()
	first, err := r.PutOff(ctx, string(channel), blockedFor, fmt.Errorf("the bot may not post in channel %s, and needs %s there: %w", channel, text.List(now.missing), cause))
	var failed *bot.PostError
	if errors.As(err, &failed) {
		failed.Gone, failed.Blocked = failed.Permanent, first
	}
	return err
}

// examine finds out which permissions the bot lacks in a channel that refused a post.
func (r *refusals) examine(ctx context.Context, channel snowflake, cause error) (b blockedChannel) {
	var is struct {
		Type   channelType `json:"type"`
		Guild  snowflake   `json:"guild_id"`
		Parent snowflake   `json:"parent_id"`
		Thread threadState `json:"thread_metadata"`
	}
	if code(cause) == missingAccess { // another refused request would count against the limit
		b.missing = []text.Text{viewChannel.name}
		return b
	}
	answer, err := r.client.call(ctx, "GET", channelPath(channel), nil)
	if err == nil {
		err = json.Unmarshal(answer, &is)
	}
	b.guild, b.parent = is.Guild, is.Parent
	switch {
	case code(err) == missingAccess:
		b.missing = []text.Text{viewChannel.name}
	case err != nil:
		b.missing = []text.Text{viewChannel.name, sendMessages.name, attachFiles.name}
	case is.Thread.Locked || code(cause) == lockedThread:
		b.missing = []text.Text{manageThreads.name}
	case is.Type.isThread():
		b.missing = []text.Text{sendInThreads.name, attachFiles.name}
	default:
		b.missing = []text.Text{sendMessages.name, attachFiles.name}
	}
	return b
}

// note records what an interaction says about the bot's permissions where it was made.
func (r *refusals) note(i *interaction, l *missingRight) {
	r.mu.Lock()
	defer r.mu.Unlock()
	b, known := r.known[i.Channel]
	switch {
	case l != nil && !l.hushed:
		b.guild, b.parent, b.missing = i.Guild, i.In.Parent, l.missing
	case !known:
		return
	default:
		b.missing = nil // the posts that wait are tried again
	}
	r.known[i.Channel] = b
}

// obstacle explains what keeps the bot from posting in a channel, or returns nil if no
// obstacle is known; see [bot.Platform.Obstacle].
func (r *refusals) obstacle(ctx context.Context, channel snowflake, link string) text.Text {
	r.mu.Lock()
	b, known := r.known[channel]
	r.mu.Unlock()
	if !known {
		if _, refused, err := r.Since(ctx, string(channel)); err != nil || !refused {
			return nil
		}
		if visited, err := r.Notes.Get(ctx, visitShelf, string(channel)); err != nil || visited != nil {
			return nil // posts wait until the bot is used there
		}
		b.missing = []text.Text{viewChannel.name, sendMessages.name, attachFiles.name}
	}
	if len(b.missing) == 0 {
		return nil
	}
	return text.Say("I can't post in {channel} until somebody grants me {permissions} there.", text.Link(text.Item("the channel"), link), text.List(b.missing))
}

// Lift records that the bot may post in a channel.
func (r *refusals) Lift(ctx context.Context, channel string) error {
	r.mu.Lock()
	delete(r.known, snowflake(channel))
	r.mu.Unlock()
	return r.Refusals.Lift(ctx, channel)
}

// retryChannel retries the messages waiting for a channel when the bot is used there: it may have
// been granted the permission.
func (r *refusals) retryChannel(ctx context.Context, channel snowflake) {
	if _, refused, err := r.Since(ctx, string(channel)); err == nil && refused {
		r.Host.Retry(ctx, func(ch bot.ChannelID) bool { return ch == channelID(channel) })
	}
}

// retryGamesOf retries the messages about the games of a person, who may have moved elsewhere, so
// that the next player is called.
func (r *refusals) retryGamesOf(ctx context.Context, who bot.PlayerID) {
	r.retry(ctx, 0, func(_ snowflake, b blockedChannel) bool { return slices.Contains(b.players, who) })
}

// eventGap is the least time between two tries in a channel that events cause.
const eventGap = 10 * time.Second

// permissionsChanged retries the messages waiting for a channel or a server whose
// permissions have changed.
func (r *refusals) permissionsChanged(ctx context.Context, raw []byte) {
	var changed struct {
		ID    snowflake `json:"id"` // of a channel or thread
		Guild snowflake `json:"guild_id"`
		User  user      `json:"user"` // of a member
	}
	if err := json.Unmarshal(raw, &changed); err != nil {
		return
	}
	r.retry(ctx, eventGap, func(id snowflake, b blockedChannel) bool {
		if changed.ID != "" {
			return id == changed.ID || b.parent == changed.ID
		}
		return b.guild == changed.Guild || b.guild == ""
	})
}

// retry retries the messages waiting for the chosen channels, unless an event has caused a
// try less than gap ago.
func (r *refusals) retry(ctx context.Context, gap time.Duration, chosen func(snowflake, blockedChannel) bool) {
	now, again := r.Now(), map[bot.ChannelID]bool{}
	r.mu.Lock()
	for id, b := range r.known {
		if now.Sub(b.tried) >= gap && chosen(id, b) {
			b.tried = now
			r.known[id] = b
			again[channelID(id)] = true
		}
	}
	r.mu.Unlock()
	if len(again) > 0 {
		r.Host.Retry(ctx, func(ch bot.ChannelID) bool { return again[ch] })
	}
}
