package daily

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/input"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/puzzle"
)

// solo is a board played by somebody alone, in private.
type solo struct {
	desk     feature.Desk
	answers  *shelf.Shelf[answerKey, Answer]
	watch    *watch
	players  *players
	calendar *calendar
	schedule *schedule
	boards   *boards
	ledger   *ledger
	results  *results
	links    *links
	pictures *pictures
}

// run carries the commands out.
func (s *solo) run(ctx context.Context, req bot.Request) (bot.Reply, error) {
	if err := s.watch.isHere(ctx, true); err != nil {
		return bot.Reply{}, err
	}
	who, p, err := s.players.of(ctx, req.User.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	if do := req.Args["do"]; do == "again" {
		return s.schedule.again(ctx, req)
	}
	t, err := s.calendar.today(ctx, req, p)
	if err != nil {
		return bot.Reply{}, err
	}
	skips := false
	switch do := req.Args["do"]; do {
	case "", "play":
	case "skip":
		if skips = t.Form != puzzle.OneBoard; !skips {
			return words.Refuse(text.Say("Only rounds of a daily game can be skipped. On a board, just leave the tries that you don't need.")), nil
		}
	case "results":
		return s.results.reply(ctx, req, t)
	case "share":
		return s.results.share(ctx, req, who, p, t)
	case "proof":
		return s.results.proof(ctx, t)
	default:
		return bot.Reply{}, words.NoChoice("do", do, "skip", "results", "share", "proof", "again")
	}
	return s.play(ctx, req, who, p, t, skips)
}

// play shows a board, tries a play on it, or skips a round of a game.
func (s *solo) play(ctx context.Context, req bot.Request, who game.PlayerID, p Player, t today, skips bool) (bot.Reply, error) {
	b, err := s.boards.board(ctx, t.which())
	if gone := (errListGone{}); errors.As(err, &gone) {
		return words.Refuse(text.Say("Today's board was made with the word list {list}, which isn't here any more. The day counts for nobody, and the next board comes at {time}.", text.Code(gone.list), words.Clock(t.Ends))), nil
	}
	if err != nil {
		return bot.Reply{}, err
	}
	if req.Number != 0 && req.Number != int(t.day) && (req.Args["word"] != "" || skips) {
		return words.Refuse(text.Say("That board is over. {daily} shows today's.", text.Code("/daily"))), nil
	}
	tries := p.Boards[t.which().key()]
	if len(tries) == 0 && b.game != nil {
		here, _, err := s.answers.Get(ctx, keyOfAnswer(t.place, t.day, who))
		if err != nil {
			return bot.Reply{}, err
		}
		tries = here.Tries
	}
	if i := slices.IndexFunc(tries, func(t Try) bool { return t.ID == req.ID }); i >= 0 {
		b = b.at(i) // the same request again is about the same round
	} else {
		b = b.at(len(tries))
	}
	if at := req.Args["at"]; skips && at != "" && at != strconv.Itoa(b.round+1) {
		return words.Refuse(text.Say("You have played that round already. {daily} shows the next.", text.Code("/daily"))), nil
	}
	if skips {
		return s.skip(ctx, req, who, t, b)
	}
	if req.Args["word"] == "" {
		if len(tries) > 0 && t.posted { // perhaps elsewhere: then they count here too
			if _, err := s.ledger.take(ctx, req.User, who, t, Try{}, b); err != nil {
				return bot.Reply{}, err
			}
		}
		return s.shown(ctx, req, t, b, tries)
	}
	return s.guess(ctx, req, who, t, b)
}

// squares complete a square, and say nothing of which words are valid.
func (s *solo) squares(ctx context.Context, req bot.Request) []bot.Choice {
	_, p, err := s.players.of(ctx, req.User.ID)
	if err != nil {
		return nil
	}
	t, err := s.calendar.today(ctx, req, p)
	if err != nil {
		return nil
	}
	b, err := s.boards.board(ctx, t.which())
	if err != nil {
		return nil
	}
	b = b.at(len(p.Boards[t.which().key()]))
	return input.Squares(s.desk.Lists(), b.table(req.Channel, t.List, req.User), req)
}

// button is one that plays a day's board.
func (t today) button(label text.Text, style bot.Style, command string, args map[string]string) bot.Button {
	return bot.Button{ID: bot.ButtonID(0, int(t.day), command, args), Label: label, Style: style}
}

func (t today) guessButton() bot.Button {
	return t.button(text.Say("Try a play"), bot.Primary, "guess", nil)
}

func (t today) shareButton() bot.Button {
	return t.button(text.Say("Share"), bot.Ordinary, "daily", map[string]string{"do": "share"})
}

// shown is a day's board for somebody, with what they have tried.
func (s *solo) shown(ctx context.Context, req bot.Request, t today, b Board, tries []Try) (bot.Reply, error) {
	r := bot.Reply{
		Text:    text.Say("Board {number}, open until {time}. Your rack: {tiles}. Which play scores most?", int(t.day), words.Clock(t.Ends), text.Strong(b.rack())),
		Picture: s.pictures.board(ctx, req.Channel, req.Dark, b, title(t.Form, t.day), nil),
	}
	if b.game != nil {
		return s.shownRound(ctx, req, t, b, tries, r)
	}
	for i, try := range tries {
		r.Text = text.Lines(r.Text, tryLine(i+1, try))
	}
	left := mostTries - len(tries)
	switch {
	case len(tries) > 0 && slices.ContainsFunc(tries, func(t Try) bool { return t.Band == best }):
		r.Text = text.Lines(r.Text, text.Say("You found the best play."))
	case left == 0:
		r.Text = text.Lines(r.Text, text.Say("You have used all your tries. The answer comes with the next board."))
	default:
		r.Text = text.Lines(r.Text, text.Say("You have {n, plural, one {# try} other {# tries}} left: {guess}.", left, text.Code("/daily horn 8h")))
		var err error
		if r.Buttons, err = s.playButtons(ctx, req, t); err != nil {
			return r, err
		}
	}
	if len(tries) > 0 {
		r.Buttons = append(r.Buttons, t.shareButton())
	}
	r.Text = text.Lines(r.Text, t.promise(b))
	return r, nil
}

// playButtons are those by which a board is played.
func (s *solo) playButtons(ctx context.Context, req bot.Request, t today) (all []bot.Button, err error) {
	url, err := s.links.address(ctx, req, t)
	if err != nil {
		return nil, err
	}
	guess := t.guessButton()
	if url != "" {
		all, guess.Style = append(all, bot.Button{Label: text.Say("Play on the board"), Style: bot.Primary, Link: url}), bot.Ordinary
	}
	return append(all, guess), nil
}

// shownRound is r with what a game's round says: the round that somebody is to play, and how
// they stand.
func (s *solo) shownRound(ctx context.Context, req bot.Request, t today, b Board, tries []Try, r bot.Reply) (bot.Reply, error) {
	var err error
	if b.left(tries) == 0 {
		r.Text = b.totalLine(tries)
	} else {
		r.Text = text.Say("{game}, open until {time}. Round {round} of {rounds}, your rack: {tiles}. Each round gives one play: {guess}. Then the best play goes on the board, and the next round begins.",
			title(t.Form, t.day), words.Clock(t.Ends), b.round+1, len(b.game.Rounds), text.Strong(b.rack()), text.Code("/daily horn 8h"))
		if len(tries) > 0 {
			r.Text = text.Lines(r.Text, b.totalLine(tries))
		}
		if r.Buttons, err = s.playButtons(ctx, req, t); err != nil {
			return r, err
		}
		r.Buttons = append(r.Buttons, t.skipButton(b))
	}
	if len(tries) > 0 {
		r.Buttons = append(r.Buttons, t.shareButton())
	}
	r.Text = text.Lines(r.Text, t.promise(b))
	return r, nil
}

func (t today) skipButton(b Board) bot.Button {
	return t.button(text.Say("Skip this round"), bot.Ordinary, "daily", map[string]string{"do": "skip", "at": strconv.Itoa(b.round + 1)})
}

// totalLine says how somebody stands in a game.
func (b Board) totalLine(tries []Try) text.Text {
	score, most := 0, 0
	for _, t := range tries {
		score, most = score+t.Score, most+t.Most
	}
	if b.left(tries) == 0 {
		return text.Say("You have played all {n} rounds: {score} of {total}, which is {percent} %.", len(tries), text.Strong(score), most, text.Strong(percent(score, most)))
	}
	return text.Say("So far you have {score} of {total}, which is {percent} %.", text.Strong(score), most, text.Strong(percent(score, most)))
}

// skip leaves a round of a game out.
func (s *solo) skip(ctx context.Context, req bot.Request, who game.PlayerID, t today, b Board) (bot.Reply, error) {
	if b.isOver() {
		return t.allPlayed(), nil
	}
	done, err := s.ledger.take(ctx, req.User, who, t, b.scored(Try{ID: req.ID, At: s.desk.Now().UTC()}), b)
	if err != nil || done.refused != nil {
		return words.Refuse(done.refused), err
	}
	if err := s.ledger.counted(ctx, t, done); err != nil {
		return bot.Reply{}, err
	}
	return s.answeredRound(ctx, req, t, b, done)
}

func (t today) allPlayed() bot.Reply {
	return words.Refuse(text.Say("You have played all rounds of this game. The next one comes at {time}.", words.Clock(t.Ends)))
}

// scored is a try with its band, and in a game with what the best play of its round scored.
func (b Board) scored(t Try) Try {
	t.Band = bandOf(t.Score, b.Score)
	if b.game != nil {
		t.Most = b.Score
	}
	return t
}

// bestOf is the best play of the round that a try of a game was, "" on a board.
func (b Board) bestOf(round int) string {
	if b.game == nil || round >= len(b.game.Rounds) {
		return ""
	}
	return b.written(b.game.Rounds[round])
}

// written is a position's best play as people read it: "8H HORN".
func (b Board) written(p puzzle.Position) string {
	return p.Best.At.At(p.Best.Dir) + " " + b.Maker.Equipment().Tiles.Alphabet().String(p.Word())
}

// answeredRound tells somebody what came of a round, and shows the next.
func (s *solo) answeredRound(ctx context.Context, req bot.Request, t today, b Board, done taking) (bot.Reply, error) {
	try, top := done.tries[done.number-1], b.bestOf(done.number-1)
	said := text.Say("You skipped that round. The best play was {best} for {most}.", text.Strong(top), try.Most)
	switch {
	case try.Play != "" && try.Score >= try.Most:
		said = text.Say("{square} {play} scores {score}, and that's the best there was.", try.Band.String(), text.Strong(try.Play), text.Strong(try.Score))
	case try.Play != "":
		said = text.Say("{square} {play} scores {score}. The best play was {best} for {most}.", try.Band.String(), text.Strong(try.Play), text.Strong(try.Score), text.Strong(top), try.Most)
	}
	next := b.at(len(done.tries))
	r := bot.Reply{Picture: s.pictures.board(ctx, req.Channel, req.Dark, next, title(t.Form, t.day), nil)}
	r.Text = text.Lines(said, next.totalLine(done.tries))
	if next.left(done.tries) > 0 {
		r.Text = text.Lines(r.Text, text.Say("Round {round} of {rounds}, your rack: {tiles}.", next.round+1, len(b.game.Rounds), text.Strong(next.rack())))
		r.Buttons = append(r.Buttons, t.guessButton(), t.skipButton(next))
	}
	if done.streak.Run > 1 && done.number == 1 && t.Form == puzzle.DayGame {
		r.Text = text.Lines(r.Text, streakLine(done.streak))
	}
	r.Buttons = append(r.Buttons, t.shareButton())
	return r, nil
}

func tryLine(n int, t Try) text.Text {
	return text.Item("{n}. {square} {play}: {points}", n, t.Band.String(), text.Strong(t.Play), t.Score)
}

// guess tries a play.
func (s *solo) guess(ctx context.Context, req bot.Request, who game.PlayerID, t today, b Board) (bot.Reply, error) {
	if b.isOver() {
		return t.allPlayed(), nil
	}
	at := b.table(req.Channel, t.List, req.User)
	m, err := input.Play(s.desk.Lists(), at, req)
	if err != nil {
		return feature.OrExplain(at, req, err)
	}
	tally, err := at.Rules.Tally(at.Equipment, &at.Board, m)
	if err != nil {
		return feature.OrExplain(at, req, err)
	}
	set := at.Equipment.Tiles
	word := words.PlainWord(set, tally.Words[0].Tiles)
	if bad := tally.Phonies(b.Maker.List()); len(bad) > 0 {
		return words.Refuse(text.Say("{n, plural, one {{words} is} other {{words} are}} not in the word list {list}. That cost you no try.", len(bad), words.AllWords(set, bad), text.Code(t.List))), nil
	}
	try := b.scored(Try{ID: req.ID, At: s.desk.Now().UTC(), Play: m.At.At(m.Dir) + " " + word, Score: tally.Total})
	done, err := s.ledger.take(ctx, req.User, who, t, try, b)
	if err != nil {
		return bot.Reply{}, err
	}
	if done.refused != nil {
		return words.Refuse(done.refused), nil
	}
	if err := s.ledger.counted(ctx, t, done); err != nil {
		return bot.Reply{}, err
	}
	if b.game != nil {
		return s.answeredRound(ctx, req, t, b, done)
	}
	return s.answered(ctx, req, t, b, done, at, m, tally), nil
}

// answered tells somebody what came of a try.
func (s *solo) answered(ctx context.Context, req bot.Request, t today, b Board, done taking, at table.Table, m game.Move, tally game.Tally) bot.Reply {
	try := done.tries[done.number-1]
	top, _ := Answer{Tries: done.tries}.best()
	word := words.PlainWord(at.Equipment.Tiles, tally.Words[0].Tiles)
	said := text.Say("{square} {word} scores {score}: {band}.", try.Band.String(), text.Strong(word), text.Strong(try.Score), try.Band.words())
	if done.again {
		said = text.Sentences(said, text.Say("You had tried that already, so it cost you nothing."))
	}
	r := bot.Reply{Picture: s.pictures.board(ctx, req.Channel, req.Dark, b, text.Say("{word} at {square} scores {score}", word, m.At.At(m.Dir), try.Score), &m)}
	switch left := mostTries - len(done.tries); {
	case top.Band == best:
		r.Text = text.Lines(said, text.Say("You found the best play in {n, plural, one {# try} other {# tries}}.", len(done.tries)))
	case left == 0:
		r.Text = text.Lines(said, text.Say("That was your last try. Your best is {score}. The answer comes with the next board, at {time}.", text.Strong(top.Score), words.Clock(t.Ends)))
	default:
		r.Text = text.Lines(said, text.Say("Your best is {score}. You have {n, plural, one {# try} other {# tries}} left.", text.Strong(top.Score), left))
		r.Buttons = append(r.Buttons, t.guessButton())
	}
	if done.streak.Run > 1 {
		r.Text = text.Lines(r.Text, streakLine(done.streak))
	}
	r.Buttons = append(r.Buttons, t.shareButton())
	return r
}

func streakLine(s Streak) text.Text {
	return text.Say("{n, plural, one {# day} other {# days}} in a row{rest, plural, =0 {} one {, and # rest day in hand} other {, and # rest days in hand}}.", s.Run, s.Rest)
}
