package host

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/imaging"
	"github.com/rackmate/rackmate/lexicon"
)

// This file is unscrabble for people: tiles come off the board, and everybody
// sees all there is.

func unscrabble() Feature {
	return Feature{
		Commands: []command{{bot.Command{Name: "remove", Help: "Take tiles off the board, in an unscrabble game", Example: "/remove h8 i8", Options: []bot.Option{
			{Name: "squares", Help: "The squares of one to six tiles: H8 I8, or H8-K8 for a row of them", Kind: bot.Words, Required: true},
		}}, (*Host).remove, map[string]completer{"squares": (*Host).completedSquares}}},
		SetUp: finalPosition,
		Variant: &variant{
			name:  "unscrabble",
			lays:  "remove",
			label: "Unscrabble: in reverse; take tiles off a full board, what stays must be words",
			help: bot.Say("The game in reverse. The board is that of a game which was played to its end, and nobody has a rack. At your turn take one to six tiles off it with ", bot.Code("/remove h8 i8"), ", or a row of them with ", bot.Code("/remove h8-k8"), ": a square is named by its column and its row. ",
				"What stays must be valid words, all joined into one whole; you may also take everything that is left. The tiles that you take score their values, a blank nothing. Who sees nothing to take can ", bot.Code("/pass"), ". ",
				"It ends when no more tiles can be taken, or everybody passes in turn, and the highest score wins.\n",
				"A turn: where HORNS reads across from H8 and nothing hangs on its S, ", bot.Code("/remove l8"), " leaves HORN and scores 1."),
			turn: func(table) bot.Text {
				return bot.Say("Take tiles off the board with ", bot.Code("/remove h8 i8"), ", or ", bot.Code("/pass"), ".")
			},
			challenge: func(game.ChallengeRule) string { return "what stays on the board must be words" },
			supply:    func(s game.State) string { return count(len(s.Board.Tiles()), "tile") + " on the board" },
			tell:      tellUnscrabble,
			explain:   explainUnscrabble,
			show:      showUnscrabble,
			rack:      takenTiles,
			final:     unscrabbleFinal,
			buttons: func(t table) []bot.Button {
				take := t.button("Remove tiles", "remove", bot.Primary, nil)
				if late := lateButtons(t); len(late) > 0 {
					return append([]bot.Button{take}, late...)
				}
				return []bot.Button{
					take, t.button("Pass", "pass", bot.Ordinary, nil),
					t.button("My tiles", "rack", bot.Ordinary, nil), t.button("More", "help", bot.Ordinary, nil),
				}
			},
		},
	}
}

// finalPosition plays a game to its end, for this one to begin with.
func finalPosition(_ *Host, s game.State, dict *lexicon.Lexicon, seed game.Seed) (game.SetUp, error) {
	b, err := movegen.PlayOut(dict, s.Equipment, s.Rules, seed, func(b *game.Board) bool {
		return game.Removal(*b, dict, game.MostRemoved) != nil
	})
	return game.SetUp{Board: b}, err
}

func (h *Host) remove(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return h.change(ctx, req, func(t table) (game.Action, error) {
		seat, err := t.seat(req)
		switch {
		case err != nil:
			return nil, err
		case t.Variant.name != "unscrabble":
			return nil, &game.RuleError{Code: game.NotHere}
		case t.Turn != seat:
			return nil, &game.RuleError{Code: game.NotYourTurn, Seat: t.Turn}
		case t.changedSince(req):
			return nil, outOfDate()
		}
		squares, err := namedSquares(req.Args["squares"])
		return game.Remove{Squares: squares}, err
	})
}

// namedSquares reads squares as people list them: "H8 8I", "h8-k8".
func namedSquares(text string) ([]game.Square, error) {
	var all []game.Square
	for _, word := range bot.Listed(text) {
		first, last, row := strings.Cut(word, "-")
		from, _, err := game.ParseAt(first)
		to := from
		if row && err == nil {
			to, _, err = game.ParseAt(last)
		}
		if err != nil {
			return nil, refusing(bot.Code(bot.Shorten(word, bot.MaxName)), " is not a square. Write ", bot.Code("/remove h8 i8"), " for two tiles, or ", bot.Code("/remove h8-k8"), " for a row of them. Nothing was taken.")
		}
		dir, n := game.Across, to.Col-from.Col
		if to.Col == from.Col {
			dir, n = game.Down, to.Row-from.Row
		} else if to.Row != from.Row {
			return nil, refusing(from, " and ", to, " are not in one row or column. Name each square: ", bot.Code("/remove h8 i8"), ". Nothing was taken.")
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

// completedSquares offers the squares with tiles, after those that are named
// already. What may be taken is for the players to see.
func (h *Host) completedSquares(ctx context.Context, req bot.Request) []bot.Choice {
	t, err := h.table(ctx, req)
	if err != nil || t.Phase != game.Playing {
		return nil
	}
	typed := req.Args["squares"]
	named := typed[:strings.LastIndexAny(typed, " ,;")+1]
	have, err := namedSquares(named)
	if err != nil {
		return nil
	}
	var all []bot.Choice
	for _, sq := range occupied(&t.Board) {
		if !slices.Contains(have, sq) {
			tile := t.Board.Tile(sq)
			value := named + sq.String()
			all = append(all, bot.Choice{Value: value, Label: fmt.Sprintf("%s: %s, %s", strings.ToUpper(value), t.Equipment.Tiles.Letter(tile), count(t.Equipment.Tiles.Value(tile), "point"))})
		}
	}
	return all
}

// occupied are the squares with tiles, row by row.
func occupied(b *game.Board) []game.Square {
	var all []game.Square
	for row := range game.MaxSize {
		for col := range game.MaxSize {
			if sq := (game.Square{Row: row, Col: col}); b.Tile(sq) != game.NoTile {
				all = append(all, sq)
			}
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

func tellUnscrabble(before game.State, f game.Fact) (telling, bool) {
	set := before.Equipment.Tiles
	switch f := f.(type) {
	case game.SetUp:
		n := len(f.Board.Tiles())
		t := bot.Say("A game was played to its end, with words from the list ", bot.Code(before.Lexicon.Name), ": ", count(n, "tile"), verb(n, " lies", " lie"), " on the board.")
		if rest := len(before.Bag) - n; rest > 0 {
			t = bot.Say(t, " The other ", verb(rest, "one", fmt.Sprint(rest)), verb(rest, " leaves", " leave"), " play.")
		}
		return telling{Sentence: t}, true
	case game.Lifted:
		who, tiles := before.Seats[f.Seat].Person, spaced(set, f.Tiles)
		return telling{
			Sentence: bot.Say(bot.Name(who), " takes ", bot.Strong(tiles), " off ", listing(squareNames(f.Squares)), " for ", bot.Strong(fmt.Sprint(f.Score)), "."),
			Reply:    bot.Say("You take ", tiles, " for ", count(f.Score, "point"), "."),
			Caption:  fmt.Sprintf("%s took %s for %d", who.Name, tiles, f.Score),
			Move:     strings.Join(squareNames(f.Squares), " ") + " " + set.Print(f.Tiles), Seat: f.Seat, Score: f.Score,
		}, true
	case game.Ended:
		if f.Reason != game.StuckEnd {
			return telling{}, false
		}
		why := bot.Say("No more tiles can be taken.")
		if before.Board.Empty() {
			why = bot.Say("The board is empty.")
		}
		return telling{Sentence: bot.Say(why, "\n", endSentence(before, f)), Caption: winnersOf(before, f)}, true
	}
	return telling{}, false
}

// explainUnscrabble says how to mend mistakes that only unscrabble has, or has in
// other words.
func explainUnscrabble(t table, e *game.RuleError) bot.Text {
	const nothing = "Nothing was taken."
	switch e.Code {
	case game.NotYourTurn:
		return bot.Say("It's ", bot.Name(t.Seats[e.Seat].Person), "'s turn. ", bot.Code("/board"), " shows what there is to take.")
	case game.NoPlacement, game.NotOnRack, game.ManyPlacements, game.BadWord:
		return bot.Say("Nobody lays tiles at this table. ", whatToDo(t))
	case game.WrongCount:
		if e.N == 0 {
			return bot.Say("Say which tiles to take: ", bot.Code("/remove h8 i8"), ".")
		}
		return bot.Say("You can take up to ", e.Need, " tiles at a time, not ", e.N, ". ", nothing)
	case game.NotAWord:
		return bot.Say("That would leave ", wordList(t.Equipment.Tiles, e.Words), ", which", verb(len(e.Words), " is", " are"), " not in the word list ", bot.Code(t.Lexicon.Name), ". ", nothing, " Try other tiles.")
	}
	switch {
	case e.Move.Kind == game.PlayTiles:
		return bot.Say("Nobody lays tiles at this table. ", whatToDo(t))
	case e.Code == game.Gap:
		return bot.Say("There is no tile on ", e.Square, ". ", nothing, " ", bot.Code("/board"), " shows what there is to take.")
	}
	return nil
}

// showUnscrabble marks what was taken last.
func showUnscrabble(t table, v *imaging.View) {
	v.Bag = -1
	for i := range v.Players {
		if p := &v.Players[i]; p.Note == "" {
			p.Note = count(len(t.Seats[i].Taken), "tile")
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

// takenTiles is what a player has in the place of a rack; everybody saw it.
func takenTiles(t table, seat int, _ bot.Reply) bot.Reply {
	taken := t.Seats[seat].Taken
	if taken == "" {
		return bot.Reply{Text: bot.Say("You have taken no tiles yet. ", whatToDo(t))}
	}
	return bot.Reply{Text: bot.Say("You have taken ", bot.Strong(spaced(t.Equipment.Tiles, taken.Sorted())), ": ", count(t.Seats[seat].Score, "point"), ".")}
}

// unscrabbleFinal sums a game up: how each score grew, and what was taken at
// best.
func unscrabbleFinal(t table) imaging.FinalCard {
	v := publicView(t.State, caption(t))
	card := imaging.FinalCard{Caption: "Game over: " + v.Caption}
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
					best, f.Best = e.Score, fmt.Sprintf("%s for %d", spaced(t.Equipment.Tiles, e.Tiles), e.Score)
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
