package settings

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shelf"
)

// KeepHome stores the home of a request's channel and its language, for what is done later
// without a request. If the platform doesn't tell the home's language, as in the room, it
// is the language of the first person who sends a request there. A channel without a home,
// such as a direct message, has the language of the latest sender.
func (s *Settings) KeepHome(ctx context.Context, req bot.Request, theirs func() (code string)) error {
	home, locale, err := s.homeOf(ctx, req.Channel)
	if err != nil {
		return err
	}
	now := cmp.Or(req.HomeLocale, locale)
	if s.has.Locales.Several() && (now == "" || req.Home == "") {
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

// HomeOf returns the home of a channel, or "" if it isn't known.
func (s *Settings) HomeOf(ctx context.Context, ch bot.ChannelID) (string, error) {
	home, _, err := s.homeOf(ctx, ch)
	return home, err
}

// homeOf returns the home of a channel and its language, as far as they are known.
func (s *Settings) homeOf(ctx context.Context, ch bot.ChannelID) (home, locale string, err error) {
	row, _, err := s.homes.Get(ctx, shelf.Channel(ch)) // the language is on a second line
	home, locale, _ = strings.Cut(string(row), "\n")
	return home, locale, err
}

// HomesShelf is the name of the shelf that maps channels to their homes.
const HomesShelf = "homes"

// ChannelsOf returns the channels of a home in which tables were opened.
func (s *Settings) ChannelsOf(ctx context.Context, home string) (all []bot.ChannelID, err error) {
	err = s.homes.Each(ctx, func(ch shelf.Channel, row shelf.Raw) error {
		if of, _, _ := strings.Cut(string(row), "\n"); of == home {
			all = append(all, bot.ChannelID(ch))
		}
		return nil
	})
	return all, err
}

// HomeFor returns the home in which a request is made.
func (s *Settings) HomeFor(ctx context.Context, req bot.Request) (string, error) {
	if req.Home != "" {
		return req.Home, nil
	}
	return s.HomeOf(ctx, req.Channel)
}

// ChannelScope returns the key of a channel among places.
func ChannelScope(ch bot.ChannelID) string { return "channel " + string(ch) }

// HomeScope returns the key of a home among places.
func HomeScope(home string) string { return "home " + home }
