package discord

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rackmate/rackmate/adapters/tasks"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// This file records the servers that the bot is in, to notice at the gateway's next list
// of servers which ones removed the bot while it was disconnected. The data of a removed
// server, and of a person who removed the application from their account, is erased after
// a while. In a server that is new, the bot offers the set-up.

const (
	serversShelf = "servers" // by server: since when the bot is known to be there
	leftShelf    = "left"    // by server, or "user/" and a person: since when they have been without the bot
)

// keepLeft limits how long the data of a server or person without the bot is kept, in
// case they return.
const keepLeft = 30 * 24 * time.Hour

// servers records the servers where the bot has been used, or has offered the set-up.
type servers struct {
	*common
	noted   sync.Map    // by server: this process has recorded it
	missing tasks.Tasks // searches for removed servers, and offers of the set-up

	mu     sync.Mutex
	all    map[snowflake]time.Time // contents of the shelf, read recently
	read   time.Time
	listed time.Time // time of the last listing of all servers
}

// recordUse records that a person uses the bot, and that it is a member of the server where they
// do.
func (s *servers) recordUse(ctx context.Context, i *interaction) error {
	if id, ok := userID(i.author().ID); ok {
		if err := s.recordReturn(ctx, personLeft(id)); err != nil {
			return err
		}
	}
	if !i.Guild.valid() {
		return nil
	}
	if i.isVisit() {
		known, err := s.Notes.Get(ctx, serversShelf, string(i.Guild))
		if err != nil || known == nil {
			return err
		}
		return s.recordRemoval(ctx, i.Guild) // it was a member once
	}
	if _, noted := s.noted.LoadOrStore(i.Guild, true); noted {
		return nil
	}
	if err := s.recordReturn(ctx, string(i.Guild)); err != nil {
		return err
	}
	known, err := s.Notes.Get(ctx, serversShelf, string(i.Guild))
	if err != nil || known != nil {
		return err
	}
	return s.note(ctx, serversShelf, string(i.Guild))
}

// note records the current time for a person or a server.
func (s *servers) note(ctx context.Context, shelf, key string) error {
	return notes.WriteTime(ctx, s.Notes, shelf, key, s.Now())
}

// newFor limits how long after the bot was added to a server the set-up is offered there.
const newFor = 24 * time.Hour

// recordServer handles the gateway's event about a server, which also comes for each of them when a
// session begins.
func (s *servers) recordServer(ctx context.Context, raw []byte) {
	var is struct {
		ID     snowflake `json:"id"`
		Joined time.Time `json:"joined_at"`
	}
	if err := json.Unmarshal(raw, &is); err != nil || !is.ID.valid() {
		s.Log.Warn("can't read which server the bot is in", "error", err)
		return
	}
	if s.Now().Sub(is.Joined) > newFor {
		return
	}
	if err := s.offerSetup(context.WithoutCancel(ctx), is.ID); err != nil {
		s.Log.Error("can't offer the set-up in a new server", "guild", is.ID, "error", err)
	}
}

// isKnown reports whether the bot has been used in a server, or offered the set-up there.
func (s *servers) isKnown(ctx context.Context, guild snowflake) (bool, error) {
	for _, shelf := range []string{serversShelf, leftShelf} {
		if row, err := s.Notes.Get(ctx, shelf, string(guild)); err != nil || row != nil {
			return true, err
		}
	}
	return false, nil
}

// offerSetup informs the host that the bot was added to a server, unless the server is known. If
// the bot may post nowhere there, it does nothing.
func (s *servers) offerSetup(ctx context.Context, guild snowflake) error {
	if known, err := s.isKnown(ctx, guild); err != nil || known {
		return err
	}
	first, locale, err := s.firstChannel(ctx, guild)
	if err != nil || first == "" {
		return err
	}
	if err := s.Host.Joined(ctx, channelID(first), homeID(guild), locale); err != nil {
		return err
	}
	return s.note(ctx, serversShelf, string(guild))
}

// firstChannel returns the channel of a server for messages to everybody: its system channel, or
// else its first text channel where the bot may post a board. It is "" if there is none. locale is the
// server's language.
func (s *servers) firstChannel(ctx context.Context, guild snowflake) (first snowflake, locale string, err error) {
	var me user
	if err := s.client.get(ctx, "/users/@me", &me); err != nil {
		return "", "", err
	}
	is, err := s.client.readServer(ctx, me.ID, guild)
	if err != nil {
		return "", "", err
	}
	slices.SortStableFunc(is.channels, func(a, b serverChannel) int { return a.Position - b.Position })
	for _, c := range is.channels {
		switch {
		case !c.can(viewChannel, sendMessages, attachFiles):
		case c.ID == is.System:
			return c.ID, is.Locale, nil
		case first == "" && c.Type == textChannel:
			first = c.ID
		}
	}
	return first, is.Locale, nil
}

// recordReturn records that a person or a server has the bot again.
func (s *servers) recordReturn(ctx context.Context, key string) error {
	return notes.Remove(ctx, s.Notes, leftShelf, key)
}

// personLeft returns a person's key in leftShelf.
func personLeft(id snowflake) string { return "user/" + string(id) }

// recordRemoval ends the games in a server that has removed the bot, and schedules the erasure of
// its data.
func (s *servers) recordRemoval(ctx context.Context, guild snowflake) error {
	ctx = context.WithoutCancel(ctx)
	if err := s.Host.HomeGone(ctx, homeID(guild)); err != nil {
		return err
	}
	if err := s.note(ctx, leftShelf, string(guild)); err != nil {
		return err
	}
	s.noted.Delete(guild)
	return s.Notes.Put(ctx, serversShelf, string(guild), nil)
}

// knownFor limits how long the list of servers is reused, so that all shards of a process
// that start together read it once.
const knownFor = time.Minute

// load returns the servers that the bot is known to be in, and since when.
func (s *servers) load(ctx context.Context) (map[snowflake]time.Time, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := s.Now(); s.all != nil && now.Sub(s.read) < knownFor {
		return s.all, nil
	}
	all := map[snowflake]time.Time{}
	began := s.Now()
	if err := notes.ReadEach(ctx, s.Notes, serversShelf, "", func(row bot.Row) error {
		var since time.Time
		if err := since.UnmarshalText(row.Value); err != nil {
			s.Log.Error("can't read when the bot joined a server", "guild", row.Key, "error", err)
			return nil
		}
		all[snowflake(row.Key)] = since
		return nil
	}); err != nil {
		return nil, err
	}
	s.all, s.read = all, began
	return all, nil
}

// compare records the removal from known servers of a shard that Discord doesn't list at
// the start of a session, and the return to listed ones. Changes after began, the time of
// that start, are newer than the list and stay.
func (s *servers) compare(ctx context.Context, shard, of int, listed []snowflake, began time.Time) error {
	known, err := s.load(ctx)
	if err != nil {
		return err
	}
	there := make(map[snowflake]bool, len(listed))
	for _, guild := range listed {
		there[guild] = true
	}
	for guild, since := range known {
		if there[guild] || guild.shard(of) != shard || !since.Before(began) {
			continue
		}
		s.Log.Info("a server removed the bot while it was offline", "guild", guild)
		if err := s.recordRemoval(ctx, guild); err != nil {
			return err
		}
	}
	return notes.ReadEach(ctx, s.Notes, leftShelf, "", func(row bot.Row) error {
		var since time.Time
		if err := since.UnmarshalText(row.Value); !there[snowflake(row.Key)] || err == nil && !since.Before(began) {
			return nil
		}
		if err := s.note(ctx, serversShelf, row.Key); err != nil {
			return err
		}
		return s.Notes.Put(ctx, leftShelf, row.Key, nil)
	})
}

// forgetLeft erases the data of servers and people that left long ago, and launches that
// are over, until ctx is done.
func (s *servers) forgetLeft(ctx context.Context) error {
	for {
		err := notes.ReadEach(ctx, s.Notes, leftShelf, "", func(row bot.Row) error {
			var since time.Time
			if err := since.UnmarshalText(row.Value); err != nil || s.Now().Sub(since) < keepLeft {
				return err
			}
			return s.forget(ctx, row.Key)
		})
		if err = errors.Join(err, launches{s.common}.removeOld(ctx)); err != nil && ctx.Err() == nil {
			s.Log.Error("can't erase people who left; retrying in an hour", "error", err)
		}
		if s.after.sleep(ctx, time.Hour) != nil {
			return nil
		}
	}
}

// forget erases the data of a server or a person, unless they turn out to have the bot.
func (s *servers) forget(ctx context.Context, key string) error {
	if id, person := strings.CutPrefix(key, "user/"); person {
		if s.ForgettingPerson == nil {
			return nil
		}
		if err := s.ForgettingPerson(ctx, playerID(snowflake(id))); err != nil {
			return err
		}
		s.Log.Info("erased a person who removed the application from their account long ago")
		return s.Notes.Put(ctx, leftShelf, key, nil)
	}
	if s.ForgettingServer == nil {
		return nil
	}
	there, err := s.isIn(ctx, snowflake(key))
	if err != nil {
		return err
	}
	if there { // it has the bot again, but no one has used it there
		return s.Notes.Put(ctx, leftShelf, key, nil)
	}
	if err := s.ForgettingServer(ctx, key); err != nil {
		return err
	}
	s.Log.Info("erased a server that removed the bot long ago", "guild", key)
	return s.Notes.Put(ctx, leftShelf, key, nil)
}

// isIn asks Discord whether the bot is in a server.
func (s *servers) isIn(ctx context.Context, guild snowflake) (bool, error) {
	id, err := strconv.ParseUint(string(guild), 10, 64)
	if err != nil || id == 0 {
		return false, err
	}
	listed, err := s.list(ctx, snowflake(strconv.FormatUint(id-1, 10)), 1)
	return slices.Contains(listed, guild), err
}

// owner returns the person who owns a server; see [bot.Platform.Owner].
func (s *servers) owner(ctx context.Context, home string) (bot.PlayerID, error) {
	guild, ours := strings.CutPrefix(home, homeID(""))
	if !ours || !snowflake(guild).valid() {
		return "", nil
	}
	var is struct {
		Owner snowflake `json:"owner_id"`
	}
	if err := s.client.get(ctx, "/guilds/"+guild, &is); err != nil || !is.Owner.valid() {
		return "", err
	}
	return playerID(is.Owner), nil
}

// list returns servers that the bot is in, by id, starting after one.
func (s *servers) list(ctx context.Context, after snowflake, most int) (all []snowflake, err error) {
	var listed []struct {
		ID snowflake `json:"id"`
	}
	if err := s.client.get(ctx, "/users/@me/guilds?"+url.Values{"after": {string(after)}, "limit": {strconv.Itoa(most)}}.Encode(), &listed); err != nil {
		return nil, err
	}
	for _, guild := range listed {
		all = append(all, guild.ID)
	}
	return all, nil
}

// betweenLists is the least time between two listings of all servers.
const betweenLists = time.Hour

// checkMissingSoon checks in the background which servers have removed the bot.
// Interactions over HTTP need it, because there a refused post is the first sign of a
// removal.
func (s *servers) checkMissingSoon(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	began := s.Now()
	if !s.listed.IsZero() && began.Sub(s.listed) < betweenLists {
		return
	}
	s.listed = began
	s.missing.Go(func() {
		if err := s.checkMissing(context.WithoutCancel(ctx), began); err != nil {
			s.Log.Error("can't check which servers removed the bot", "error", err)
		}
	})
}

func (s *servers) checkMissing(ctx context.Context, began time.Time) error {
	const page = 200
	var all []snowflake
	for after := snowflake("0"); ; after = all[len(all)-1] {
		some, err := s.list(ctx, after, page)
		if err != nil {
			return err
		}
		if all = append(all, some...); len(some) < page {
			return s.compare(ctx, 0, 1, all, began)
		}
	}
}

// A webhookEvent is an event about the application itself, sent to the same address as
// interactions. https://docs.discord.com/developers/events/webhook-events
type webhookEvent struct {
	Version int    `json:"version"`
	Type    int    `json:"type"`
	Token   string `json:"token"` // only set in an interaction
	Event   *struct {
		Type string `json:"type"`
		Data struct {
			User    user `json:"user"`
			Install *int `json:"integration_type"`
			Guild   struct {
				ID snowflake `json:"id"`
			} `json:"guild"`
		} `json:"data"`
	} `json:"event"`
}

// Version and types of webhook events, and types of installations.
const (
	webhookVersion  = 1
	webhookPing     = 0
	webhookHappened = 1
	installGuild    = 0
)

// readWebhook parses a webhook event; ok is false for an interaction.
func readWebhook(body []byte) (w webhookEvent, ok bool) {
	w.Type = -1
	if err := json.Unmarshal(body, &w); err != nil {
		return w, false
	}
	return w, w.Version == webhookVersion && w.Token == "" && (w.Type == webhookPing || w.Type == webhookHappened && w.Event != nil)
}

// handleWebhook handles a webhook event.
func (s *servers) handleWebhook(ctx context.Context, w webhookEvent) error {
	if w.Event == nil {
		return nil
	}
	data := w.Event.Data
	switch w.Event.Type {
	case "APPLICATION_DEAUTHORIZED":
		if data.User.ID.valid() {
			return s.note(ctx, leftShelf, personLeft(data.User.ID))
		}
	case "APPLICATION_AUTHORIZED":
		if data.Install != nil && *data.Install == installGuild && data.Guild.ID.valid() {
			if known, err := s.isKnown(ctx, data.Guild.ID); err != nil || known {
				return errors.Join(err, s.recordReturn(ctx, string(data.Guild.ID)))
			}
			s.missing.Go(func() {
				if err := s.offerSetup(context.WithoutCancel(ctx), data.Guild.ID); err != nil {
					s.Log.Error("can't offer the set-up in a new server", "guild", data.Guild.ID, "error", err)
				}
			})
			return nil
		}
		if data.User.ID.valid() {
			return s.recordReturn(ctx, personLeft(data.User.ID))
		}
	}
	return nil
}
