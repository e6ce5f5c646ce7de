package bot

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rackmate/rackmate/game"
)

// This file turns mistakes into sentences. Each says what is wrong and what to
// do next.

// explain answers a request that can't be carried out.
func (h *Host) explain(t table, req Request, err error) Reply {
	var own *refusal
	if errors.As(err, &own) {
		return own.reply
	}
	var rule *game.RuleError
	if !errors.As(err, &rule) {
		return sorry()
	}
	reply := refuse(explainRule(t, req, rule))
	if rule.Code == game.ManyPlacements {
		for _, s := range rule.Spots[:min(len(rule.Spots), 5)] {
			at := s.Move.At.At(s.Move.Dir)
			reply.Buttons = append(reply.Buttons, Button{
				ID:    buttonID(t.ID, t.Number, req.Command, map[string]string{"word": rule.Text, "at": at}),
				Label: fmt.Sprintf("%s %s · %d", at, s.Move.Dir, s.Tally.Total),
			})
		}
	}
	return reply
}

func explainRule(t table, req Request, e *game.RuleError) Text {
	set := t.Equipment.Tiles
	size := t.Equipment.Layout.Size()
	word := strings.ToUpper(req.Args["word"])
	switch e.Code {
	case game.NoTiles:
		return say("That lays no new tile. Type the whole word, with at least one tile of yours in it.")
	case game.OffBoard:
		return say(word, " does not fit at ", e.Move.At.At(e.Move.Dir), ": the board ends at ", game.Square{Row: size - 1, Col: size - 1}, ".")
	case game.Gap:
		return say("No tile lies on ", e.Square, " to play through. Check where the word starts.")
	case game.Occupied:
		return say(word, " at ", e.Move.At.At(e.Move.Dir), " needs ", article(set.Text(e.Tile)), " on ", e.Square, ", where ", article(set.Text(e.There)), " lies.")
	case game.NotWhole:
		return say("On ", e.Square, " lies ", article(set.Text(e.There)), ", which belongs to that word too. Type the whole word, from its first letter.")
	case game.TooShort:
		return say("A word has two letters or more.")
	case game.MissesStart:
		return say("The first word must cover the start, ", e.Square, ".")
	case game.NotJoined:
		return say("A play must join the words on the board: use one of their letters, or lie next to one.")
	case game.BlankUnnamed:
		return say("Say which letter the blank is: ", code("Q?UIZ"), " plays it as the U.")
	case game.BadWord:
		return say(code(e.Text), " can't be spelled with these tiles. Write letters, and ", code("?"), " for a blank.")
	case game.NotOnRack:
		return notOnRack(t, e)
	case game.NotAWord:
		return say(notWords(set, e.Words), " not in the word list ", t.Lexicon.Name, ". Nothing was played; it's still your turn.")
	case game.NoPlacement:
		return say(strings.ToUpper(e.Text), " fits nowhere on the board; you hold ", code(set.Print(e.Rack.Sorted())), ".")
	case game.ManyPlacements:
		return say(strings.ToUpper(e.Text), " fits in ", len(e.Spots), " places. Choose one, or type its square: ", code("/"+req.Command+" "+e.Text+" "+e.Spots[0].Move.At.At(e.Spots[0].Move.Dir)), ".")
	case game.BagTooSmall:
		return say("An exchange needs ", count(e.Need, "tile"), " in the bag, and ", bagWords(t.State), ". You can play or ", code("/pass"), ".")
	case game.NothingPut:
		return say("Name the tiles to put back: ", code("/exchange QVV"), ".")
	case game.NotYourTurn:
		return say("It's ", name(t.Seats[e.Seat].Person), "'s turn. ", code("/try"), " shows you what a play would score.")
	case game.NotPlaying:
		return say("You have no seat at this table.", nextTable(t))
	case game.NotStarted:
		if t.Phase == game.NoTable {
			return say("There is no table in this channel. ", code("/new"), " opens one.")
		}
		return say("The game has not started. ", code("/join"), " takes a seat, ", code("/start"), " begins.")
	case game.AlreadyStarted:
		return say("The game has begun. ", code("/board"), " shows it.")
	case game.GameOver:
		if t.Number == 0 {
			return say("There is no table in this channel. ", code("/new"), " opens one.")
		}
		return say("That game is over. ", code("/new"), " opens another table.")
	case game.OnlyChallenge:
		return say("The last play has been made. Its opponents can ", code("/challenge"), " it or ", code("/pass"), " to let it stand.")
	case game.NoChallenge:
		return say("At this table words are looked up as they are played; there is nothing to challenge.")
	case game.NothingToJudge:
		return say("No play is open to a challenge: only the latest one is, until the next player acts.")
	case game.OwnPlay:
		return say("That is your own play; its opponents judge it.")
	case game.AlreadyJudged:
		return say(wordList(set, e.Words), verb(len(e.Words), " has", " have"), " been looked up already.")
	case game.WordNotPlayed:
		var words []string
		for _, w := range t.Latest.Words {
			words = append(words, plainWord(set, w.Tiles))
		}
		return say("The latest play did not form ", wordList(set, e.Words), ". It formed ", listing(words), ".")
	case game.TooEarly:
		return say("The time for a challenge still runs.")
	case game.NoAgreement:
		return say("By ", t.Rules.Name, " rules a game is played to its end. ", code("/resign"), " gives it up.")
	case game.AlreadyAgreed:
		return say("You have agreed already; the others have not yet.")
	case game.AlreadySeated:
		return say("You sit at this table already.")
	case game.NoSeatFree:
		return say("All ", e.N, " seats are taken.")
	case game.NotInvited:
		return say("The seats at this table are kept for those who were invited.")
	case game.TooFewPlayers:
		if t.Phase == game.Lobby {
			return say("A game needs ", count(e.Need, "player"), "; ", verb(e.N, "only one sits", fmt.Sprint(e.N, " sit")), " here. Others can ", code("/join"), ".")
		}
		return say("A table has ", e.Need, " to ", game.Classic().MaxPlayers, " seats.")
	case game.BadSettings:
		return say(e.Text)
	case game.TableOpenAlready:
		if t.Phase == game.Lobby {
			return say("A table is open in this channel: ", code("/join"), " it, or let those who sit ", code("/leave"), " first.")
		}
		return say("A game is on in this channel. One at a time: finish it, or open a table in another channel.")
	}
	return say("That can't be done: ", e.Error(), ".")
}

// notOnRack is the mistake that people make most: "D8 needs the Q at D10; you
// hold AEINRS?".
func notOnRack(t table, e *game.RuleError) Text {
	set := t.Equipment.Tiles
	rack := code(set.Print(e.Rack.Sorted()))
	tile := "a blank"
	if !e.Tile.IsBlank() {
		tile = "the " + set.Text(e.Tile)
	}
	if e.Move.Kind != game.PlayTiles {
		return say("You don't have ", tile, " to put back that often; you hold ", rack, ".")
	}
	if e.Square == (game.Square{}) {
		return say("You don't have ", tile, " that often; you hold ", rack, ".")
	}
	return say(e.Move.At.At(e.Move.Dir), " needs ", tile, " at ", e.Square, "; you hold ", rack, ".")
}

// nextTable says what somebody without a seat can do.
func nextTable(t table) Text {
	switch t.Phase {
	case game.Lobby:
		return say(" ", code("/join"), " takes one.")
	case game.Playing, game.Closing:
		return say(" ", code("/board"), " lets you watch.")
	}
	return say(" ", code("/new"), " opens another.")
}

// article puts "a" or "an" before a letter as it is spoken.
func article(letter string) string {
	if strings.ContainsAny(strings.ToUpper(letter[:1]), "AEFHILMNORSX") && len(letter) == 1 {
		return "an " + strings.ToUpper(letter)
	}
	return "a " + strings.ToUpper(letter)
}

func unknownCommand(name string) Text {
	return say("There is no command ", code("/"+name), ". ", code("/help"), " lists them.")
}

// usage shows how a command is typed.
func usage(c Command) Text {
	line := "/" + c.Name
	for _, o := range c.Options {
		if o.Required {
			line += " " + o.Name
		} else {
			line += " [" + o.Name + "]"
		}
	}
	return say("Type ", code(line), ".")
}
