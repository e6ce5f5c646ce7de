package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// This file handles the threads beside channels and conversations, one for each table.
// Everyone may read a thread beside a channel: it is listed for the people who play
// there, and others come by a link. A thread beside a conversation has the conversation's
// readers.

// maxTitle is the longest name of a thread beside a channel, in characters.
const maxTitle = 60

// open opens a thread beside a channel; see [bot.Platform.Aside]. Calls with the same key
// return the same thread.
func (ss *streams) open(ctx context.Context, beside bot.ChannelID, key, title string, players []bot.PlayerID) (bot.ChannelID, error) {
	of, err := ss.streamOf(ctx, beside)
	if err != nil {
		return "", postError(err)
	}
	if of.isAside() {
		return "", &bot.PostError{Permanent: true, Err: errors.New("a thread can't have a thread of its own")}
	}
	sum := sha256.Sum256([]byte(key))
	id := hex.EncodeToString(sum[:8])
	if len(of.readers()) > 0 {
		id = asideOfDirect + id
	}
	s := stream(string(of) + "." + id)
	if r := []rune(title); len(r) > maxTitle {
		title = string(r[:maxTitle])
	}
	if err := ss.notes.Change(ctx, func(rows bot.Rows) error {
		if b, err := rows.Get(asidesShelf, string(s)); err != nil || b != nil {
			return err
		}
		return notes.Put(rows, asidesShelf, string(s), storedChannel{V: 1, At: ss.now(), Name: title})
	}); err != nil {
		return "", err
	}
	for _, who := range players {
		id, ours := memberID(who)
		if !ours {
			continue
		}
		if err := ss.list(ctx, s, id); err != nil {
			return "", err
		}
		ss.listeners.tell(id, "stream", streamInfo{ID: s, Name: title, Kind: "game"})
	}
	return s.channelID(), nil
}

// openByLink returns the data of a stream that a person opens by a link.
func (ss *streams) openByLink(ctx context.Context, who person, in struct {
	Stream string `json:"stream"`
}) (any, error) {
	s, err := ss.find(ctx, who, in.Stream)
	if err != nil {
		return nil, err
	}
	return ss.streamInfo(ctx, who, s)
}
