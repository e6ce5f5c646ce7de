package play

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/input"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/imaging"
	"github.com/rackmate/rackmate/lexicon"
)

// This file contains the commands that only look.

// looks shows games.
type looks struct {
	desk  feature.Desk
	house Registry
}

// try previews a play in private. If plays can be challenged, it doesn't say whether the words are
// valid: that is the player's risk.
func (l *looks) try(ctx context.Context, req bot.Request) (bot.Reply, error) {
	t, err := l.desk.Load(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	m, err := input.Play(l.desk.Lists(), t, req)
	if err != nil {
		return feature.OrExplain(t, req, err)
	}
	tally, err := t.Tally(m)
	if err != nil {
		return feature.OrExplain(t, req, err)
	}
	set := t.Equipment.Tiles
	at := m.At.At(m.Dir)
	r := bot.Reply{Text: text.Say("{word} at {square} would score {score}.", text.Strong(words.PlainWord(set, tally.Words[0].Tiles)), at, text.Strong(tally.Total))}
	if sums := words.SumsOf(set, game.Played{Move: m, Words: tally.Words, Score: tally.Total}); sums != nil {
		r.Text = text.Say("{word} at {square} would score {score} ({sums}).", text.Strong(words.PlainWord(set, tally.Words[0].Tiles)), at, text.Strong(tally.Total), sums)
	}
	playable := true
	if t.Rules.Challenge == game.Void {
		dict, err := l.desk.Lists().Dictionary(t.State)
		if err != nil {
			return feature.OrExplain(t, req, err)
		}
		if bad := tally.Phonies(dict); len(bad) > 0 {
			r.Text = text.Sentences(r.Text, text.Say("But {n, plural, one {{words} is} other {{words} are}} not in the word list {list}, so you can't play it.", len(bad), words.AllWords(set, bad), text.Code(t.Lexicon.Name)))
			playable = false
		}
	} else {
		r.Text = text.Sentences(r.Text, text.Say("Whether it's valid is up to you."))
	}
	label := text.Say("Play it for {score}", tally.Total)
	if t.Variant.Lay != nil {
		label = text.Say("Submit it for {score}", tally.Total)
	}
	if seat, _ := t.SeatOf(req.User.ID); playable && t.Phase == game.Playing && (t.Turn == seat || t.Variant.Lay != nil) {
		args := map[string]string{"word": table.Spelling(set, m), "at": at}
		if t.Variant.Place != nil {
			args = map[string]string{"word": req.Args["word"]}
		}
		r.Buttons = append(r.Buttons, t.Button(label, "play", bot.Primary, args))
	}
	r.Picture = l.desk.Painter(ctx, t.Channel, req.Dark).Board(view.Preview(t, m, tally))
	return r, nil
}

func (f *Feature) rack(ctx context.Context, req bot.Request) (bot.Reply, error) {
	t, err := f.desk.Load(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	seat, err := t.Seat(req)
	if err != nil {
		return feature.OrExplain(t, req, err)
	}
	r := f.desk.Rack(ctx, t, seat, req)
	if why := feature.Obstacle(ctx, f.desk, t.Channel); why != nil {
		r.Text = text.Lines(r.Text, why)
		r.Buttons = append(r.Buttons, feature.ShowBoard(t.ID))
	}
	return f.toldIfStuck(r, t, seat)
}

// boardKind is the kind of posts that bring the board down to the end of the channel.
const boardKind = "board"

// board shows a game's position in private. Where each move has a board of its own, a player's
// request for no particular form brings the newest down to the end of the channel for everybody.
func (l *looks) board(ctx context.Context, req bot.Request) (bot.Reply, error) {
	t, err := feature.LoadDealt(ctx, l.desk, req)
	if err != nil {
		return feature.OrExplain(t, req, err)
	}
	var obstacle text.Text
	if t.Phase != game.Over {
		obstacle = feature.Obstacle(ctx, l.desk, t.Channel)
	}
	rule, err := l.desk.Rule(ctx, t.Channel, settings.Board)
	if err != nil {
		return bot.Reply{}, err
	}
	if seat, seated := t.SeatOf(req.User.ID); seated && !t.Seats[seat].Out && t.Phase != game.Over && req.Channel == t.Channel && req.Args["as"] == "" && obstacle == nil && rule != settings.LiveBoard {
		return l.bringDown(ctx, req)
	}
	v := view.Of(t)
	r := bot.Reply{Text: words.Standing(t)}
	if obstacle != nil {
		r.Text = text.Lines(r.Text, obstacle)
	}
	draw := l.desk.Painter(ctx, t.Channel, req.Dark)
	switch req.Args["as"] {
	case "zoom":
		r.Picture = feature.Draw(draw, v, (*imaging.Renderer).Zoom)
		return r, nil
	case "print":
		r.Picture = feature.Draw(l.desk.Painter(ctx, t.Channel, false), v, (*imaging.Renderer).Print)
		return r, nil
	case "text":
		now := v(l.desk.LocaleFor(ctx, req))
		r.Text = text.Glue(r.Text, "\n", text.Code(now.Text()))
		if alt := now.Alt(); r.Text.Len()+len(alt) < bot.MaxText {
			r.Text = text.Glue(r.Text, "\n", alt)
		}
		return r, nil
	}
	r.Picture = draw.Board(v)
	if link := l.desk.Platform(t.Channel).Link; link != nil && rule == settings.LiveBoard && obstacle == nil {
		if url := link(ctx, t.Channel, req.Home); url != "" {
			r.Buttons = []bot.Button{{Label: text.Say("Open the board"), Link: url}}
		}
	}
	return r, nil
}

// bringDown queues a post of the current board; the one before it folds.
func (l *looks) bringDown(ctx context.Context, req bot.Request) (bot.Reply, error) {
	err := feature.Once(ctx, l.desk, req.Channel, req.ID, func(r *feature.Room) {
		n := r.Table.Number
		r.Post(bot.Post{From: n, To: n, Kind: boardKind, At: l.desk.Now()})
	})
	if err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{Text: text.Say("I'll post the board for everybody. {board} shows it only to you.", text.Code("/board picture"))}, nil
}

// boardMessage writes the post that brings the board down. It is dropped if the game has moved on.
func (l *looks) boardMessage(ctx context.Context, _ bot.Post, t, now table.Table, m bot.Message) (bot.Message, error) {
	if now.Number != t.Number {
		return m, feature.ErrNothingToTell
	}
	m.Text = words.Standing(t)
	m.Line = text.Say("The board: {scores}.", words.ScoreLine(t))
	if err := l.house.Board(ctx, t, &m); err != nil {
		return m, err
	}
	m.Menus = table.PollMenus(t)
	return m, nil
}

func (f *Feature) showUnseen(ctx context.Context, req bot.Request) (bot.Reply, error) {
	t, err := feature.LoadDealt(ctx, f.desk, req)
	if err == nil && t.Phase == game.Over {
		err = &game.RuleError{Code: game.GameOver}
	}
	if err != nil {
		return feature.OrExplain(t, req, err)
	}
	seat, ok := t.SeatOf(req.User.ID)
	if !ok || t.Seats[seat].Out {
		seat = -1 // watchers see no rack
	}
	unseen := t.UnseenBy(seat)
	var parts []string
	vowels, told := 0, false
	for i, k := range t.Equipment.Tiles.Kinds() {
		tile := game.LetterTile(lexicon.Letter(i + 1))
		if k.Text == "?" {
			tile = game.Blank
		}
		told = told || k.Vowel
		if n := unseen.Count(tile); n > 0 {
			// A no-break space keeps a letter and its number on one line.
			parts = append(parts, fmt.Sprintf("%s\u00a0%d", k.Text, n))
			if k.Vowel {
				vowels += n
			}
		}
	}
	said := text.Say("{n, plural, one {# tile is} other {# tiles are}} unseen, {vowels, plural, =0 {none of them vowels} one {# of them a vowel} other {# of them vowels}}; {bag}.", len(unseen), vowels, words.BagWords(t))
	if !told { // Hebrew has only consonants
		said = text.Glue(text.Say("{n} unseen", len(unseen)), "; ", words.BagWords(t), ".")
	}
	if n := len(t.LostTiles()); n > 0 {
		said = text.Sentences(said, text.Say("{n, plural, one {# of the unseen tiles leaves} other {# of the unseen tiles leave}} the game.", n))
	}
	said = text.Glue(said, "\n", text.Code(strings.Join(parts, "  ")))
	noted, _, err := f.lines.Get(ctx, linesOf(t.ID, req.User.ID))
	if err != nil {
		return bot.Reply{}, err
	}
	if len(noted.Lines) > 0 {
		said = text.Lines(said, text.Say("Your notes:"), text.Plain(joinLines(noted.Lines)))
	}
	return bot.Reply{Text: said}, nil
}

// lastDealt returns the table like feature.LoadDealt. If that is the offer of a rematch that hasn't
// begun or never will, it returns the game before.
func (l *looks) lastDealt(ctx context.Context, req bot.Request) (table.Table, error) {
	t, err := feature.LoadDealt(ctx, l.desk, req)
	var rule *game.RuleError
	if !errors.As(err, &rule) || t.Begins.ID == "" || req.Table != 0 {
		return t, err
	}
	earlier, failed := l.house.TablesNaming(ctx, t.Host.ID)
	if failed != nil {
		return t, failed
	}
	for _, id := range slices.Backward(earlier) {
		if id >= t.ID {
			continue
		}
		before, failed := feature.LoadTable(ctx, l.desk, id)
		if failed != nil {
			return t, failed
		}
		if before.Channel == t.Channel && before.IsDealt() {
			return before, nil
		}
	}
	return t, err
}

func (l *looks) history(ctx context.Context, req bot.Request) (bot.Reply, error) {
	t, err := l.lastDealt(ctx, req)
	if err != nil {
		return feature.OrExplain(t, req, err)
	}
	to := l.desk.LocaleFor(ctx, req)
	lines := view.Moves(t, to)
	if len(lines) == 0 {
		return bot.Reply{Text: text.Lines(text.Say("Nobody has moved yet. {board} shows the board.", text.Code("/board")), words.DescribeDraws(t))}, nil
	}
	// The beginning of a long game goes into a file.
	for i := range lines {
		lines[i] = lines[i].In(to)
	}
	first, room := len(lines), bot.MaxText-100
	for first > 0 && room > lines[first-1].Len() {
		first--
		room -= lines[first].Len() + 1
	}
	moves := view.MovesTable(t)
	moves.Rows = moves.Rows[first:]
	r := bot.Reply{Text: text.Lines(words.DescribeDraws(t), text.InTable(text.Glue(text.Code(text.Lines(lines[first:]...))), moves))}
	if first > 0 {
		r.Text = text.Lines(text.Say("The latest moves; the file has them all."), r.Text)
		r.Files = []bot.File{view.MovesFile(t, to)}
	}
	if t.End != nil {
		card := func(to *text.Locale) imaging.FinalCard { return view.FinalCard(t, to) }
		r.Picture = feature.Draw(l.desk.Painter(ctx, t.Channel, req.Dark), card, (*imaging.Renderer).Final)
	}
	return r, nil
}

// A replayKey is the key of a game's animation.
type replayKey struct {
	table  bot.TableID
	number int
	in     *imaging.Renderer
	to     *text.Locale
}

// replay shows the game so far as an animation. It shows no racks, so anybody can have it at any
// time.
func (l *looks) replay(ctx context.Context, req bot.Request) (bot.Reply, error) {
	t, err := l.lastDealt(ctx, req)
	if err != nil {
		return feature.OrExplain(t, req, err)
	}
	gif, err := l.replayFile(ctx, t, req.Dark, l.desk.LocaleFor(ctx, req))
	if errors.Is(err, bot.ErrNoPicture) {
		return words.Refuse(text.Say("No pictures here. {history} lists the moves.", text.Code("/history"))), nil
	}
	if err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{Text: text.Say("The game so far, move by move."), Files: []bot.File{gif}}, nil
}

// Replay draws a game move by move as an animated picture. It returns bot.ErrNoPicture if the
// host draws none.
func (f *Feature) Replay(ctx context.Context, t table.Table, dark bool, to *text.Locale) (bot.File, error) {
	return f.looks.replayFile(ctx, t, dark, to)
}

// replayFile draws the picture that [Feature.Replay] returns.
func (l *looks) replayFile(ctx context.Context, t table.Table, dark bool, to *text.Locale) (bot.File, error) {
	r := l.desk.Painter(ctx, t.Channel, dark)
	if r.Renderer == nil {
		return bot.File{}, bot.ErrNoPicture
	}
	gif, err := feature.Heavy(ctx, l.desk, replayKey{t.ID, t.Number, r.Renderer, to}, func(ctx context.Context) ([]byte, error) {
		return r.Renderer.Replay(ctx, view.Views(t, to))
	})
	if err != nil {
		return bot.File{}, fmt.Errorf("draw replay of table %d: %w", t.ID, err)
	}
	return bot.File{Name: fmt.Sprintf("rackmate-%d.gif", t.ID), Type: "image/gif", Alt: text.Say("The game so far, move by move. {last}.", words.Caption(t)), Data: gif}, nil
}
