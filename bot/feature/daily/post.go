package daily

import (
	"context"
	"errors"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/puzzle"
)

// standing names the kind of a day's message. A channel gets one a day.
const standing = "daily"

// messages writes the messages of days.
type messages struct {
	desk     feature.Desk
	days     *shelf.Shelf[dayKey, dayRow]
	answers  *shelf.Shelf[answerKey, answerRow]
	players  *shelf.Shelf[shelf.Person, playerRow]
	calls    *shelf.Shelf[callKey, call]
	calendar *calendar
	boards   *boards
	results  *results
	links    *links
	pictures *pictures
}

// day writes a day's message: the previous results and today's board.
func (ms *messages) day(ctx context.Context, post bot.Post, _, _ table.Table, m bot.Message) (bot.Message, error) {
	m.Standing, m.Anew = standing, true
	d := puzzle.Day(post.To)
	day, had, err := ms.days.Get(ctx, keyOfDay(post.Channel, d))
	if err != nil {
		return m, err
	}
	if had && day.Asks && !day.Over {
		m.Text = text.Say("Nobody has played the daily board here for {n, plural, one {# day} other {# days}}, so none is posted any more. If you miss it, press {again}.", quietDays, text.Say("Again"))
		m.Buttons = []bot.Button{{ID: bot.ButtonID(0, post.To, "daily", map[string]string{"do": "again"}), Label: text.Say("Again")}}
		return m, nil
	}
	if m, err = ms.fill(ctx, m, d, day); err != nil {
		return m, err
	}
	callees, err := ms.callees(ctx, post.Channel)
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

// count updates the number of players in a day's message.
func (ms *messages) count(ctx context.Context, post bot.Post, _, _ table.Table, m bot.Message) (bot.Message, error) {
	m.Standing, m.Kind = standing, dayKind
	d := puzzle.Day(post.To)
	day, _, err := ms.days.Get(ctx, keyOfDay(post.Channel, d))
	if err != nil {
		return m, err
	}
	if day.Posted.IsZero() || day.Asks {
		return m, feature.ErrNothingToTell
	}
	return ms.fill(ctx, m, d, day)
}

// fill fills in a day's message. It returns [feature.ErrNothingToTell] once the day is over.
func (ms *messages) fill(ctx context.Context, m bot.Message, d puzzle.Day, day dayRow) (_ bot.Message, err error) {
	if day.V == 0 || day.Form != "" || day.Over || !ms.desk.Now().Before(day.Ends) {
		return m, feature.ErrNothingToTell
	}
	m.Number = int(d)
	if m.Text, err = ms.dayText(ctx, m.Channel, d, day); err != nil {
		return m, err
	}
	t := today{place: m.Channel, posted: true, day: d, dayRow: day}
	if ms.desk.Platform(m.Channel).Boards {
		key, err := ms.links.keyOf(ctx, t)
		if err != nil {
			return m, err
		}
		m.Buttons = []bot.Button{{Label: text.Say("Play"), Style: bot.Primary, Link: "/d/" + key}}
	} else {
		m.Buttons = []bot.Button{t.button(text.Say("Try"), bot.Primary, map[string]string{"do": "play"})}
	}
	if !day.First {
		results, err := ms.resultsButton(ctx, t)
		if err != nil {
			return m, err
		}
		m.Buttons = append(m.Buttons, results)
	}
	m.Picture, err = ms.picture(ctx, bot.Posted{Channel: m.Channel, Number: int(d), Kind: dayKind}, false)
	return m, err
}

// resultsButton returns a button to all results of the day before. It opens their page if the
// platform has pages that everybody in the place can read.
func (ms *messages) resultsButton(ctx context.Context, t today) (bot.Button, error) {
	if before, _, err := ms.calendar.answerOf(ctx, t.place, t.day); err != nil {
		return bot.Button{}, err
	} else if ms.desk.Platform(t.place).Boards && before.day > 0 && before.Form == "" {
		key, err := ms.links.keyOf(ctx, before)
		return bot.Button{Label: text.Say("All results"), Link: "/d/" + key}, err
	}
	return t.button(text.Say("All results"), bot.Ordinary, map[string]string{"do": "results"}), nil
}

// dayText returns the text of a day's message: what became of the day before, and how many people
// have played today and how well.
func (ms *messages) dayText(ctx context.Context, ch bot.ChannelID, d puzzle.Day, day dayRow) (text.Text, error) {
	var lines []text.Text
	if !day.First {
		before, waits, err := ms.calendar.answerOf(ctx, ch, d)
		if err != nil {
			return nil, err
		}
		if waits.day > 0 && waits.closes.Before(day.Ends) {
			lines = append(lines, waits.waitLine())
		} else if before.day > 0 {
			said, err := ms.results.summary(ctx, before)
			if err != nil {
				return nil, err
			}
			streak, err := ms.longestStreak(ctx, before)
			if err != nil {
				return nil, err
			}
			lines = append(lines, text.Sentences(said, streak))
		}
	}
	all, err := answersOf(ctx, ms.answers, ch, d)
	if err != nil {
		return nil, err
	}
	lines = append(lines, text.Say("{board}, open until {time}. Which play scores most? Six tries, only you see them.", text.Strong(title(d)), words.Clock(day.Ends)))
	if len(all) > 0 {
		lines = append(lines, text.Glue(bandsOf(all), " ", text.Say("{n, plural, one {# person has played.} other {# people have played.}}", len(all))))
	}
	if b, err := ms.boards.board(ctx, today{day: d, dayRow: day}.boardID()); err == nil {
		lines = append(lines, promise(b))
	}
	return text.Lines(lines...), nil
}

// mostBands limits how many people's bands a message shows.
const mostBands = 40

// bandsOf returns the band of each person's best try as a square, the best first.
func bandsOf(all []entry) string {
	sortEntries(all)
	signs := ""
	for _, e := range all[:min(len(all), mostBands)] {
		try, _ := e.best()
		signs += try.Band.String()
	}
	return signs
}

// shortestStreak is the number of days in a row from which a streak is mentioned.
const shortestStreak = 3

// longestStreak names the player of a day with the longest streak. It returns nil if no streak is
// long enough.
func (ms *messages) longestStreak(ctx context.Context, t today) (text.Text, error) {
	all, err := answersOf(ctx, ms.answers, t.place, t.day)
	if err != nil {
		return nil, err
	}
	run, name := shortestStreak-1, bot.User{}
	for _, e := range all {
		p, _, err := ms.players.Get(ctx, shelf.Person(e.who))
		if err != nil {
			return nil, err
		}
		if p.Streak.Last >= t.day && p.Streak.Run > run {
			run, name = p.Streak.Run, bot.User{ID: e.who, Name: e.Name}
		}
	}
	if name.ID == "" {
		return nil, nil
	}
	return text.Say("Longest streak: {who}, {n} days.", text.Name(name), run), nil
}

// picture draws a day's board for everybody.
func (ms *messages) picture(ctx context.Context, p bot.Posted, dark bool) (*bot.Picture, error) {
	d := puzzle.Day(p.Number)
	day, had, err := ms.days.Get(ctx, keyOfDay(p.Channel, d))
	if err != nil {
		return nil, err
	}
	if !had || day.Asks {
		return nil, bot.ErrNoPicture
	}
	w := today{day: d, dayRow: day}.boardID()
	b, err := ms.boards.board(ctx, w)
	if gone := (errListGone{}); errors.As(err, &gone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return ms.pictures.day(ctx, p.Channel, dark, b, w), nil
}

// callees returns the people who want to be called when a board is posted.
func (ms *messages) callees(ctx context.Context, ch bot.ChannelID) (all []bot.User, err error) {
	err = shelf.EachUnder(ctx, ms.calls, shelf.Channel(ch), func(who shelf.Person, c call) error {
		all = append(all, bot.User{ID: game.PlayerID(who), Name: c.Name})
		return nil
	})
	return all, err
}
