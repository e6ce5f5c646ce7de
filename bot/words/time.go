package words

import (
	"fmt"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
)

// ClockNote is what a player's card says of their clock: as it stood when the
// turn began. Where there is room for the first word alone, that tells enough.
func ClockNote(s game.State, seat int) string {
	if !s.Ticks() {
		return ""
	}
	left := s.Left(seat, 0)
	if left < 0 {
		return "−" + minutes(-left) + " over"
	}
	return minutes(left) + " left"
}

// clockLine says how much time the player to move has.
func clockLine(t table.Table) bot.Text {
	c := t.Rules.Clock
	if !t.Ticks() {
		return nil
	}
	left := t.Left(t.Turn, 0)
	if left > 0 {
		return bot.Glue("Your clock has ", minutes(left), ", and runs from now.")
	}
	if left == 0 || -left == c.Limit {
		return nil // no more than that, to the moment
	}
	line := bot.Glue("Your clock is over: ", Count(game.StartedMinutes(-left), "minute"), " begun")
	if c.Penalty > 0 {
		line = bot.Glue(line, ", at ", c.Penalty, " points each")
	}
	switch limit := Count(int(c.Limit.Minutes()), "minute"); {
	case c.Limit == 0:
		return bot.Glue(line, ".")
	case c.Loses:
		return bot.Glue(line, ". At more than ", limit, " you lose the game.")
	default:
		return bot.Glue(line, ". At more than ", limit, " the game ends.")
	}
}

// clockSetting is what a table's clock is, for the line of its settings.
func clockSetting(c game.Clock) string {
	s := fmt.Sprintf("a clock of %d minutes each", int(c.Time.Minutes()))
	if c.Penalty > 0 {
		s += fmt.Sprintf(", %d points off for each minute begun after them", c.Penalty)
	}
	switch limit := int(c.Limit.Minutes()); {
	case c.Limit == 0:
	case c.Loses:
		s += fmt.Sprintf(", a player who takes more than %d more loses", limit)
	default:
		s += fmt.Sprintf(", more than %d more end the game", limit)
	}
	return s
}

// overtimeLine tells whose time ended the game.
func overtimeLine(s game.State) bot.Text {
	limit := Count(int(s.Rules.Clock.Limit.Minutes()), "minute")
	for i, seat := range s.Seats {
		if s.LostOnTime(i) {
			return bot.Glue(seat.Person.Name, " is more than ", limit, " over the time and loses: the game ends.")
		}
	}
	return bot.Glue("More than ", limit, " over the time: the game ends.")
}

// overtimeLines tell of the points off at the end.
func overtimeLines(s game.State, f game.Ended) []bot.Text {
	var lines []bot.Text
	for i, points := range f.Overtime {
		if points > 0 {
			lines = append(lines, bot.Glue(s.Seats[i].Person.Name, " was over by ", Count(game.StartedMinutes(-s.Left(i, 0)), "minute"), " begun and loses ", Count(points, "point"), "."))
		}
	}
	return lines
}

// minutes is a length of time as clocks show it: "24:05".
func minutes(d time.Duration) string {
	seconds := int(d.Round(time.Second).Seconds())
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// paceWords say a pace in the settings of a table.
func paceWords(p game.Pace) []string {
	if p.Turn == 0 {
		return nil
	}
	parts := []string{Lasting(p.Turn).String() + " a turn"}
	if p.Bank > 0 {
		parts[0] += ", and " + Lasting(p.Bank).String() + " more for each player's whole game"
	}
	if p.Weekend != nil {
		parts = append(parts, "weekends in "+p.Weekend.String()+" don't count")
	}
	switch {
	case p.Late.Passes:
		parts = append(parts, "a late turn is passed")
	case p.Late.Loses:
		parts = append(parts, "a late player loses")
	default:
		parts = append(parts, "a late player's game may be claimed")
	}
	return parts
}

// Lasting is a time in words: "3 days", "36 hours".
func Lasting(d time.Duration) bot.Text {
	if d%(24*time.Hour) == 0 {
		return bot.Say("{n, plural, one {# day} other {# days}}", int(d/(24*time.Hour)))
	}
	return bot.Say("{n, plural, one {# hour} other {# hours}}", int(d/time.Hour))
}

// paceSentence tells of an event that has to do with time.
func paceSentence(before game.State, e game.Event) bot.Text {
	who := func(seat int) bot.Span { return bot.Name(before.Seats[seat].Person) }
	switch f := e.Fact.(type) {
	case game.TimedOut:
		if before.Pace.Turn == 0 {
			return bot.Glue(who(f.Seat), " has not moved for a week.")
		}
		return bot.Glue("The time for ", who(f.Seat), "'s turn is up.")
	case game.Claimed:
		return bot.Glue(who(f.By), " claims the game, for ", who(f.Seat), " is gone.")
	case game.Waited:
		return bot.Glue(who(f.By), " will wait: the turn has its whole time again.")
	case game.WentAway:
		return bot.Glue(who(f.Seat), " is away until ", Clock(f.Until), ". Their clock stands until then.")
	case game.CameBack:
		return bot.Glue(who(f.Seat), " is back.")
	case game.Resigned:
		if before.Seats[f.Seat].Vacant {
			return nil
		}
		return bot.Glue(who(f.Seat), " is out of the game.")
	case game.Vacated:
		return bot.Glue(who(f.Seat), "'s seat is free: ", bot.Code("/adopt"), " takes it over, with its tiles and its score.")
	case game.Adopted:
		if f.Person.ID == before.Seats[f.Seat].Person.ID {
			return bot.Glue(bot.Name(f.Person), " is back in the game.")
		}
		return bot.Glue(bot.Name(f.Person), " plays on for ", who(f.Seat), ".")
	}
	return nil
}

// Until is how a sentence about the turn goes on: when its time is up.
func Until(s game.State) bot.Text {
	if at, ok := s.Deadline(); ok {
		return bot.Glue(" until ", Clock(at))
	}
	return nil
}

// lateLine says what the others can do when a player has gone; nil where none
// has. now is the table today, and began says that it has just come to this.
func lateLine(t table.Table, began bool, now game.State) bot.Text {
	if !t.Claimable() || !now.Claimable() {
		return nil
	}
	var who []bot.Text
	for _, i := range t.Active() {
		if i == t.Turn && len(t.Active()) > 1 {
			continue
		}
		called := bot.Name(t.Seats[i].Person)
		called.Notify = began
		who = append(who, bot.Glue(called))
	}
	line := bot.Glue(ListingOf(who), ": ", bot.Code("/claim"), " takes the game")
	if t.Late {
		line = bot.Glue(line, ", ", bot.Code("/wait"), " gives ", bot.Name(t.Seats[t.Turn].Person), " the time again")
	}
	return bot.Glue(line, ".")
}

// NotLate says why the game can't be claimed.
func NotLate(t table.Table, req bot.Request) bot.Text {
	if t.Phase != game.Playing {
		return bot.Glue("No turn is late here. ", bot.Code("/board"), " shows how things stand.")
	}
	if seat, _ := t.SeatOf(req.User.ID); seat == t.Turn {
		return bot.Glue("It's your own turn. Make your move, or ", bot.Code("/pass"), ".")
	}
	who := bot.Name(t.Seats[t.Turn].Person)
	if at, ok := t.Deadline(); ok {
		return bot.Glue(who, " has time until ", Clock(at), ". Please wait.")
	}
	if at, ok := t.Expires(); ok {
		return bot.Glue(who, " has not been gone for long enough. From ", Clock(at), " on you can ", bot.Code("/claim"), " the game.")
	}
	return bot.Glue("No turn is late here. ", bot.Code("/board"), " shows how things stand.")
}

// PaceAnswer is what a person is told of something that they did about
// time; nil for all else.
func PaceAnswer(f game.Fact) bot.Text {
	switch f := f.(type) {
	case game.Claimed:
		return bot.Glue("You claim the game.")
	case game.Waited:
		return bot.Glue("You go on waiting. The turn has its whole time again.")
	case game.WentAway:
		return bot.Glue("You are away until ", Clock(f.Until), ".")
	case game.CameBack:
		return bot.Glue("Welcome back.")
	}
	return nil
}
