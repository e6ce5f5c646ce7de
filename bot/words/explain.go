package words

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
)

// A Refusal is a request that can't be carried out for a reason that the rules
// of the game know nothing of.
type Refusal struct{ Reply bot.Reply }

func (r *Refusal) Error() string { return r.Reply.Text.String() }

// Refusing makes a refusal of a sentence and what goes into it, as [bot.Say] takes
// them.
func Refusing(template string, values ...any) *Refusal {
	return &Refusal{Refuse(bot.Say(template, values...))}
}

// RefusingGlue makes a refusal of the parts of a text, as [bot.Glue] takes them.
func RefusingGlue(parts ...any) *Refusal { return &Refusal{Refuse(bot.Glue(parts...))} }

// IsMistake reports whether an error is a person's mistake, to be explained to
// them: a *[game.RuleError] or a *[Refusal].
func IsMistake(err error) bool {
	var rule *game.RuleError
	var other *Refusal
	return errors.As(err, &rule) || errors.As(err, &other)
}

// This file turns mistakes into sentences. Each says what is wrong and what to
// do next.

// Explain answers a request that can't be carried out. err is a person's
// mistake; see isMistake.
func Explain(t table.Table, req bot.Request, err error) bot.Reply {
	var own *Refusal
	if errors.As(err, &own) {
		return own.Reply
	}
	var rule *game.RuleError
	if !errors.As(err, &rule) {
		return Sorry(req)
	}
	reply := Refuse(ExplainRule(t, req, rule))
	if rule.Code == game.ManyPlacements {
		for _, s := range rule.Spots[:min(len(rule.Spots), bot.MostButtons)] {
			at := s.Move.At.At(s.Move.Dir)
			reply.Buttons = append(reply.Buttons, bot.Button{
				ID:    bot.ButtonID(t.ID, t.Number, req.Command, map[string]string{"word": table.Spelling(t.Equipment.Tiles, s.Move), "at": at}),
				Label: SpotLabel(s.Move, s.Tally.Total),
			})
		}
	}
	return reply
}

// ExplainRule says what a rule of the game has against a request, and what to do.
func ExplainRule(t table.Table, req bot.Request, e *game.RuleError) bot.Text {
	set := t.Equipment.Tiles
	upper := strings.ToUpper
	if set != nil { // at a table
		upper = set.Alphabet().Upper
	}
	word := bot.Shorten(upper(strings.ReplaceAll(cmp.Or(req.Args["word"], e.Text), "?", "")), bot.MaxName)
	at := e.Move.At.At(e.Move.Dir)
	if v := t.Variant; v.Explain != nil {
		if text := v.Explain(t, e); text != nil {
			return text
		}
	}
	switch e.Code {
	case game.NotHere:
		return bot.Glue(bot.Code("/"+req.Command), " has no place at this table. ", WhatToDo(t))
	case game.WrongCount:
		return bot.Glue("There can be up to ", e.Need, " of them, not ", e.N, ". Nothing was done. Say another number.")
	case game.NamedTwice:
		return bot.Glue(e.Square, " is named twice. Nothing was taken. Type each square once.")
	case game.NotWholeLeft:
		if e.N == 1 {
			return bot.Glue("That would leave a single tile, which is no word. Nothing was taken. Try other tiles.")
		}
		return bot.Glue("What stays must hang together, and that would leave ", e.N, " parts. Nothing was taken. Try other tiles.")
	case game.NoTiles:
		return bot.Glue("There is no tile of yours in that. Type the whole word, with at least one tile from your rack.")
	case game.OffBoard:
		last := t.Equipment.Layout.Size() - 1
		return bot.Glue(word, " doesn't fit at ", at, ": the board ends at ", game.Square{Row: last, Col: last}, ". Choose a square with more room.")
	case game.Gap:
		return bot.Glue("There is no tile on ", e.Square, " to play through. Type the letter that you want there, or check where the word starts.")
	case game.Occupied:
		if e.Tile.Letter() == e.There.Letter() {
			return bot.Glue(Article(set.Letter(e.There), true), " lies on ", e.Square, " already. Type it without the ", bot.Code("?"), ".")
		}
		return bot.Glue(word, " at ", at, " needs ", Article(set.Letter(e.Tile), false), " on ", e.Square, ", but ", Article(set.Letter(e.There), false), " lies there. Check where the word starts.")
	case game.NotWhole:
		return bot.Glue("The ", set.Letter(e.There), " on ", e.Square, " would be part of that word too. Type the whole word, from its first letter to its last.")
	case game.TooShort:
		return bot.Glue("A word has two letters or more. Type the whole word, with the letters on the board.")
	case game.MissesStart:
		return bot.Glue("The first word must cover ", e.Square, ", the start. Choose a square from which it does.")
	case game.NotJoined:
		return bot.Glue("A play must touch the words on the board: use one of their letters, or lie next to one. ", bot.Code("/board"), " shows them.")
	case game.UsesNoLetter:
		return bot.Glue("At this table a word must use a letter that lies on the board; to lie beside one is not enough. Play through a letter, or add to a word.")
	case game.BlankUnnamed:
		return bot.Glue("Say which letter the blank is: ", bot.Code("Q?UIZ"), " plays it as the U.")
	case game.BadWord:
		return bot.Glue(bot.Code(bot.Shorten(e.Text, bot.MaxName)), " can't be spelled with these tiles. Type letters, and ", bot.Code("?"), " for a blank.")
	case game.NotOnRack:
		return notOnRack(t, e)
	case game.NotAWord:
		return bot.Glue(NotWords(set, e.Words), " not in the word list ", bot.Code(t.Lexicon.Name), ". Nothing was played, so try another word.")
	case game.NoPlacement:
		if lack := lacking(t, e); lack != "" {
			return bot.Glue("For ", word, " you lack ", bot.Strong(Spaced(set, lack)), ": you have ", HeldTiles(set, e.Rack), ", and no such letter lies on the board.")
		}
		return bot.Glue(word, " fits nowhere on the board with your tiles, ", HeldTiles(set, e.Rack), ". ", bot.Code("/board"), " shows where there is room.")
	case game.ManyPlacements:
		first := e.Spots[0].Move
		return bot.Glue(word, " fits in ", len(e.Spots), " places. Choose one, or type its square: ", bot.Code(Typed(req.Command, map[string]string{"word": req.Args["word"], "at": first.At.At(first.Dir)})), ".")
	case game.BagTooSmall:
		return bot.Glue("An exchange needs ", Count(e.Need, "tile"), " in the bag, and there ", Verb(e.N, "is", "are"), " ", Number(e.N), ". Play a word, or ", bot.Code("/pass"), ".")
	case game.NothingPut:
		return bot.Glue("Say which tiles to put back: ", bot.Code("/exchange qvv"), ". ", bot.Code("/pass"), " keeps all of yours.")
	case game.NotYourTurn:
		return bot.Glue("It's ", bot.Name(t.Seats[e.Seat].Person), "'s turn. Meanwhile ", bot.Code("/try"), " shows you what a play would score.")
	case game.NotPlaying:
		return notPlaying(t, req)
	case game.NotStarted:
		if t.Phase == game.Lobby {
			return bot.Glue("The game hasn't started. ", bot.Code("/join"), " takes a seat, ", bot.Code("/start"), " begins.")
		}
		return NoTable()
	case game.OrderOpen:
		return bot.Glue("The players still vote on the order: ", bot.Code("/vote "+t.Votes()[0].Value), ", or press a button under the poll.")
	case game.OrderSettled:
		return bot.Glue("The order of play is settled. ", bot.Code("/board"), " shows whose turn it is.")
	case game.NoOrder:
		return bot.Glue("An order has the number of each player once: ", bot.Code("/vote "+t.Votes()[0].Value), ", or ", bot.Code("/vote any"), ".")
	case game.AlreadyStarted:
		return bot.Glue("The game has begun. ", bot.Code("/board"), " shows it.")
	case game.GameOver:
		if t.Phase == game.NoTable {
			return NoTable()
		}
		if t.End == nil {
			return bot.Glue("That table is closed. ", bot.Code("/new"), " opens another.")
		}
		return bot.Glue("That game is over. ", bot.Code("/new"), " opens another table.")
	case game.OnlyChallenge:
		if seat, ok := t.SeatOf(req.User.ID); ok && seat == e.Seat {
			return bot.Glue("You made the last play. Your opponents can challenge it; if nobody does by ", Clock(t.Until), ", the game ends.")
		}
		return bot.Glue("The last play has been made. ", bot.Code("/challenge"), " it, or let it stand with ", bot.Code("/pass"), ".")
	case game.NoChallenge:
		return bot.Glue("At this table words are looked up when they are played, so there is nothing to challenge. Carry on with your turn.")
	case game.NothingToJudge:
		return bot.Glue("There is no play to challenge now: only the latest one can be, until the next player acts. ", bot.Code("/board"), " shows how things stand.")
	case game.OwnPlay:
		return bot.Glue("That is your own play. Leave it to your opponents to challenge it or let it stand.")
	case game.AlreadyJudged:
		return bot.Glue(WordList(set, e.Words), Verb(len(e.Words), " has", " have"), " been looked up already, and the play stands. Carry on with the game.")
	case game.WordNotPlayed:
		return bot.Glue("The latest play didn't form ", strings.Join(WordTexts(set, e.Words), " or "), ". Challenge what it did form: ", WordList(set, Formed(t.State)), ".")
	case game.TooEarly:
		return bot.Glue("There is still time to challenge the last play, until ", Clock(t.Until), ". Please wait.")
	case game.NoAgreement:
		return bot.Glue("By ", t.Rules.Name, " rules a game is played to its end. ", bot.Code("/resign"), " gives yours up.")
	case game.NotPrinted, game.AllCovered, game.NotNext:
		return explainCover(t, e)
	case game.TurnClosed:
		return bot.Glue("This turn is over and is being scored. ", bot.Code("/rack"), " shows the next tiles in a moment.")
	case game.TooFewScoreless:
		return bot.Glue("By ", t.Rules.Name, " rules any player may end the game after ", e.Need, " scoreless turns in a row, and there ", Verb(e.N, "has", "have"), " been ", Number(e.N), ". Play on, or ", bot.Code("/pass"), ".")
	case game.NoHints:
		if !table.RobotsKnow(t.Rules) {
			return bot.Glue("There are no hints in ", t.Rules.Variant, ".")
		}
		return bot.Glue("At this table players find their plays themselves. ", bot.Code("/new hints:allowed"), " opens one with hints.")
	case game.AlreadyAgreed:
		if t.Phase == game.Closing {
			return bot.Glue("You let it stand already. The game ends when the others do too, or at ", Clock(t.Until), ".")
		}
		return bot.Glue("You agreed already. The game ends when the others do too, with ", bot.Code("/end"), ".")
	case game.AlreadySeated:
		if t.Phase != game.Lobby {
			return bot.Glue("You play in this game already. ", bot.Code("/rack"), " shows your tiles.")
		}
		if len(t.Seats) < t.Rules.MinPlayers {
			return bot.Glue("You sit at this table already. The game can start when somebody else does too.")
		}
		return bot.Glue("You sit at this table already. ", bot.Code("/start"), " begins the game.")
	case game.NoSeatFree:
		return bot.Glue("All ", e.N, " seats are taken. ", bot.Code("/board"), " lets you watch when the game has started.")
	case game.NotInvited:
		return bot.Glue("The seats at this table are kept for those who were invited. You can watch, or open a table in another channel with ", bot.Code("/new"), ".")
	case game.TooFewPlayers:
		if t.Phase == game.Lobby {
			return bot.Glue("A game needs ", Count(e.Need, "player"), ", and ", Verb(e.N, "only one sits", fmt.Sprint("only ", e.N, " sit")), " here. Others can ", bot.Code("/join"), ".")
		}
		return bot.Glue("A game needs ", Count(e.Need, "player"), " or more. Give the table more ", bot.Code("seats"), ".")
	case game.BadSettings:
		return bot.Glue("A table can't be opened like that: ", e.Text, ". ", bot.Code("/help new"), " lists the choices.")
	case game.NotLate:
		return NotLate(t, req)
	case game.NotAway:
		return bot.Glue("You are not away. ", bot.Code("/away 3"), " stops your clocks for three days.")
	case game.TableOpenAlready:
		if t.Phase == game.Lobby {
			return bot.Glue("A table is open in this channel already: ", bot.Code("/join"), " it. It closes when all who sit at it ", bot.Code("/leave"), ", and makes way for another after a day without news.")
		}
		return bot.Glue("A game is on in this channel, and a channel has one at a time. Wait for its end, or open a table in another channel.")
	}
	return bot.Glue("That can't be done: ", e.Error(), ".")
}

// SpotLabel is where a play could go, in a few words: "8H across · 14".
func SpotLabel(m game.Move, score int) bot.Text {
	return bot.Say("{square} {way, select, across {across} other {down}} · {score}", m.At.At(m.Dir), m.Dir, score)
}

// NoTable says that the channel has no table.
func NoTable() bot.Text {
	return bot.Glue("There is no table in this channel. ", bot.Code("/new"), " opens one.")
}

// Formed is what the latest play formed and nobody has looked up yet.
func Formed(s game.State) []game.Tiles {
	var words []game.Tiles
	for _, w := range s.Latest.Words {
		if !slices.Contains(s.Latest.Judged, w.Tiles) {
			words = append(words, w.Tiles)
		}
	}
	return words
}

// notOnRack is the mistake that people make most: "D8 needs the Q at D10, and
// you hold AEINRS?".
func notOnRack(t table.Table, e *game.RuleError) bot.Text {
	set := t.Equipment.Tiles
	tile := "a blank"
	if !e.Tile.IsBlank() {
		tile = Article(set.Letter(e.Tile), false)
	}
	held := HeldTiles(set, e.Rack)
	if e.Move.Kind != game.PlayTiles {
		if n := e.Rack.Count(e.Tile); n > 0 {
			name := "blank"
			if !e.Tile.IsBlank() {
				name = set.Text(e.Tile)
			}
			return bot.Glue("You have only ", n, " ", name, " to put back: you hold ", held, ".")
		}
		return bot.Glue("You don't have ", tile, " to put back: you hold ", held, ".")
	}
	return bot.Glue(e.Move.At.At(e.Move.Dir), " needs ", tile, " on ", e.Square, ", and you hold ", held, ". Try another word or square.")
}

// HeldTiles is a rack for its owner, as it can be typed.
func HeldTiles(set *game.TileSet, rack game.Tiles) bot.Span {
	return bot.Code(set.Print(rack.Sorted()))
}

// notPlaying says what somebody without a seat can do.
func notPlaying(t table.Table, req bot.Request) bot.Text {
	seat, ok := t.SeatOf(req.User.ID)
	switch {
	case ok && t.Seats[seat].Out:
		return bot.Glue("You are out of this game. ", bot.Code("/board"), " lets you watch the rest.")
	case t.Phase == game.Lobby || t.Shared() && t.Phase != game.Over:
		return bot.Glue("You have no seat at this table. ", bot.Code("/join"), " takes one.")
	}
	return bot.Glue("You have no seat at this table. ", bot.Code("/board"), " lets you watch.")
}

// Article puts "a" or "an" before a letter, in upper case, as it is spoken.
func Article(letter string, capital bool) string {
	a := "a"
	if capital {
		a = "A"
	}
	if len(letter) == 1 && strings.Contains("AEFHILMNORSX", letter) {
		a += "n"
	}
	return a + " " + letter
}

// lacking are the letters of a word that are neither on a player's rack nor on
// the board, beyond the blanks that could stand for them.
func lacking(t table.Table, e *game.RuleError) (lack game.Tiles) {
	sp, err := game.ParseSpelling(t.Equipment.Tiles, e.Text)
	if err != nil {
		return ""
	}
	lies := t.Board.Tiles().Faces()
	have, blanks := e.Rack, e.Rack.Count(game.Blank)
	for _, l := range sp {
		tile := game.LetterTile(l.Letter)
		if l.Letter == 0 || strings.IndexByte(string(lies), byte(tile)) >= 0 {
			continue
		}
		if left, ok := have.Minus(game.TilesOf(tile)); ok && !l.Blank {
			have = left
			continue
		}
		lack += game.TilesOf(tile)
	}
	if len(lack) <= blanks {
		return ""
	}
	return lack
}

// Sorry answers a request that failed by the host's own fault.
func Sorry(req bot.Request) bot.Reply {
	return Refuse(bot.Glue("Something went wrong on my side, and nothing was changed. Please try again in a moment. Whoever runs this host finds it in the log as ", bot.Code(req.Reference()), "."))
}

// Refuse is a reply that refuses.
func Refuse(t bot.Text) bot.Reply { return bot.Reply{Text: t, Refused: true} }

// BadChoice refuses a value of an option of /new.
func BadChoice(option, value string) error {
	return RefusingGlue(bot.Code(value), " is no choice for ", bot.Code(option), ". ", bot.Code("/help new"), " lists what there is.")
}

// BadSetting refuses a value of an option of /settings.
func BadSetting(option, value string) error {
	return RefusingGlue(bot.Code(bot.Shorten(value, bot.MaxName)), " is no choice for ", bot.Code(option), ". ", bot.Code("/help settings"), " lists what there is.")
}

// NoChoice refuses a value of an option that has few, and names them.
func NoChoice(option, value string, choices ...string) error {
	var all bot.Text
	for i, c := range choices {
		switch {
		case i == 0:
		case i == len(choices)-1:
			all = bot.Glue(all, " or ")
		default:
			all = bot.Glue(all, ", ")
		}
		all = bot.Glue(all, bot.Code(c))
	}
	return RefusingGlue(bot.Code(bot.Shorten(value, bot.MaxName)), " is no choice for ", bot.Code(option), ": it is ", all, ".")
}

// YesNo reads an option that is yes or no, usual where it isn't given.
func YesNo(args map[string]string, option string, usual bool) (bool, error) {
	switch strings.ToLower(args[option]) {
	case "":
		return usual, nil
	case "true", "yes":
		return true, nil
	case "false", "no":
		return false, nil
	}
	return false, NoChoice(option, args[option], "yes", "no")
}

// explainCover says why letters can't be covered.
func explainCover(t table.Table, e *game.RuleError) bot.Text {
	set := t.Equipment.Tiles
	switch e.Code {
	case game.NotPrinted:
		return bot.Glue("That is no word on the board. Cover one that is printed there: ", bot.Code("/board"), " shows them.")
	case game.AllCovered:
		return bot.Glue(WordList(set, e.Words), " is covered already. Choose another word: ", bot.Code("/board"), " shows them.")
	}
	return bot.Glue("The letters of a word are covered in order, and the next one of ", WordList(set, e.Words), " is the ", set.Text(e.Tile), " on ", e.Square, ". Say the word alone, as in ", bot.Code("/cover horn"), ", and its next letters are covered.")
}

// Typed is how a play or a try is typed.
func Typed(command string, args map[string]string) string {
	return strings.TrimSpace("/" + command + " " + args["word"] + " " + args["at"])
}

// OutOfDate refuses a button that the game has left behind.
func OutOfDate() error {
	return RefusingGlue("That button is out of date: the game has moved on. ", bot.Code("/board"), " shows it as it is now.")
}
