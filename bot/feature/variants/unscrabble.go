package variants

import (
	"context"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/imaging"
	"github.com/rackmate/rackmate/lexicon"
)

// This file presents unscrabble: players take tiles off the board, and nothing is hidden.

// An unscrabble presents games in which players take a full board apart.
type unscrabble struct{ desk feature.Desk }

// Unscrabble returns the feature of unscrabble games.
func Unscrabble(d feature.Desk) feature.Feature {
	f := unscrabble{d}
	return feature.Feature{Commands: f.commands, Variant: new(f.variant())}
}

// commands returns the variant's commands.
func (f unscrabble) commands() []feature.Command {
	return []feature.Command{{Command: bot.Command{Name: "remove", Help: "Take tiles off the board, in an unscrabble game", Example: "/remove h8 i8", Options: []bot.Option{
		{Name: "squares", Help: "The squares of one to six tiles: H8 I8, or H8-K8 for a row of them", Kind: bot.Words, Required: true, Question: text.Say("Which squares?")},
	}}, Run: f.remove, Complete: map[string]feature.Completer{"squares": f.completeSquares}}}
}

// variant returns the variant.
func (f unscrabble) variant() table.Variant {
	return table.Variant{
		Name:  "unscrabble",
		SetUp: finalPosition,
		Lays:  "remove",
		Label: text.Say("Unscrabble: the game in reverse; take tiles off a full board and leave only valid words"),
		Help: text.Lines(
			text.Say("The game in reverse. The board is from a game that was played to the end, and nobody has a rack. On your turn, take one to six tiles off it with {remove}, or a row of them with {row}: a square is named by its column and its row. What stays must be valid words, all connected; you can also take everything that's left. The tiles you take score their values, blanks nothing. If you see nothing to take, {pass}. The game ends when no more tiles can be taken, or everybody passes in turn, and the highest score wins.",
				text.Code("/remove h8 i8"), text.Code("/remove h8-k8"), text.Code("/pass")),
			text.Say("A turn: where HORNS reads across from H8 and nothing hangs on its S, {remove} leaves HORN and scores 1.", text.Code("/remove l8"))),
		Turn: func(table.Table) text.Text {
			return text.Say("Take tiles off the board with {remove}, or {pass}.", text.Code("/remove h8 i8"), text.Code("/pass"))
		},
		Challenge: func(game.ChallengeRule) text.Text { return text.Item("what stays on the board must be words") },
		Supply: func(s game.State) text.Text {
			return text.Say("{n, plural, one {# tile} other {# tiles}} on the board", len(s.Board.Tiles()))
		},
		Judge:   judgeRemoval,
		Tell:    tellUnscrabble,
		Explain: explainUnscrabble,
		Show:    showUnscrabble,
		Rack:    takenTiles,
		Final:   unscrabbleFinal,
		Buttons: func(t table.Table) []bot.Button {
			take := t.Button(text.Say("Remove tiles"), "remove", bot.Primary, nil)
			if late := table.LateButtons(t); len(late) > 0 {
				return append([]bot.Button{take}, late...)
			}
			return []bot.Button{
				take, t.Button(text.Say("Pass"), "pass", bot.Ordinary, nil),
				t.Button(text.Say("My tiles"), "rack", bot.Ordinary, nil), t.Button(text.Say("More"), "help", bot.Ordinary, nil),
			}
		},
	}
}

// finalPosition plays a game to its end and returns the position that this game starts
// from.
func finalPosition(s game.State, dict *lexicon.Lexicon, seed game.Seed) (game.SetUp, error) {
	b, err := movegen.PlayOut(dict, s.Equipment, s.Rules, seed, func(b *game.Board) bool {
		return game.Removal(*b, dict, game.MostRemoved) != nil
	})
	return game.SetUp{Board: b}, err
}

func (f unscrabble) remove(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return f.desk.Change(ctx, req, func(t table.Table) (game.Action, error) {
		seat, err := t.Seat(req)
		switch {
		case err != nil:
			return nil, err
		case t.Variant.Name != "unscrabble":
			return nil, &game.RuleError{Code: game.NotHere}
		case t.Turn != seat:
			return nil, &game.RuleError{Code: game.NotYourTurn, Seat: t.Turn}
		case t.ChangedSince(req):
			return nil, words.OutOfDate()
		}
		squares, err := parseSquares(req.Args["squares"])
		return game.Remove{Squares: squares}, err
	})
}

// judgeRemoval returns the score of taking tiles. It reveals nothing that an attempt
// wouldn't, since a rejected attempt costs nothing.
func judgeRemoval(t table.Table, req bot.Request, dict game.Dictionary) (int, error) {
	squares, err := parseSquares(req.Args["squares"])
	if err == nil {
		err = game.Remove{Squares: squares}.Check(t.Board, dict)
	}
	score := 0
	for _, sq := range squares {
		if tile := t.Board.Tile(sq); tile != game.NoTile {
			score += t.Equipment.Tiles.Value(tile)
		}
	}
	return score, err
}

// parseSquares parses squares as people list them: "H8 8I", "h8-k8".
func parseSquares(said string) ([]game.Square, error) {
	var all []game.Square
	for _, word := range bot.SplitList(said) {
		first, last, row := strings.Cut(word, "-")
		from, _, err := game.ParseAt(first)
		to := from
		if row && err == nil {
			to, _, err = game.ParseAt(last)
		}
		if err != nil {
			return nil, words.Refusing("{typed} isn't a square. Type {remove} for two tiles, or {row} for a row of them. Nothing was taken.", text.Code(text.Shorten(word, bot.MaxName)), text.Code("/remove h8 i8"), text.Code("/remove h8-k8"))
		}
		dir, n := game.Across, to.Col-from.Col
		if to.Col == from.Col {
			dir, n = game.Down, to.Row-from.Row
		} else if to.Row != from.Row {
			return nil, words.Refusing("{from} and {to} are not in one row or column. Name each square: {remove}. Nothing was taken.", from, to, text.Code("/remove h8 i8"))
		}
		step := 1
		if n < 0 {
			step = -1
		}
		for i := 0; i != n+step; i += step {
			all = append(all, from.Step(dir, i))
		}
	}
	return all, nil
}

// completeSquares completes a list of squares with others that hold tiles. It doesn't
// check whether they may be taken: finding that out is the game.
func (f unscrabble) completeSquares(ctx context.Context, req bot.Request) []bot.Choice {
	t, err := f.desk.Load(ctx, req)
	if err != nil || t.Phase != game.Playing {
		return nil
	}
	typed := req.Args["squares"]
	named := typed[:strings.LastIndexAny(typed, " ,;")+1]
	have, err := parseSquares(named)
	if err != nil {
		return nil
	}
	var all []bot.Choice
	for _, sq := range table.OccupiedSquares(&t.Board) {
		if !slices.Contains(have, sq) {
			tile := t.Board.Tile(sq)
			value := named + sq.String()
			all = append(all, bot.Choice{Value: value, Label: text.Say("{square}: {tile}, {n, plural, one {# point} other {# points}}", strings.ToUpper(value), t.Equipment.Tiles.Letter(tile), t.Equipment.Tiles.Value(tile))})
		}
	}
	return all
}

func squareNames(squares []game.Square) []string {
	var names []string
	for _, sq := range squares {
		names = append(names, sq.String())
	}
	return names
}

func tellUnscrabble(before game.State, f game.Fact) (table.Telling, bool) {
	set := before.Equipment.Tiles
	switch f := f.(type) {
	case game.SetUp:
		n := len(f.Board.Tiles())
		told := text.Say("A game has been played to the end, with words from the list {list}: {n, plural, one {# tile lies} other {# tiles lie}} on the board.", text.Code(before.Lexicon.Name), n)
		if rest := len(before.Bag) - n; rest > 0 {
			told = text.Sentences(told, text.Say("{n, plural, one {The other tile goes out of play.} other {The other # tiles go out of play.}}", rest))
		}
		return table.Telling{Sentence: told}, true
	case game.Lifted:
		who, tiles := before.Seats[f.Seat].Person, words.SpacedTiles(set, f.Tiles)
		return table.Telling{
			Sentence: text.Say("{who} takes {tiles} off {squares} for {score}.", text.Name(who), text.Strong(tiles), text.List(squareNames(f.Squares)), text.Strong(f.Score)),
			Reply:    text.Say("You take {tiles} for {n, plural, one {# point} other {# points}}.", tiles, f.Score),
			Caption:  text.Say("{who} took {tiles} for {score}", text.PlainName(who), tiles, f.Score),
			Move:     text.Plain(strings.Join(squareNames(f.Squares), " ") + " " + set.Print(f.Tiles)), Seat: f.Seat, Score: f.Score,
		}, true
	case game.Ended:
		if f.Reason != game.StuckEnd {
			return table.Telling{}, false
		}
		why := text.Say("No more tiles can be taken.")
		if before.Board.Empty() {
			why = text.Say("The board is empty.")
		}
		return table.Telling{Sentence: text.Lines(why, words.EndSentence(before, f)), Caption: winnersOf(before, f)}, true
	}
	return table.Telling{}, false
}

// explainUnscrabble explains the mistakes that are specific to unscrabble or worded
// differently there.
func explainUnscrabble(t table.Table, e *game.RuleError) text.Text {
	switch e.Code {
	case game.NotYourTurn:
		return text.Say("It's {who}'s turn. {board} shows what there is to take.", text.Name(t.Seats[e.Seat].Person), text.Code("/board"))
	case game.NoPlacement, game.NotOnRack, game.ManyPlacements, game.BadWord:
		return text.Sentences(text.Say("You don't lay tiles in this game."), words.WhatToDo(t))
	case game.WrongCount:
		if e.N == 0 {
			return text.Say("Say which tiles to take: {remove}.", text.Code("/remove h8 i8"))
		}
		return text.Say("You can take up to {most, plural, one {# tile} other {# tiles}} at a time, not {n}. Nothing was taken.", e.Need, e.N)
	case game.NotAWord:
		return text.Say("That would leave {words}, which {n, plural, one {is} other {are}} not in the word list {list}. Nothing was taken. Try other tiles.", words.AllWords(t.Equipment.Tiles, e.Words), len(e.Words), text.Code(t.Lexicon.Name))
	}
	switch {
	case e.Move.Kind == game.PlayTiles:
		return text.Sentences(text.Say("You don't lay tiles in this game."), words.WhatToDo(t))
	case e.Code == game.Gap:
		return text.Say("{square} is empty. Nothing was taken. {board} shows what there is to take.", e.Square, text.Code("/board"))
	}
	return nil
}

// showUnscrabble marks the tiles taken last.
func showUnscrabble(t table.Table, v *imaging.View) {
	v.Bag = -1
	for i := range v.Players {
		if p := &v.Players[i]; p.Note == "" {
			p.Note = text.Item("{n, plural, one {# tile} other {# tiles}}", len(t.Seats[i].Taken)).In(v.Locale).String()
		}
	}
	for _, e := range slices.Backward(t.Events) {
		switch f := e.Fact.(type) {
		case game.Lifted:
			v.Gone = f.Squares
			return
		case game.Passed:
			return
		}
	}
}

// takenTiles answers /rack with the tiles that a player has taken, which are public.
func takenTiles(t table.Table, seat int, _ bot.Reply) bot.Reply {
	taken := t.Seats[seat].Taken
	if taken == "" {
		return bot.Reply{Text: text.Sentences(text.Say("You haven't taken any tiles yet."), words.WhatToDo(t))}
	}
	return bot.Reply{Text: text.Say("You have taken {tiles}: {n, plural, one {# point} other {# points}}.", text.Strong(words.SpacedTiles(t.Equipment.Tiles, taken.Sorted())), t.Seats[seat].Score)}
}

// unscrabbleFinal returns the final card: how each score grew, and each player's best
// removal.
func unscrabbleFinal(t table.Table, to *text.Locale) imaging.FinalCard {
	v := view.PublicView(t.State, nil, to)
	card := imaging.FinalCard{Locale: to, Caption: words.FinalCaption(t).In(to).String()}
	for i, p := range v.Players {
		f := imaging.Finalist{Player: p}
		total, best := 0, 0
		for _, e := range t.Events {
			switch e := e.Fact.(type) {
			case game.Lifted:
				if e.Seat != i {
					continue
				}
				if total += e.Score; e.Score > best || f.Best == "" {
					best, f.Best = e.Score, text.Item("{tiles} for {score}", words.SpacedTiles(t.Equipment.Tiles, e.Tiles), e.Score).In(to).String()
				}
			case game.Passed:
				if e.Seat != i {
					continue
				}
			default:
				continue
			}
			f.Totals = append(f.Totals, total)
		}
		card.Players = append(card.Players, f)
	}
	return card
}
