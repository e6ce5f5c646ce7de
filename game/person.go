package game

import "strings"

// A naming fact can replace the people it names: when a person asks to be forgotten, their games
// stay without their name.
type renamer interface {
	Fact
	// rename returns the fact with a function applied to each person.
	rename(func(Person) Person) Fact
}

func (f Opened) rename(to func(Person) Person) Fact {
	f.Host = to(f.Host)
	var invited []Person
	for _, p := range f.Invited {
		invited = append(invited, to(p))
	}
	f.Invited = invited
	var earlier []Standing
	for _, st := range f.Earlier {
		st.Player = to(st.Player)
		earlier = append(earlier, st)
	}
	f.Earlier = earlier
	if f.First.ID != "" {
		f.First = to(f.First)
	}
	return f
}

func (f Joined) rename(to func(Person) Person) Fact {
	f.Person = to(f.Person)
	return f
}

// People returns the people that an event names, possibly with duplicates.
func (e Event) People() []Person {
	var all []Person
	if f, ok := e.Fact.(renamer); ok {
		f.rename(func(p Person) Person {
			all = append(all, p)
			return p
		})
	}
	return all
}

// Rename returns the event with one person replaced by another. A person's identity only
// determines their seat, so a log renamed throughout, to a person who wasn't in it, replays to the
// same game, and its draws can still be verified.
func (e Event) Rename(from PlayerID, to Person) Event {
	if f, ok := e.Fact.(renamer); ok {
		e.Fact = f.rename(func(p Person) Person {
			if p.ID == from {
				return to
			}
			return p
		})
	}
	return e
}

// RobotPrefix starts the ids of robots, as in "robot:expert"; no platform has that name.
const RobotPrefix = "robot:"

// IsRobot reports whether a player is a robot of the host.
func (p PlayerID) IsRobot() bool { return strings.HasPrefix(string(p), RobotPrefix) }
