package words

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// A Refusal rejects a request for a reason outside the rules of the game.
type Refusal struct{ Reply bot.Reply }

// Error returns the text of the reply.
func (r *Refusal) Error() string { return r.Reply.Text.String() }

// Refusing returns a refusal with a sentence and its values, as in [text.Say].
func Refusing(template string, values ...any) *Refusal {
	return &Refusal{Refuse(text.Say(template, values...))}
}

// IsMistake reports whether an error is a person's mistake, to be explained to them: a
// *[game.RuleError] or a *[Refusal].
func IsMistake(err error) bool {
	var rule *game.RuleError
	var other *Refusal
	return errors.As(err, &rule) || errors.As(err, &other)
}

// This file explains mistakes. Each explanation says what is wrong and what to do next.

// Explain returns the reply to a request that failed. If err isn't a mistake in the sense
// of IsMistake, the reply is Sorry's.
func Explain(t table.Table, req bot.Request, err error) bot.Reply {
	var own *Refusal
	if errors.As(err, &own) {
		return own.Reply
	}
	var rule *game.RuleError
	if !errors.As(err, &rule) {
		return Sorry(req)
	}
	reply := Refuse(explainRule(t, req, rule))
	switch rule.Code {
	case game.NotPlaying:
		reply.Buttons = bystanderButtons(t, req)
	case game.ManyPlacements:
		for _, s := range rule.Spots[:min(len(rule.Spots), bot.MostButtons)] {
			at := s.Move.At.At(s.Move.Dir)
			args := map[string]string{"word": table.Spelling(t.Equipment.Tiles, s.Move), "at": at}
			reply.Buttons = append(reply.Buttons, t.Button(SpotLabel(s.Move, s.Tally.Total), req.Command, bot.Ordinary, args))
		}
	}
	return reply
}

// explainRule explains why a rule of the game rejects a request, and what to do.
func explainRule(t table.Table, req bot.Request, e *game.RuleError) text.Text {
	if v := t.Variant; v.Explain != nil {
		if text := v.Explain(t, e); text != nil {
			return text
		}
	}
	if explain := explanations[e.Code]; explain != nil {
		return explain(mistake{t, req, e})
	}
	return text.Say("That can't be done: {why}.", e.Error())
}

// A mistake is a request that a rule of the game rejects.
type mistake struct {
	table   table.Table
	request bot.Request
	err     *game.RuleError
}

func (m mistake) set() *game.TileSet { return m.table.Equipment.Tiles }

// word returns the typed word as tiles show it.
func (m mistake) word() string {
	upper := strings.ToUpper
	if set := m.set(); set != nil { // at a table
		upper = set.Alphabet().Upper
	}
	return text.Shorten(upper(strings.ReplaceAll(cmp.Or(m.request.Args["word"], m.err.Text), "?", "")), bot.MaxName)
}

// at returns the place where the play would begin.
func (m mistake) at() string { return m.err.Move.At.At(m.err.Move.Dir) }

// showsBoard returns the command that shows the board of the request.
func (m mistake) showsBoard() text.Span {
	if m.request.Command == "daily" {
		return text.Code("/daily")
	}
	return text.Code("/board")
}

// explanations holds the explanation of each rule's code.
var explanations = map[game.Code]func(m mistake) text.Text{
	game.NotHere: func(m mistake) text.Text {
		return text.Say("{command} doesn't apply at this table. {instead}", text.Code("/"+m.request.Command), WhatToDo(m.table))
	},
	game.WrongCount: func(m mistake) text.Text {
		return text.Say("There can be up to {need}, not {n}. Nothing was done. Try another number.", m.err.Need, m.err.N)
	},
	game.NamedTwice: func(m mistake) text.Text {
		return text.Say("{square} is named twice. Nothing was taken. Type each square once.", m.err.Square)
	},
	game.NotWholeLeft: func(m mistake) text.Text {
		if m.err.N == 1 {
			return text.Say("That would leave a single tile, which isn't a word. Nothing was taken. Try other tiles.")
		}
		return text.Say("What stays must be connected, and that would leave {n} parts. Nothing was taken. Try other tiles.", m.err.N)
	},
	game.NoTiles: func(m mistake) text.Text {
		return text.Say("That doesn't use any of your tiles. Type the whole word, with at least one tile from your rack.")
	},
	game.OffBoard: func(m mistake) text.Text {
		last := m.table.Equipment.Layout.Size() - 1
		return text.Say("{word} doesn't fit at {at}: the board ends at {corner}. Choose a square with more room.", m.word(), m.at(), game.Square{Row: last, Col: last})
	},
	game.Gap: func(m mistake) text.Text {
		return text.Say("There's no tile on {square} to play through. Type the letter you want there, or check where the word starts.", m.err.Square)
	},
	game.Occupied: func(m mistake) text.Text {
		if m.err.Tile.Letter() == m.err.There.Letter() {
			return text.Say("{tile} is already on {square}. Type it without the {sign}.", article(m.set().Letter(m.err.There), true), m.err.Square, text.Code("?"))
		}
		return text.Say("{word} at {at} needs {tile} on {square}, but {there} is already there. Check where the word starts.", m.word(), m.at(), article(m.set().Letter(m.err.Tile), false), m.err.Square, article(m.set().Letter(m.err.There), false))
	},
	game.NotWhole: func(m mistake) text.Text {
		return text.Say("The {letter} on {square} would be part of that word too. Type the whole word, from its first letter to its last.", m.set().Letter(m.err.There), m.err.Square)
	},
	game.TooShort: func(m mistake) text.Text {
		return text.Say("A word has at least two letters. Type the whole word, including the letters on the board.")
	},
	game.MissesStart: func(m mistake) text.Text {
		return text.Say("The first word must cover {square}, the start. Choose a square that lets it do so.", m.err.Square)
	},
	game.NotJoined: func(m mistake) text.Text {
		return text.Say("A play must touch the words on the board: use one of their letters, or lie next to one. {board} shows them.", m.showsBoard())
	},
	game.UsesNoLetter: func(m mistake) text.Text {
		return text.Say("At this table a word must use a letter on the board; lying beside one isn't enough. Play through a letter, or extend a word.")
	},
	game.BlankUnnamed: func(m mistake) text.Text {
		return text.Say("Say which letter the blank is: {example} plays it as the U.", text.Code("Q?UIZ"))
	},
	game.BadWord: func(m mistake) text.Text {
		return text.Say("{typed} can't be spelled with these tiles. Type letters, and {sign} for a blank.", text.Code(text.Shorten(m.err.Text, bot.MaxName)), text.Code("?"))
	},
	game.NotOnRack: func(m mistake) text.Text {
		return notOnRack(m.table, m.err)
	},
	game.NotAWord: func(m mistake) text.Text {
		return text.Say("{n, plural, one {{words} is} other {{words} are}} not in the word list {list}. Nothing was played, so try another word.", len(m.err.Words), AllWords(m.set(), m.err.Words), text.Code(m.table.Lexicon.Name))
	},
	game.NoPlacement: func(m mistake) text.Text {
		if lack := missingLetters(m.table, m.err); lack != "" {
			return text.Say("For {word} you're missing {lacking}: you have {tiles}, and there's no such letter on the board.", m.word(), text.Strong(SpacedTiles(m.set(), lack)), HeldTiles(m.set(), m.err.Rack))
		}
		return text.Say("{word} doesn't fit anywhere with your tiles, {tiles}. {board} shows where there's room.", m.word(), HeldTiles(m.set(), m.err.Rack), m.showsBoard())
	},
	game.ManyPlacements: func(m mistake) text.Text {
		first := m.err.Spots[0].Move
		return text.Say("{word} fits in {n} places. Choose one, or type its square: {typed}.", m.word(), len(m.err.Spots), text.Code(CommandLine(m.request.Command, map[string]string{"word": m.request.Args["word"], "at": first.At.At(first.Dir)})))
	},
	game.BagTooSmall: func(m mistake) text.Text {
		return text.Say("An exchange needs {n, plural, one {# tile} other {# tiles}} in the bag, and there {left, plural, =0 {are none} one {is #} other {are #}}. Play a word, or {pass}.", m.err.Need, m.err.N, text.Code("/pass"))
	},
	game.NothingPut: func(m mistake) text.Text {
		return text.Say("Say which tiles to put back: {exchange}. {pass} keeps all your tiles.", text.Code("/exchange qvv"), text.Code("/pass"))
	},
	game.NotYourTurn: func(m mistake) text.Text {
		return text.Say("It's {who}'s turn. Meanwhile, {try} shows what a play would score.", text.Name(m.table.Seats[m.err.Seat].Person), text.Code("/try"))
	},
	game.NotPlaying: func(m mistake) text.Text {
		return notPlaying(m.table, m.request)
	},
	game.NotStarted: func(m mistake) text.Text {
		if m.table.Phase == game.Lobby {
			return text.Say("The game hasn't started. {join} takes a seat, {start} starts the game.", text.Code("/join"), text.Code("/start"))
		}
		return NoTable()
	},
	game.OrderOpen: func(m mistake) text.Text {
		return text.Say("The players are still voting on the order: {vote}, or press a button under the poll.", text.Code("/vote "+m.table.Votes()[0].Value))
	},
	game.OrderSettled: func(m mistake) text.Text {
		return text.Say("The order of play is settled. {board} shows whose turn it is.", text.Code("/board"))
	},
	game.NoOrder: func(m mistake) text.Text {
		return text.Say("An order has each player's number once: {vote}, or {vote2}.", text.Code("/vote "+m.table.Votes()[0].Value), text.Code("/vote any"))
	},
	game.AlreadyStarted: func(m mistake) text.Text {
		return text.Say("The game has started. {board} shows it.", text.Code("/board"))
	},
	game.GameOver: func(m mistake) text.Text {
		if m.table.Phase == game.NoTable {
			return NoTable()
		}
		if m.table.End == nil {
			return text.Say("That table is closed. {new} opens another.", text.Code("/new"))
		}
		return text.Say("That game is over. {new} opens another table.", text.Code("/new"))
	},
	game.OnlyChallenge: func(m mistake) text.Text {
		if seat, ok := m.table.SeatOf(m.request.User.ID); ok && seat == m.err.Seat {
			return text.Say("You made the last play. Your opponents can challenge it; if nobody does by {time}, the game ends.", Clock(m.table.Until))
		}
		return text.Say("The last play has been made. {challenge} it, or accept it with {pass}.", text.Code("/challenge"), text.Code("/pass"))
	},
	game.NoChallenge: func(m mistake) text.Text {
		return text.Say("At this table words are looked up when they're played, so there's nothing to challenge. Carry on with your turn.")
	},
	game.NothingToJudge: func(m mistake) text.Text {
		return text.Say("There's no play to challenge now: you can only challenge the latest one, until the next player acts. {board} shows how things stand.", text.Code("/board"))
	},
	game.OwnPlay: func(m mistake) text.Text {
		return text.Say("That's your own play. Leave it to your opponents to challenge or accept it.")
	},
	game.AlreadyJudged: func(m mistake) text.Text {
		return text.Say("{n, plural, one {{words} has} other {{words} have}} been looked up already, and the play stands. Carry on with the game.", len(m.err.Words), AllWords(m.set(), m.err.Words))
	},
	game.WordNotPlayed: func(m mistake) text.Text {
		return text.Say("The latest play didn't form {named}. Challenge what it did form: {words}.", text.JoinOr(WordTexts(m.set(), m.err.Words)), AllWords(m.set(), FormedWords(m.table.State)))
	},
	game.TooEarly: func(m mistake) text.Text {
		return text.Say("The last play can still be challenged, until {time}. Please wait.", Clock(m.table.Until))
	},
	game.NoAgreement: func(m mistake) text.Text {
		return text.Say("Under {rules} rules a game is played to the end. {resign} gives yours up.", m.table.Rules.Name, text.Code("/resign"))
	},
	game.NotPrinted: func(m mistake) text.Text {
		return text.Say("That isn't a word on the board. Cover one that's printed there: {board} shows them.", text.Code("/board"))
	},
	game.AllCovered: func(m mistake) text.Text {
		return text.Say("{words} is already covered. Choose another word: {board} shows them.", AllWords(m.set(), m.err.Words), text.Code("/board"))
	},
	game.NotNext: func(m mistake) text.Text {
		return text.Say("A word's letters are covered in order, and the next one of {words} is the {letter} on {square}. Type just the word, like {cover}, to cover its next letters.", AllWords(m.set(), m.err.Words), m.set().Text(m.err.Tile), m.err.Square, text.Code("/cover horn"))
	},
	game.TurnClosed: func(m mistake) text.Text {
		return text.Say("This turn is over and is being scored. {rack} shows the next tiles in a moment.", text.Code("/rack"))
	},
	game.TooFewScoreless: func(m mistake) text.Text {
		return text.Say("Under {rules} rules any player can end the game after {need} scoreless turns in a row, and so far there {n, plural, =0 {have been none} one {has been #} other {have been #}}. Play on, or {pass}.", m.table.Rules.Name, m.err.Need, m.err.N, text.Code("/pass"))
	},
	game.NoHints: func(m mistake) text.Text {
		if !table.RobotsKnow(m.table.Rules) {
			return text.Say("{variant} has no hints.", m.table.Rules.Variant)
		}
		return text.Say("At this table players find plays on their own. {new} opens a table with hints.", text.Code("/new hints:allowed"))
	},
	game.AlreadyAgreed: func(m mistake) text.Text {
		if m.table.Phase == game.Closing {
			return text.Say("You've already accepted it. The game ends when the others do too, or at {time}.", Clock(m.table.Until))
		}
		return text.Say("You've already agreed. The game ends when the others do too, with {end}.", text.Code("/end"))
	},
	game.AlreadySeated: func(m mistake) text.Text {
		if m.table.Phase != game.Lobby {
			return text.Say("You're already playing in this game. {rack} shows your tiles.", text.Code("/rack"))
		}
		if len(m.table.Seats) < m.table.Rules.MinPlayers {
			return text.Say("You're already at this table. The game can start when somebody else sits down too.")
		}
		return text.Say("You're already at this table. {start} starts the game.", text.Code("/start"))
	},
	game.NoSeatFree: func(m mistake) text.Text {
		return text.Say("All {n} seats are taken. {board} lets you watch once the game has started.", m.err.N, text.Code("/board"))
	},
	game.NotInvited: func(m mistake) text.Text {
		return text.Say("The seats at this table are reserved for the people who were invited. You can watch, or open a table in another channel with {new}.", text.Code("/new"))
	},
	game.TooFewPlayers: func(m mistake) text.Text {
		if m.table.Phase == game.Lobby {
			return text.Say("A game needs {need, plural, one {# player} other {# players}}, and there {n, plural, one {is only one} other {are only #}} here. Others can {join}.", m.err.Need, m.err.N, text.Code("/join"))
		}
		return text.Say("A game needs at least {n, plural, one {# player} other {# players}}. Give the table more {seats}.", m.err.Need, text.Code("seats"))
	},
	game.TooManyPlayers: func(m mistake) text.Text {
		if m.request.Args["seats"] == "" { // invited, or robots
			return text.Say("That game is for up to {n, plural, one {# player} other {# players}}, and with you that makes {all}. Leave somebody out.", m.err.Need, m.err.N)
		}
		return text.Say("That game is for up to {n, plural, one {# player} other {# players}}. Lower {seats}.", m.err.Need, text.Code("seats"))
	},
	game.BadSettings: func(m mistake) text.Text {
		return text.Sentences(explainFlaw(m.err), text.Say("{help} lists the choices.", text.Code("/help new")))
	},
	game.TimePast: func(m mistake) text.Text {
		return text.Say("That time has passed. {away} sets one that's still to come.", text.Code("/away"))
	},
	game.NotLate: func(m mistake) text.Text {
		return NotLate(m.table, m.request)
	},
	game.NotAway: func(m mistake) text.Text {
		return text.Say("You aren't away. {away} pauses your clocks for three days.", text.Code("/away 3"))
	},
	game.TableOpenAlready: func(m mistake) text.Text {
		if m.table.Phase == game.Lobby {
			return text.Say("A table is already open in this channel: {join} it. It closes when everybody at it uses {leave}. After a day without activity, a new table can replace it.", text.Code("/join"), text.Code("/leave"))
		}
		return text.Say("A game is already being played in this channel, and a channel has one at a time. Wait until it's over, or open a table in another channel.")
	},
}

// SpotLabel describes a place for a play briefly: "8H across · 14".
func SpotLabel(m game.Move, score int) text.Text {
	return text.Say("{square} {way, select, across {across} other {down}} · {score}", m.At.At(m.Dir), m.Dir, score)
}

// NoTable explains that the channel has no table.
func NoTable() text.Text {
	return text.Say("No table in this channel. {new} opens one.", text.Code("/new"))
}

// FormedWords returns the words of the latest play that haven't been looked up.
func FormedWords(s game.State) []game.Tiles {
	var words []game.Tiles
	for _, w := range s.Latest.Words {
		if !slices.Contains(s.Latest.Judged, w.Tiles) {
			words = append(words, w.Tiles)
		}
	}
	return words
}

// notOnRack explains the most common mistake, missing tiles: "D8 needs the Q at D10, and
// you hold AEINRS?".
func notOnRack(t table.Table, e *game.RuleError) text.Text {
	set := t.Equipment.Tiles
	held := HeldTiles(set, e.Rack)
	if e.Move.Kind != game.PlayTiles {
		switch n := e.Rack.Count(e.Tile); {
		case n > 0 && e.Tile.IsBlank():
			return text.Say("You only have {n, plural, one {# blank} other {# blanks}} to put back: you have {tiles}.", n, held)
		case n > 0:
			return text.Say("You only have {n} {letter} to put back: you have {tiles}.", n, set.Text(e.Tile), held)
		}
		return text.Say("You don't have {tile} to put back: you have {tiles}.", tileName(set, e.Tile), held)
	}
	return text.Say("{start} needs {tile} on {square}, and you have {tiles}. Try another word or square.", e.Move.At.At(e.Move.Dir), tileName(set, e.Tile), e.Square, held)
}

// HeldTiles returns a player's rack, in a form that can be typed.
func HeldTiles(set *game.TileSet, rack game.Tiles) text.Span {
	return text.Code(set.Print(rack.Sorted()))
}

// notPlaying explains what a person without a seat can do.
func notPlaying(t table.Table, req bot.Request) text.Text {
	seat, ok := t.SeatOf(req.User.ID)
	switch {
	case ok && t.Seats[seat].Out:
		return text.Say("You're out of this game. {board} lets you watch the rest.", text.Code("/board"))
	case t.Phase == game.Lobby || t.SharesRack() && t.Phase != game.Over:
		return text.Say("You have no seat at this table. {join} takes one.", text.Code("/join"))
	}
	return text.Say("You aren't in this game.")
}

// bystanderButtons returns the buttons for a person without a seat in a game: to watch it, and to
// play another.
func bystanderButtons(t table.Table, req bot.Request) []bot.Button {
	if _, seated := t.SeatOf(req.User.ID); seated || t.Phase != game.Playing && t.Phase != game.Closing {
		return nil
	}
	return []bot.Button{
		{ID: bot.ButtonID(t.ID, 0, "board", map[string]string{"as": "picture"}), Label: text.Say("Watch"), Style: bot.Primary},
		table.JoinNext(),
	}
}

// spokenWithVowel lists the letters whose names begin with a vowel: ef, alpha, alef.
const spokenWithVowel = "aefhilmnorsx" + "æœøð" + "αεηιουω" + "аилмнорсуфыэі" + "אע"

// article returns a tile's letter with "a" or "an", as spoken in English by the name of the
// letter's first character. Accents make no difference except in Й (short i) and Ї (yi).
func article(letter string, capital bool) text.Text {
	a := "a"
	if first, _ := utf8.DecodeRuneInString(bot.Unaccented(letter)); strings.ContainsRune(spokenWithVowel, first) && !strings.ContainsAny(letter, "ЙЇ") {
		a = "an"
	}
	if capital {
		return text.Say("{a, select, an {An} other {A}} {letter}", a, letter)
	}
	return text.Say("{a, select, an {an} other {a}} {letter}", a, letter)
}

// missingLetters returns the letters of a word that are neither on the player's rack nor on the
// board. If blanks can stand for all of them, it returns none.
func missingLetters(t table.Table, e *game.RuleError) (lack game.Tiles) {
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

// Sorry returns the reply to a request that failed by the host's own fault.
func Sorry(req bot.Request) bot.Reply {
	return Refuse(text.Say("Something went wrong on my side, and nothing was changed. Please try again in a moment. Whoever runs this host can find it in the log as {reference}.", text.Code(req.Reference())))
}

// Refuse returns a reply that refuses a request.
func Refuse(t text.Text) bot.Reply { return bot.Reply{Text: t, Refused: true} }

// BadChoice returns the refusal of an option's value in /new.
func BadChoice(option, value string) error {
	return Refusing("{option} can't be {value}. {help} lists the choices.", text.Code(option), text.Code(value), text.Code("/help new"))
}

// BadSetting returns the refusal of an option's value in /settings.
func BadSetting(option, value string) error {
	return Refusing("{option} can't be {value}. {help} lists the choices.", text.Code(option), text.Code(text.Shorten(value, bot.MaxName)), text.Code("/help settings"))
}

// NoChoice returns the refusal of an option's value that lists the choices.
func NoChoice(option, value string, choices ...string) error {
	var all []text.Span
	for _, c := range choices {
		all = append(all, text.Code(c))
	}
	return Refusing("{option} can't be {value}: choose {choices}.", text.Code(option), text.Code(text.Shorten(value, bot.MaxName)), text.JoinOr(all))
}

// YesNo parses a yes-or-no option. It returns usual if the option isn't given.
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

// explainFlaw explains why a table can't be opened with its settings.
func explainFlaw(e *game.RuleError) text.Text {
	switch e.Flaw {
	case game.NoEquipment:
		return text.Say("There is no board here, or there are no tiles, so tables can't be opened.")
	case game.NoBoard:
		return text.Say("The board for this variant is missing here.")
	case game.NoVowels:
		return text.Say("This variant needs to know which tiles are vowels, and this language's tiles don't say.")
	case game.NoVariant:
		return text.Say("Unknown variant.")
	case game.NoSuchOrder:
		return text.Say("Unknown order of play.")
	case game.NoSuchChallenge:
		return text.Say("Unknown challenge rule.")
	case game.NoSuchOut:
		return text.Say("Unknown bonus for going out.")
	case game.NoSuchPace:
		return text.Say("Unknown pace.")
	case game.OwnTimes:
		return text.Say("In this variant turns have their own time limit, so it takes no pace and no clock.")
	case game.FewTiles:
		return text.Say("{n, plural, one {# tile isn't} other {# tiles aren't}} enough to fill everybody's rack.", e.N)
	case game.SameTiles:
		return text.Say("The tiles are all the same, so nobody could draw for the first turn.")
	case game.TurnLength:
		return text.Say("A turn of duplicate can last from a minute to seven days.")
	case game.NothingToJoin:
		return text.Say("In this variant words aren't laid beside others, so leave {option} out.", text.Code("joining"))
	case game.DrawnUnchallenged:
		return text.Say("In this variant the first turn is drawn and nothing is challenged, so leave {order} and {challenge} out.", text.Code("order"), text.Code("challenge"))
	case game.FewWordsToPrint:
		return text.Say("The word list has too few words to print on the board. Choose a larger one.")
	case game.FewWordsToFill:
		return text.Say("The word list is too small to play a game to its end. Choose a larger one.")
	}
	return text.Say("A table can't be opened with those settings.")
}

// CommandLine returns a play or a try as a person would type it.
func CommandLine(command string, args map[string]string) string {
	return strings.TrimSpace("/" + command + " " + args["word"] + " " + args["at"])
}

// OutOfDate returns the refusal of a button that the game has moved past.
func OutOfDate() error {
	return Refusing("That button is out of date: the game has moved on. {board} shows it as it is now.", text.Code("/board"))
}
