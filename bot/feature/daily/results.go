package daily

import (
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

// results describes finished days.
type results struct {
	desk     feature.Desk
	url      string // the host's address for browsers, "" if unknown
	days     *shelf.Shelf[dayKey, dayRow]
	answers  *shelf.Shelf[answerKey, answerRow]
	calendar *calendar
	boards   *boards
	pictures *pictures
}

// finishedDay returns the finished day whose results the requester sees.
func (rs *results) finishedDay(ctx context.Context, t today) (today, error) {
	var y, waits today
	var had bool
	var err error
	if t.posted {
		y, waits, err = rs.calendar.answerOf(ctx, t.place, t.day)
		had = y.day != 0
	} else {
		y = today{place: t.place, day: t.day - 1}
		if y.dayRow, had, err = rs.days.Get(ctx, keyOfDay(t.place, t.day-1)); err == nil && had {
			y.closes, err = rs.calendar.closes(ctx, y.boardID())
		}
		if had && rs.desk.Now().Before(y.closes) {
			had, waits = false, y
		}
	}
	if err == nil && !had && waits.day > 0 {
		return y, &words.Refusal{Reply: words.Refuse(waits.waitLine())}
	}
	if err == nil && !had {
		err = words.Refusing("No results yet. They come with the next board, at {time}.", words.Clock(t.Ends))
	}
	return y, err
}

// reply describes how everybody did on the day before.
func (rs *results) reply(ctx context.Context, req bot.Request, t today) (bot.Reply, error) {
	y, err := rs.finishedDay(ctx, t)
	if err != nil {
		return bot.Reply{}, err
	}
	about, players, err := rs.outcome(ctx, y)
	if err != nil {
		return bot.Reply{}, err
	}
	r := bot.Reply{Text: feature.Fit(text.Lines(about...), players)}
	if b, err := rs.boards.board(ctx, y.boardID()); err == nil && y.Form == "" {
		r.Picture = rs.pictures.board(ctx, req.Channel, req.Dark, b, text.Say("Daily board {number}: the best play", int(y.day)), &b.Best)
		r.Buttons = []bot.Button{{ID: bot.ButtonID(0, int(t.day), "daily", map[string]string{"do": "proof"}), Label: text.Say("Proof")}}
	}
	return r, nil
}

// outcome describes how a finished day went, and lists its players, the best first.
func (rs *results) outcome(ctx context.Context, t today) (about, players []text.Text, err error) {
	all, err := answersOf(ctx, rs.answers, t.place, t.day)
	if err != nil {
		return nil, nil, err
	}
	if t.Form != "" {
		about, players = gameOutcome(t, all)
		return about, players, nil
	}
	sortEntries(all)
	b, err := rs.boards.board(ctx, t.boardID())
	if gone := (errListGone{}); errors.As(err, &gone) {
		return []text.Text{text.Say("Board {number} counts for nobody: its word list {list} isn't here any more.", int(t.day), text.Code(gone.list))}, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	for i, e := range all {
		try, _ := e.best()
		players = append(players, text.Item("{place}. {square} {who}: {score} {n, plural, one {in one try} other {in # tries}}", i+1, try.Band.String(), text.Name(bot.User{ID: e.who, Name: e.Name}), text.Strong(try.Score), len(e.Tries)))
	}
	return facts(t, b, all, true), players, nil
}

// mostNamed limits how many people the last message of a former game names.
const mostNamed = 10

// summary describes in a sentence how a finished day went. A former game's results stand nowhere
// else, so it lists them.
func (rs *results) summary(ctx context.Context, t today) (text.Text, error) {
	about, players, err := rs.outcome(ctx, t)
	if err != nil {
		return nil, err
	}
	if t.Form != "" {
		about = append(about, players[:min(len(players), mostNamed)]...)
		return text.Lines(about...), nil
	}
	return about[0], nil
}

// facts describes how a finished board went: its best play, who found it, and the median. named
// selects whether people are named.
func facts(t today, b board, ranked []entry, named bool) (lines []text.Text) {
	lines = append(lines, boardFact(t, b, ranked, named))
	if len(ranked) > 1 {
		middle, _ := ranked[len(ranked)/2].best() // the lower of the middle two
		lines = append(lines, text.Say("The median is {score}.", middle.Score))
	}
	return lines
}

// boardFact describes a board's best play and who found it.
func boardFact(t today, b board, ranked []entry, named bool) text.Text {
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

// waitLine returns the line that says when the answer comes for a day that is over here but open
// elsewhere.
func (t today) waitLine() text.Text {
	return text.Say("Board {number} is still open in another channel. Its answer comes at {time}.", int(t.day), words.Clock(t.closes))
}

// proof replies with the proof of the board of the day before.
func (rs *results) proof(ctx context.Context, t today) (bot.Reply, error) {
	y, err := rs.finishedDay(ctx, t)
	if err != nil {
		return bot.Reply{}, err
	}
	if y.Form != "" {
		return words.Refuse(text.Say("The proof of {game} is no longer kept.", y.Form.name(y.day))), nil
	}
	b, err := rs.boards.board(ctx, y.boardID())
	if err != nil {
		return bot.Reply{}, err
	}
	file, err := proofFile(b)
	if err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{
		Text:  text.Say("{board} was fixed the day before, if {digest} stands in small type under that day's message. {verify} makes it again from this file.", title(y.day), text.Code(game.Digest(b.Proof.Commitment)), text.Code("rackmate verify FILE")),
		Files: []bot.File{file},
	}, nil
}

func proofFile(b board) (bot.File, error) {
	data, err := json.MarshalIndent(b.Proof, "", "  ")
	return bot.File{Name: fmt.Sprintf("daily-%d.json", int(b.Proof.Number)), Type: "application/json", Data: data}, err
}

// share replies with the person's result in a form to show to others.
func (rs *results) share(ctx context.Context, req bot.Request, who game.PlayerID, p playerRow, t today) (bot.Reply, error) {
	tries := p.Boards[t.boardID().key()]
	if len(tries) == 0 {
		return words.Refuse(text.Say("You haven't tried today's board yet. {daily} shows it.", text.Code("/daily"))), nil
	}
	b, err := rs.boards.board(ctx, t.boardID())
	if err != nil {
		return bot.Reply{}, err
	}
	said := text.Text{text.Code(shareText(t, b, tries, p.Streak, rs.url))}
	top, _ := answerRow{Tries: tries}.best()
	caption := text.Say("{percent} % of the best in {n, plural, one {# try} other {# tries}}", percent(top.Score, b.Score), len(tries))
	card := func(to *text.Locale) imaging.DayCard {
		c := imaging.DayCard{Title: shareTitle(t), Locale: to, Caption: caption.In(to).String()}
		for _, try := range tries {
			c.Tries = append(c.Tries, percent(try.Score, b.Score))
		}
		if p.Streak.Run > 1 {
			c.Note = text.Item("{n, plural, one {# day} other {# days}} in a row", p.Streak.Run).In(to).String()
		}
		return c
	}
	return bot.Reply{
		Text:    text.Lines(text.Say("Copy this to show it to others. It gives nothing away."), said),
		Picture: feature.Draw(rs.desk.Painter(ctx, req.Channel, false), card, (*imaging.Renderer).DayCard),
	}, nil
}

// shareText returns a result that spoils nothing: the board's number and list, percentage and
// bands, but no plays.
func shareText(t today, b board, tries []attempt, streak streak, url string) string {
	signs := ""
	for _, t := range tries {
		signs += t.Band.String()
	}
	top, _ := answerRow{Tries: tries}.best()
	lines := []string{fmt.Sprintf("%s %d %%", shareTitle(t), percent(top.Score, b.Score)), signs}
	if streak.Run > 1 {
		lines[0] += fmt.Sprintf(" · %d ↗", streak.Run)
	}
	if url != "" {
		lines = append(lines, url+"/d/"+t.boardID().page())
	}
	return strings.Join(lines, "\n")
}

// shareTitle returns a board's title for sharing.
func shareTitle(t today) string { return fmt.Sprintf("Rackmate %d (%s)", int(t.day), t.List) }

// title returns the title of a day's board.
func title(d puzzle.Day) text.Text { return text.Say("Daily board {number}", int(d)) }

// promise returns the line that commits the host to the next board.
func promise(b board) text.Text {
	return text.Text{text.Small(text.Say("Tomorrow's board, fixed already: {digest}", text.Code(game.Digest(b.Tomorrow))))}
}
