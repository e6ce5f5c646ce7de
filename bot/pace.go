package bot

import "github.com/rackmate/rackmate/game"

// This file is about how long turns may take in games that live for days.

// paceSentence tells of an event that has to do with time.
func paceSentence(before game.State, e game.Event) Text {
	who := func(seat int) Span { return name(before.Seats[seat].Person) }
	switch f := e.Fact.(type) {
	case game.TimedOut:
		return say("The time for ", who(f.Seat), "'s turn is up.")
	case game.Claimed:
		return say(who(f.By), " claims the game, for ", who(f.Seat), " is gone.")
	case game.Waited:
		return say(who(f.By), " will wait: the turn has its whole time again.")
	case game.WentAway:
		return say(who(f.Seat), " is away until ", clock(f.Until), ". Their clock stands until then.")
	case game.CameBack:
		return say(who(f.Seat), " is back.")
	case game.Vacated:
		return say(who(f.Seat), "'s seat is free: ", code("/adopt"), " takes it over, with its tiles and its score.")
	case game.Adopted:
		if f.Person.ID == before.Seats[f.Seat].Person.ID {
			return say(name(f.Person), " is back in the game.")
		}
		return say(name(f.Person), " plays on for ", who(f.Seat), ".")
	}
	return nil
}

// notLate says why the game can't be claimed.
func notLate(t table, req Request) Text {
	if t.Phase != game.Playing {
		return say("No turn is late here. ", code("/board"), " shows how things stand.")
	}
	if seat, _ := t.SeatOf(req.User.ID); seat == t.Turn {
		return say("It's your own turn. Make your move, or ", code("/pass"), ".")
	}
	who := name(t.Seats[t.Turn].Person)
	if at, ok := t.Deadline(); ok {
		return say(who, " has time until ", clock(at), ". Please wait.")
	}
	if at, ok := t.Expires(); ok {
		return say(who, " has not been gone for long enough. From ", clock(at), " on you can ", code("/claim"), " the game.")
	}
	return say("No turn is late here. ", code("/board"), " shows how things stand.")
}
