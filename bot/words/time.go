package words

import (
	"fmt"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// ClockNote returns the note about a player's clock on their card: the time left when the
// turn began, with a minus sign if it has run out. The first word alone tells enough if
// there is little room.
func ClockNote(s game.State, seat int) text.Text {
	if !s.Ticks() {
		return nil
	}
	left := s.Left(seat, 0)
	if left < 0 {
		return text.Plain("−" + minutes(-left))
	}
	return text.Say("{time} left", minutes(left))
}

// clockLine states how much time the player to move has.
func clockLine(t table.Table) text.Text {
	c := t.Rules.Clock
	if !t.Ticks() {
		return nil
	}
	left := t.Left(t.Turn, 0)
	if left > 0 {
		return text.Say("Your clock has {minutes} left, and starts now.", minutes(left))
	}
	if left == 0 || -left == c.Limit {
		return nil // exactly at the limit
	}
	what := "stop"
	switch {
	case c.Limit == 0:
		what = "none"
	case c.Loses:
		what = "lose"
	}
	return text.Say("You're over time by up to {begun, plural, one {# minute} other {# minutes}}{penalty, plural, =0 {} one {, at # point each} other {, at # points each}}.{what, select, none {} lose { If you go more than {limit, plural, one {# minute} other {# minutes}} over, you lose the game.} other { If you go more than {limit, plural, one {# minute} other {# minutes}} over, the game ends.}}",
		game.StartedMinutes(-left), c.Penalty, what, int(c.Limit.Minutes()))
}

// ClockSetting describes a table's clock for the line of its settings.
func ClockSetting(c game.Clock) text.Text {
	limit := int(c.Limit.Minutes())
	each := text.Say("{n, plural, one {# minute} other {# minutes}} each", int(c.Time.Minutes()))
	if c.Time%time.Minute != 0 {
		each = text.Say("{time} each", minutes(c.Time))
	}
	parts := []text.Text{each}
	if c.Increment > 0 {
		parts = append(parts, text.Item("{n, plural, one {# second} other {# seconds}} extra for each turn", int(c.Increment.Seconds())))
	}
	if c.Penalty > 0 {
		parts = append(parts, text.Say("{n, plural, one {# point} other {# points}} off for each minute over, or part of one", c.Penalty))
	}
	switch {
	case !c.CanEndGame() || c.Limit == 0: // as with any clock, who runs out of time loses
	case c.Loses:
		parts = append(parts, text.Item("whoever goes more than {n} over loses", limit))
	default:
		parts = append(parts, text.Item("going more than {n} over ends the game", limit))
	}
	return text.Join(parts, ", ")
}

// overtimeLine names the player whose time ended the game.
func overtimeLine(s game.State) text.Text {
	limit := int(s.Rules.Clock.Limit.Minutes())
	for i, seat := range s.Seats {
		if s.HasLostOnTime(i) {
			if limit == 0 {
				return text.Say("{who} has run out of time and loses.", text.PlainName(seat.Person))
			}
			return text.Say("{who} is more than {limit, plural, one {# minute} other {# minutes}} over time and loses.", text.PlainName(seat.Person), limit)
		}
	}
	return text.Say("That's more than {limit, plural, one {# minute} other {# minutes}} over, so the game ends.", limit)
}

// overtimeLines describes the penalties for overtime at the end.
func overtimeLines(s game.State, f game.Ended) []text.Text {
	var lines []text.Text
	for i, points := range f.Overtime {
		if points > 0 {
			lines = append(lines, text.Say("{who} went over time by up to {begun, plural, one {# minute} other {# minutes}} and loses {n, plural, one {# point} other {# points}}.", text.PlainName(s.Seats[i].Person), game.StartedMinutes(-s.Left(i, 0)), points))
		}
	}
	return lines
}

// minutes formats a duration as clocks show it: "24:05".
func minutes(d time.Duration) string {
	seconds := int(d.Round(time.Second).Seconds())
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// paceWords describes a pace for the line of a table's settings.
func paceWords(p game.Pace) []text.Text {
	if p.Turn == 0 {
		return nil
	}
	parts := []text.Text{text.Say("{time} a turn", FormatDuration(p.Turn))}
	if p.Bank > 0 {
		parts = append(parts, text.Item("plus {time} for each player's whole game", FormatDuration(p.Bank)))
	}
	if p.Weekend != nil {
		parts = append(parts, text.Item("weekends in {zone} don't count", p.Weekend.String()))
	}
	switch {
	case p.Late.Passes:
		return append(parts, text.Item("a late turn is passed"))
	case p.Late.Loses:
		return append(parts, text.Item("a late player loses"))
	}
	return append(parts, text.Item("a late player's game can be claimed"))
}

// FormatDuration formats a duration: "3 days", "36 hours", "10 minutes".
func FormatDuration(d time.Duration) text.Text {
	switch {
	case d%(24*time.Hour) == 0:
		return text.Say("{n, plural, one {# day} other {# days}}", int(d/(24*time.Hour)))
	case d < time.Hour:
		return text.Say("{n, plural, one {# minute} other {# minutes}}", int(d/time.Minute))
	}
	return text.Say("{n, plural, one {# hour} other {# hours}}", int(d/time.Hour))
}

// paceSentence describes an event that concerns time.
func paceSentence(before game.State, e game.Event) text.Text {
	who := func(seat int) text.Span { return text.Name(before.Seats[seat].Person) }
	switch f := e.Fact.(type) {
	case game.TimedOut:
		if before.Pace.Turn == 0 {
			return text.Say("{who} hasn't moved for a week.", who(f.Seat))
		}
		return text.Say("The time for {who}'s turn is up.", who(f.Seat))
	case game.Claimed:
		return text.Say("{who} claims the game, since {gone} is gone.", who(f.By), who(f.Seat))
	case game.Waited:
		return text.Say("{who} will wait: the turn's clock starts again.", who(f.By))
	case game.WentAway:
		return text.Say("{who} is away until {time}. Their clock is paused until then.", who(f.Seat), Clock(f.Until))
	case game.CameBack:
		return text.Say("{who} is back.", who(f.Seat))
	case game.Resigned:
		if before.Seats[f.Seat].Vacant {
			return nil
		}
		return text.Say("{who} is out of the game.", who(f.Seat))
	case game.Vacated:
		return text.Say("{who}'s seat is free: {adopt} takes it over, with its tiles and its score.", who(f.Seat), text.Code("/adopt"))
	case game.Adopted:
		if f.Person.ID == before.Seats[f.Seat].Person.ID {
			return text.Say("{who} is back in the game.", text.Name(f.Person))
		}
		return text.Say("{who} plays on for {gone}.", text.Name(f.Person), who(f.Seat))
	}
	return nil
}

// lateLine explains what the others can do about a player who has gone, or returns nil. now
// is the table today, and began reports whether these events brought it about.
func lateLine(t table.Table, began bool, now game.State) text.Text {
	if !t.Claimable() || !now.Claimable() {
		return nil
	}
	var who []text.Span
	for _, i := range t.Active() {
		if i == t.Turn && len(t.Active()) > 1 {
			continue
		}
		called := text.Name(t.Seats[i].Person)
		called.Notify = began
		who = append(who, called)
	}
	if t.Late {
		return text.Say("{who}: {claim} takes the game, {wait} gives {late} more time.", text.List(who), text.Code("/claim"), text.Code("/wait"), text.Name(t.Seats[t.Turn].Person))
	}
	return text.Say("{who}: {claim} takes the game.", text.List(who), text.Code("/claim"))
}

// NotLate explains why the game can't be claimed.
func NotLate(t table.Table, req bot.Request) text.Text {
	if t.Phase != game.Playing {
		return text.Say("Nobody is late here. {board} shows how things stand.", text.Code("/board"))
	}
	if seat, _ := t.SeatOf(req.User.ID); seat == t.Turn {
		return text.Say("It's your own turn. Make your move, or {pass}.", text.Code("/pass"))
	}
	who := text.Name(t.Seats[t.Turn].Person)
	if at, ok := t.Deadline(); ok {
		return text.Say("{who} has until {time}. Please wait.", who, Clock(at))
	}
	if at, ok := t.Expires(); ok {
		return text.Say("{who} hasn't been gone long enough. From {time} you can {claim} the game.", who, Clock(at), text.Code("/claim"))
	}
	return text.Say("Nobody is late here. {board} shows how things stand.", text.Code("/board"))
}

// PaceAnswer returns the reply to a player's action that concerns time, or nil for other
// actions.
func PaceAnswer(f game.Fact) text.Text {
	switch f := f.(type) {
	case game.Claimed:
		return text.Say("You claim the game.")
	case game.Waited:
		return text.Say("You gave them more time: the turn's clock starts again.")
	case game.WentAway:
		return text.Say("You're away until {time}.", Clock(f.Until))
	case game.CameBack:
		return text.Say("Welcome back.")
	}
	return nil
}
