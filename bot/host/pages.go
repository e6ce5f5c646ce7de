package host

import (
	"context"
	"errors"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/cost"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
)

// metered measures what pages cost whoever asks for them.
func (s *spending) metered(p bot.Pages) bot.Pages {
	show := p.Show
	p.Show = func(ctx context.Context, v bot.Visit) (page bot.Page, err error) {
		err = s.page(bot.AskedBy(ctx, askerOf(v.Request)), p.Path, func(ctx context.Context, _ *cost.Meter) (err error) {
			page, err = show(ctx, v)
			return err
		})
		return page, err
	}
	return p
}

// measuredTables measures what the pages of games cost.
type measuredTables struct {
	bot.TablePages
	spending *spending
}

func (p measuredTables) Page(ctx context.Context, key string) (page bot.Subject, err error) {
	err = p.measured(ctx, "page", func(ctx context.Context, _ *cost.Meter) (err error) {
		page, err = p.TablePages.Page(ctx, key)
		return err
	})
	return page, err
}

func (p measuredTables) Picture(ctx context.Context, t bot.TableID, dark bool) (picture *bot.Picture, err error) {
	err = p.measured(ctx, "page picture", func(ctx context.Context, m *cost.Meter) (err error) {
		if picture, err = p.TablePages.Picture(ctx, t, dark); picture != nil {
			m.Answer(len(picture.PNG))
		}
		return err
	})
	return picture, err
}

func (p measuredTables) Files(ctx context.Context, t bot.TableID) (files []bot.File, err error) {
	err = p.measured(ctx, "page files", func(ctx context.Context, m *cost.Meter) (err error) {
		files, err = p.TablePages.Files(ctx, t)
		m.Answer(lengthOf(bot.Reply{Files: files}))
		return err
	})
	return files, err
}

func (p measuredTables) Review(ctx context.Context, req bot.Request) (review bot.Review, err error) {
	ctx = bot.AskedBy(ctx, askerOf(req))
	err = p.measured(ctx, "page review", func(ctx context.Context, _ *cost.Meter) (err error) {
		review, err = p.TablePages.Review(ctx, req)
		return err
	})
	return review, err
}

func (p measuredTables) Try(ctx context.Context, req bot.Request, a bot.Attempt) (tried bot.Tried, err error) {
	ctx = bot.AskedBy(ctx, askerOf(req))
	err = p.measured(ctx, "page try", func(ctx context.Context, _ *cost.Meter) (err error) {
		tried, err = p.TablePages.Try(ctx, req, a)
		return err
	})
	return tried, err
}

func (p measuredTables) measured(ctx context.Context, name string, do func(context.Context, *cost.Meter) error) error {
	return p.spending.page(ctx, name, do)
}

// measuredDailies are the pages of daily boards, whose costs are measured.
type measuredDailies struct {
	bot.Dailies
	spending *spending
}

func (p measuredDailies) Daily(ctx context.Context, key string, req bot.Request) (page bot.Daily, err error) {
	err = p.spending.page(bot.AskedBy(ctx, askerOf(req)), "daily page", func(ctx context.Context, _ *cost.Meter) (err error) {
		page, err = p.Dailies.Daily(ctx, key, req)
		return err
	})
	return page, err
}

func (p measuredDailies) DailyDraft(ctx context.Context, key string, req bot.Request) (d bot.Draft, err error) {
	err = p.spending.page(bot.AskedBy(ctx, askerOf(req)), "daily draft", func(ctx context.Context, _ *cost.Meter) (err error) {
		d, err = p.Dailies.DailyDraft(ctx, key, req)
		return err
	})
	return d, err
}

func (p measuredDailies) DailyPicture(ctx context.Context, key string, to *text.Tongue) (picture *bot.Picture, err error) {
	err = p.spending.page(ctx, "daily picture", func(ctx context.Context, m *cost.Meter) (err error) {
		if picture, err = p.Dailies.DailyPicture(ctx, key, to); picture != nil {
			m.Answer(len(picture.PNG))
		}
		return err
	})
	return picture, err
}

func (p measuredDailies) DailyProof(ctx context.Context, key string) (file bot.File, err error) {
	err = p.spending.page(ctx, "daily proof", func(ctx context.Context, _ *cost.Meter) (err error) {
		file, err = p.Dailies.DailyProof(ctx, key)
		return err
	})
	return file, err
}

// page does something that a page asks for. The error is a *[bot.BusyError] where whoever
// asks has used up their part of the host.
func (s *spending) page(ctx context.Context, name string, do func(context.Context, *cost.Meter) error) (err error) {
	busy := s.measured(ctx, name, bot.Asker{}, func(ctx context.Context, m *cost.Meter) { err = do(ctx, m) })
	if busy != nil {
		return busyError(busy)
	}
	var no *words.Refusal
	if errors.As(err, &no) {
		return &bot.BusyError{Text: no.Reply.Text}
	}
	return err
}

// measuredAnalyst is an analyst whose costs are measured.
type measuredAnalyst struct {
	bot.Analyst
	spending *spending
}

func (a measuredAnalyst) Analyse(ctx context.Context, req bot.Request, q bot.Question) (found bot.Analysis, err error) {
	err = a.spending.page(bot.AskedBy(ctx, askerOf(req)), "analyse", func(ctx context.Context, _ *cost.Meter) (err error) {
		found, err = a.Analyst.Analyse(ctx, req, q)
		return err
	})
	return found, err
}

func (a measuredAnalyst) Positions(ctx context.Context, req bot.Request, list string, written []byte) (all []bot.Position, err error) {
	err = a.spending.page(bot.AskedBy(ctx, askerOf(req)), "positions", func(ctx context.Context, _ *cost.Meter) (err error) {
		all, err = a.Analyst.Positions(ctx, req, list, written)
		return err
	})
	return all, err
}
