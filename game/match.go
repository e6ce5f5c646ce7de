package game

import (
	"cmp"
	"slices"
)

// A match is two games of the same two players, each of whom is first in one
// (document 003). The second is a table of its own, which knows how the first
// came out.

// A Standing is what a player has won in a match.
type Standing struct {
	Player Person
	Wins   int // games
	Points int // of all the games
}

// Standings returns how a match stands, by seat: the games that are over. There are
// none where the game stands by itself.
func (s State) Standings() []Standing {
	if s.Rules.Games < 2 {
		return nil
	}
	all := make([]Standing, len(s.Seats))
	for i, seat := range s.Seats {
		st := Standing{Player: seat.Person}
		for _, before := range s.Earlier {
			if before.Player.ID == seat.Person.ID {
				st.Wins, st.Points = before.Wins, before.Points
			}
		}
		if s.End != nil {
			st.Points += seat.Score
			if slices.Equal(s.End.Winners, []int{i}) {
				st.Wins++
			}
		}
		all[i] = st
	}
	return all
}

// MatchGoesOn reports whether the game that is over was the first of a match.
func (s State) MatchGoesOn() bool {
	return s.Rules.Games > 1 && s.End != nil && s.End.Reason != ForsakenEnd && s.End.Reason != StoppedEnd && len(s.Earlier) == 0 && len(s.Seats) == 2
}

// MatchWinners returns the seats that win a match which is over, both in a tie: who
// has won more games, or if each has won as many, more points in both.
func (s State) MatchWinners() []int {
	if s.End == nil || len(s.Earlier) == 0 {
		return nil
	}
	all := s.Standings()
	var best []int
	for i, st := range all {
		order := 1
		if len(best) > 0 {
			lead := all[best[0]]
			order = cmp.Or(cmp.Compare(st.Wins, lead.Wins), cmp.Compare(st.Points, lead.Points))
		}
		switch {
		case order > 0:
			best = []int{i}
		case order == 0:
			best = append(best, i)
		}
	}
	return best
}

// NextGame opens the second game of the match whose first is over, with the
// seats kept for the same players. Who wasn't first then begins.
func (s State) NextGame() Open {
	open := Open{
		Rules: s.Rules, Pace: s.Pace, Equipment: s.Equipment, Lexicon: s.Lexicon, Seats: len(s.Seats),
		First: s.Seats[(s.First+1)%len(s.Seats)].Person, Earlier: s.Standings(),
	}
	for _, seat := range s.Seats {
		open.Invited = append(open.Invited, seat.Person)
	}
	return open
}
