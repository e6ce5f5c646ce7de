package web

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/limit"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
)

// A stream is the id of a sequence of messages:
//
//	general           a channel, by its name
//	general.<key>     a thread beside a channel, for a table; everyone may read it
//	dm.<id>           the host's private messages to one person
//	dm.<id>.<id>      a conversation of two people, their ids in order
//	dm.<id>.g-<key>   a thread beside a conversation, for a table, with the same readers
type stream string

// general is the channel that always exists.
const general = "general"

func hostStream(p person) stream { return stream(direct + p.ID) }

func directStream(a, b person) stream {
	if b.ID < a.ID {
		a, b = b, a
	}
	return stream(direct + a.ID + "." + b.ID)
}

// direct is the prefix of the ids of private streams.
const direct = "dm."

// Prefixes of shelves: messages by stream, and by person how far they have read each stream and
// which conversations they have.
const (
	saidShelf    = "said/"
	readShelf    = "read/"
	directsShelf = "directs/"
)

// streamOf returns the stream of a channel. ours is false if the channel isn't the room's.
func streamOf(ch bot.ChannelID) (s stream, ours bool) {
	id, ours := strings.CutPrefix(string(ch), pages.Platform+":")
	return stream(id), ours
}

var errNoStream = &pages.Refusal{Status: http.StatusNotFound, Text: text.Say("That conversation is gone.")}

// readers returns the people who may read a stream, or none if everyone may.
func (s stream) readers() []string {
	ids, ok := strings.CutPrefix(string(s), direct)
	if !ok {
		return nil
	}
	who := strings.Split(ids, ".")
	if s.isAside() {
		who = who[:len(who)-1]
	}
	return who
}

// asidesShelf stores the threads beside channels as storedChannels, by id.
const asidesShelf = "asides"

// asideOfDirect begins the last part of the id of a thread beside a conversation. No
// person's id begins with it.
const asideOfDirect = "g-"

// isAside reports whether a stream is a thread beside another. No channel's name has a dot.
func (s stream) isAside() bool {
	i := strings.LastIndexByte(string(s), '.')
	return i >= 0 && (!strings.HasPrefix(string(s), direct) || strings.HasPrefix(string(s[i+1:]), asideOfDirect))
}

// mayRead reports whether a person may read a stream.
func (s stream) mayRead(id string) bool {
	readers := s.readers()
	return len(readers) == 0 || slices.Contains(readers, id)
}

// mayRead reports whether a person may read a channel of the room; "" is a stranger.
func mayRead(ch bot.ChannelID, who bot.PlayerID) bool {
	s, _ := streamOf(ch)
	id, _ := memberID(who)
	return s.mayRead(id)
}

// other returns the other person in a conversation of two, or "" elsewhere.
func (s stream) other(id string) string {
	if who := s.readers(); len(who) == 2 && who[0] == id {
		return who[1]
	} else if len(who) == 2 {
		return who[0]
	}
	return ""
}

// log returns the log that stores a stream's messages.
func (s stream) log() notes.Log           { return notes.Log(saidShelf + string(s)) }
func (s stream) channelID() bot.ChannelID { return bot.ChannelID(pages.Platform + ":" + string(s)) }

// streams finds and creates streams, and stores how far each person has read.
type streams struct {
	notes     bot.Notes
	now       func() time.Time
	log       *slog.Logger
	listeners *listeners
	members   *members
	// conversations limits first messages to another person, by author.
	conversations *pages.Buckets
	// made limits new channels by network, so that a network's people can't make more of
	// them a day than one person.
	made *pages.Buckets
}

// find returns the stream with an id, or an error if it doesn't exist or the person may not
// read it.
func (ss *streams) find(ctx context.Context, who person, id string) (stream, error) {
	s := stream(id)
	found, err := ss.exists(ctx, s)
	switch {
	case err != nil:
		return "", err
	case !found || !s.mayRead(who.ID):
		return "", errNoStream
	}
	return s, nil
}

// exists reports whether a stream exists. A conversation of two members always does, and
// remains when one of them leaves.
func (ss *streams) exists(ctx context.Context, s stream) (bool, error) {
	readers := s.readers()
	if len(readers) == 0 || s.isAside() {
		c, found, err := ss.storedChannel(ctx, s)
		return found && c.Archived.IsZero(), err
	}
	if len(readers) > 2 || len(readers) == 2 && readers[0] >= readers[1] {
		return false, nil
	}
	for _, id := range readers {
		if _, found, err := ss.members.storedPerson(ctx, id); err != nil {
			return false, err
		} else if !found {
			n, err := ss.listeners.last(ctx, s)
			return n > 0, err
		}
	}
	return true, nil
}

// A storedChannel is a row of the notes' shelf "channels", by the channel's first name.
type storedChannel struct {
	V  int       `json:"v"` // 1
	By string    `json:"by,omitempty"`
	At time.Time `json:"at"`
	// Name is the current name, if it differs from the first one, which remains the
	// channel's id. Archived is when it was archived.
	Name     string    `json:"name,omitempty"`
	Archived time.Time `json:"archived,omitzero"`
}

// name returns a channel's current name.
func (c storedChannel) name(id string) string { return cmp.Or(c.Name, id) }

const channelsShelf = "channels"

// storedChannel returns a channel, or a thread beside one, by its id.
func (ss *streams) storedChannel(ctx context.Context, s stream) (c storedChannel, found bool, err error) {
	shelf := channelsShelf
	if s.isAside() {
		shelf = asidesShelf
	}
	found, err = notes.Read(ctx, ss.notes, shelf, string(s), &c)
	return c, found, err
}

// channelName matches valid channel names.
var channelName = regexp.MustCompile(`^[\p{Ll}\p{Lo}\p{Nd}]+(-[\p{Ll}\p{Lo}\p{Nd}]+)*$`)

const maxChannelName, maxChannels = 30, 200

// makeChannel creates a channel unless it exists.
func (ss *streams) makeChannel(ctx context.Context, name, by string) (made bool, err error) {
	err = ss.notes.Change(ctx, func(rows bot.Rows) error {
		made = false
		if b, err := rows.Get(channelsShelf, name); err != nil || b != nil {
			return err
		}
		all, err := rows.Scan(channelsShelf, "", "", maxChannels)
		if err != nil {
			return err
		}
		if len(all) == maxChannels {
			return pages.Refuse("There are {n} channels, and that's the limit. The room's keepers can remove some.", len(all))
		}
		if err := checkNameFree(rows, name, ""); err != nil {
			return err
		}
		own := 0
		for _, row := range all {
			var c storedChannel
			if err := json.Unmarshal(row.Value, &c); err != nil {
				return err
			}
			if by != "" && c.By == by {
				own++
			}
		}
		if own >= bot.LimitChannels.Most {
			return pages.Refuse("You've made {n} channels, and that's the limit for one person. Somebody else can make this one, or you can use an existing one.", own)
		}
		made = true
		return notes.Put(rows, channelsShelf, name, storedChannel{V: 1, By: by, At: ss.now()})
	})
	return made, err
}

// channels lists the channels that aren't archived: general first, then by their first
// names.
func (ss *streams) channels(ctx context.Context) ([]stream, error) {
	all := []stream{general}
	return all, notes.ReadEachOf(ctx, ss.notes, channelsShelf, "", func(id string, c storedChannel) error {
		if id != general && c.Archived.IsZero() {
			all = append(all, stream(id))
		}
		return nil
	})
}

// cleanChannelName normalizes a typed name for a channel, or returns an error if it isn't
// valid.
func cleanChannelName(typed string) (string, error) {
	name := strings.ToLower(strings.Join(strings.Fields(strings.TrimLeft(strings.ToValidUTF8(typed, ""), "# ")), "-"))
	switch {
	case name == "":
		return "", pages.Refuse("Please type a name for the channel.")
	case len([]rune(name)) > maxChannelName:
		return "", pages.Refuse("A channel's name can have up to {most} characters.", maxChannelName)
	case !channelName.MatchString(name):
		return "", pages.Refuse("A channel's name can have letters, digits and single hyphens between them, like late-night.")
	}
	return name, nil
}

// newFor sets how long a person who has played no game counts as a newcomer.
const newFor = 7 * 24 * time.Hour

// mayMakeChannels reports whether a person is no longer a newcomer.
func (ss *streams) mayMakeChannels(who person) bool {
	return who.Keeper || who.played || !who.silent && ss.now().Sub(who.since) >= newFor
}

func (ss *streams) addChannel(ctx context.Context, who person, in struct {
	Name string `json:"name"`
}) (any, error) {
	name, err := cleanChannelName(in.Name)
	if err != nil {
		return nil, err
	}
	s := stream(name)
	there, err := ss.exists(ctx, s)
	if err == nil && !there {
		err = ss.members.checkMuted(ctx, who)
	}
	if err == nil && !there && !ss.mayMakeChannels(who) {
		err = pages.Refuse("You can make channels once you've played a game here or been here for a week.")
	}
	// A private network, or that of a local proxy, may be shared by everyone.
	from, public := limit.NetworkOf(bot.AskerOf(ctx).Address)
	public = public && !who.Keeper
	counted := err == nil && !there && public
	if counted && ss.made.Take(from.String()) > 0 {
		counted, err = false, pages.Refuse("Your network has made many channels today. Please try again tomorrow, or use an existing one.")
	}
	if err != nil {
		return nil, err
	}
	made, err := ss.makeChannel(ctx, name, who.ID)
	if counted && !made {
		ss.made.Spend(from.String(), -1)
	}
	if err != nil {
		return nil, err
	}
	if made {
		ss.listeners.publish(s, "stream", streamInfo{ID: s, Kind: "channel"})
		ss.log.Info("web channel", "channel", s.channelID(), "player", who.player())
	}
	return ss.streamInfo(ctx, who, s)
}

func (ss *streams) openDirect(ctx context.Context, who person, in struct {
	Person string `json:"person"`
}) (any, error) {
	other, found, err := ss.members.person(ctx, in.Person)
	if err != nil {
		return nil, err
	}
	if !found || other.ID == who.ID {
		return nil, pages.Refuse("They aren't here any more.")
	}
	return ss.streamInfo(ctx, who, directStream(who, other))
}

// beginConversation returns an error if a person starts too many conversations in a short
// time.
func (ss *streams) beginConversation(ctx context.Context, who person, s stream) error {
	begun, err := ss.notes.Get(ctx, directsShelf+who.ID, string(s))
	if err != nil || begun != nil {
		return err
	}
	if wait := ss.conversations.Take(who.ID); wait > 0 {
		return pages.Refuse("You've written to a lot of people just now. Please wait {n, plural, one {# minute} other {# minutes}} before you write to another.", int(math.Ceil(wait.Minutes())))
	}
	return nil
}

// A streamInfo describes a stream for one person.
type streamInfo struct {
	ID   stream `json:"id"`
	Name string `json:"name,omitempty"` // current name of a renamed channel
	Kind string `json:"kind"`           // channel, game, host or direct
	With string `json:"with,omitempty"` // the other person's id
	Last uint64 `json:"last"`           // number of the last message
	Read uint64 `json:"read"`           // number of the last message read
	// Unread is the number of unread messages. Mentions is the number of mentions of the
	// person among the latest of them.
	Unread   uint64 `json:"unread"`
	Mentions int    `json:"mentions"`
}

// countMentions is the number of unread messages searched for mentions.
const countMentions = 100

func (ss *streams) streamInfo(ctx context.Context, who person, s stream) (streamInfo, error) {
	info := streamInfo{ID: s, Kind: "channel", With: s.other(who.ID)}
	switch readers := len(s.readers()); {
	case readers == 0, s.isAside():
		c, _, err := ss.storedChannel(ctx, s)
		if err != nil {
			return info, err
		}
		if info.Name = c.Name; s.isAside() {
			info.Kind = "game"
		}
	case readers == 1:
		info.Kind = "host"
	default:
		info.Kind = "direct"
	}
	latest, err := ss.linesFor(ctx, who, s, 0, 1)
	if err != nil {
		return info, err
	}
	if len(latest) > 0 {
		info.Last = latest[0].number
	}
	if info.Read, err = ss.read(ctx, who, s); err != nil || info.Read >= info.Last {
		return info, err
	}
	info.Unread = info.Last - info.Read
	lines, err := ss.linesFor(ctx, who, s, 0, int(min(info.Unread, countMentions)))
	if err != nil {
		return info, err
	}
	seen := uint64(0)
	for _, l := range lines {
		if l.number <= info.Read {
			continue
		}
		if seen++; l.mentions(who) {
			info.Mentions++
		}
	}
	if len(lines) < countMentions {
		info.Unread = seen
	}
	return info, nil
}

// streamInfos lists a person's streams: all channels, the host's private messages, and
// their conversations.
func (ss *streams) streamInfos(ctx context.Context, who person) ([]streamInfo, error) {
	all, err := ss.channels(ctx)
	if err != nil {
		return nil, err
	}
	directs, err := ss.directs(ctx, who)
	if err != nil {
		return nil, err
	}
	all = append(all, directs...)
	infos := make([]streamInfo, len(all))
	for i, s := range all {
		if infos[i], err = ss.streamInfo(ctx, who, s); err != nil {
			return nil, err
		}
	}
	return infos, nil
}

// directs returns a person's conversations with the host and with others.
func (ss *streams) directs(ctx context.Context, who person) ([]stream, error) {
	ids, err := ss.notes.Keys(ctx, directsShelf+who.ID)
	all := []stream{hostStream(who)}
	for _, id := range ids {
		// Earlier versions let people create streams with other names.
		if s := stream(id); s.other(who.ID) != "" || s.isAside() {
			all = append(all, s)
		}
	}
	return all, err
}

// last returns the number of a stream's last message, or 0 if it is empty.
func (ls *listeners) last(ctx context.Context, s stream) (uint64, error) {
	lines, err := s.log().Read(ctx, ls.notes, 0, 1)
	if err != nil || len(lines) == 0 {
		return 0, err
	}
	return lines[0].Number, nil
}

// read returns the number of the last message that a person has read in a stream.
func (ss *streams) read(ctx context.Context, who person, s stream) (uint64, error) {
	return readMark(ss.notes.Get(ctx, readShelf+who.ID, string(s)))
}

func readMark(b []byte, err error) (uint64, error) {
	if err != nil || b == nil {
		return 0, err
	}
	return strconv.ParseUint(string(b), 10, 64)
}

// setRead moves a person's read mark forward, never back.
func (ss *streams) setRead(ctx context.Context, who person, s stream, n uint64) error {
	old, err := ss.read(ctx, who, s)
	if err != nil || n <= old {
		return err
	}
	moved := false
	if err := ss.notes.Change(ctx, func(rows bot.Rows) error {
		now, err := readMark(rows.Get(readShelf+who.ID, string(s)))
		if moved = err == nil && n > now; !moved {
			return err
		}
		return rows.Put(readShelf+who.ID, string(s), strconv.AppendUint(nil, n, 10))
	}); err != nil || !moved {
		return err
	}
	ss.listeners.tell(who.ID, "read", map[string]any{"stream": s, "read": n})
	return nil
}

func (ss *streams) markRead(ctx context.Context, who person, in struct {
	Stream string `json:"stream"`
	Number uint64 `json:"number"`
}) (any, error) {
	s, err := ss.find(ctx, who, in.Stream)
	if err != nil {
		return nil, err
	}
	last, err := ss.listeners.last(ctx, s)
	if err != nil {
		return nil, err
	}
	return struct{}{}, ss.setRead(ctx, who, s, min(in.Number, last))
}

// streamOf returns the stream of a ChannelID, or errNoStream if it doesn't exist.
func (ss *streams) streamOf(ctx context.Context, ch bot.ChannelID) (stream, error) {
	s, ours := streamOf(ch)
	if !ours {
		return "", errNoStream
	}
	found, err := ss.exists(ctx, s)
	if err == nil && !found {
		err = errNoStream
	}
	return s, err
}

// clearShelf deletes a shelf's rows.
func clearShelf(ctx context.Context, kept bot.Notes, shelf string) error {
	keys, err := kept.Keys(ctx, shelf)
	for _, key := range keys {
		if err := kept.Put(ctx, shelf, key, nil); err != nil {
			return err
		}
	}
	return err
}

// dropLines removes a stream's lines and the places of its standing messages.
func dropLines(ctx context.Context, rows bot.Notes, s stream) error {
	if err := s.log().Drop(ctx, rows); err != nil {
		return err
	}
	return notes.ReadEach(ctx, rows, standingShelf, string(s)+"\n", func(row bot.Row) error { return rows.Put(ctx, standingShelf, row.Key, nil) })
}

// mostAsides is the number of threads that are searched for running games.
const mostAsides = 60

// publicStreams returns the channels and the latest of the threads beside them.
func (ss *streams) publicStreams(ctx context.Context) ([]stream, error) {
	all, err := ss.channels(ctx)
	if err != nil {
		return nil, err
	}
	type aside struct {
		stream
		at time.Time
	}
	var asides []aside
	err = notes.ReadEachOf(ctx, ss.notes, asidesShelf, "", func(id string, c storedChannel) error {
		if len(stream(id).readers()) == 0 {
			asides = append(asides, aside{stream(id), c.At})
		}
		return nil
	})
	slices.SortStableFunc(asides, func(a, b aside) int { return b.at.Compare(a.at) })
	for _, a := range asides[:min(len(asides), mostAsides)] {
		all = append(all, a.stream)
	}
	return all, err
}

// checkNameFree returns an error if another channel has the name now, or was created
// under it.
func checkNameFree(rows bot.Rows, name string, but stream) error {
	return notes.EachOf(rows, channelsShelf, "", func(id string, c storedChannel) error {
		if stream(id) != but && (id == name || c.name(id) == name) {
			return pages.Refuse("There's already a channel with that name.")
		}
		return nil
	})
}
