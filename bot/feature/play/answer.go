package play

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// answer writes the private reply to a person whose request changed the table. Everybody reads what
// happened; only the person sees the rack.
func (f *Feature) answer(ctx context.Context, o feature.Outcome) (r bot.Reply, ok bool, err error) {
	t, seat, seated := o.Table, o.Seat, o.Seat >= 0
	_, exchanged := o.Fact.(game.Exchanged) // the same tiles may have come back
	if exchanged || o.NewRack() {
		r, err = f.toldIfStuck(f.desk.Rack(ctx, t, seat, o.Request), t, seat)
		return r, true, err
	}
	spoken := describeDone(o)
	if told, ok := t.Variant.Describe(o.Before.State, o.Fact); ok && told.Reply != nil {
		spoken = told.Reply
	}
	if t.End != nil {
		spoken = text.Sentences(spoken, text.Say("The game is over: {result}.", words.Caption(t)))
	}
	r = bot.Reply{Text: spoken}
	if _, passed := o.Fact.(game.Passed); passed && seated {
		r, err = f.toldIfStuck(r, t, seat)
	}
	return r, true, err
}

// describeDone describes what the person did.
func describeDone(o feature.Outcome) text.Text {
	t := o.Table
	spoken := text.Say("Done.")
	if said := words.PaceAnswer(o.Fact); said != nil {
		spoken = said
	}
	switch fact := o.Fact.(type) {
	case game.Opened:
		if t.Phase == game.Voting {
			spoken = text.Say("Your table is open, and all its seats are taken.")
			break
		}
		spoken = text.Say("Your table is open. The game starts when all its seats are taken.")
	case game.Joined:
		if fact.Person.ID.IsRobot() {
			spoken = text.Say("{who} has joined your table.", text.Name(fact.Person))
			break
		}
		spoken = text.Say("You have a seat. The game starts when all seats are taken.")
	case game.Adopted: // by a robot; a person sees the rack instead
		spoken = text.Say("{who} takes over that seat.", text.Name(fact.Person))
	case game.Left:
		spoken = text.Say("You have left the table.")
	case game.Played:
		spoken = text.Say("You play {word} for {n, plural, one {# point} other {# points}}.", words.PlainWord(t.Equipment.Tiles, fact.Words[0].Tiles), fact.Score)
	case game.Passed:
		spoken = text.Say("You pass.")
	case game.Accepted:
		spoken = text.Say("You accept the last play.")
	case game.Resigned:
		spoken = text.Say("You have resigned. Thank you for playing.")
	case game.Agreed:
		spoken = text.Say("You agree to end the game here.")
		if len(t.Seats) == 1 || !t.Rules.Agreement {
			spoken = text.Say("You've ended the game here.")
		}
	case game.Challenged:
		spoken = text.Say("Your challenge was right: {n, plural, one {{words} is} other {{words} are}} not in the word list.", len(fact.Invalid), words.AllWords(t.Equipment.Tiles, fact.Invalid))
		if len(fact.Invalid) == 0 {
			spoken = text.Say("Your challenge was wrong: {n, plural, one {{words} is} other {{words} are}} in the word list.", len(fact.Words), words.AllWords(t.Equipment.Tiles, fact.Words))
		}
		if strange := wordsNotFormed(o.Before, o.Request.Args["words"]); len(strange) > 0 {
			spoken = text.Sentences(spoken, text.Say("The play didn't form {named}.", text.JoinOr(words.WordTexts(t.Equipment.Tiles, strange))))
		}
	}
	return spoken
}
