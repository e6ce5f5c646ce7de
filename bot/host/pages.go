package host

import (
	"context"
	"errors"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/words"
)

// counting returns pages that charge each request for a page, or something below its address, to
// the visitor.
func (l *limits) counting(p bot.Pages) bot.Pages {
	show, file, asks := p.Show, p.File, p.Ask
	p.Show = func(ctx context.Context, v bot.Visit) (page bot.Page, err error) {
		err = l.page(bot.AskedBy(ctx, askerOf(v.Request)), func(ctx context.Context) (err error) {
			page, err = show(ctx, v)
			return err
		})
		return page, err
	}
	if file != nil {
		p.File = func(ctx context.Context, v bot.Visit, name string) (f bot.File, err error) {
			err = l.page(bot.AskedBy(ctx, askerOf(v.Request)), func(ctx context.Context) (err error) {
				f, err = file(ctx, v, name)
				return err
			})
			return f, err
		}
	}
	p.Ask = map[string]bot.Ask{}
	for name, ask := range asks {
		p.Ask[name] = func(ctx context.Context, v bot.Visit, in []byte) (out any, err error) {
			err = l.page(bot.AskedBy(ctx, askerOf(v.Request)), func(ctx context.Context) (err error) {
				out, err = ask(ctx, v, in)
				return err
			})
			return out, err
		}
	}
	return p
}

// countedTables counts visits to the pages of games.
type countedTables struct {
	bot.TablePages
	limits *limits
}

func (p countedTables) Page(ctx context.Context, key string) (page bot.Subject, err error) {
	err = p.limits.page(ctx, func(ctx context.Context) (err error) {
		page, err = p.TablePages.Page(ctx, key)
		return err
	})
	return page, err
}

func (p countedTables) Picture(ctx context.Context, t bot.TableID, dark bool) (picture *bot.Picture, err error) {
	err = p.limits.page(ctx, func(ctx context.Context) (err error) {
		picture, err = p.TablePages.Picture(ctx, t, dark)
		return err
	})
	return picture, err
}

// page handles a page's request. It returns a *[bot.BusyError] if the requester has used up their
// share of the host.
func (l *limits) page(ctx context.Context, do func(context.Context) error) (err error) {
	busy := l.count(ctx, bot.Asker{}, func(ctx context.Context) { err = do(ctx) })
	if busy != nil {
		return busyError(busy)
	}
	var no *words.Refusal
	if errors.As(err, &no) {
		return &bot.BusyError{Text: no.Reply.Text}
	}
	return err
}
