package variants

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/input"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/game/record"
	"github.com/rackmate/rackmate/imaging"
	"github.com/rackmate/rackmate/lexicon"
)

// This file presents duplicate: all players have the same rack and submit in private, and
// the best play of the turn goes on the board.
//
// During a turn, submissions and late joins stay between the player and the host. The
// channel gets one message a turn, with the result of the last turn, the rack of the next,
// and the number of submissions so far.

// turnEndKind is the kind of the timer that ends a turn: at its deadline, or at once when
// all have submitted.
const turnEndKind = "duplicate"

const (
	// mostShown is the number of players that fit into a picture, and mostListed the number
	// of names that a lobby lists.
	mostShown  = 4
	mostListed = 8
)

// A duplicate presents games in which all play from one rack.
type duplicate struct {
	desk    feature.Desk
	play    feature.Run
	hasNews func(context.Context, table.Table) (bool, error)
}

// Duplicate returns the feature of duplicate games. It carries out the ordinary /play with
// play; untold reports whether news of a table waits to be posted.
func Duplicate(d feature.Desk, play feature.Run, untold func(context.Context, table.Table) (bool, error)) feature.Feature {
	f := duplicate{d, play, untold}
	return feature.Feature{
		Commands:   f.commands,
		Extensions: f.extensions(),
		Variant:    new(f.variant()),
		Due:        map[string]feature.Due{turnEndKind: {Do: f.endTurn}},
		Answer:     f.answer,
		Timers:     f.timers,
		Send: func(ctx context.Context, post bot.Post) (wanted bool, err error) {
			if post.For == "" {
				err = f.extendShownLate(ctx, post)
			}
			return true, err
		},
	}
}

// commands returns the variant's commands.
func (f duplicate) commands() []feature.Command {
	return []feature.Command{
		{Command: bot.Command{Name: "submit", Help: "Submit your play in duplicate, or replace it", Example: "/submit horn 8h", Options: []bot.Option{input.Word, input.Square}}, OfGame: true, Run: whereLaid(f.desk, "submit", f.play), Complete: map[string]feature.Completer{"at": feature.Squares(f.desk)}},
	}
}

// extensions returns the options of /new that only the variant has.
func (f duplicate) extensions() map[string]feature.Extension {
	return map[string]feature.Extension{"new": {Options: []bot.Option{
		{Name: "turn", Help: "How long a turn of duplicate lasts", Kind: bot.Pick, Choices: []bot.Choice{
			{Value: "1m", Label: text.Say("A minute")}, {Value: "3m", Label: text.Say("3 minutes")}, {Value: "10m", Label: text.Say("10 minutes")}, {Value: "1h", Label: text.Say("An hour")}, {Value: "12h", Label: text.Say("12 hours")}, {Value: "1d", Label: text.Say("A day")},
		}},
		{Name: "master", Help: "Which play goes on the board in duplicate", Kind: bot.Pick, Choices: []bot.Choice{
			{Value: "best", Label: text.Say("The best play anybody submitted")}, {Value: "top", Label: text.Say("The best possible play, whether anybody found it or not")},
		}},
	}}}
}

// variant returns the variant.
func (f duplicate) variant() table.Variant {
	return table.Variant{
		Name:  "duplicate",
		Lays:  "submit",
		Label: text.Say("Duplicate: everybody has the same rack and submits in private; any number can play"),
		Help: text.Sentences(text.Say("Everybody has the same rack, and it's there for all to see. Submit a play in private with {submit} before the turn's time is up; you can replace it until then. Each player scores their own play, and the best one goes on the board; if several are equally good, the one submitted first. A play with a word that isn't in the list scores nothing; with {void} it's refused at once instead. {pass} says that you have no play. {join} works at any turn, and a turn ends early when everybody has submitted. The game ends when the tiles are used up, or when nobody has a valid play for three turns. {new} sets how long a turn lasts, and {top} puts the best possible play on the board, found or not.",
			text.Code("/submit horn 8h"), text.Code("challenge:void"), text.Code("/pass"), text.Code("/join"), text.Code("/new variant:duplicate turn:3m"), text.Code("master:top")),
			text.Say("{here} calls you in the channel when a turn of ten minutes or more begins, {dm} by direct message.", text.Code("/settings ping:here game:true"), text.Code("/settings ping:dm game:true"))),
		Rules: duplicateRules,
		Challenge: func(c game.ChallengeRule) text.Text {
			if c == game.Void {
				return text.Item("invalid words are refused")
			}
			return text.Item("invalid words score nothing")
		},
		Turn: func(t table.Table) text.Text {
			return text.Say("Submit your play with {submit} by {time}.", text.Code("/submit"), words.Clock(t.Until))
		},
		Tell:    tellDuplicate,
		Explain: explainDuplicate,
		Show:    showDuplicate,
		Buttons: func(t table.Table) []bot.Button {
			return []bot.Button{
				t.Button(text.Say("Submit"), "submit", bot.Primary, nil), t.Button(text.Say("Try"), "try", bot.Ordinary, nil), t.Button(text.Say("My rack"), "rack", bot.Ordinary, nil),
				t.Button(text.Say("Join"), "join", bot.Ordinary, nil), t.Button(text.Say("More"), "help", bot.Ordinary, nil),
			}
		},
		Caption: duplicateCaption,
		Status:  duplicateStatus,
		Lobby:   duplicateLobby,
		History: duplicateHistory,
		Rack:    duplicateRack,
		Lay:     func(m game.Move) game.Action { return game.Submit{Move: m} },
		Private: duplicatePrivate,
		Files:   duplicateFiles,
		Final:   duplicateFinal,
	}
}

// duplicateRules returns the rules changed by the options of /new.
func duplicateRules(r game.Rules, args map[string]string) (game.Rules, error) {
	if text := args["turn"]; text != "" {
		d, err := time.ParseDuration(text)
		if days, ok := strings.CutSuffix(text, "d"); ok {
			d, err = time.ParseDuration(days + "h")
			d *= 24
		}
		if err != nil || d < game.ShortestTurn || d > game.LongestTurn {
			return r, words.BadChoice("turn", text)
		}
		r.Duplicate.TurnTime = d
	}
	switch v := args["master"]; v {
	case "", "best":
	case "top":
		r.Duplicate.TopPlay = true
	default:
		return r, words.BadChoice("master", v)
	}
	return r, nil
}

// span formats a duration: "3 minutes", "1 hour 30 minutes".
func span(d time.Duration) text.Text {
	var parts []text.Text
	unit := func(size time.Duration, say func(n int) text.Text) {
		if n := int(d / size); n > 0 {
			parts = append(parts, say(n))
			d -= time.Duration(n) * size
		}
	}
	unit(24*time.Hour, func(n int) text.Text { return text.Item("{n, plural, one {# day} other {# days}}", n) })
	unit(time.Hour, func(n int) text.Text { return text.Item("{n, plural, one {# hour} other {# hours}}", n) })
	unit(time.Minute, func(n int) text.Text { return text.Item("{n, plural, one {# minute} other {# minutes}}", n) })
	unit(time.Second, func(n int) text.Text { return text.Item("{n, plural, one {# second} other {# seconds}}", n) })
	return text.Join(parts, " ")
}

// tellDuplicate describes public events. It keeps submissions and late joins silent.
func tellDuplicate(before game.State, f game.Fact) (table.Telling, bool) {
	switch f := f.(type) {
	case game.Joined:
		if before.Phase == game.Playing {
			return table.Telling{}, true // stays between the player and the host
		}
	case game.Resigned:
		return table.Telling{Sentence: text.Say("{who} leaves the game.", text.Name(before.Seats[f.Seat].Person))}, true
	case game.RackDrawn:
		if f.Put == "" {
			return table.Telling{}, true
		}
		return table.Telling{Sentence: rackBack(before)}, true
	case game.Submitted, game.TurnOpened, game.TurnExtended:
		return table.Telling{}, true
	case game.TurnScored:
		return table.Telling{Sentence: describeScore(before, f), Caption: masterLine(before, f)}, true
	case game.Ended:
		return table.Telling{Sentence: duplicateEnd(before, f), Caption: winnersOf(before, f)}, true
	}
	return table.Telling{}, false
}

// rackBack explains why a rack goes back into the bag: for its makeup, unless its turn
// ended without a play.
func rackBack(s game.State) text.Text {
	rack := text.Strong(words.SpacedTiles(s.Equipment.Tiles, s.Common))
	if s.IsRackBalanced() {
		return text.Say("The rack {tiles} goes back into the bag.", rack)
	}
	return text.Say("The rack {tiles} goes back into the bag: it has too few vowels or consonants.", rack)
}

// masterLine describes the play that went on the board, briefly.
func masterLine(before game.State, f game.TurnScored) text.Text {
	if f.Move.Kind != game.PlayTiles {
		return text.Say("Nobody had a valid play")
	}
	word, at := words.PlainWord(before.Equipment.Tiles, f.Words[0].Tiles), f.Move.At.At(f.Move.Dir)
	if f.By == game.Nobody {
		return text.Say("The top play was {word} at {square} for {score}", word, at, f.Score)
	}
	return text.Say("{who} played {word} at {square} for {score}", text.PlainName(before.Seats[f.By].Person), word, at, f.Score)
}

// bracket puts a text in brackets after a space, like " (HORN 14, AH 5)". It returns nil
// for nil.
func bracket(t text.Text) text.Text {
	if t == nil {
		return nil
	}
	return text.Glue(" (", t, ")")
}

// describeScore describes the result of a turn: the play on the board, who scored as much, how
// many submitted, and which words weren't valid.
func describeScore(before game.State, f game.TurnScored) text.Text {
	set := before.Equipment.Tiles
	in, of := before.CountSubmitted()
	turn := before.Turns + 1
	var lines []text.Text
	if f.Move.Kind != game.PlayTiles {
		lines = append(lines, text.Say("Turn {n}: nobody had a valid play.", turn))
	} else {
		word, at, points := text.Strong(words.PlainWord(set, f.Words[0].Tiles)), f.Move.At.At(f.Move.Dir), text.Strong(f.Score)
		sums := bracket(words.SumsOf(set, game.Played{Move: f.Move, Words: f.Words, Score: f.Score}))
		if f.By == game.Nobody {
			lines = append(lines, text.Say("Turn {n}: nobody found {word} at {square} for {score}{sums}.", turn, word, at, points, sums))
		} else {
			lines = append(lines, text.Say("Turn {n}: {who} has the best play, {word} at {square} for {score}{sums}.", turn, text.Name(before.Seats[f.By].Person), word, at, points, sums))
			if also := slices.DeleteFunc(before.Active(), func(i int) bool { return i == f.By || f.Scores[i] != f.Score }); len(also) == 1 {
				lines = append(lines, text.Say("{who} scored the same, but later.", text.Name(before.Seats[also[0]].Person)))
			} else if len(also) > 1 {
				lines = append(lines, text.Say("{n, plural, one {# other player} other {# other players}} scored the same, but later.", len(also)))
			}
		}
	}
	lines = append(lines, text.Say("{n} of {all} submitted.", in, of))
	if n := len(f.Invalid); n > mostListed {
		lines = append(lines, text.Say("Not in the word list: {words} and {n} more.", words.AllWords(set, f.Invalid[:mostListed]), n-mostListed))
	} else if n > 0 {
		lines = append(lines, text.Say("Not in the word list: {words}.", words.AllWords(set, f.Invalid)))
	}
	return text.Sentences(lines...)
}

// ranking lists the best players, like "1. Ann 43 (+14)". last may be nil.
func ranking(s game.State, last *game.TurnScored) text.Text {
	var lines []text.Text
	rank := 0
	seats := s.Ranking()
	for i, seat := range seats {
		if i == words.MostRanked && len(seats) > i+1 {
			lines = append(lines, text.Item("and {n} more.", len(seats)-i))
			break
		}
		if i == 0 || s.Seats[seat].Score < s.Seats[seats[i-1]].Score {
			rank = i + 1
		}
		line := text.Glue(rank, ". ", text.PlainName(s.Seats[seat].Person), " ", s.Seats[seat].Score)
		if last != nil && last.Scores[seat] > 0 {
			line = text.Glue(line, fmt.Sprintf(" (+%d)", last.Scores[seat]))
		}
		lines = append(lines, line)
	}
	return text.Lines(lines...)
}

// duplicateStatus returns the end of a turn's message: the ranking if a turn was scored,
// the rack and the deadline.
func duplicateStatus(t table.Table, from int, now game.State) text.Text {
	var last *game.TurnScored
	for _, e := range t.Events[from:] {
		if f, ok := e.Fact.(game.TurnScored); ok {
			last = &f
		}
	}
	var lines []text.Text
	if last != nil {
		lines = append(lines, ranking(t.State, last))
	}
	lines = append(lines, text.Say("The rack for turn {n}: {tiles} · {bag}", t.Turns+1, text.Strong(words.SpacedTiles(t.Equipment.Tiles, t.Common)), words.BagWords(t)))
	if now.Phase == t.Phase && now.Turns == t.Turns {
		in, of := now.CountSubmitted()
		lines = append(lines,
			text.Say("{n, plural, one {# of {all} has submitted.} other {# of {all} have submitted.}}", in, of),
			text.Say("{submit} your play by {time}, or {join} if you aren't playing yet.", text.Code("/submit"), words.Clock(now.Until), text.Code("/join")))
	}
	return text.Lines(lines...)
}

// duplicateLobby lists the players who have joined, and explains how to join and start.
func duplicateLobby(t table.Table) text.Text {
	var names []text.Text
	for _, seat := range t.Seats {
		names = append(names, text.Text{text.PlainName(seat.Person)})
	}
	if n := len(names); n > mostListed+1 {
		names = append(names[:mostListed], text.Item("{n} others", n-mostListed))
	}
	lines := []text.Text{text.Say("At the table: {names}. Anybody can {join}, even later. {start} starts the game: one rack for everybody, and {time} a turn to {submit} a play in private.", text.List(names), text.Code("/join"), text.Code("/start"), span(t.Rules.Duplicate.TurnTime), text.Code("/submit"))}
	if t.Rules.Duplicate.TopPlay {
		lines = append(lines, text.Say("The best possible play goes on the board, found or not."))
	}
	return text.Sentences(lines...)
}

func winnersOf(s game.State, f game.Ended) text.Text {
	var winners []text.Span
	for _, i := range f.Winners {
		winners = append(winners, text.PlainName(s.Seats[i].Person))
	}
	if n := len(winners); n > mostListed {
		return text.Say("A tie between {n} players", n)
	}
	if len(winners) > 1 {
		return text.Say("A tie between {players}", text.List(winners))
	}
	return text.Say("{who} wins", text.List(winners))
}

func duplicateEnd(s game.State, f game.Ended) text.Text {
	var lines []text.Text
	switch {
	case f.Reason == game.WentOut:
		lines = append(lines, text.Say("All the tiles have been played."))
	case f.Reason == game.ScorelessEnd && len(s.Bag) == 0:
		lines = append(lines, text.Say("The bag is empty and nobody has a valid play left."))
	case f.Reason == game.ScorelessEnd:
		lines = append(lines, text.Say("Nobody has had a valid play for {n, plural, one {# turn} other {# turns}}, so the game ends.", s.Rules.Duplicate.IdleTurns))
	}
	if len(f.Winners) > 0 {
		lines = append(lines, text.Say("{winner} after {n, plural, one {# turn} other {# turns}}.", text.Strong(winnersOf(s, f)), s.Turns))
	}
	lines = append(lines,
		ranking(s, nil),
		text.Say("{export} has the game, everybody's scores and the proof that the draws were fair.", text.Code("/export")))
	return text.Lines(lines...)
}

// duplicateCaption returns this turn's rack and the last turn's play. The rack comes first,
// since a long caption is cut.
func duplicateCaption(t table.Table) text.Text {
	for i, e := range slices.Backward(t.Events) {
		switch f := e.Fact.(type) {
		case game.Ended:
			return winnersOf(t.State, f)
		case game.TurnScored:
			// Use today's names, which are the ones people look for.
			caption := masterLine(t.State, f)
			if t.Phase == game.Playing {
				caption = text.Say("Rack {n}: {tiles} · {last}", t.Turns+1, words.SpacedTiles(t.Equipment.Tiles, t.Common), caption)
			}
			return caption
		case game.Started:
			if i < len(t.Events)-1 {
				return text.Say("Rack {n}: {tiles}", t.Turns+1, words.SpacedTiles(t.Equipment.Tiles, t.Common))
			}
		}
	}
	return nil
}

// showDuplicate shows only the best players, and marks the last turn's play.
func showDuplicate(t table.Table, v *imaging.View) {
	best := t.Ranking()
	if !t.IsDealt() {
		return
	}
	players := v.Players
	v.Players = nil
	for _, seat := range best[:min(len(best), mostShown)] {
		p := players[seat]
		p.ToMove = false
		if p.Note == "" && len(best) > 1 {
			p.Note = words.PlaceNote(t.State, seat).In(v.Locale).String()
		}
		v.Players = append(v.Players, p)
	}
	for _, e := range slices.Backward(t.Events) {
		if f, ok := e.Fact.(game.TurnScored); ok {
			if f.Move.Kind == game.PlayTiles {
				v.New = f.Move.LaidSquares()
			}
			return
		}
	}
}

// duplicateHistory lists the plays that went on the board.
func duplicateHistory(t table.Table) []text.Text {
	var lines []text.Text
	seats := 0
	for _, e := range t.Events {
		switch f := e.Fact.(type) {
		case game.Joined:
			seats++
		case game.Left:
			seats--
		case game.TurnScored:
			n := 0
			for _, points := range f.Scores {
				if points > 0 {
					n++
				}
			}
			lines = append(lines, text.Glue(fmt.Sprintf("%3d. ", len(lines)+1), text.Say("{play} ({n} of {all} scored)", masterLine(t.State, f), n, seats)))
		}
	}
	return lines
}

// duplicateRack shows the common rack, the player's submission and their standing.
func duplicateRack(t table.Table, seat int, r bot.Reply) bot.Reply {
	r.Text = text.Lines(
		text.Say("The rack for turn {n}: {tiles}", t.Turns+1, words.SpacedTiles(t.Equipment.Tiles, t.Common)),
		submissionLine(t, seat),
		text.Say("You have {n, plural, one {# point} other {# points}} and are in place {rank} of {all}.", t.Seats[seat].Score, words.Place(t.State, seat), len(t.Seats)),
	)
	return r
}

// submissionLine describes a player's submission, for that player alone.
func submissionLine(t table.Table, seat int) text.Text {
	switch sub := t.Submission(seat); sub.Move.Kind {
	case game.PlayTiles:
		set := t.Equipment.Tiles
		word, at, points := text.Strong(words.PlainWord(set, sub.Words[0].Tiles)), sub.Move.At.At(sub.Move.Dir), text.Strong(sub.Score)
		sums := bracket(words.SumsOf(set, game.Played{Move: sub.Move, Words: sub.Words, Score: sub.Score}))
		if t.Rules.Challenge != game.Void {
			return text.Sentences(text.Say("You've submitted {word} at {square} for {score}{sums}, if it's valid.", word, at, points, sums), replaceable(t))
		}
		return text.Sentences(text.Say("You've submitted {word} at {square} for {score}{sums}.", word, at, points, sums), replaceable(t))
	case game.PassTurn:
		return text.Sentences(text.Say("You've said that you have no play."), replaceable(t))
	}
	return text.Say("You haven't submitted yet: use {submit} by {time}.", text.Code("/submit horn 8h"), words.Clock(t.Until))
}

func replaceable(t table.Table) text.Text {
	if t.HaveAllSubmitted() {
		return text.Say("Everybody has submitted, so the turn is being scored.")
	}
	return text.Say("You can replace it until {time}.", words.Clock(t.Until))
}

// answer replies in private to what a player has done in a turn.
func (f duplicate) answer(ctx context.Context, o feature.Outcome) (bot.Reply, bool, error) {
	t, seat, req := o.Table, o.Seat, o.Request
	if t.Variant.Name != "duplicate" || o.NewRack() {
		return bot.Reply{}, false, nil
	}
	switch fact := o.Fact.(type) {
	case game.Submitted:
		r := bot.Reply{Text: submissionLine(t, seat)}
		if fact.Move.Kind == game.PlayTiles {
			r.Picture = f.desk.Painter(ctx, t.Channel, req.Dark).Board(view.Preview(t, fact.Move, game.Tally{Words: fact.Words, Total: fact.Score}))
		}
		return r, true, nil
	case game.Joined:
		if t.Phase == game.Playing {
			return f.desk.Rack(ctx, t, seat, req), true, nil
		}
	case game.Started:
		return f.desk.Rack(ctx, t, seat, req), true, nil
	case game.Opened:
		return bot.Reply{Text: text.Say("Your table is open. Start with {start} whenever you like: people can join at any turn.", text.Code("/start"))}, true, nil
	}
	return bot.Reply{}, false, nil
}

// duplicatePrivate reports whether a fact gets no post of its own. Submissions are private,
// and a hundred late joins would flood the channel.
func duplicatePrivate(s game.State, f game.Fact) bool {
	switch f.(type) {
	case game.Submitted, game.TurnExtended:
		return true
	case game.Joined:
		return s.Phase == game.Playing
	}
	return false
}

// timers returns the timers that a change of a table needs.
func (f duplicate) timers(_ context.Context, did feature.Step) []bot.Timer {
	s, last := did.After, did.Last()
	switch {
	case s.Rules.Variant != "duplicate":
		return nil
	case s.Phase != game.Playing:
		return nil
	case s.HaveAllSubmitted():
		return []bot.Timer{{At: last.At, Kind: turnEndKind}}
	}
	switch f := last.Fact.(type) {
	case game.TurnOpened:
		return []bot.Timer{{At: f.Until, Kind: turnEndKind}}
	case game.TurnExtended:
		return []bot.Timer{{At: f.Until, Kind: turnEndKind}}
	}
	return table.CountTimer(did.Before, did.Done)
}

// latePart limits how late a turn's message may come. If it is late by more than this
// fraction, a twentieth, of the turn's time, the turn gets its whole time again.
const latePart = 20

// extendShownLate postpones the deadline of a turn whose rack was shown late, because the
// platform was away or limits messages. The players get the whole time from then on.
func (f duplicate) extendShownLate(ctx context.Context, post bot.Post) error {
	now, err := feature.LoadTable(ctx, f.desk, post.Table)
	if err != nil || now.Rules.Variant != "duplicate" {
		return err
	}
	cause := fmt.Sprintf("%stelling:%d:%d:%d", feature.TimerCause, post.Table, post.To, post.Tries)
	return f.desk.Update(ctx, post.Channel, cause, func(r *feature.Room) error {
		t, whole := r.Table, r.Table.Rules.Duplicate.TurnTime
		if r.Receipt() != nil || t.ID != post.Table || t.Phase != game.Playing || t.News() != post.To {
			return nil
		}
		until := r.Env.Now.Add(whole)
		if until.Sub(t.Until) < whole/latePart {
			return nil
		}
		done, err := game.Decide(t.State, game.Person{}, game.ExtendTurn{Until: until}, r.Env)
		if words.IsMistake(err) {
			return nil // all have submitted
		}
		if err != nil {
			return err
		}
		r.Fill("", done)
		return nil
	})
}

// lookAgain is the time until the next check of a turn that ran out before its rack was
// shown.
const lookAgain = 5 * time.Second

// endTurn scores a turn that has run out of time, or in which all have submitted.
func (f duplicate) endTurn(ctx context.Context, timer bot.Timer) error {
	now, err := feature.LoadTable(ctx, f.desk, timer.Table)
	if err != nil {
		return err
	}
	untold, err := f.hasNews(ctx, now)
	if err != nil {
		return err
	}
	return feature.AtTable(ctx, f.desk, timer, func(r *feature.Room) error {
		t, env := r.Table, r.Env
		if untold && t.Phase == game.Playing && !t.HaveAllSubmitted() && !t.Until.After(env.Now) {
			r.Timer(bot.Timer{At: env.Now.Add(lookAgain), Kind: turnEndKind})
			return nil
		}
		if t.Phase != game.Playing || !t.HaveAllSubmitted() && t.Until.After(env.Now) {
			return nil
		}
		dict, err := f.desk.Lists().Dictionary(t.State)
		if err != nil {
			return err
		}
		env.Dict = dict
		end := game.EndTurn{}
		if t.Rules.Duplicate.TopPlay {
			if end.Top, err = topPlay(t, dict); err != nil {
				return err
			}
		}
		done, err := game.Decide(t.State, game.Person{}, end, env)
		if err != nil {
			return err
		}
		r.Fill("", done)
		return nil
	})
}

// topPlay returns the best possible play. Of equal ones it prefers fewer tiles, then the
// first on the board. If there is no play, it returns the zero Move.
func topPlay(t table.Table, dict *lexicon.Lexicon) (game.Move, error) {
	g, err := movegen.New(dict, t.Equipment, t.Rules)
	if err != nil {
		return game.Move{}, err
	}
	var best game.Move
	var score int32
	for _, p := range g.Plays(&t.Board, t.Common) {
		m := p.Move()
		if best.Kind == 0 || p.Score > score || p.Score == score && comesBefore(m, best) {
			best, score = m, p.Score
		}
	}
	return best, nil
}

// comesBefore reports whether a comes before b among plays of equal scores.
func comesBefore(a, b game.Move) bool {
	if x, y := len(a.LaidSquares()), len(b.LaidSquares()); x != y {
		return x < y
	}
	if a.Dir != b.Dir {
		return a.Dir < b.Dir
	}
	if a.At != b.At {
		return a.At.Row < b.At.Row || a.At.Row == b.At.Row && a.At.Col < b.At.Col
	}
	return a.Tiles < b.Tiles
}

// explainDuplicate explains the mistakes that are specific to duplicate or worded
// differently there.
func explainDuplicate(t table.Table, e *game.RuleError) text.Text {
	switch e.Code {
	case game.AlreadySeated:
		if t.Phase == game.Playing {
			return text.Say("You're already playing. {submit} submits your play, {rack} shows the tiles.", text.Code("/submit"), text.Code("/rack"))
		}
	case game.NotAWord:
		return text.Say("{n, plural, one {{words} is not in the word list {list}.} other {{words} are not in the word list {list}.}} Anything you submitted before still counts, so try another word.", len(e.Words), words.AllWords(t.Equipment.Tiles, e.Words), text.Code(t.Lexicon.Name))
	}
	return nil
}

// duplicateFiles returns the files of an export besides the master game and the proof.
func duplicateFiles(id bot.TableID, events []game.Event) ([]bot.File, error) {
	scores, err := record.Scores(events)
	if err != nil {
		return nil, err
	}
	return []bot.File{{Name: fmt.Sprintf("rackmate-%d-scores.csv", id), Type: "text/csv; charset=utf-8", Data: scores}}, nil
}

// duplicateFinal returns the final card, with the best players.
func duplicateFinal(t table.Table, to *text.Locale) imaging.FinalCard {
	card := imaging.FinalCard{Locale: to, Caption: words.FinalCaption(t).In(to).String()}
	totals := make([][]int, len(t.Seats))
	best := make([]game.Submission, len(t.Seats))
	bingos := make([]int, len(t.Seats))
	var s game.State
	for _, e := range t.Events {
		if f, ok := e.Fact.(game.TurnScored); ok {
			for i, points := range f.Scores {
				total := points
				if n := len(totals[i]); n > 0 {
					total += totals[i][n-1]
				}
				totals[i] = append(totals[i], total)
				sub := s.Submission(i)
				if points > 0 && len(sub.Move.LaidSquares()) >= t.Rules.BonusTiles {
					bingos[i]++
				}
				if points > best[i].Score {
					best[i] = sub
				}
			}
		}
		s = s.Apply(e)
	}
	v := view.PublicView(t.State, nil, to)
	for _, seat := range t.Ranking()[:min(len(t.Seats), mostShown)] {
		f := imaging.Finalist{Player: v.Players[seat], Totals: totals[seat], Bingos: bingos[seat]}
		if sub := best[seat]; sub.Score > 0 {
			word := game.ScoredWord{Tiles: sub.Words[0].Tiles, At: sub.Move.At, Dir: sub.Move.Dir}
			f.Best, f.Play, f.Points = view.BestPlay(t.Equipment.Tiles, word, sub.Score).In(to).String(), word.Tiles, sub.Score
		}
		card.Players = append(card.Players, f)
	}
	return card
}
