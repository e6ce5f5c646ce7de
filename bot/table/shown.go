package table

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shelf"
)

// Shown knows what everybody in a channel has been shown of a table that plays by
// clocks: a turn's clock runs from when the news of it arrived.
type Shown struct {
	posts *shelf.Shelf[shelf.Channel, News] // the latest public one of each
}

// NewShown keeps that on a shelf of its owner's.
func NewShown(own *shelf.Owner) *Shown {
	return &Shown{shelf.Open(own, "posted", shelf.Spec[shelf.Channel, News]{Why: "when a channel was told of the latest turn, where a clock runs"})}
}

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
func (s *Shown) Note(ctx context.Context, post bot.Post, over bool, at time.Time) error {
	return s.posts.Change(ctx, shelf.Channel(post.Channel), func(is *News) (keep bool, err error) {
		if is.Table < post.Table || is.Table == post.Table && is.To < post.To {
			*is = News{1, post.Table, post.To, at.UTC()}
			return !over, nil
		}
		return is.Table != 0, nil
	})
}

// In is what a channel has been shown.
func (s *Shown) In(ctx context.Context, ch bot.ChannelID) (News, error) {
	news, _, err := s.posts.Get(ctx, shelf.Channel(ch))
	return news, err
}

// Since is when everybody could see how a table stands now: the zero time while
// the news of it is still on its way. What is private has no news.
func (n News) Since(t Table) time.Time {
	if n.Table != t.ID || n.To < t.News() {
		return time.Time{}
	}
	return n.At
}
