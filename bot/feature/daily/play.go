package daily

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/input"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/puzzle"
	"github.com/rackmate/rackmate/imaging"
)

// A today is the board that somebody's request is about: a place's open day.
type today struct {
	place  bot.ChannelID
	posted bool // it is a place where boards are posted
	day    puzzle.Day
	Day
}

// today finds the board that a request is about: that of its channel, else that of the
// place where the person played last, else the channel's own, from midnight to midnight
// in UTC.
func (f *Feature) today(ctx context.Context, req bot.Request, p Player) (t today, err error) {
	ch, err := f.settings.OpenChannel(ctx, req.Channel)
	if err != nil {
		return t, err
	}
	for _, at := range []bot.ChannelID{ch, p.Place} {
		place, had, err := f.places.Get(ctx, shelf.Channel(at))
		if err != nil {
			return t, err
		}
		if !had || !place.On {
			continue
		}
		if now := f.desk.Now(); place.Day == 0 || !now.Before(place.Ends) {
			if err := f.turn(ctx, at); err != nil {
				return t, err
			}
			if place, _, err = f.places.Get(ctx, shelf.Channel(at)); err != nil {
				return t, err
			}
		}
		if place.Day == 0 || !f.desk.Now().Before(place.Ends) {
			continue // its first day is yet to come, or it is asleep
		}
		day, _, err := f.days.Get(ctx, keyOfDay(at, place.Day))
		return today{at, true, place.Day, day}, err
	}
	now := f.desk.Now().UTC()
	d := puzzle.DayOf(now)
	day, had, err := f.days.Get(ctx, keyOfDay(ch, d))
	if err == nil && (!had || !now.Before(day.Ends)) {
		list, failed := f.listOf(ctx, ch)
		day, err = Day{V: 1, List: list.Name, Hash: list.Hash, Opens: d.Date(), Ends: d.Date().AddDate(0, 0, 1)}, failed
	}
	return today{ch, false, d, day}, err
}

// playerOf is the name under which somebody plays, who may have several, and what is
// kept of them: that under which they have played most.
func (f *Feature) playerOf(ctx context.Context, who game.PlayerID) (game.PlayerID, Player, error) {
	ids, err := f.desk.Identities(ctx, who)
	if err != nil {
		return who, Player{}, err
	}
	var most Player
	for i, id := range ids {
		p, _, err := f.players.Get(ctx, shelf.Person(id))
		if err != nil {
			return who, p, err
		}
		if i == 0 || p.Streak.Days > most.Streak.Days {
			who, most = id, p
		}
	}
	return who, most, nil
}

// daily carries the commands out.
func (f *Feature) daily(ctx context.Context, req bot.Request) (bot.Reply, error) {
	if err := f.isHere(ctx, true); err != nil {
		return bot.Reply{}, err
	}
	who, p, err := f.playerOf(ctx, req.User.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	if do := req.Args["do"]; do == "again" {
		return f.again(ctx, req)
	}
	t, err := f.today(ctx, req, p)
	if err != nil {
		return bot.Reply{}, err
	}
	switch do := req.Args["do"]; do {
	case "", "play":
	case "results":
		return f.results(ctx, req, t)
	case "share":
		return f.share(ctx, req, who, p, t)
	case "proof":
		return f.proof(ctx, t)
	default:
		return bot.Reply{}, words.NoChoice("do", do, "results", "share", "proof", "again")
	}
	b, err := f.board(ctx, t.List, t.Hash, t.day)
	if gone := (errListGone{}); errors.As(err, &gone) {
		return words.Refuse(text.Say("Today's board was made with the word list {list}, which isn't here any more. The day counts for nobody, and the next board comes at {time}.", text.Code(gone.list), words.Clock(t.Ends))), nil
	}
	if err != nil {
		return bot.Reply{}, err
	}
	if req.Number != 0 && req.Number != int(t.day) && req.Args["word"] != "" {
		return words.Refuse(text.Say("That board is over. {daily} shows today's.", text.Code("/daily"))), nil
	}
	if req.Args["word"] == "" {
		tries := p.Boards[boardKey(t.List, t.day)]
		if len(tries) > 0 && t.posted { // perhaps elsewhere: then they count here too
			if _, err := f.take(ctx, req.User, who, t, Try{}); err != nil {
				return bot.Reply{}, err
			}
		}
		return f.shown(ctx, req, t, b, tries)
	}
	return f.guess(ctx, req, who, t, b)
}

// squares complete a square, and say nothing of which words are valid.
func (f *Feature) squares(ctx context.Context, req bot.Request) []bot.Choice {
	_, p, err := f.playerOf(ctx, req.User.ID)
	if err != nil {
		return nil
	}
	t, err := f.today(ctx, req, p)
	if err != nil {
		return nil
	}
	b, err := f.board(ctx, t.List, t.Hash, t.day)
	if err != nil {
		return nil
	}
	return input.Squares(f.desk.Lists(), b.table(req.Channel, t.List, req.User), req)
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
func (f *Feature) shown(ctx context.Context, req bot.Request, t today, b Board, tries []Try) (bot.Reply, error) {
	r := bot.Reply{
		Text:    text.Say("Board {number}, open until {time}. Your rack: {tiles}. Which play scores most?", int(t.day), words.Clock(t.Ends), text.Strong(b.rack())),
		Picture: f.boardPicture(ctx, req.Channel, req.Dark, b, text.Say("Daily board {number}", int(t.day)), nil),
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
		url, err := f.address(ctx, req, t)
		if err != nil {
			return r, err
		}
		style := bot.Primary
		if url != "" {
			r.Buttons, style = append(r.Buttons, bot.Button{Label: text.Say("Play on the board"), Style: bot.Primary, Link: url}), bot.Ordinary
		}
		guess := t.guessButton()
		guess.Style = style
		r.Buttons = append(r.Buttons, guess)
	}
	if len(tries) > 0 {
		r.Buttons = append(r.Buttons, t.shareButton())
	}
	r.Text = text.Lines(r.Text, text.Say("Tomorrow's board is fixed already. Its SHA-256: {hash}", text.Code(b.Tomorrow)))
	return r, nil
}

func tryLine(n int, t Try) text.Text {
	return text.Item("{n}. {square} {play}: {points}", n, t.Band.String(), text.Strong(t.Play), t.Score)
}

// guess tries a play.
func (f *Feature) guess(ctx context.Context, req bot.Request, who game.PlayerID, t today, b Board) (bot.Reply, error) {
	at := b.table(req.Channel, t.List, req.User)
	m, err := input.Play(f.desk.Lists(), at, req)
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
	now := f.desk.Now().UTC()
	try := Try{ID: req.ID, At: now, Play: m.At.At(m.Dir) + " " + word, Score: tally.Total, Band: bandOf(tally.Total, b.Score)}
	done, err := f.take(ctx, req.User, who, t, try)
	if err != nil {
		return bot.Reply{}, err
	}
	if done.refused != nil {
		return words.Refuse(done.refused), nil
	}
	if done.newcomer && t.posted {
		if err := f.wake(ctx, t.place, countKind, int(t.day), now.Truncate(editEvery).Add(editEvery)); err != nil {
			return bot.Reply{}, err
		}
	}
	return f.answered(ctx, req, t, b, done, at, m, tally), nil
}

// editEvery is how often a day's message is edited at the most.
const editEvery = 5 * time.Minute

// A taking is what came of a try.
type taking struct {
	tries    []Try
	number   int // of the try, from 1
	refused  text.Text
	again    bool // it had been tried before
	newcomer bool // it is their first of the day here
	streak   Streak
}

// take takes a try in: once for a request, and as long as there are tries and the day
// is open by the host's clock.
func (f *Feature) take(ctx context.Context, user bot.User, who game.PlayerID, t today, try Try) (done taking, err error) {
	for {
		before, _, err := f.players.Get(ctx, shelf.Person(who))
		if err != nil {
			return done, err
		}
		var failed error
		streak := before.Streak.play(t.day, f.counts(ctx, t.place, &failed))
		if failed != nil {
			return done, failed
		}
		ever, err := f.played(ctx, t.place, who)
		if err != nil {
			return done, err
		}
		err = f.own.Change(ctx, func(tx shelf.Tx) error {
			done = taking{}
			players, answers := f.players.In(tx), f.answers.In(tx)
			p, _, err := players.Get(shelf.Person(who))
			if err != nil {
				return err
			}
			if p.Streak != before.Streak {
				return errChanged
			}
			here, had, err := answers.Get(keyOfAnswer(t.place, t.day, who))
			if err != nil {
				return err
			}
			tries := p.Boards[boardKey(t.List, t.day)]
			if !had && len(tries) == 0 {
				tries = here.Tries
			}
			done.newcomer = !had
			i := slices.IndexFunc(tries, func(old Try) bool { return old.ID == try.ID })
			if try.ID == "" { // they have tried it elsewhere, and come here
				if i = len(tries) - 1; had || i < 0 {
					return nil
				}
			}
			if i < 0 {
				i = slices.IndexFunc(tries, func(old Try) bool { return old.Play == try.Play && old.Score == try.Score })
				done.again = i >= 0
			}
			switch {
			case i >= 0:
			case !try.At.Before(t.Ends):
				done.refused = text.Say("That board is over. {daily} shows today's.", text.Code("/daily"))
				return nil
			case len(tries) >= mostTries:
				done.refused = text.Say("You have used all six tries. The answer comes with the next board, at {time}.", words.Clock(t.Ends))
				return nil
			case slices.ContainsFunc(tries, func(t Try) bool { return t.Band == best }):
				done.refused = text.Say("You have found the best play already. The next board comes at {time}.", words.Clock(t.Ends))
				return nil
			default:
				tries = append(slices.Clone(tries), try)
				i = len(tries) - 1
			}
			p.V, p.Streak, p.Place = 1, streak, t.place
			p.keep(t.List, t.day, tries)
			done.tries, done.number, done.streak = tries, i+1, streak
			if err := players.Put(shelf.Person(who), p); err != nil {
				return err
			}
			if !t.posted {
				if err := f.days.In(tx).Put(keyOfDay(t.place, t.day), t.Day); err != nil {
					return err
				}
			} else if !ever {
				places := f.places.In(tx)
				place, _, err := places.Get(shelf.Channel(t.place))
				if err != nil {
					return err
				}
				place.Ever++
				if err := places.Put(shelf.Channel(t.place), place); err != nil {
					return err
				}
				if err := f.members.In(tx).Put(shelf.Both(shelf.Channel(t.place), shelf.Person(who)), true); err != nil {
					return err
				}
			}
			return answers.Put(keyOfAnswer(t.place, t.day, who), Answer{V: 1, Name: user.Name, List: t.List, Tries: tries})
		})
		if !errors.Is(err, errChanged) {
			return done, err
		}
	}
}

// played reports whether somebody has ever played in a place.
func (f *Feature) played(ctx context.Context, ch bot.ChannelID, who game.PlayerID) (bool, error) {
	_, had, err := f.members.Get(ctx, shelf.Both(shelf.Channel(ch), shelf.Person(who)))
	return had, err
}

// answered tells somebody what came of a try.
func (f *Feature) answered(ctx context.Context, req bot.Request, t today, b Board, done taking, at table.Table, m game.Move, tally game.Tally) bot.Reply {
	try := done.tries[done.number-1]
	top, _ := Answer{Tries: done.tries}.best()
	word := words.PlainWord(at.Equipment.Tiles, tally.Words[0].Tiles)
	said := text.Say("{square} {word} scores {score}: {band}.", try.Band.String(), text.Strong(word), text.Strong(try.Score), try.Band.words())
	if done.again {
		said = text.Sentences(said, text.Say("You had tried that already, so it cost you nothing."))
	}
	r := bot.Reply{Picture: f.boardPicture(ctx, req.Channel, req.Dark, b, text.Say("{word} at {square} scores {score}", word, m.At.At(m.Dir), try.Score), &m)}
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

// boardPicture draws a day's board, with a play on it where there is one.
func (f *Feature) boardPicture(ctx context.Context, ch bot.ChannelID, dark bool, b Board, caption text.Text, m *game.Move) *bot.Picture {
	pen := f.desk.Pen(ctx, ch, dark)
	look := func(to *text.Tongue) imaging.DayBoard {
		v := imaging.View{Equipment: b.Maker.Equipment(), Board: b.Board, Caption: caption.In(to).String(), Bag: -1, Tongue: to}
		if m != nil {
			v.Board.Lay(*m)
			v.New, v.Preview = m.Laid(), true
		}
		return imaging.DayBoard{View: v, Rack: b.Rack}
	}
	return feature.Draw(pen, look, (*imaging.Renderer).Day)
}
