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
func ClockNote(s game.State, seat int) bot.Text {
	if !s.Ticks() {
		return nil
	}
	left := s.Left(seat, 0)
	if left < 0 {
		return bot.Say("−{time} over", minutes(-left))
	}
	return bot.Say("{time} left", minutes(left))
}

// clockLine says how much time the player to move has.
func clockLine(t table.Table) bot.Text {
	c := t.Rules.Clock
	if !t.Ticks() {
		return nil
	}
	left := t.Left(t.Turn, 0)
	if left > 0 {
		return bot.Say("Your clock has {minutes}, and runs from now.", minutes(left))
	}
	if left == 0 || -left == c.Limit {
		return nil // no more than that, to the moment
	}
	what := "stop"
	switch {
	case c.Limit == 0:
		what = "none"
	case c.Loses:
		what = "lose"
	}
	return bot.Say("Your clock is over: {begun, plural, one {# minute} other {# minutes}} begun"+
		"{penalty, plural, =0 {} one {, at # point each} other {, at # points each}}."+
		"{what, select, none {} lose { At more than {limit, plural, one {# minute} other {# minutes}} you lose the game.}"+
		" other { At more than {limit, plural, one {# minute} other {# minutes}} the game ends.}}",
		game.StartedMinutes(-left), c.Penalty, what, int(c.Limit.Minutes()))
}

// clockSetting is what a table's clock is, for the line of its settings.
func clockSetting(c game.Clock) bot.Text {
	limit := int(c.Limit.Minutes())
	parts := []bot.Text{bot.Item("a clock of {n, plural, one {# minute} other {# minutes}} each", int(c.Time.Minutes()))}
	if c.Penalty > 0 {
		parts = append(parts, bot.Say("{n, plural, one {# point} other {# points}} off for each minute begun after them", c.Penalty))
	}
	switch {
	case c.Limit == 0:
	case c.Loses:
		parts = append(parts, bot.Item("a player who takes more than {n} more loses", limit))
	default:
		parts = append(parts, bot.Item("more than {n} more end the game", limit))
	}
	return bot.Joined(parts, ", ")
}

// overtimeLine tells whose time ended the game.
func overtimeLine(s game.State) bot.Text {
	limit := int(s.Rules.Clock.Limit.Minutes())
	for i, seat := range s.Seats {
		if s.LostOnTime(i) {
			return bot.Say("{who} is more than {limit, plural, one {# minute} other {# minutes}} over the time and loses: the game ends.", bot.Called(seat.Person), limit)
		}
	}
	return bot.Say("More than {limit, plural, one {# minute} other {# minutes}} over the time: the game ends.", limit)
}

// overtimeLines tell of the points off at the end.
func overtimeLines(s game.State, f game.Ended) []bot.Text {
	var lines []bot.Text
	for i, points := range f.Overtime {
		if points > 0 {
			lines = append(lines, bot.Say("{who} was over by {begun, plural, one {# minute} other {# minutes}} begun and loses {n, plural, one {# point} other {# points}}.", bot.Called(s.Seats[i].Person), game.StartedMinutes(-s.Left(i, 0)), points))
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
func paceWords(p game.Pace) []bot.Text {
	if p.Turn == 0 {
		return nil
	}
	parts := []bot.Text{bot.Say("{time} a turn", Lasting(p.Turn))}
	if p.Bank > 0 {
		parts = append(parts, bot.Item("and {time} more for each player's whole game", Lasting(p.Bank)))
	}
	if p.Weekend != nil {
		parts = append(parts, bot.Item("weekends in {zone} don't count", p.Weekend.String()))
	}
	switch {
	case p.Late.Passes:
		return append(parts, bot.Item("a late turn is passed"))
	case p.Late.Loses:
		return append(parts, bot.Item("a late player loses"))
	}
	return append(parts, bot.Item("a late player's game may be claimed"))
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
			return bot.Say("{who} has not moved for a week.", who(f.Seat))
		}
		return bot.Say("The time for {who}'s turn is up.", who(f.Seat))
	case game.Claimed:
		return bot.Say("{who} claims the game, for {gone} is gone.", who(f.By), who(f.Seat))
	case game.Waited:
		return bot.Say("{who} will wait: the turn has its whole time again.", who(f.By))
	case game.WentAway:
		return bot.Say("{who} is away until {time}. Their clock stands until then.", who(f.Seat), Clock(f.Until))
	case game.CameBack:
		return bot.Say("{who} is back.", who(f.Seat))
	case game.Resigned:
		if before.Seats[f.Seat].Vacant {
			return nil
		}
		return bot.Say("{who} is out of the game.", who(f.Seat))
	case game.Vacated:
		return bot.Say("{who}'s seat is free: {adopt} takes it over, with its tiles and its score.", who(f.Seat), bot.Code("/adopt"))
	case game.Adopted:
		if f.Person.ID == before.Seats[f.Seat].Person.ID {
			return bot.Say("{who} is back in the game.", bot.Name(f.Person))
		}
		return bot.Say("{who} plays on for {gone}.", bot.Name(f.Person), who(f.Seat))
	}
	return nil
}

// lateLine says what the others can do when a player has gone; nil where none
// has. now is the table today, and began says that it has just come to this.
func lateLine(t table.Table, began bool, now game.State) bot.Text {
	if !t.Claimable() || !now.Claimable() {
		return nil
	}
	var who []bot.Span
	for _, i := range t.Active() {
		if i == t.Turn && len(t.Active()) > 1 {
			continue
		}
		called := bot.Name(t.Seats[i].Person)
		called.Notify = began
		who = append(who, called)
	}
	if t.Late {
		return bot.Say("{who}: {claim} takes the game, {wait} gives {late} the time again.", bot.List(who), bot.Code("/claim"), bot.Code("/wait"), bot.Name(t.Seats[t.Turn].Person))
	}
	return bot.Say("{who}: {claim} takes the game.", bot.List(who), bot.Code("/claim"))
}

// NotLate says why the game can't be claimed.
func NotLate(t table.Table, req bot.Request) bot.Text {
	if t.Phase != game.Playing {
		return bot.Say("No turn is late here. {board} shows how things stand.", bot.Code("/board"))
	}
	if seat, _ := t.SeatOf(req.User.ID); seat == t.Turn {
		return bot.Say("It's your own turn. Make your move, or {pass}.", bot.Code("/pass"))
	}
	who := bot.Name(t.Seats[t.Turn].Person)
	if at, ok := t.Deadline(); ok {
		return bot.Say("{who} has time until {time}. Please wait.", who, Clock(at))
	}
	if at, ok := t.Expires(); ok {
		return bot.Say("{who} has not been gone for long enough. From {time} on you can {claim} the game.", who, Clock(at), bot.Code("/claim"))
	}
	return bot.Say("No turn is late here. {board} shows how things stand.", bot.Code("/board"))
}

// PaceAnswer is what a person is told of something that they did about
// time; nil for all else.
func PaceAnswer(f game.Fact) bot.Text {
	switch f := f.(type) {
	case game.Claimed:
		return bot.Say("You claim the game.")
	case game.Waited:
		return bot.Say("You go on waiting. The turn has its whole time again.")
	case game.WentAway:
		return bot.Say("You are away until {time}.", Clock(f.Until))
	case game.CameBack:
		return bot.Say("Welcome back.")
	}
	return nil
}
