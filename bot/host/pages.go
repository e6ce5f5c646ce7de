package host

import (
	"context"
	"errors"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
)

// chargeVisitors returns pages that charge each request for a page, or something below its address, to
// the visitor.
func (l *limits) chargeVisitors(p bot.Pages) bot.Pages {
	show, file, asks := p.Show, p.File, p.Ask
	p.Show = func(ctx context.Context, v bot.Visit) (bot.Page, error) {
		return chargeVisit(ctx, l, askerOf(v.Request), func(ctx context.Context) (bot.Page, error) { return show(ctx, v) })
	}
	if file != nil {
		p.File = func(ctx context.Context, v bot.Visit, name string) (bot.File, error) {
			return chargeVisit(ctx, l, askerOf(v.Request), func(ctx context.Context) (bot.File, error) { return file(ctx, v, name) })
		}
	}
	p.Ask = map[string]bot.Ask{}
	for name, ask := range asks {
		p.Ask[name] = func(ctx context.Context, v bot.Visit, in []byte) (any, error) {
			return chargeVisit(ctx, l, askerOf(v.Request), func(ctx context.Context) (any, error) { return ask(ctx, v, in) })
		}
	}
	return p
}

// countedTables counts visits to the pages of games.
type countedTables struct {
	bot.TablePages
	limits *limits
}

func (p countedTables) Page(ctx context.Context, key string) (bot.Subject, error) {
	return chargeVisit(ctx, p.limits, bot.Asker{}, func(ctx context.Context) (bot.Subject, error) { return p.TablePages.Page(ctx, key) })
}

func (p countedTables) Picture(ctx context.Context, t bot.TableID, dark bool) (*bot.Picture, error) {
	return chargeVisit(ctx, p.limits, bot.Asker{}, func(ctx context.Context) (*bot.Picture, error) { return p.TablePages.Picture(ctx, t, dark) })
}

func (p countedTables) Invitation(ctx context.Context, by string, options map[string]string, lasts text.Text, to *text.Locale) (*bot.Picture, error) {
	return chargeVisit(ctx, p.limits, bot.Asker{}, func(ctx context.Context) (*bot.Picture, error) {
		return p.TablePages.Invitation(ctx, by, options, lasts, to)
	})
}

// chargeVisit works like chargeFor for a page. A refusal becomes a *[bot.BusyError] too.
func chargeVisit[T any](ctx context.Context, l *limits, a bot.Asker, do func(context.Context) (T, error)) (made T, err error) {
	made, err = chargeFor(ctx, l, a, do)
	var no *words.Refusal
	if errors.As(err, &no) {
		err = &bot.BusyError{Text: no.Reply.Text}
	}
	return made, err
}
