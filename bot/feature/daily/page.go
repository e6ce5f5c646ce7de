package daily

import (
	"cmp"
	"context"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/input"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/game/puzzle"
	"github.com/rackmate/rackmate/imaging"
)

// This file serves the pages of boards in the browser. A board's page, "329-en", is shared by all
// places. The page of a place's day shows names, so its key can't be guessed.

// A pageSubject is the subject of a page: a place's day, or a board for all places.
type pageSubject struct {
	today
	over bool
}

// mostBack limits how many days a board's page stays available.
const mostBack = 400

// resolveKey resolves a key. It returns [bot.ErrNoTable] if the key is unknown or its board hasn't
// opened anywhere yet.
func (p pages) resolveKey(ctx context.Context, key string) (l pageSubject, err error) {
	board, signed, _ := strings.Cut(key, "~")
	number, list, _ := strings.Cut(board, "-")
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || strconv.Itoa(n) != number || list == "" {
		return l, bot.ErrNoTable
	}
	l.day, l.List, l.V = puzzle.Day(n), list, 1
	now := p.desk.Now().UTC()
	if signed == "" {
		begun, err := p.calendar.hasBegun(ctx, l.day)
		if err != nil {
			return l, err
		}
		if !begun || l.day < puzzle.DayOf(now)-mostBack || p.boards.list(list, "") == nil {
			return l, bot.ErrNoTable
		}
		l.Opens, l.Ends = l.day.Date(), l.day.Date().AddDate(0, 0, 1)
		l.closes, err = p.calendar.closes(ctx, l.boardID())
		l.over = !now.Before(l.closes)
		return l, err
	}
	coded, _, _ := strings.Cut(signed, "~")
	place, err := base64.RawURLEncoding.DecodeString(coded)
	if err != nil {
		return l, bot.ErrNoTable
	}
	want, err := p.links.pageKey(ctx, bot.ChannelID(place), l.boardID())
	if err != nil {
		return l, err
	}
	if subtle.ConstantTimeCompare([]byte(want), []byte(key)) == 0 {
		return l, bot.ErrNoTable
	}
	l.place, l.posted = bot.ChannelID(place), true
	day, had, err := p.days.Get(ctx, keyOfDay(l.place, l.day))
	if err == nil && (!had || day.Asks || day.List != list || day.Form != "") {
		err = bot.ErrNoTable
	}
	if err != nil {
		return l, err
	}
	l.dayRow = day
	l.closes, err = p.calendar.closes(ctx, l.boardID())
	l.over = (day.Over || !now.Before(day.Ends)) && !now.Before(l.closes)
	return l, err
}

// pages serves the pages of boards in the browser.
type pages struct {
	desk     feature.Desk
	url      string // the host's address for browsers, "" if unknown
	places   *shelf.Shelf[shelf.Channel, placeRow]
	days     *shelf.Shelf[dayKey, dayRow]
	answers  *shelf.Shelf[answerKey, answerRow]
	calendar *calendar
	boards   *boards
	players  *players
	links    *links
}

// todayKey returns the key of the page of the board that the requester can play now.
func (p pages) todayKey(ctx context.Context, req bot.Request) (string, error) {
	t, _, _, err := p.todayOf(ctx, "", req)
	if err != nil {
		return "", err
	}
	return p.links.keyOf(ctx, t)
}

// todayOf returns the board that a visitor can play: that of the given place, else of the place
// where they played last, else of a place on their platform.
func (p pages) todayOf(ctx context.Context, place bot.ChannelID, req bot.Request) (t today, who game.PlayerID, player playerRow, err error) {
	if req.User.ID != "" {
		if who, player, err = p.players.load(ctx, req.User.ID); err != nil {
			return t, who, player, err
		}
	}
	if place == "" {
		place = player.Place
	}
	if on, _, err := p.places.Get(ctx, shelf.Channel(place)); err != nil {
		return t, who, player, err
	} else if !on.On {
		if place, err = p.homeOf(ctx, req.Channel); err != nil {
			return t, who, player, err
		}
	}
	if place != "" {
		req.Channel = place
	}
	t, err = p.calendar.today(ctx, req, player)
	return t, who, player, err
}

// homeOf returns the first place with a daily board on a channel's platform if that platform is one
// room, "" if it isn't or has no such place.
func (p pages) homeOf(ctx context.Context, ch bot.ChannelID) (place bot.ChannelID, err error) {
	if !p.desk.Platform(ch).Boards {
		return "", nil
	}
	err = p.places.Each(ctx, func(at shelf.Channel, row placeRow) error {
		if other := bot.ChannelID(at); row.On && other.Platform() == ch.Platform() && (place == "" || other < place) {
			place = other
		}
		return nil
	})
	return place, err
}

// page returns a page as the requester sees it.
func (p pages) page(ctx context.Context, v bot.Visit) (d boardPage, err error) {
	req := v.Request
	l, err := p.resolveKey(ctx, v.Key)
	if err != nil {
		return d, err
	}
	b, err := p.boards.board(ctx, l.boardID())
	if gone := (errListGone{}); errors.As(err, &gone) {
		return d, bot.ErrNoTable
	}
	if err != nil {
		return d, err
	}
	to := p.desk.LocaleFor(ctx, req)
	say := func(t text.Text) string { return t.In(to).String() }
	d = boardPage{
		Number: int(l.day), Title: say(title(l.day)), Date: l.day.Date().Format(time.DateOnly),
		Over: l.over, Digest: game.Digest(b.Tomorrow),
	}
	var tries []attempt
	var streak streak
	playing := false
	if req.User.ID != "" {
		t, who, player, err := p.todayOf(ctx, l.place, req)
		if err != nil {
			return d, err
		}
		streak, playing = player.Streak, t.day == l.day && t.List == l.List && t.Form == ""
		if tries, err = p.triesOf(ctx, l, who, player); err != nil {
			return d, err
		}
		if playing {
			d.Left, l.Ends = triesLeft(tries), t.Ends
			d.Over = d.Over && d.Left == 0 // over elsewhere, but the player still has tries
		}
	}
	if d.Stranger = v.MayEnter && !l.over; d.Stranger {
		d.Left = mostTries
	}
	d.Tries = pageTries(tries, to)
	d.State = boardState(b, l, d, tries, playing, req.User.ID == "").In(to)
	if playing && streak.Run > 1 {
		d.Streak = say(streakLine(streak))
	}
	if len(tries) > 0 {
		d.Share = shareText(l.today, b, tries, streak, p.url)
	}
	d.Sight = p.sight(b, l, req.User, d, to)
	if d.Before, d.After, err = p.neighbours(ctx, l); err != nil || !d.Over {
		return d, err
	}
	d.Proof = true
	if d.Plays, err = p.bestPlays(ctx, l, b); err != nil {
		return d, err
	}
	return d, p.tell(ctx, l, b, req.User.ID, &d, to)
}

// boardState describes a board's state for the visitor.
func boardState(b board, l pageSubject, d boardPage, tries []attempt, playing, stranger bool) text.Text {
	switch {
	case d.Over:
		return text.Say("This board is over. The rack was {tiles}, and the best play lies on the board.", text.Strong(b.rack()))
	case d.Stranger:
		return text.Say("Which play scores most? Everybody has six tries.")
	case stranger:
		return text.Say("Which play scores most? Everybody has six tries. Come in to play.")
	case !playing && triesLeft(tries) > 0:
		return text.Say("You have a different board today.")
	default:
		return l.progress(tries)
	}
}

// pageTries converts tries for a page.
func pageTries(tries []attempt, to *text.Locale) (all []pageTry) {
	for _, t := range tries {
		all = append(all, pageTry{Level: int(t.Band), Band: t.Band.words().In(to).String(), Play: t.Play, Score: t.Score})
	}
	return all
}

// triesOf returns a person's tries on a page's board.
func (p pages) triesOf(ctx context.Context, l pageSubject, who game.PlayerID, player playerRow) ([]attempt, error) {
	if tries := player.Boards[l.boardID().key()]; len(tries) > 0 || !l.posted {
		return tries, nil
	}
	a, _, err := p.answers.Get(ctx, keyOfAnswer(l.place, l.day, who))
	return a.Tries, err
}

// sight returns a board to play on, or with its best play laid once it is over.
func (p pages) sight(b board, l pageSubject, who bot.User, d boardPage, to *text.Locale) bot.Sight {
	t := b.table(l.place, l.List, who)
	if d.Over {
		t.Board.Lay(b.Best)
	}
	s := bot.Sight{Scene: view.Scene(t, to, false)}
	s.Table, s.Number = boardNumber(l), len(d.Tries)
	s.Players, s.Turns, s.Supply, s.Caption = []bot.Player{}, []bot.Turn{}, "", ""
	if d.Over {
		s.Phase, s.Number, s.Fresh = "over", len(d.Tries)+mostTries+1, view.SquareNumbers(s.Size, b.Best.LaidSquares())
		return s
	}
	s.Own = &bot.Own{Rack: view.TileTexts(t.Equipment.Tiles, b.Rack), Lays: "daily", Turn: d.Left > 0}
	return s
}

// boardNumber returns a table number for a board that no table of a game has.
func boardNumber(l pageSubject) bot.TableID {
	h := fnv.New32a()
	h.Write([]byte(l.List))
	return bot.TableID(1<<52 | uint64(h.Sum32()&0xffff)<<32 | uint64(uint32(l.day)))
}

// neighbours returns the keys of the pages of the days before and after.
func (p pages) neighbours(ctx context.Context, l pageSubject) (before, after string, err error) {
	if !l.posted {
		w := l.boardID()
		if w.day = l.day - 1; w.day > 0 {
			before = w.page()
		}
		w.day = l.day + 1
		begun, err := p.calendar.hasBegun(ctx, w.day)
		if begun {
			after = w.page()
		}
		return before, after, err
	}
	was, err := p.calendar.boardBefore(ctx, l.place, l.day)
	if err == nil && was.day > 0 && was.Form == "" {
		before, err = p.links.keyOf(ctx, was)
	}
	if err != nil {
		return before, after, err
	}
	for d := l.day + 1; d <= l.day+2*quietDays; d++ {
		day, had, err := p.days.Get(ctx, keyOfDay(l.place, d))
		if err != nil {
			return before, after, err
		}
		if had && !day.Asks {
			after, err = p.links.keyOf(ctx, today{place: l.place, posted: true, day: d, dayRow: day})
			return before, after, err
		}
	}
	return before, after, nil
}

// mostPlays limits how many of the best plays a page lists.
const mostPlays = 10

// A playsOf is the cache key of a board's best plays.
type playsOf boardID

// bestPlays returns the plays that score most.
func (p pages) bestPlays(ctx context.Context, l pageSubject, b board) ([]bestPlay, error) {
	return feature.Heavy(ctx, p.desk, playsOf(l.boardID()), func(context.Context) (all []bestPlay, err error) {
		eq, rules := b.Maker.Equipment(), b.Maker.Rules()
		g, err := movegen.New(b.Maker.List(), eq, rules)
		if err != nil {
			return nil, err
		}
		plays := slices.Clone(g.Plays(&b.Board, b.Rack))
		slices.SortStableFunc(plays, func(x, y movegen.Play) int { return cmp.Compare(y.Score, x.Score) })
		for _, play := range plays[:min(len(plays), mostPlays)] {
			m := play.Move()
			tally, err := rules.Tally(eq, &b.Board, m)
			if err != nil {
				return nil, err
			}
			all = append(all, bestPlay{
				Play: m.At.At(m.Dir) + " " + words.PlainWord(eq.Tiles, tally.Words[0].Tiles), Score: tally.Total,
				Squares: view.SquareNumbers(eq.Layout.Size(), m.LaidSquares()), Tiles: view.TileTexts(eq.Tiles, view.NewTiles(m)),
			})
		}
		return all, nil
	})
}

// mostResults limits how many people a page lists.
const mostResults = 500

// tell adds the outcome of a finished day to a page.
func (p pages) tell(ctx context.Context, l pageSubject, b board, asks game.PlayerID, d *boardPage, to *text.Locale) error {
	all, err := p.entries(ctx, l)
	if err != nil {
		return err
	}
	sortEntries(all)
	for _, line := range facts(l.today, b, all, l.posted) {
		d.Facts = append(d.Facts, line.In(to))
	}
	if !l.posted {
		return nil // names are shown only to people of the place
	}
	own, err := p.desk.Identities(ctx, asks)
	if err != nil {
		return err
	}
	for i, e := range all[:min(len(all), mostResults)] {
		top, _ := e.best()
		r := pageResult{Place: i + 1, Name: e.Name, Score: top.Score, Percent: percent(top.Score, b.Score), Own: asks != "" && slices.Contains(own, e.who), Tries: pageTries(e.Tries, to)}
		d.Results = append(d.Results, r)
	}
	return nil
}

// entries returns the answers for a page: its place's, or one for each person across all places.
func (p pages) entries(ctx context.Context, l pageSubject) (all []entry, err error) {
	if l.posted {
		return answersOf(ctx, p.answers, l.place, l.day)
	}
	seen := map[game.PlayerID]bool{}
	var places []bot.ChannelID
	if err := p.places.Each(ctx, func(ch shelf.Channel, _ placeRow) error {
		places = append(places, bot.ChannelID(ch))
		return nil
	}); err != nil {
		return nil, err
	}
	for _, ch := range places {
		there, err := answersOf(ctx, p.answers, ch, l.day)
		if err != nil {
			return nil, err
		}
		for _, e := range there {
			if e.List == l.List && e.Form == "" && !seen[e.who] {
				seen[e.who] = true
				all = append(all, e)
			}
		}
	}
	return all, nil
}

// score returns what a play would score. It doesn't say whether its words are valid.
func (p pages) score(ctx context.Context, key string, req bot.Request) (d bot.Draft, err error) {
	l, err := p.resolveKey(ctx, key)
	if err != nil {
		return d, err
	}
	b, err := p.boards.board(ctx, l.boardID())
	if err != nil {
		return d, err
	}
	at := b.table(l.place, l.List, req.User)
	m, err := input.Play(p.desk.Lists(), at, req)
	var tally game.Tally
	if err == nil {
		tally, err = at.Rules.Tally(at.Equipment, &at.Board, m)
	}
	if words.IsMistake(err) {
		return bot.Draft{Problem: words.Explain(at, req, err).Text.In(p.desk.LocaleFor(ctx, req)).String()}, nil
	}
	d.Score = tally.Total
	for _, w := range tally.Words {
		d.Words = append(d.Words, bot.DraftWord{Text: words.PlainWord(at.Equipment.Tiles, w.Tiles), Score: w.Score})
	}
	return d, err
}

// picture returns the preview that sites show beside a link to a board.
func (p pages) picture(ctx context.Context, key string, to *text.Locale) (*bot.Picture, error) {
	l, err := p.resolveKey(ctx, key)
	if err != nil {
		return nil, err
	}
	b, err := p.boards.board(ctx, l.boardID())
	if err != nil {
		return nil, err
	}
	painter := p.desk.Painter(ctx, l.place, false)
	if painter.Renderer == nil {
		return nil, bot.ErrNoPicture
	}
	type linked struct {
		playsOf
		in *imaging.Renderer
		to *text.Locale
	}
	return feature.Heavy(ctx, p.desk, linked{playsOf(l.boardID()), painter.Renderer, to}, func(context.Context) (*bot.Picture, error) {
		look := func(to *text.Locale) imaging.LinkCard {
			return imaging.LinkCard{View: imaging.View{Equipment: b.Maker.Equipment(), Board: b.Board, Caption: title(l.day).In(to).String(), Bag: -1, Locale: to}}
		}
		picture := feature.Draw(painter, look, (*imaging.Renderer).Link).In(to)
		if picture.PNG == nil {
			return nil, bot.ErrNoPicture
		}
		return picture, nil
	})
}

// proof returns the proof of a finished board. It returns [bot.ErrNoTable] while the board is open.
func (p pages) proof(ctx context.Context, key string) (file bot.File, err error) {
	l, err := p.resolveKey(ctx, key)
	if err == nil && !l.over {
		err = bot.ErrNoTable
	}
	if err != nil {
		return file, err
	}
	b, err := p.boards.board(ctx, l.boardID())
	if err != nil {
		return file, err
	}
	return proofFile(b)
}
