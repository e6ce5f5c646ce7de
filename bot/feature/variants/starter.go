package variants

import (
	"context"
	"slices"
	"strconv"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/imaging"
	"github.com/rackmate/rackmate/lexicon"
)

// This file presents junior-starter: words are printed on the board, and players cover
// their letters with tiles.

// A starter presents games in which players cover printed words.
type starter struct {
	desk   feature.Desk
	play   feature.Run
	common func(*lexicon.Lexicon) []lexicon.Word
}

// JuniorStarter returns the feature of junior-starter games. It carries out the ordinary
// /play with play, and prints the words that common lists, if it lists enough; see
// [feature.Resources].
func JuniorStarter(d feature.Desk, play feature.Run, common func(*lexicon.Lexicon) []lexicon.Word) feature.Feature {
	f := starter{d, play, common}
	return feature.Feature{Commands: f.commands, Variant: new(f.variant())}
}

// commands returns the variant's commands.
func (f starter) commands() []feature.Command {
	return []feature.Command{{Command: bot.Command{Name: "cover", Help: "Cover the next letters of a printed word, in a junior-starter game", Example: "/cover horn", Options: []bot.Option{
		{Name: "word", Help: "The printed word", Kind: bot.Word, Required: true, Question: text.Say("Which word?")},
		{Name: "tiles", Help: "How many letters to cover. Leave it out for as many as possible.", Kind: bot.Pick, Choices: numbers(game.MostCovered)[1:]},
	}}, Run: whereLaid(f.desk, "cover", f.play), Complete: map[string]feature.Completer{"word": f.completeCover}}}
}

// variant returns the variant.
func (f starter) variant() table.Variant {
	return table.Variant{
		Name: "junior-starter",
		SetUp: func(s game.State, dict *lexicon.Lexicon, seed game.Seed) (game.SetUp, error) {
			return game.PrintWords(s.Equipment, f.wordsToPrint(dict), seed)
		},
		Lays:  "cover",
		Label: text.Say("Junior starter: for children who are learning to read. Cover printed words, letter by letter"),
		Help: text.Lines(
			text.Say("Words are printed on a 13 by 13 board, and the bag has a tile for each of their letters. In a turn you cover one or two letters of a word, always the next open ones: {cover} covers as many as you have tiles for, {one} just one. Whoever covers the last letter of a word scores a point, or two if two words end there. If none of your tiles fit, {exchange} some or {pass}. The game ends when no more tiles can be laid; most points win.",
				text.Code("/cover horn"), text.Code("/cover horn tiles:1"), text.Code("/exchange"), text.Code("/pass")),
			text.Say("A turn: HORN is printed at 7D, and a tile lies on its O, where FOX crosses it. {cover} covers H and R. The next player covers N, and gets the point for HORN.", text.Code("/cover horn"))),
		Turn: func(t table.Table) text.Text {
			return text.Say("Cover the next letters of a word with {cover}. {otherwise}", text.Code("/cover"), alternatives(t))
		},
		Tell:    tellStarter,
		Explain: explainStarter,
		Show:    showStarter,
		Buttons: func(t table.Table) []bot.Button {
			b := []bot.Button{t.Button(text.Say("My rack"), "rack", bot.Primary, nil)}
			if late := table.LateButtons(t); len(late) > 0 {
				return append(b, late...)
			}
			return append(b, t.Button(text.Say("Cover"), "cover", bot.Ordinary, nil), t.Button(text.Say("More"), "help", bot.Ordinary, nil))
		},
		Challenge: func(game.ChallengeRule) text.Text { return text.Item("printed words") },
		Place:     placeStarter,
		Rack:      starterRack,
	}
}

// wordsToPrint returns the words to print on a board: common ones, or all words if too few are
// known to be common.
func (f starter) wordsToPrint(dict *lexicon.Lexicon) []lexicon.Word {
	if f.common != nil {
		if common := f.common(dict); len(common) >= fewestCommon {
			return common
		}
	}
	return slices.Collect(dict.Words())
}

// fewestCommon is the number of common words that a list needs for varied boards.
const fewestCommon = 100

// whereLaid restricts a command that lays tiles to games of the variant that lays them with it.
// Elsewhere the reply names the right command.
func whereLaid(d feature.Desk, command string, play feature.Run) feature.Run {
	return func(ctx context.Context, req bot.Request) (bot.Reply, error) {
		t, err := d.Load(ctx, req)
		if err != nil {
			return bot.Reply{}, err
		}
		if t.IsDealt() && t.Phase != game.Over && t.Variant.Lays != command {
			return feature.OrExplain(t, req, &game.RuleError{Code: game.NotHere})
		}
		return play(ctx, req)
	}
}

// placeStarter parses a printed word and the number of its letters to cover.
func placeStarter(t table.Table, seat int, args map[string]string) (game.Move, error) {
	most := 0
	if said := args["tiles"]; said != "" {
		var err error
		if most, err = strconv.Atoi(said); err != nil || most < 1 {
			return game.Move{}, words.Refusing("I can't read {typed} as a number of tiles. A turn covers one or two letters: {cover}.", text.Code(text.Shorten(said, bot.MaxName)), text.Code("/cover horn tiles:1"))
		}
	}
	word, err := game.ParseSpelling(t.Equipment.Tiles, args["word"])
	if err != nil {
		return game.Move{}, err
	}
	return t.CoverWord(t.Seats[seat].Rack, word, most)
}

// listCovered lists the letters that a turn covered: "H and O".
func listCovered(set *game.TileSet, m game.Move) text.Text {
	var letters []string
	for faces, i := m.Tiles.Faces(), 0; i < len(faces); i++ {
		letters = append(letters, set.Text(faces.At(i)))
	}
	return text.List(letters)
}

// worthCovering lists the letters that a turn would cover and its points: "H and O · 1
// point".
func worthCovering(set *game.TileSet, s game.Spot) text.Text {
	if s.Tally.Total == 0 {
		return listCovered(set, s.Move)
	}
	return text.Item("{letters} · {n, plural, one {# point} other {# points}}", listCovered(set, s.Move), s.Tally.Total)
}

// completedWords returns the words that a turn completed.
func completedWords(set *game.TileSet, formed []game.ScoredWord) []string {
	var all []string
	for _, w := range formed {
		if w.Score > 0 {
			all = append(all, words.PlainWord(set, w.Tiles))
		}
	}
	return all
}

func tellStarter(before game.State, f game.Fact) (table.Telling, bool) {
	set := before.Equipment.Tiles
	switch f := f.(type) {
	case game.SetUp:
		s := before.Apply(game.Event{Number: before.Number, Fact: f})
		return table.Telling{Sentence: text.Say("{n, plural, one {# word is} other {# words are}} printed on the board, with {letters, plural, one {# letter} other {# letters}}, and the bag has a tile for each.", len(s.PrintedWords()), len(s.Bag))}, true
	case game.Played:
		who, word := before.Seats[f.Seat].Person, words.PlainWord(set, f.Words[0].Tiles)
		letters := listCovered(set, f.Move)
		told := table.Telling{
			Sentence: text.Say("{who} covers {letters} of {word} at {square}.", text.Name(who), text.Strong(letters), text.Strong(word), f.Words[0].At.At(f.Words[0].Dir)),
			Caption:  text.Say("{who} covered {letters} of {word}", text.PlainName(who), letters, word),
			Move:     text.Item("{square} {letters} of {word}", f.Words[0].At.At(f.Words[0].Dir), letters, word), Seat: f.Seat, Score: f.Score,
		}
		told.Reply = text.Say("You cover {letters} of {word}, for {n, plural, one {# point} other {# points}}.", letters, word, f.Score)
		if done := completedWords(set, f.Words); len(done) > 0 {
			told.Sentence = text.Sentences(told.Sentence, text.Say("That completes {words}: {n, plural, one {# point} other {# points}}.", text.Strong(text.List(done)), f.Score))
			told.Caption = text.Say("{who} covered {letters} of {word}: {words} for {n, plural, one {# point} other {# points}}", text.PlainName(who), letters, word, text.List(done), f.Score)
		}
		return told, true
	case game.Passed:
		if before.Seats[f.Seat].Rack != "" {
			return table.Telling{}, false
		}
		return table.Telling{Sentence: text.Say("{who} has no tiles left, and misses the turn.", text.Name(before.Seats[f.Seat].Person)), Move: text.Item("has no tiles left"), Seat: f.Seat}, true
	case game.Ended:
		if f.Reason != game.StuckEnd {
			return table.Telling{}, false
		}
		why := text.Say("Every letter is covered, so the game ends.")
		if len(before.Board.Tiles()) < len(before.Printed.Tiles()) {
			why = text.Say("None of the tiles fit any more, so the game ends.")
		}
		return table.Telling{Sentence: text.Lines(why, words.EndSentence(before, f)), Caption: winnersOf(before, f)}, true
	}
	return table.Telling{}, false
}

// showStarter adds the printed letters and marks the last tiles, even after turns missed for lack
// of tiles.
func showStarter(t table.Table, v *imaging.View) {
	v.Printed = t.Printed
	for _, e := range slices.Backward(t.Events) {
		switch f := e.Fact.(type) {
		case game.Played:
			v.New = f.Move.LaidSquares()
			return
		case game.Passed:
			if t.Seats[f.Seat].Rack != "" {
				return
			}
		case game.Exchanged, game.TurnLost:
			return
		}
	}
}

// alternatives names what a player can do instead of covering.
func alternatives(t table.Table) text.Text {
	if t.Bag == "" {
		return text.Say("Or {pass}.", text.Code("/pass"))
	}
	return text.Say("Or {exchange} tiles, or {pass}.", text.Code("/exchange"), text.Code("/pass"))
}

// explainUnfitting explains what a player can do if none of their tiles fit.
func explainUnfitting(t table.Table) text.Text {
	if t.Bag == "" {
		return text.Say("None of them fit now. On your turn you can {pass}.", text.Code("/pass"))
	}
	return text.Say("None of them fit now. On your turn you can {exchange} tiles or {pass}.", text.Code("/exchange"), text.Code("/pass"))
}

// starterRack lists what the rack can cover, with a button for each on the player's turn,
// since most players of this variant press rather than type.
func starterRack(t table.Table, seat int, r bot.Reply) bot.Reply {
	rack := t.Seats[seat].Rack
	spots := t.CoverMoves(rack)
	if rack != "" && len(spots) == 0 {
		r.Text = text.Lines(r.Text, explainUnfitting(t))
	}
	if t.Phase != game.Playing || t.Turn != seat {
		return r
	}
	set := t.Equipment.Tiles
	for _, s := range spots[:min(len(spots), bot.MostButtons-len(r.Buttons))] {
		word := words.PlainWord(set, s.Tally.Words[0].Tiles)
		label := text.Glue(word, ": ", worthCovering(set, s))
		r.Buttons = append(r.Buttons, t.Button(label, "cover", bot.Ordinary, map[string]string{"word": word}))
	}
	return r
}

// completeCover completes the word of /cover with words that the player has tiles for.
func (f starter) completeCover(ctx context.Context, req bot.Request) (all []bot.Choice) {
	t, err := f.desk.Load(ctx, req)
	if err != nil {
		return nil
	}
	seat, err := t.Seat(req)
	if err != nil {
		return nil
	}
	set := t.Equipment.Tiles
	for _, s := range t.CoverMoves(t.Seats[seat].Rack) {
		word := words.PlainWord(set, s.Tally.Words[0].Tiles)
		all = append(all, bot.Choice{Value: word, Label: text.Say("{word}: cover {letters}", word, worthCovering(set, s))})
	}
	return all
}

func explainStarter(t table.Table, e *game.RuleError) text.Text {
	set := t.Equipment.Tiles
	switch e.Code {
	case game.WrongCount:
		if e.Need == 1 {
			return text.Say("Only one letter of that word is open. Cover it with {one}.", text.Code("tiles:1"))
		}
		return text.Say("A turn covers one or two letters of a word, not {n}. Use {one} or {two}.", e.N, text.Code("tiles:1"), text.Code("tiles:2"))
	case game.BagTooSmall:
		return text.Say("An exchange needs {need, plural, one {# tile} other {# tiles}} in the bag, and there {n, plural, =0 {are none} one {is #} other {are #}}. Cover letters of a word with {cover}, or {pass}.", e.Need, e.N, text.Code("/cover"), text.Code("/pass"))
	case game.NoChallenge:
		return text.Say("The words here are printed on the board, so there's nothing to challenge. Carry on with your turn.")
	case game.NotOnRack:
		if e.Move.Kind != game.PlayTiles {
			return nil
		}
		return text.Sentences(text.Say("The letter to cover on {square} is {letter}, and you hold {tiles}. Cover another word.", e.Square, set.Text(e.Tile), words.HeldTiles(set, e.Rack)), alternatives(t))
	}
	return nil
}
