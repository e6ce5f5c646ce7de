package daily

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/puzzle"
	"github.com/rackmate/rackmate/imaging"
)

// clock is when a day ends, for people.
func clock(d Day) text.Span { return words.Clock(d.Ends) }

// results tells how days went that are over.
type results struct {
	desk     feature.Desk
	url      string // what browsers find the host at, "" where nobody said
	days     *shelf.Shelf[dayKey, Day]
	answers  *shelf.Shelf[answerKey, Answer]
	calendar *calendar
	boards   *boards
	pictures *pictures
}

// yesterday is the day before today that is over, for whoever asks for its results.
func (rs *results) yesterday(ctx context.Context, t today) (today, error) {
	var y today
	var had bool
	var err error
	if t.posted {
		y, err = rs.calendar.before(ctx, t.place, t.day)
		had = y.day != 0
	} else {
		y = today{place: t.place, day: t.day - 1}
		y.Day, had, err = rs.days.Get(ctx, keyOfDay(t.place, t.day-1))
	}
	if err == nil && !had {
		err = words.Refusing("There are no results yet. They come with the next board, at {time}.", words.Clock(t.Ends))
	}
	return y, err
}

// mostInReply is how many people an answer lists.
const mostInReply = 40

// reply tells how everybody did on the day before.
func (rs *results) reply(ctx context.Context, req bot.Request, t today) (bot.Reply, error) {
	y, err := rs.yesterday(ctx, t)
	if err != nil {
		return bot.Reply{}, err
	}
	lines, err := rs.lines(ctx, y, mostInReply)
	if err != nil {
		return bot.Reply{}, err
	}
	r := bot.Reply{Text: text.Lines(lines...)}
	if b, err := rs.boards.board(ctx, y.which()); err == nil {
		if b.game == nil {
			r.Picture = rs.pictures.board(ctx, req.Channel, req.Dark, b, text.Say("Daily board {number}: the best play", int(y.day)), &b.Best)
		} else {
			r.Picture = rs.pictures.board(ctx, req.Channel, req.Dark, b.at(len(b.game.Rounds)), title(y.Form, y.day), nil)
		}
		r.Buttons = []bot.Button{{ID: bot.ButtonID(0, int(t.day), "daily", map[string]string{"do": "proof"}), Label: text.Say("Proof")}}
	}
	return r, nil
}

// lines tell how a day went that is over.
func (rs *results) lines(ctx context.Context, t today, most int) ([]text.Text, error) {
	all, err := answersOf(ctx, rs.answers, t.place, t.day)
	if err != nil {
		return nil, err
	}
	rank(all)
	b, err := rs.boards.board(ctx, t.which())
	if gone := (errListGone{}); errors.As(err, &gone) {
		return []text.Text{text.Say("Board {number} counts for nobody: its word list {list} isn't here any more.", int(t.day), text.Code(gone.list))}, nil
	}
	if err != nil {
		return nil, err
	}
	return append(facts(t, b, all, true), resultList(b, all, most)...), nil
}

// mostNamed is how many people a message names.
const mostNamed = 10

// facts tell how a board went that is over: its best play, who found it, the median, and
// the streak of the place. named says whether people are named.
func facts(t today, b Board, ranked []entry, named bool) (lines []text.Text) {
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
func resultList(b Board, ranked []entry, most int) (lines []text.Text) {
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

// proof gives what proves the board of the day before.
func (rs *results) proof(ctx context.Context, t today) (bot.Reply, error) {
	y, err := rs.yesterday(ctx, t)
	if err != nil {
		return bot.Reply{}, err
	}
	b, err := rs.boards.board(ctx, y.which())
	if err != nil {
		return bot.Reply{}, err
	}
	file, err := proofFile(b)
	if err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{
		Text:  text.Say("{board} was fixed before it began, with the SHA-256 {hash}. {verify} makes it again from this file.", title(y.Form, y.day), text.Code(b.Proof.Commitment), text.Code("rackmate verify FILE")),
		Files: []bot.File{file},
	}, nil
}

func proofFile(b Board) (bot.File, error) {
	data, err := json.MarshalIndent(b.Proof, "", "  ")
	return bot.File{Name: fmt.Sprintf("daily-%s%d.json", signs[b.Proof.Form], int(b.Proof.Number)), Type: "application/json", Data: data}, err
}

// share gives somebody their result to show to others.
func (rs *results) share(ctx context.Context, req bot.Request, who game.PlayerID, p Player, t today) (bot.Reply, error) {
	tries := p.Boards[t.which().key()]
	if len(tries) == 0 {
		return words.Refuse(text.Say("You haven't tried today's board yet. {daily} shows it.", text.Code("/daily"))), nil
	}
	b, err := rs.boards.board(ctx, t.which())
	if err != nil {
		return bot.Reply{}, err
	}
	said := text.Text{text.Code(shareText(t, b, tries, p.Streak, rs.url))}
	score, _, _ := Answer{Form: t.Form, Tries: tries}.result()
	caption := text.Say("{percent} % of the best in {n, plural, one {# try} other {# tries}}", percent(score, b.most()), len(tries))
	if b.game != nil {
		caption = text.Say("{percent} % of the best total in {n, plural, one {# round} other {# rounds}}", percent(score, b.most()), len(tries))
	}
	card := func(to *text.Tongue) imaging.DayCard {
		c := imaging.DayCard{Title: shareTitle(t), Tongue: to, Caption: caption.In(to).String()}
		for _, try := range tries {
			c.Tries = append(c.Tries, percent(try.Score, cmp.Or(try.Most, b.Score)))
		}
		if p.Streak.Run > 1 {
			c.Note = text.Item("{n, plural, one {# day} other {# days}} in a row", p.Streak.Run).In(to).String()
		}
		return c
	}
	return bot.Reply{
		Text:    text.Lines(text.Say("Copy this to show it to others. It gives nothing away."), said),
		Picture: feature.Draw(rs.desk.Pen(ctx, req.Channel, false), card, (*imaging.Renderer).DayCard),
	}, nil
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
