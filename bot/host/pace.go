package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// This file is about how long turns may take in games that live for days: what
// /new takes for it, the timers that end late turns, and what can be done about
// players who have gone.

type namedPace struct {
	value, label string
	turn         time.Duration
}

// paces are those that /new offers.
func paces() []namedPace {
	const day = 24 * time.Hour
	return []namedPace{
		{"none", "As long as it takes", 0}, {"12h", "12 hours", 12 * time.Hour}, {"1d", "1 day", day},
		{"3d", "3 days", 3 * day}, {"5d", "5 days", 5 * day}, {"7d", "7 days", 7 * day},
	}
}

func paceOptions() []bot.Option {
	var choices []bot.Choice
	for _, p := range paces() {
		choices = append(choices, bot.Choice{Value: p.value, Label: p.label})
	}
	return []bot.Option{
		{Name: "pace", Help: "How long a turn may take", Kind: bot.Pick, Choices: choices},
		{Name: "bank", Help: "Time that each player has besides, for the whole game", Kind: bot.Pick, Choices: slices.Concat([]bot.Choice{{Value: "none", Label: "None"}}, choices[1:])},
		{Name: "weekend", Help: "Whether Saturdays and Sundays count, in your time zone", Kind: bot.Pick, Choices: []bot.Choice{{Value: "counts", Label: "They count"}, {Value: "free", Label: "They don't count"}}},
		{Name: "late", Help: "What becomes of a turn whose time is up", Kind: bot.Pick, Choices: []bot.Choice{
			{Value: "pass", Label: "It is passed"}, {Value: "claim", Label: "The opponents may claim the game, or go on waiting"}, {Value: "forfeit", Label: "The player loses the game"},
		}},
	}
}

// readPace reads the options of /new that are about time.
func readPace(_ *Host, o *opening) (err error) {
	zone, ok := zoneNamed(o.Request.Zone)
	if !ok {
		zone = time.UTC
	}
	o.Pace, err = paceFor(o.Request.Args, zone)
	return err
}

// paceFor is the pace that /new's options ask for. Weekends are those of zone.
func paceFor(args map[string]string, zone *time.Location) (p game.Pace, err error) {
	if p.Turn, err = paceNamed("pace", args["pace"]); err != nil {
		return p, err
	}
	if p.Bank, err = paceNamed("bank", args["bank"]); err != nil {
		return p, err
	}
	switch v := args["weekend"]; v {
	case "", "counts":
	case "free":
		p.Weekend = zone
	default:
		return p, badChoice("weekend", v)
	}
	p.Late = game.LateClaim
	if v := args["late"]; v != "" {
		var ok bool
		if p.Late, ok = game.ParseLate(v); !ok {
			return p, badChoice("late", v)
		}
	}
	if p.Turn > 0 {
		return p, nil
	}
	for _, option := range []string{"bank", "weekend", "late"} {
		if args[option] != "" && args[option] != "none" && args[option] != "counts" {
			return p, refusing("Without a ", bot.Code("pace"), " no turn is ever late, so there is no ", bot.Code(option), ". Choose a pace too: ", bot.Code("/new pace:3d"), ".")
		}
	}
	return game.Pace{}, nil
}

func paceNamed(option, value string) (time.Duration, error) {
	for _, p := range paces() {
		if value == p.value || value == "" {
			return p.turn, nil
		}
	}
	return 0, badChoice(option, value)
}

// paceWords say a pace in the settings of a table.
func paceWords(p game.Pace) []string {
	if p.Turn == 0 {
		return nil
	}
	parts := []string{lasting(p.Turn) + " a turn"}
	if p.Bank > 0 {
		parts[0] += ", and " + lasting(p.Bank) + " more for each player's whole game"
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

// lasting is a time in words: "3 days", "36 hours".
func lasting(d time.Duration) string {
	if d%(24*time.Hour) == 0 {
		return count(int(d/(24*time.Hour)), "day")
	}
	return count(int(d/time.Hour), "hour")
}

// watchKind is the kind of the timers that look whether a turn is late.
const watchKind = "watch"

// lookAt is when a game's host must look at it next, if nothing happens before.
func lookAt(s game.State) (time.Time, bool) {
	if at, ok := s.Expires(); ok {
		return at, true
	}
	return s.Forsaken()
}

// watches are the timers that a change of a table asks for. In a game without a
// pace most turns need none: the one before falls due before this one does,
// and sets another.
func watches(before, after game.State) []bot.Timer {
	at, ok := lookAt(after)
	if !ok {
		return nil
	}
	was, watched := lookAt(before)
	sameTurn := before.Turn == after.Turn && before.Turns == after.Turns
	if watched && (was.Equal(at) && sameTurn || after.Pace.Turn == 0 && !before.Late && !after.Late && !at.Before(was)) {
		return nil
	}
	return []bot.Timer{{At: at, Kind: watchKind, Number: after.Number}}
}

// sameTurn reports whether a table's turn is the one that it was when it had n
// events.
func (t table) sameTurn(n int) bool {
	then, err := t.at(min(n, len(t.Events)))
	return err == nil && t.Phase == game.Playing && then.Phase == game.Playing && then.Turn == t.Turn && then.Turns == t.Turns && then.Began.Equal(t.Began)
}

// lookAtTurn ends a turn that is late, and a game that everybody has left lying.
func (h *Host) lookAtTurn(ctx context.Context, timer bot.Timer) error {
	return h.atTable(ctx, timer, func(r *bot.Room, t table, env game.Env) error {
		at, ok := lookAt(t.State)
		if !ok || t.Pace.Turn > 0 && !t.sameTurn(timer.Number) {
			return nil // another timer looks at that turn
		}
		if at.After(env.Now) {
			r.Timers = append(r.Timers, bot.Timer{At: at, Kind: watchKind, Number: t.Number})
			r.File = &bot.Receipt{From: t.Number, To: t.Number}
			return nil
		}
		var action game.Action = game.Expire{}
		if end, _ := t.Forsaken(); !end.After(env.Now) {
			action = game.Forsake{}
		}
		done, err := game.Decide(t.State, game.Person{}, action, env)
		if err != nil {
			return err
		}
		h.fill(r, t, "", done)
		return nil
	})
}

func (h *Host) claim(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return h.change(ctx, req, whileLate(req, game.Claim{}))
}

func (h *Host) waitOn(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return h.change(ctx, req, whileLate(req, game.WaitOn{}))
}

// whileLate is the intent of a button that is for the late turn that the person
// saw.
func whileLate(req bot.Request, a game.Action) intent {
	return func(t table) (game.Action, error) {
		if req.Number != 0 && t.Phase == game.Playing && !t.sameTurn(req.Number) {
			return nil, outOfDate()
		}
		return a, nil
	}
}

func (h *Host) adopt(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return h.change(ctx, req, always(game.Adopt{}))
}

// lateButtons are those that a message has besides when a player has gone.
func lateButtons(t table) []bot.Button {
	var b []bot.Button
	if slices.ContainsFunc(t.Seats, func(s game.Seat) bool { return s.Vacant }) {
		b = append(b, t.button("Take the free seat", "adopt", bot.Primary, nil))
		if robotsKnow(t.Rules) {
			b = append(b, t.button("Give it to a robot", "adopt", bot.Ordinary, map[string]string{"robot": askFirst}))
		}
	}
	if t.Claimable() {
		b = append(b, t.button("Claim the game", "claim", bot.Danger, nil))
	}
	if t.Late {
		b = append(b, t.button("Go on waiting", "wait", bot.Ordinary, nil))
	}
	return b
}

// MemberLeft is for adapters to say that somebody has left a home; see
// Request.Home. The seats that they have there are free for others.
func (h *Host) MemberLeft(ctx context.Context, home string, who game.PlayerID) error {
	tables, err := h.Store.Playing(ctx, who)
	if err != nil {
		return fmt.Errorf("list games: %w", err)
	}
	var failed []error
	for _, id := range tables {
		failed = append(failed, h.vacate(ctx, id, home, who))
	}
	return errors.Join(failed...)
}

func (h *Host) vacate(ctx context.Context, id bot.TableID, home string, who game.PlayerID) error {
	ch, events, err := h.Store.Events(ctx, id, -1)
	if err != nil {
		return err
	}
	if at, err := h.homeOf(ctx, ch); err != nil || at != home {
		return err
	}
	// They may come back and leave again: another request.
	cause := fmt.Sprintf("left:%d:%d", id, len(events))
	err = h.Store.Update(ctx, ch, cause, func(r *bot.Room) error {
		t, err := h.tableOf(ch, r.Table, r.Events)
		if err != nil || r.Receipt != nil || t.ID != id {
			return err
		}
		done, err := game.Decide(t.State, game.Person{}, game.Vacate{Player: who}, game.Env{Now: h.Now(), Cause: cause})
		if isMistake(err) {
			return nil // the last play is made, or they are out already
		}
		if err != nil {
			return err
		}
		h.fill(r, t, "", done)
		return nil
	})
	if err == nil {
		h.committed(ch)
	}
	return err
}

// paceSentence tells of an event that has to do with time.
func paceSentence(before game.State, e game.Event) bot.Text {
	who := func(seat int) bot.Span { return bot.Name(before.Seats[seat].Person) }
	switch f := e.Fact.(type) {
	case game.TimedOut:
		if before.Pace.Turn == 0 {
			return bot.Say(who(f.Seat), " has not moved for a week.")
		}
		return bot.Say("The time for ", who(f.Seat), "'s turn is up.")
	case game.Claimed:
		return bot.Say(who(f.By), " claims the game, for ", who(f.Seat), " is gone.")
	case game.Waited:
		return bot.Say(who(f.By), " will wait: the turn has its whole time again.")
	case game.WentAway:
		return bot.Say(who(f.Seat), " is away until ", clock(f.Until), ". Their clock stands until then.")
	case game.CameBack:
		return bot.Say(who(f.Seat), " is back.")
	case game.Resigned:
		if before.Seats[f.Seat].Vacant {
			return nil
		}
		return bot.Say(who(f.Seat), " is out of the game.")
	case game.Vacated:
		return bot.Say(who(f.Seat), "'s seat is free: ", bot.Code("/adopt"), " takes it over, with its tiles and its score.")
	case game.Adopted:
		if f.Person.ID == before.Seats[f.Seat].Person.ID {
			return bot.Say(bot.Name(f.Person), " is back in the game.")
		}
		return bot.Say(bot.Name(f.Person), " plays on for ", who(f.Seat), ".")
	}
	return nil
}

// until is how a sentence about the turn goes on: when its time is up.
func until(s game.State) bot.Text {
	if at, ok := s.Deadline(); ok {
		return bot.Say(" until ", clock(at))
	}
	return nil
}

// lateLine says what the others can do when a player has gone; nil where none
// has. now is the table today, and began says that it has just come to this.
func lateLine(t table, began bool, now game.State) bot.Text {
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
		who = append(who, bot.Say(called))
	}
	line := bot.Say(listingOf(who), ": ", bot.Code("/claim"), " takes the game")
	if t.Late {
		line = bot.Say(line, ", ", bot.Code("/wait"), " gives ", bot.Name(t.Seats[t.Turn].Person), " the time again")
	}
	return bot.Say(line, ".")
}

// notLate says why the game can't be claimed.
func notLate(t table, req bot.Request) bot.Text {
	if t.Phase != game.Playing {
		return bot.Say("No turn is late here. ", bot.Code("/board"), " shows how things stand.")
	}
	if seat, _ := t.SeatOf(req.User.ID); seat == t.Turn {
		return bot.Say("It's your own turn. Make your move, or ", bot.Code("/pass"), ".")
	}
	who := bot.Name(t.Seats[t.Turn].Person)
	if at, ok := t.Deadline(); ok {
		return bot.Say(who, " has time until ", clock(at), ". Please wait.")
	}
	if at, ok := t.Expires(); ok {
		return bot.Say(who, " has not been gone for long enough. From ", clock(at), " on you can ", bot.Code("/claim"), " the game.")
	}
	return bot.Say("No turn is late here. ", bot.Code("/board"), " shows how things stand.")
}

// paceAnswer is what a person is told who did something that has to do with
// time; nil for all else.
func paceAnswer(f game.Fact) bot.Text {
	switch f := f.(type) {
	case game.Claimed:
		return bot.Say("You claim the game.")
	case game.Waited:
		return bot.Say("You go on waiting. The turn has its whole time again.")
	case game.WentAway:
		return bot.Say("You are away until ", clock(f.Until), ".")
	case game.CameBack:
		return bot.Say("Welcome back.")
	}
	return nil
}
