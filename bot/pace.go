package bot

import "github.com/rackmate/rackmate/game"

// This file is about how long turns may take in games that live for days.

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
	if at, ok := t.Claimable(); ok {
		return say(who, " has not been gone for long enough. From ", clock(at), " on you can ", code("/claim"), " the game.")
	}
	return say("No turn is late here. ", code("/board"), " shows how things stand.")
}
