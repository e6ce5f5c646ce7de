package settings

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shelf"
)

// KeepHome notes which home a request's channel belongs to, and its language, for
// what is done later without a request. Where the platform doesn't say the home's
// language, as in the room, it is that of the first who asks for something there. What
// has no home, such as somebody's direct messages, has that of whoever asks.
func (s *Settings) KeepHome(ctx context.Context, req bot.Request, theirs func() (code string)) error {
	home, locale, err := s.homeOf(ctx, req.Channel)
	if err != nil {
		return err
	}
	now := cmp.Or(req.HomeLocale, locale)
	if s.has.Tongues.Several() && (now == "" || req.Home == "") {
		now = theirs()
	}
	if home == req.Home && locale == now || req.Home == "" && now == "" {
		return nil
	}
	row := req.Home
	if now != "" {
		row += "\n" + now
	}
	if err := s.homes.Put(ctx, shelf.Channel(req.Channel), shelf.Raw(row)); err != nil {
		return fmt.Errorf("keep the home of %s: %w", req.Channel, err)
	}
	return nil
}

// HomeOf is the home of a channel, "" when it isn't known.
func (s *Settings) HomeOf(ctx context.Context, ch bot.ChannelID) (string, error) {
	home, _, err := s.homeOf(ctx, ch)
	return home, err
}

// homeOf is the home of a channel and its language, as far as they are known.
func (s *Settings) homeOf(ctx context.Context, ch bot.ChannelID) (home, locale string, err error) {
	row, _, err := s.homes.Get(ctx, shelf.Channel(ch)) // the language is on a second line
	home, locale, _ = strings.Cut(string(row), "\n")
	return home, locale, err
}

// HomesShelf is the shelf by which the channels of a home are found.
const HomesShelf = "homes"

// ChannelsOf are the channels of a home in which tables were opened.
func (s *Settings) ChannelsOf(ctx context.Context, home string) (all []bot.ChannelID, err error) {
	err = s.homes.Each(ctx, func(ch shelf.Channel, row shelf.Raw) error {
		if of, _, _ := strings.Cut(string(row), "\n"); of == home {
			all = append(all, bot.ChannelID(ch))
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
