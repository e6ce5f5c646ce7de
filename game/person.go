package game

import "strings"

// A fact that names people can name others in their places: when somebody asks
// to be forgotten, their games stay, without them.
type naming interface {
	Fact
	// renamed is the fact with each of its persons put through a function.
	renamed(func(Person) Person) Fact
}

func (f Opened) renamed(to func(Person) Person) Fact {
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

func (f Joined) renamed(to func(Person) Person) Fact {
	f.Person = to(f.Person)
	return f
}

// People lists the persons that an event names, one perhaps more than once.
func (e Event) People() []Person {
	var all []Person
	if f, ok := e.Fact.(naming); ok {
		f.renamed(func(p Person) Person {
			all = append(all, p)
			return p
		})
	}
	return all
}

// Renamed returns the event with another person in the place of one. Who somebody is
// decides nothing but which seat is theirs, so a log renamed throughout, to
// somebody who was not in it, replays to the same game, and its draws can be
// checked as before.
func (e Event) Renamed(from PlayerID, to Person) Event {
	if f, ok := e.Fact.(naming); ok {
		e.Fact = f.renamed(func(p Person) Person {
			if p.ID == from {
				return to
			}
			return p
		})
	}
	return e
}

// RobotPrefix begins the ids of robots, as in "robot:expert"; no platform has that name.
const RobotPrefix = "robot:"

// IsRobot reports whether a player is one of the host's own.
func (p PlayerID) IsRobot() bool { return strings.HasPrefix(string(p), RobotPrefix) }
