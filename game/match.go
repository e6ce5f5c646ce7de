package game

import (
	"cmp"
	"slices"
)

// A match is two games between the same two players. Each of them goes first once (document
// 003). The second game is a table of its own that knows the first one's result.

// A Standing is a player's score in a match.
type Standing struct {
	Player Person
	Wins   int // games won
	Points int // points in all games
}

// Standings returns the match score by seat, counting finished games, or nil if the game isn't part
// of a match.
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

// MatchGoesOn reports whether the finished game was the first of a match.
func (s State) MatchGoesOn() bool {
	return s.Rules.Games > 1 && s.End != nil && s.End.Reason != AbandonedEnd && s.End.Reason != StoppedEnd && len(s.Earlier) == 0 && len(s.Seats) == 2
}

// MatchWinners returns the seats that win a finished match, both in a tie. More games win; if those
// are equal, more points in both games.
func (s State) MatchWinners() []int {
	if s.End == nil || len(s.Earlier) == 0 {
		return nil
	}
	all := s.Standings()
	var seats []int
	for i := range all {
		seats = append(seats, i)
	}
	return leaders(seats, func(i, j int) int {
		return cmp.Or(cmp.Compare(all[i].Wins, all[j].Wins), cmp.Compare(all[i].Points, all[j].Points))
	})
}

// NextGame returns the action that opens the second game of a match, with the seats reserved for
// the same players. The player who wasn't first in the first game goes first.
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
