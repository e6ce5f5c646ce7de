package place

import (
	"context"
	"fmt"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// homesShelf has the home of each channel where a table was opened.
const homesShelf = "homes"

// KeepHome notes which home a channel belongs to, for what is done later
// without a request.
func (s *Settings) KeepHome(ctx context.Context, ch bot.ChannelID, home string) error {
	if home == "" {
		return nil
	}
	known, err := s.HomeOf(ctx, ch)
	if err != nil || known == home {
		return err
	}
	if err := s.notes.Put(ctx, homesShelf, string(ch), []byte(home)); err != nil {
		return fmt.Errorf("keep the home of %s: %w", ch, err)
	}
	return nil
}

// HomeOf is the home of a channel, "" when it isn't known.
func (s *Settings) HomeOf(ctx context.Context, ch bot.ChannelID) (string, error) {
	b, err := s.notes.Get(ctx, homesShelf, string(ch))
	return string(b), err
}

// ChannelsOf are the channels of a home in which tables were opened.
func (s *Settings) ChannelsOf(ctx context.Context, home string) (all []bot.ChannelID, err error) {
	err = notes.ReadEach(ctx, s.notes, homesShelf, "", func(row bot.Row) error {
		if string(row.Value) == home {
			all = append(all, bot.ChannelID(row.Key))
		}
		return nil
	})
	return all, err
}

// HomeFor is the home that a request is made in.
func (s *Settings) HomeFor(ctx context.Context, req bot.Request) (string, error) {
	if req.Home != "" {
		return req.Home, nil
	}
	return s.HomeOf(ctx, req.Channel)
}

// ChannelScope is the key of a channel among places.
func ChannelScope(ch bot.ChannelID) string { return "channel " + string(ch) }

// HomeScope is the key of a home among places.
func HomeScope(home string) string { return "home " + home }
