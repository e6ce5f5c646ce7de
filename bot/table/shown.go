package table

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shelf"
)

// Shown records what news of timed tables has arrived in each channel, since a turn's clock
// runs from then.
type Shown struct {
	posts *shelf.Shelf[shelf.Channel, News] // the latest public post of each channel
}

// NewShown returns a Shown with its shelf.
func NewShown(own *shelf.Owner) *Shown {
	return &Shown{shelf.Open(own, "posted", shelf.Spec[shelf.Channel, News]{Why: "when a channel was told of the latest turn, where a clock runs"})}
}

// News is the news that has arrived in a channel. It is stored.
type News struct {
	V     int         `json:"v"` // format version: 1
	Table bot.TableID `json:"table"`
	To    int         `json:"to"` // number of the table's events up to the news
	At    time.Time   `json:"at"`
}

// Note records that a post has arrived. If its game is over, it deletes the record. A
// process that stood still may report a post late, after others; then the record stays.
func (s *Shown) Note(ctx context.Context, post bot.Post, over bool, at time.Time) error {
	return s.posts.Change(ctx, shelf.Channel(post.Channel), func(is *News) (keep bool, err error) {
		if is.Table < post.Table || is.Table == post.Table && is.To < post.To {
			*is = News{1, post.Table, post.To, at.UTC()}
			return !over, nil
		}
		return is.Table != 0, nil
	})
}

// In returns the news that has arrived in a channel.
func (s *Shown) In(ctx context.Context, ch bot.ChannelID) (News, error) {
	news, _, err := s.posts.Get(ctx, shelf.Channel(ch))
	return news, err
}

// Since returns when everyone could see the table as it stands now, or the zero time while
// the news is on its way. Private events aren't news.
func (n News) Since(t Table) time.Time {
	if n.Table != t.ID || n.To < t.News() {
		return time.Time{}
	}
	return n.At
}
