package daily

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/puzzle"
	"github.com/rackmate/rackmate/imaging"
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

// pictures remembers the pictures of boards: one day's is the same in many places.
type pictures struct {
	mu   sync.Mutex
	made map[pictureKey]bot.Picture
}

type pictureKey struct {
	renderer *imaging.Renderer
	which
	tongue string
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

// A call is somebody's wish to be called, as it is stored.
type call struct {
	V    int    `json:"v"`
	Name string `json:"name"`
}

// mostNamed is how many people a message names.
const mostNamed = 10

// dayBefore is a place's latest day before another that is over and had a board.
func (f *Feature) dayBefore(ctx context.Context, ch bot.ChannelID, d puzzle.Day) (today, error) {
	for back := puzzle.Day(1); back <= 2*quietDays; back++ {
		day, had, err := f.days.Get(ctx, keyOfDay(ch, d-back))
		if err != nil {
			return today{}, err
		}
		if had {
			if day.Asks || !day.Over {
				return today{}, nil
			}
			return today{ch, true, d - back, day}, nil
		}
	}
	return today{}, nil
}

// resultLines tell how a day went that is over.
func (f *Feature) resultLines(ctx context.Context, t today, most int) ([]text.Text, error) {
	all, err := f.answersOf(ctx, t.place, t.day)
	if err != nil {
		return nil, err
	}
	rank(all)
	b, err := f.board(ctx, t.which())
	if gone := (errListGone{}); errors.As(err, &gone) {
		return []text.Text{text.Say("Board {number} counts for nobody: its word list {list} isn't here any more.", int(t.day), text.Code(gone.list))}, nil
	}
	if err != nil {
		return nil, err
	}
	return append(f.facts(t, b, all, true), f.resultList(b, all, most)...), nil
}

// facts tell how a board went that is over: its best play, who found it, the median, and
// the streak of the place. named says whether people are named.
func (f *Feature) facts(t today, b Board, ranked []entry, named bool) (lines []text.Text) {
	if b.game != nil {
		lines = append(lines, gameFact(t, b, ranked, named))
	} else {
		lines = append(lines, boardFact(t, b, ranked, named))
	}
	switch {
	case len(ranked) < 2:
	case b.game != nil:
		lines = append(lines, text.Say("The median is {percent} %.", percent(median(ranked), b.most())))
	default:
		lines = append(lines, text.Say("The median is {score}.", median(ranked)))
	}
	switch {
	case t.Excuse == away:
		lines = append(lines, text.Say("I was away too long that day, so it ends nobody's streak."))
	case t.Streak > 1 && t.Form == puzzle.WeekGame:
		lines = append(lines, text.Say("This place has played {n, plural, one {# week} other {# weeks}} in a row.", t.Streak))
	case t.Streak > 1:
		lines = append(lines, text.Say("This place has played {n, plural, one {# day} other {# days}} in a row.", t.Streak))
	}
	return lines
}

// gameFact tells what the best total of a game was, and who came closest.
func gameFact(t today, b Board, ranked []entry, named bool) text.Text {
	number, total := int(t.day), text.Strong(b.most())
	if len(ranked) == 0 {
		return text.Say("Game {number}: the best plays came to {total}. Nobody played.", number, total)
	}
	score, _, _ := ranked[0].result()
	if !named {
		return text.Say("Game {number}: the best plays came to {total}. Of {n, plural, one {one player} other {# players}} the best made {percent} % of that.", number, total, len(ranked), percent(score, b.most()))
	}
	return text.Say("Game {number}: the best plays came to {total}. {who} made {percent} % of that.", number, total, text.Name(bot.User{ID: ranked[0].who, Name: ranked[0].Name}), percent(score, b.most()))
}

// boardFact tells what the best play of a board was, and who found it.
func boardFact(t today, b Board, ranked []entry, named bool) text.Text {
	finders := slices.DeleteFunc(slices.Clone(ranked), func(e entry) bool { try, _ := e.best(); return try.Band != best })
	number, play, score := int(t.day), b.name(), text.Strong(b.Score)
	switch {
	case len(ranked) == 0:
		return text.Say("Board {number}: the best play was {play} for {score}. Nobody played.", number, play, score)
	case len(finders) == 0:
		return text.Say("Board {number}: the best play was {play} for {score}. Nobody found it.", number, play, score)
	case !named:
		return text.Say("Board {number}: the best play was {play} for {score}. {n, plural, one {One person} other {# people}} of {all} found it.", number, play, score, len(finders), len(ranked))
	}
	slices.SortFunc(finders, func(a, b entry) int {
		x, _ := a.best()
		y, _ := b.best()
		return x.At.Compare(y.At)
	})
	return text.Say("Board {number}: the best play was {play} for {score}. {who} found it first{others, plural, =0 {} one {, and # other after} other {, and # others after}}.", number, play, score, text.Name(bot.User{ID: finders[0].who, Name: finders[0].Name}), len(finders)-1)
}

// resultList are the first of those who played, a line each.
func (f *Feature) resultList(b Board, ranked []entry, most int) (lines []text.Text) {
	for i, e := range ranked[:min(len(ranked), most)] {
		if score, _, _ := e.result(); b.game != nil {
			lines = append(lines, text.Item("{place}. {square} {who}: {percent} % ({score})", i+1, bandOf(score, b.most()).String(), text.Name(bot.User{ID: e.who, Name: e.Name}), percent(score, b.most()), score))
			continue
		}
		try, _ := e.best()
		lines = append(lines, text.Item("{place}. {square} {who}: {score} {n, plural, one {in one try} other {in # tries}}", i+1, try.Band.String(), text.Name(bot.User{ID: e.who, Name: e.Name}), text.Strong(try.Score), len(e.Tries)))
	}
	if more := len(ranked) - most; more > 0 {
		lines = append(lines, text.Say("{n, plural, one {One more person played.} other {# more people played.}}", more))
	}
	return lines
}

// median is the score in the middle: of two the lower.
func median(ranked []entry) int {
	score, _, _ := ranked[len(ranked)/2].result()
	return score
}

// shareText is what somebody shows others of a day: its number and list, percentages and
// bands, and nothing of what they played.
func shareText(t today, b Board, tries []Try, streak Streak, url string) string {
	signs := ""
	for _, t := range tries {
		signs += t.Band.String()
	}
	score, _, _ := Answer{Form: t.Form, Tries: tries}.result()
	lines := []string{fmt.Sprintf("%s %d %%", shareTitle(t), percent(score, b.most())), signs}
	if streak.Run > 1 {
		lines[0] += fmt.Sprintf(" · %d ↗", streak.Run)
	}
	if url != "" {
		lines = append(lines, url+"/d/"+t.which().page())
	}
	return strings.Join(lines, "\n")
}

// shareTitle names a board or a game where it is shown to others.
func shareTitle(t today) string {
	name := "Rackmate"
	if t.Form != puzzle.OneBoard {
		name += " " + string(t.Form)
	}
	return fmt.Sprintf("%s %d (%s)", name, int(t.day), t.List)
}

// title is what a day's board is called.
func title(form puzzle.Form, d puzzle.Day) text.Text {
	switch form {
	case puzzle.DayGame:
		return text.Say("Daily game {number}", int(d))
	case puzzle.WeekGame:
		return text.Say("Game of the week {number}", int(d))
	}
	return text.Say("Daily board {number}", int(d))
}

// promise says by what the next board can be recognized.
func (t today) promise(b Board) text.Text {
	if t.Form != puzzle.OneBoard {
		return text.Say("The next game is fixed already. Its SHA-256: {hash}", text.Code(b.Tomorrow))
	}
	return text.Say("Tomorrow's board is fixed already. Its SHA-256: {hash}", text.Code(b.Tomorrow))
}
