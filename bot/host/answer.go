package host

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// answer is what a person whose request changed the table is told in private:
// everybody reads what happened; the rack is theirs alone.
func (h *Host) answer(ctx context.Context, t table.Table, from int, req bot.Request) (bot.Reply, error) {
	before, err := t.At(from)
	if err != nil {
		return bot.Reply{}, err
	}
	seat, seated := t.SeatOf(req.User.ID)
	if seated && !t.Seats[seat].Out && t.Phase != game.Over && racksOf(before.State)[req.User.ID] != racksOf(t.State)[req.User.ID] {
		return h.ToldIfStuck(h.ShowRack(ctx, t, seat, req), t, seat)
	}
	if _, timed := t.Events[from].Fact.(game.Timed); timed && from+1 < len(t.Events) {
		from++
	}
	for _, f := range h.Parts {
		if f.Answer == nil {
			continue
		}
		if r, ok, err := f.Answer(ctx, h, t, seat, t.Events[from].Fact, req); ok || err != nil {
			return r, err
		}
	}
	text := bot.Say("Done.")
	if said := words.PaceAnswer(t.Events[from].Fact); said != nil {
		text = said
	}
	switch f := t.Events[from].Fact.(type) {
	case game.Opened:
		if t.Phase == game.Voting {
			text = bot.Say("Your table is open, and its seats are taken.")
			break
		}
		text = bot.Say("Your table is open. The game starts when all its seats are taken, or with ", bot.Code("/start"), ".")
	case game.Joined:
		if bot.IsRobot(f.Person.ID) {
			text = bot.Say(bot.Name(f.Person), " sits down at your table.")
			break
		}
		text = bot.Say("You have a seat. The game starts when all seats are taken, or with ", bot.Code("/start"), ".")
	case game.Adopted: // by a robot; a person is shown the rack
		text = bot.Say(bot.Name(f.Person), " plays on in that seat.")
	case game.Left:
		text = bot.Say("You have left the table.")
	case game.Played:
		text = bot.Say("You play ", words.PlainWord(t.Equipment.Tiles, f.Words[0].Tiles), " for ", words.Count(f.Score, "point"), ".")
	case game.Exchanged:
		return h.ToldIfStuck(h.ShowRack(ctx, t, seat, req), t, seat) // the same tiles came back
	case game.Passed:
		text = bot.Say("You pass.")
	case game.Accepted:
		text = bot.Say("You let the last play stand.")
	case game.Resigned:
		text = bot.Say("You have resigned. Thank you for playing.")
	case game.Agreed:
		text = bot.Say("You agree to end the game here.")
		if len(t.Seats) == 1 || !t.Rules.Agreement {
			text = bot.Say("You end the game here.")
		}
	case game.Challenged:
		text = bot.Say("You challenged rightly: ", words.NotWords(t.Equipment.Tiles, f.Invalid), " not in the word list.")
		if len(f.Invalid) == 0 {
			text = bot.Say("You challenged, but ", words.WordList(t.Equipment.Tiles, f.Words), words.Verb(len(f.Words), " is", " are"), " in the word list.")
		}
	}
	if told, ok := t.Variant.Told(before.State, t.Events[from].Fact); ok && told.Reply != nil {
		text = told.Reply
	}
	if t.End != nil {
		text = bot.Say(text, " The game is over: ", words.Caption(t), ".")
	}
	if _, passed := t.Events[from].Fact.(game.Passed); passed && seated {
		return h.ToldIfStuck(bot.Reply{Text: text}, t, seat)
	}
	return bot.Reply{Text: text}, nil
}
