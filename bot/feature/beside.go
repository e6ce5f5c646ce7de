package feature

import (
	"context"
	"errors"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// OpenBeside opens a thread in a channel of a home for some people, and stores its parent
// and home. The same key opens the same thread. On a platform without threads, the error is
// a permanent *bot.PostError.
func OpenBeside(ctx context.Context, d Desk, s *settings.Settings, beside bot.ChannelID, home, key string, title text.Text, who []game.PlayerID) (bot.ChannelID, error) {
	aside := d.Platform(beside).Aside
	if aside == nil {
		return "", &bot.PostError{Permanent: true, Err: errors.New("there are no places beside the channel")}
	}
	to, err := s.TongueOf(ctx, beside)
	if err != nil {
		return "", err
	}
	ch, err := aside(ctx, beside, key, title.In(to).String(), who)
	if err != nil {
		return "", err
	}
	if err := s.KeepBeside(ctx, ch, beside); err != nil {
		return "", err
	}
	return ch, s.KeepHome(ctx, bot.Request{Channel: ch, Home: home}, to.Code)
}
