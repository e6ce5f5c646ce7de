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

// This file knows in which servers the bot is, so that one that removed it while nobody
// listened is missed when the gateway lists those there are. What is kept of a server that
// is gone, and of a person who took the application out of their account, is forgotten
// after a while.

const (
	serversShelf = "servers" // by server: since when the bot is known to be there
	leftShelf    = "left"    // by server, or "user/" and a person: since when they are without the bot
)

// keepLeft is how long what is kept of those who have left is kept on, for they may come
// back.
const keepLeft = 30 * 24 * time.Hour

// servers are those that the bot is in, as far as somebody has used it there.
type servers struct {
	*common
	noted   sync.Map    // by server: that this process has noted it
	missing tasks.Tasks // looking for those that are gone

	mu     sync.Mutex
	all    map[snowflake]time.Time // those of the shelf, read a moment ago
	read   time.Time
	listed time.Time // when Discord was asked for all
}

// here notes that somebody uses the bot in a server that it is in, and that they use it at
// all.
func (s *servers) here(ctx context.Context, i *interaction) error {
	if id, ok := userID(i.who().ID); ok {
		if err := s.back(ctx, personLeft(id)); err != nil {
			return err
		}
	}
	if !i.Guild.valid() {
		return nil
	}
	if i.visits() {
		known, err := s.Notes.Get(ctx, serversShelf, string(i.Guild))
		if err != nil || known == nil {
			return err
		}
		return s.gone(ctx, i.Guild) // it was there once
	}
	if _, noted := s.noted.LoadOrStore(i.Guild, true); noted {
		return nil
	}
	if err := s.back(ctx, string(i.Guild)); err != nil {
		return err
	}
	known, err := s.Notes.Get(ctx, serversShelf, string(i.Guild))
	if err != nil || known != nil {
		return err
	}
	return s.note(ctx, serversShelf, string(i.Guild))
}

// note notes the time for somebody, or a server.
func (s *servers) note(ctx context.Context, shelf, key string) error {
	now, err := s.Now().UTC().MarshalText()
	if err != nil {
		return err
	}
	return s.Notes.Put(ctx, shelf, key, now)
}

// back notes that somebody, or a server, has the bot again.
func (s *servers) back(ctx context.Context, key string) error {
	left, err := s.Notes.Get(ctx, leftShelf, key)
	if err != nil || left == nil {
		return err
	}
	return s.Notes.Put(ctx, leftShelf, key, nil)
}

// personLeft is the key of a person among those who have left.
func personLeft(id snowflake) string { return "user/" + string(id) }

// gone ends what was played in a server that the bot isn't in any more, and notes that
// what is kept of it is to be forgotten.
func (s *servers) gone(ctx context.Context, guild snowflake) error {
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

// knownFor is how long the servers that were read are those that there are: all shards of
// a process that start together read them once.
const knownFor = time.Minute

// known are the servers that the bot is known to be in, and since when.
func (s *servers) known(ctx context.Context) (map[snowflake]time.Time, error) {
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
			s.Log.Error("since when the bot is in a server can't be read", "guild", row.Key, "error", err)
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

// compare misses those of a shard's servers that Discord doesn't list when a session
// begins, at a time.
func (s *servers) compare(ctx context.Context, shard, of int, listed []snowflake, began time.Time) error {
	known, err := s.known(ctx)
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
		s.Log.Info("a server has removed the bot while it was away", "guild", guild)
		if err := s.gone(ctx, guild); err != nil {
			return err
		}
	}
	return notes.ReadEach(ctx, s.Notes, leftShelf, "", func(row bot.Row) error {
		if there[snowflake(row.Key)] {
			return s.Notes.Put(ctx, leftShelf, row.Key, nil)
		}
		return nil
	})
}

// forgetLeft forgets those that have left long ago, and launches that are over, until ctx
// is done.
func (s *servers) forgetLeft(ctx context.Context) error {
	for {
		err := notes.ReadEach(ctx, s.Notes, leftShelf, "", func(row bot.Row) error {
			var since time.Time
			if err := since.UnmarshalText(row.Value); err != nil || s.Now().Sub(since) < keepLeft {
				return err
			}
			return s.forget(ctx, row.Key)
		})
		if err = errors.Join(err, launches{s.common}.letGo(ctx)); err != nil && ctx.Err() == nil {
			s.Log.Error("can't forget those who have left; trying again in an hour", "error", err)
		}
		if s.after.sleep(ctx, time.Hour) != nil {
			return nil
		}
	}
}

// forget forgets a server, or a person, unless they turn out to be there.
func (s *servers) forget(ctx context.Context, key string) error {
	if id, person := strings.CutPrefix(key, "user/"); person {
		if s.ForgettingPerson == nil {
			return nil
		}
		if err := s.ForgettingPerson(ctx, bot.PlayerID(Platform+":"+id)); err != nil {
			return err
		}
		s.Log.Info("forgot a person who took the application out of their account long ago")
		return s.Notes.Put(ctx, leftShelf, key, nil)
	}
	if s.ForgettingServer == nil {
		return nil
	}
	there, err := s.isIn(ctx, snowflake(key))
	if err != nil {
		return err
	}
	if there { // it has the bot again, and nobody has used it there
		return s.Notes.Put(ctx, leftShelf, key, nil)
	}
	if err := s.ForgettingServer(ctx, key); err != nil {
		return err
	}
	s.Log.Info("forgot a server that removed the bot long ago", "guild", key)
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

// list are servers that the bot is in, those after one.
func (s *servers) list(ctx context.Context, after snowflake, most int) (all []snowflake, err error) {
	b, err := s.client.call(ctx, "GET", "/users/@me/guilds?"+url.Values{"after": {string(after)}, "limit": {strconv.Itoa(most)}}.Encode(), nil)
	if err != nil {
		return nil, err
	}
	var listed []struct {
		ID snowflake `json:"id"`
	}
	if err := json.Unmarshal(b, &listed); err != nil {
		return nil, err
	}
	for _, guild := range listed {
		all = append(all, guild.ID)
	}
	return all, nil
}

// betweenLists is how long after one list of all servers the next may be asked for.
const betweenLists = time.Hour

// missSoon looks, behind, which servers have removed the bot: where interactions come over
// HTTP nobody tells, and a post that is refused is the first that we hear of it.
func (s *servers) missSoon(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	began := s.Now()
	if !s.listed.IsZero() && began.Sub(s.listed) < betweenLists {
		return
	}
	s.listed = began
	s.missing.Go(func() {
		if err := s.missGone(context.WithoutCancel(ctx), began); err != nil {
			s.Log.Error("can't see which servers have removed the bot", "error", err)
		}
	})
}

func (s *servers) missGone(ctx context.Context, began time.Time) error {
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

// A webhookEvent is what Discord tells of the application itself, at the same address as
// interactions. https://docs.discord.com/developers/events/webhook-events
type webhookEvent struct {
	Version int    `json:"version"`
	Type    int    `json:"type"`
	Token   string `json:"token"` // an interaction has one
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

// The version and the types of what comes by webhook; and where an application is
// installed.
const (
	webhookVersion  = 1
	webhookPing     = 0
	webhookHappened = 1
	installGuild    = 0
)

// readWebhook reads what comes by webhook; ok is false for an interaction.
func readWebhook(body []byte) (w webhookEvent, ok bool) {
	w.Type = -1
	if err := json.Unmarshal(body, &w); err != nil {
		return w, false
	}
	return w, w.Version == webhookVersion && w.Token == "" && (w.Type == webhookPing || w.Type == webhookHappened && w.Event != nil)
}

// tell carries out what came by webhook.
func (s *servers) tell(ctx context.Context, w webhookEvent) error {
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
			return s.back(ctx, string(data.Guild.ID))
		}
		if data.User.ID.valid() {
			return s.back(ctx, personLeft(data.User.ID))
		}
	}
	return nil
}
