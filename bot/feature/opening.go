package feature

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/settings"
)

// OpeningOf returns the table that a request would open, by the settings of its place and
// its user, for features that open tables without a command. read reads the request's
// options.
func OpeningOf(ctx context.Context, d Desk, s *settings.Settings, read func(*Opening) error, req bot.Request) (o Opening, err error) {
	if req, err = s.WithDefaults(ctx, req); err != nil {
		return o, err
	}
	own, err := s.Of(ctx, req.User.ID)
	if err != nil {
		return o, err
	}
	req.Zone = own.ZoneFor(req).String()
	o.Request = req
	if err := read(&o); err != nil {
		return o, err
	}
	list, _, err := d.Lists().ListFor(req.Channel.Platform(), req.Args)
	if err != nil {
		return o, err
	}
	o.Lexicon, err = s.OwnID(ctx, req, list)
	return o, err
}
