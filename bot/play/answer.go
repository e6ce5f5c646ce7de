package play

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// answer is what a person whose request changed the table is told in private:
// everybody reads what happened; the rack is theirs alone.
func answer(ctx context.Context, h *host.Host, o host.Outcome) (r bot.Reply, ok bool, err error) {
	t, seat, seated := o.Table, o.Seat, o.Seat >= 0
	if o.NewRack() {
		r, err = toldIfStuck(h, h.ShowRack(ctx, t, seat, o.Request), t, seat)
		return r, true, err
	}
	text := bot.Glue("Done.")
	if said := words.PaceAnswer(o.Fact); said != nil {
		text = said
	}
	switch f := o.Fact.(type) {
	case game.Opened:
		if t.Phase == game.Voting {
			text = bot.Glue("Your table is open, and its seats are taken.")
			break
		}
		text = bot.Glue("Your table is open. The game starts when all its seats are taken, or with ", bot.Code("/start"), ".")
	case game.Joined:
		if bot.IsRobot(f.Person.ID) {
			text = bot.Glue(bot.Name(f.Person), " sits down at your table.")
			break
		}
		text = bot.Glue("You have a seat. The game starts when all seats are taken, or with ", bot.Code("/start"), ".")
	case game.Adopted: // by a robot; a person is shown the rack
		text = bot.Glue(bot.Name(f.Person), " plays on in that seat.")
	case game.Left:
		text = bot.Glue("You have left the table.")
	case game.Played:
		text = bot.Glue("You play ", words.PlainWord(t.Equipment.Tiles, f.Words[0].Tiles), " for ", words.Count(f.Score, "point"), ".")
	case game.Exchanged:
		r, err = toldIfStuck(h, h.ShowRack(ctx, t, seat, o.Request), t, seat) // the same tiles came back
		return r, true, err
	case game.Passed:
		text = bot.Glue("You pass.")
	case game.Accepted:
		text = bot.Glue("You let the last play stand.")
	case game.Resigned:
		text = bot.Glue("You have resigned. Thank you for playing.")
	case game.Agreed:
		text = bot.Glue("You agree to end the game here.")
		if len(t.Seats) == 1 || !t.Rules.Agreement {
			text = bot.Glue("You end the game here.")
		}
	case game.Challenged:
		text = bot.Glue("You challenged rightly: ", words.NotWords(t.Equipment.Tiles, f.Invalid), " not in the word list.")
		if len(f.Invalid) == 0 {
			text = bot.Glue("You challenged, but ", words.WordList(t.Equipment.Tiles, f.Words), words.Verb(len(f.Words), " is", " are"), " in the word list.")
		}
	}
	if told, ok := t.Variant.Told(o.Before.State, o.Fact); ok && told.Reply != nil {
		text = told.Reply
	}
	if t.End != nil {
		text = bot.Glue(text, " The game is over: ", words.Caption(t), ".")
	}
	r = bot.Reply{Text: text}
	if _, passed := o.Fact.(game.Passed); passed && seated {
		r, err = toldIfStuck(h, r, t, seat)
	}
	return r, true, err
}
