package daily

import (
	"github.com/rackmate/rackmate/game/puzzle"
)

// The number of rest days that a person can hold, and the days in a row that earn one.
const (
	mostRest  = 2
	earnsRest = 7
)

// A streak stores how many days in a row a person has played.
type streak struct {
	Last puzzle.Day `json:"last"`           // last day played
	Run  int        `json:"run"`            // days played in a row
	Rest int        `json:"rest,omitempty"` // days that may still be missed
	Row  int        `json:"row,omitempty"`  // days since a rest day was earned or used
	Best int        `json:"best"`           // longest run
	Days int        `json:"days"`           // days played in all
}

// play counts a day. counts reports whether a missed day in between counts; a day without a posted
// board doesn't.
func (s streak) play(d puzzle.Day, counts func(puzzle.Day) bool) streak {
	if s.Days > 0 && d <= s.Last {
		return s // another place can be a day behind
	}
	s = s.asOf(d, counts)
	s.Last, s.Run, s.Row, s.Days = d, s.Run+1, s.Row+1, s.Days+1
	if s.Row == earnsRest {
		s.Row = 0
		s.Rest = min(s.Rest+1, mostRest)
	}
	s.Best = max(s.Best, s.Run)
	return s
}

// asOf returns the streak as it stands when day d begins and hasn't been played yet. Each missed
// day uses up a rest day, or ends the run if there is none.
func (s streak) asOf(d puzzle.Day, counts func(puzzle.Day) bool) streak {
	for missed := s.Last + 1; missed < d && s.Run > 0; missed++ {
		if !counts(missed) {
			continue
		}
		if s.Row = 0; s.Rest == 0 {
			s.Run = 0
			break
		}
		s.Rest--
	}
	return s
}
