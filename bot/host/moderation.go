package host

import (
	"context"
	"errors"

	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// MaySay lets the features decide; see [bot.Host].
func (h *Host) MaySay(ctx context.Context, home string, who game.PlayerID) (refusal text.Text, err error) {
	for _, f := range h.features {
		if f.Moderation == nil {
			continue
		}
		err := f.Moderation.MaySay(ctx, home, who)
		var no *words.Refusal
		if errors.As(err, &no) {
			return no.Reply.Text, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// Blocks asks the features; see [bot.Host].
func (h *Host) Blocks(ctx context.Context, who, whom game.PlayerID) (bool, error) {
	for _, f := range h.features {
		if f.Moderation == nil {
			continue
		}
		if blocks, err := f.Moderation.Blocks(ctx, who, whom); blocks || err != nil {
			return blocks, err
		}
	}
	return false, nil
}

// Same asks the features; see [bot.Host].
func (h *Host) Same(ctx context.Context, a, b game.PlayerID) error {
	for _, f := range h.features {
		if f.Persons == nil {
			continue
		}
		if err := f.Persons.Same(ctx, a, b); err != nil {
			return err
		}
	}
	return nil
}
