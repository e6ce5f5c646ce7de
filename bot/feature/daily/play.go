package daily

import (
	"cmp"
	"context"
	"errors"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/input"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/puzzle"
)

// solo lets one person play a board in private.
type solo struct {
	desk     feature.Desk
	players  *players
	calendar *calendar
	schedule *schedule
	boards   *boards
	ledger   *ledger
	results  *results
	links    *links
	pictures *pictures
}

// run handles /daily.
func (s *solo) run(ctx context.Context, req bot.Request) (bot.Reply, error) {
	who, p, err := s.players.load(ctx, req.User.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	if do := req.Args["do"]; do == "again" {
		return s.schedule.resume(ctx, req)
	}
	t, err := s.calendar.today(ctx, req, p)
	if err != nil {
		return bot.Reply{}, err
	}
	switch do := req.Args["do"]; do {
	case "", "play":
		if t.Form != "" {
			return words.Refuse(text.Say("{game} is over, and it was the last. Its results come with a board at {time}.", t.Form.name(t.day), words.Clock(t.Ends))), nil
		}
		return s.play(ctx, req, who, p, t)
	case "results":
		return s.results.reply(ctx, req, t)
	case "share":
		return s.results.share(ctx, req, who, p, t)
	case "proof":
		return s.results.proof(ctx, t)
	case "skip": // a game's round, from a button of an earlier version
		return words.Refuse(text.Say("That button is out of date. {daily} shows today's board.", text.Code("/daily"))), nil
	default:
		return bot.Reply{}, words.NoChoice("do", do, "results", "share", "proof", "again")
	}
}

// play shows a board, or tries a play on it.
func (s *solo) play(ctx context.Context, req bot.Request, who game.PlayerID, p playerRow, t today) (bot.Reply, error) {
	b, err := s.boards.board(ctx, t.boardID())
	if gone := (errListGone{}); errors.As(err, &gone) {
		return words.Refuse(text.Say("Today's board was made with the word list {list}, which isn't here any more. The day counts for nobody, and the next board comes at {time}.", text.Code(gone.list), words.Clock(t.Ends))), nil
	}
	if err != nil {
		return bot.Reply{}, err
	}
	if req.Number != 0 && req.Number != int(t.day) && req.Args["word"] != "" {
		return words.Refuse(text.Say("That board is over. {daily} shows today's.", text.Code("/daily"))), nil
	}
	tries := p.Boards[t.boardID().key()]
	if req.Args["word"] == "" {
		if len(tries) > 0 && t.posted { // tried elsewhere perhaps; then the tries count here too
			if _, err := s.ledger.take(ctx, req.User, who, t, attempt{}); err != nil {
				return bot.Reply{}, err
			}
		}
		return s.showBoard(ctx, req, t, b, tries)
	}
	return s.try(ctx, req, who, t, b)
}

// squares completes a square without revealing which words are valid.
func (s *solo) squares(ctx context.Context, req bot.Request) []bot.Choice {
	_, p, err := s.players.load(ctx, req.User.ID)
	if err != nil {
		return nil
	}
	t, err := s.calendar.today(ctx, req, p)
	if err != nil {
		return nil
	}
	b, err := s.boards.board(ctx, t.boardID())
	if err != nil {
		return nil
	}
	return input.Squares(s.desk.Lists(), b.table(req.Channel, t.List, req.User), req)
}

// button returns a button about a day's board.
func (t today) button(label text.Text, style bot.Style, args map[string]string) bot.Button {
	return bot.Button{ID: bot.ButtonID(0, int(t.day), "daily", args), Label: label, Style: style}
}

// tryButton returns the button that asks for a play.
func (t today) tryButton() bot.Button {
	return t.button(text.Say("Try a play"), bot.Primary, map[string]string{"word": "", "at": ""})
}

func (t today) shareButton() bot.Button {
	return t.button(text.Say("Share"), bot.Ordinary, map[string]string{"do": "share"})
}

// showBoard returns a day's board with the person's tries.
func (s *solo) showBoard(ctx context.Context, req bot.Request, t today, b board, tries []attempt) (bot.Reply, error) {
	r := bot.Reply{
		Text:    text.Say("Board {number}. Your rack: {tiles}.", int(t.day), text.Strong(b.rack())),
		Picture: s.pictures.board(ctx, req.Channel, req.Dark, b, title(t.day), nil),
	}
	for i, try := range tries {
		r.Text = text.Lines(r.Text, tryLine(i+1, try))
	}
	if triesLeft(tries) > 0 {
		var err error
		if r.Buttons, err = s.playButtons(ctx, req, t); err != nil {
			return r, err
		}
	}
	if len(tries) > 0 {
		r.Buttons = append(r.Buttons, t.shareButton())
	}
	r.Text = text.Lines(r.Text, t.progress(tries), promise(b))
	return r, nil
}

// progress describes how a person's tries on a day's board stand.
func (t today) progress(tries []attempt) text.Text {
	top, _ := answerRow{Tries: tries}.best()
	switch left := triesLeft(tries); {
	case len(tries) == 0:
		return text.Say("Which play scores most? You have six tries, until {time}.", words.Clock(t.Ends))
	case top.Band == best:
		return text.Sentences(text.Say("You found the best play in {n, plural, one {# try} other {# tries}}.", len(tries)), text.Say("The next board comes at {time}.", words.Clock(t.Ends)))
	case left == 0:
		return text.Say("You have used all your tries. Your best is {score}. The answer comes at {time}.", text.Strong(top.Score), words.Clock(t.closes))
	default:
		return text.Say("Your best is {score}. You have {n, plural, one {# try} other {# tries}} left, until {time}.", text.Strong(top.Score), left, words.Clock(t.Ends))
	}
}

// playButtons returns the buttons for playing a board.
func (s *solo) playButtons(ctx context.Context, req bot.Request, t today) (all []bot.Button, err error) {
	url, err := s.links.address(ctx, req, t)
	if err != nil {
		return nil, err
	}
	try := t.tryButton()
	if url != "" {
		all, try.Style = append(all, bot.Button{Label: text.Say("Play on the board"), Style: bot.Primary, Link: url}), bot.Ordinary
	}
	return append(all, try), nil
}

func tryLine(n int, t attempt) text.Text {
	return text.Item("{n}. {square} {play}: {points}", n, t.Band.String(), text.Strong(t.Play), t.Score)
}

// A judged play is a try with its play on the board.
type judgedPlay struct {
	attempt
	at    table.Table
	move  game.Move
	tally game.Tally
}

// judge returns a play that a request makes on a day's board, or the reply that refuses it.
func judge(d feature.Desk, req bot.Request, t today, b board) (j judgedPlay, refused *bot.Reply, err error) {
	at := b.table(req.Channel, t.List, req.User)
	refuse := func(err error) (judgedPlay, *bot.Reply, error) {
		r, err := feature.OrExplain(at, req, err)
		return j, &r, err
	}
	m, err := input.Play(d.Lists(), at, req)
	if err != nil {
		return refuse(err)
	}
	tally, err := at.Rules.Tally(at.Equipment, &at.Board, m)
	if err != nil {
		return refuse(err)
	}
	set := at.Equipment.Tiles
	if bad := tally.Phonies(b.Maker.List()); len(bad) > 0 {
		r := words.Refuse(text.Say("{n, plural, one {{words} is} other {{words} are}} not in the word list {list}. That cost you no try.", len(bad), words.AllWords(set, bad), text.Code(t.List)))
		return j, &r, nil
	}
	try := attempt{ID: req.ID, At: d.Now().UTC(), Play: m.At.At(m.Dir) + " " + words.PlainWord(set, tally.Words[0].Tiles), Score: tally.Total, Band: band(puzzle.BandOf(tally.Total, b.Score))}
	return judgedPlay{try, at, m, tally}, nil, nil
}

// word returns the play's main word.
func (j judgedPlay) word() string {
	return words.PlainWord(j.at.Equipment.Tiles, j.tally.Words[0].Tiles)
}

// describe describes how good the play is.
func (j judgedPlay) describe() text.Text {
	return text.Say("{square} {word} scores {score}: {band}.", j.Band.String(), text.Strong(j.word()), text.Strong(j.Score), j.Band.words())
}

// try spends a try on a play.
func (s *solo) try(ctx context.Context, req bot.Request, who game.PlayerID, t today, b board) (bot.Reply, error) {
	j, refused, err := judge(s.desk, req, t, b)
	if refused != nil || err != nil {
		return *cmp.Or(refused, &bot.Reply{}), err
	}
	done, err := s.ledger.take(ctx, req.User, who, t, j.attempt)
	if err != nil {
		return bot.Reply{}, err
	}
	if done.refused != nil {
		return words.Refuse(done.refused), nil
	}
	if err := s.ledger.scheduleEdit(ctx, t, done); err != nil {
		return bot.Reply{}, err
	}
	return s.answerTry(ctx, req, t, b, done, j), nil
}

// answerTry describes the outcome of a try.
func (s *solo) answerTry(ctx context.Context, req bot.Request, t today, b board, done tryResult, j judgedPlay) bot.Reply {
	j.attempt = done.tries[done.number-1]
	said := j.describe()
	if done.again {
		said = text.Sentences(said, text.Say("You had tried that already, so it cost you nothing."))
	}
	r := bot.Reply{Picture: s.pictures.board(ctx, req.Channel, req.Dark, b, text.Say("{word} at {square} scores {score}", j.word(), j.move.At.At(j.move.Dir), j.Score), &j.move)}
	r.Text = text.Lines(said, t.progress(done.tries))
	if triesLeft(done.tries) > 0 {
		r.Buttons = append(r.Buttons, t.tryButton())
	}
	if done.streak.Run > 1 {
		r.Text = text.Lines(r.Text, streakLine(done.streak))
	}
	r.Buttons = append(r.Buttons, t.shareButton())
	return r
}

func streakLine(s streak) text.Text {
	return text.Say("{n, plural, one {# day} other {# days}} in a row{rest, plural, =0 {} one {, and # rest day in hand} other {, and # rest days in hand}}.", s.Run, s.Rest)
}
