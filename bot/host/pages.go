package host

import (
	"context"
	"errors"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/cost"
	"github.com/rackmate/rackmate/bot/words"
)

// measuredPages are pages whose costs are measured.
type measuredPages struct {
	bot.Pages
	spending *spending
}

func (p measuredPages) Page(ctx context.Context, key string) (page bot.Page, err error) {
	err = p.measured(ctx, "page", func(ctx context.Context, _ *cost.Meter) (err error) {
		page, err = p.Pages.Page(ctx, key)
		return err
	})
	return page, err
}

func (p measuredPages) Picture(ctx context.Context, t bot.TableID) (picture *bot.Picture, err error) {
	err = p.measured(ctx, "page picture", func(ctx context.Context, m *cost.Meter) (err error) {
		if picture, err = p.Pages.Picture(ctx, t); picture != nil {
			m.Answer(len(picture.PNG))
		}
		return err
	})
	return picture, err
}

func (p measuredPages) Files(ctx context.Context, t bot.TableID) (files []bot.File, err error) {
	err = p.measured(ctx, "page files", func(ctx context.Context, m *cost.Meter) (err error) {
		files, err = p.Pages.Files(ctx, t)
		m.Answer(lengthOf(bot.Reply{Files: files}))
		return err
	})
	return files, err
}

func (p measuredPages) Review(ctx context.Context, req bot.Request) (review bot.Review, err error) {
	ctx = bot.AskedBy(ctx, askerOf(req))
	err = p.measured(ctx, "page review", func(ctx context.Context, _ *cost.Meter) (err error) {
		review, err = p.Pages.Review(ctx, req)
		return err
	})
	return review, err
}

func (p measuredPages) Try(ctx context.Context, req bot.Request, a bot.Attempt) (tried bot.Tried, err error) {
	ctx = bot.AskedBy(ctx, askerOf(req))
	err = p.measured(ctx, "page try", func(ctx context.Context, _ *cost.Meter) (err error) {
		tried, err = p.Pages.Try(ctx, req, a)
		return err
	})
	return tried, err
}

// measured does something for whoever asks. The error is a *[bot.BusyError] where they
// have used up their part of the host.
func (p measuredPages) measured(ctx context.Context, name string, do func(context.Context, *cost.Meter) error) (err error) {
	busy := p.spending.measured(ctx, name, bot.Asker{}, func(ctx context.Context, m *cost.Meter) { err = do(ctx, m) })
	if busy != nil {
		return busyError(busy)
	}
	var no *words.Refusal
	if errors.As(err, &no) {
		return &bot.BusyError{Text: no.Reply.Text}
	}
	return err
}
