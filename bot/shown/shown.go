// Package shown knows what everybody in a channel has been shown of a table that plays
// by clocks: a turn's clock runs from when the news of it arrived.
package shown

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/table"
)

// shelf has, by channel, the latest public post.
const shelf = "posted"

// News is what everybody in a channel has been shown. It is stored.
type News struct {
	V     int         `json:"v"` // 1
	Table bot.TableID `json:"table"`
	To    int         `json:"to"` // the table's events before this one
	At    time.Time   `json:"at"`
}

// Note notes that a post has arrived at a time. When its table's game is over the note
// goes. A process that stood still may come late with what others have posted since:
// then the note stays.
func Note(ctx context.Context, n bot.Notes, post bot.Post, over bool, at time.Time) error {
	key := string(post.Channel)
	return n.Change(ctx, func(rows bot.Rows) error {
		var was News
		found, err := notes.Get(rows, shelf, key, &was)
		switch {
		case err != nil:
			return err
		case was.Table > post.Table, was.Table == post.Table && was.To >= post.To:
			return nil
		case !over:
			return notes.Put(rows, shelf, key, News{1, post.Table, post.To, at.UTC()})
		case found:
			return rows.Put(shelf, key, nil)
		}
		return nil
	})
}

// In is what a channel has been shown.
func In(ctx context.Context, n bot.Notes, ch bot.ChannelID) (news News, err error) {
	_, err = notes.Read(ctx, n, shelf, string(ch), &news)
	return news, err
}

// Since is when everybody could see how a table stands now: the zero time while
// the news of it is still on its way. What is private has no news.
func (n News) Since(t table.Table) time.Time {
	if n.Table != t.ID || n.To < t.News() {
		return time.Time{}
	}
	return n.At
}
