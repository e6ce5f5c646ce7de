package daily

import (
	"github.com/rackmate/rackmate/game/puzzle"
)

// The rest days that somebody can hold, and how many days in a row earn one.
const (
	mostRest  = 2
	earnsRest = 7
)

// A Streak is how many days in a row somebody has played, as it is stored.
type Streak struct {
	Last puzzle.Day `json:"last"`           // that was played
	Run  int        `json:"run"`            // days played in a row
	Rest int        `json:"rest,omitempty"` // days that can be missed
	Row  int        `json:"row,omitempty"`  // days since the last rest day was earned or used
	Best int        `json:"best"`           // the longest run
	Days int        `json:"days"`           // played in all
}

// play counts a day. counts reports whether a missed day between would have counted: a day
// on which no board was posted doesn't.
func (s Streak) play(d puzzle.Day, counts func(puzzle.Day) bool) Streak {
	if s.Days > 0 && d <= s.Last {
		return s // somewhere else it is an earlier day
	}
	s = s.before(d, counts)
	s.Last, s.Run, s.Row, s.Days = d, s.Run+1, s.Row+1, s.Days+1
	if s.Row == earnsRest {
		s.Row = 0
		s.Rest = min(s.Rest+1, mostRest)
	}
	s.Best = max(s.Best, s.Run)
	return s
}

// before is the streak as it stands when a day begins that hasn't been played yet. A
// missed day takes a rest day, or else ends it.
func (s Streak) before(d puzzle.Day, counts func(puzzle.Day) bool) Streak {
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
