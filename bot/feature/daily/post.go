package daily

import (
	"context"
	"errors"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/puzzle"
)

// standing names a day's message among those of a channel: there is one a day.
const standing = "daily"

// dayMessage is a day's message: yesterday's results, and today's board.
func (f *Feature) dayMessage(ctx context.Context, post bot.Post, _, _ table.Table, m bot.Message) (bot.Message, error) {
	m.Standing, m.Anew = standing, true
	d := puzzle.Day(post.To)
	day, had, err := f.days.Get(ctx, keyOfDay(post.Channel, d))
	if err != nil {
		return m, err
	}
	if had && day.Asks && !day.Over {
		m.Text = text.Say("Nobody has played the daily board here for {n, plural, one {# day} other {# days}}, so none is posted any more. If you miss it, press {again}.", quietDays, text.Say("Again"))
		m.Buttons = []bot.Button{{ID: bot.ButtonID(0, post.To, "daily", map[string]string{"do": "again"}), Label: text.Say("Again")}}
		return m, nil
	}
	if m, err = f.filled(ctx, m, d, day); err != nil {
		return m, err
	}
	callees, err := f.callees(ctx, post.Channel)
	if err != nil || len(callees) == 0 {
		return m, err
	}
	var names []text.Span
	for _, u := range callees {
		names = append(names, text.Mention(u))
	}
	m.Text = text.Lines(m.Text, text.Say("You asked to be called: {people}.", text.List(names)))
	return m, nil
}

// countMessage is a day's message with another number of players, in its place.
func (f *Feature) countMessage(ctx context.Context, post bot.Post, _, _ table.Table, m bot.Message) (bot.Message, error) {
	m.Standing, m.Kind = standing, dayKind
	d := puzzle.Day(post.To)
	day, _, err := f.days.Get(ctx, keyOfDay(post.Channel, d))
	if err != nil {
		return m, err
	}
	if day.Posted.IsZero() || day.Asks {
		return m, feature.ErrNothingToTell
	}
	return f.filled(ctx, m, d, day)
}

// filled is a day's message with what it says. The error is [feature.ErrNothingToTell]
// where the next day's has come.
func (f *Feature) filled(ctx context.Context, m bot.Message, d puzzle.Day, day Day) (_ bot.Message, err error) {
	if day.V == 0 || day.Over || !f.desk.Now().Before(day.Ends) {
		return m, feature.ErrNothingToTell
	}
	m.Number = int(d)
	if m.Text, err = f.dayText(ctx, m.Channel, d, day); err != nil {
		return m, err
	}
	t := today{m.Channel, true, d, day}
	if f.desk.Platform(m.Channel).Boards {
		key, err := f.keyOf(ctx, t)
		if err != nil {
			return m, err
		}
		m.Buttons = []bot.Button{{Label: text.Say("Play"), Style: bot.Primary, Link: "/d/" + key}}
	} else {
		m.Buttons = []bot.Button{t.button(text.Say("Play"), bot.Primary, "daily", map[string]string{"do": "play"})}
	}
	if !day.First {
		results, err := f.resultsButton(ctx, t)
		if err != nil {
			return m, err
		}
		m.Buttons = append(m.Buttons, results)
	}
	m.Picture, err = f.dayPicture(ctx, bot.Posted{Channel: m.Channel, Number: int(d), Kind: dayKind}, false)
	return m, err
}

// resultsButton leads to all results of the day before: to its page where there is one for
// everybody who reads the place.
func (f *Feature) resultsButton(ctx context.Context, t today) (bot.Button, error) {
	if before, err := f.dayBefore(ctx, t.place, t.day); err != nil {
		return bot.Button{}, err
	} else if f.desk.Platform(t.place).Boards && before.day > 0 {
		key, err := f.keyOf(ctx, before)
		return bot.Button{Label: text.Say("All results"), Link: "/d/" + key}, err
	}
	return t.button(text.Say("All results"), bot.Ordinary, "daily", map[string]string{"do": "results"}), nil
}

// dayText is what a day's message says, with the number of people who have played.
func (f *Feature) dayText(ctx context.Context, ch bot.ChannelID, d puzzle.Day, day Day) (text.Text, error) {
	var lines []text.Text
	if !day.First {
		before, err := f.dayBefore(ctx, ch, d)
		if err != nil {
			return nil, err
		}
		if before.day > 0 {
			said, err := f.resultLines(ctx, before, mostNamed)
			if err != nil {
				return nil, err
			}
			lines = append(lines, said...)
		}
	}
	t := today{ch, true, d, day}
	all, err := f.answersOf(ctx, ch, d)
	if err != nil {
		return nil, err
	}
	board := text.Say("{board}, open until {time}: six tries each, in private.", text.Strong(title(day.Form, d)), clock(day))
	if day.Form != puzzle.OneBoard {
		board = text.Say("{game}, open until {time}: the same racks for everybody, played alone and at your own pace.", text.Strong(title(day.Form, d)), clock(day))
	}
	if len(all) > 0 {
		board = text.Sentences(board, text.Say("{n, plural, one {# person has played.} other {# people have played.}}", len(all)))
	}
	lines = append(lines, board)
	if b, err := f.board(ctx, t.which()); err == nil {
		lines = append(lines, t.promise(b))
	}
	return text.Lines(lines...), nil
}

// dayPicture draws a day's board for everybody.
func (f *Feature) dayPicture(ctx context.Context, p bot.Posted, dark bool) (*bot.Picture, error) {
	d := puzzle.Day(p.Number)
	day, had, err := f.days.Get(ctx, keyOfDay(p.Channel, d))
	if err != nil {
		return nil, err
	}
	if !had || day.Asks {
		return nil, bot.ErrNoPicture
	}
	w := today{day: d, Day: day}.which()
	b, err := f.board(ctx, w)
	if gone := (errListGone{}); errors.As(err, &gone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	renderer := f.desk.Pen(ctx, p.Channel, dark).Renderer
	drawn := f.boardPicture(ctx, p.Channel, dark, b, title(day.Form, d), nil)
	return bot.Drawn(func(to *text.Tongue) bot.Picture {
		key := pictureKey{renderer, w, to.Code()}
		f.pictures.mu.Lock()
		defer f.pictures.mu.Unlock()
		made, ok := f.pictures.made[key]
		if !ok {
			made = *drawn.In(to)
			if len(f.pictures.made) >= mostMade || f.pictures.made == nil {
				f.pictures.made = map[pictureKey]bot.Picture{}
			}
			f.pictures.made[key] = made
		}
		return made
	}), nil
}

// callees are those who want to be called when a board is posted.
func (f *Feature) callees(ctx context.Context, ch bot.ChannelID) (all []bot.User, err error) {
	err = shelf.EachUnder(ctx, f.calls, shelf.Channel(ch), func(who shelf.Person, c call) error {
		all = append(all, bot.User{ID: game.PlayerID(who), Name: c.Name})
		return nil
	})
	return all, err
}
